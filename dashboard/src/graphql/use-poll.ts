// Reading again and again while something is under way.

import { useEffect, useEffectEvent } from 'react';

/** Calls `read` every `ms` while `active`. */
export function usePoll(active: boolean, ms: number, read: () => void): void {
  const poll = useEffectEvent(read);
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(poll, ms);
    return () => clearInterval(timer);
  }, [active, ms]);
}
