// Reading on before somebody comes to the end of what was read.

import { useEffect, useEffectEvent, type RefObject } from 'react';

const AHEAD_PX = 1_500; // below the screen

/** Calls `readOn` while the element is on the screen or near below it. */
export function useEndReached(element: RefObject<Element | null>, active: boolean, readOn: () => void): void {
  const onNear = useEffectEvent(readOn);
  useEffect(() => {
    if (!active || !element.current) return undefined;
    const watch = new IntersectionObserver((seen) => void (seen.at(-1)?.isIntersecting && onNear()), {
      rootMargin: `0px 0px ${AHEAD_PX}px`,
    });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, [element, active]);
}
