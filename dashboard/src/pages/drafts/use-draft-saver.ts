// A saver of drafts for a page: what it shows, and nothing lost when the page or the tab goes away.

import { useEffect, useEffectEvent, useState } from 'react';

import type { DraftSaver, SaverView } from './draft-saver.ts';

/**
 * The saver that `make` made at the first render, and what to show of it. It saves at once when somebody goes to another page
 * of the dashboard. While `isLost` is true, the browser asks before it closes the tab.
 */
export function useDraftSaver<Input extends object, Version>(
  make: (onChange: (view: SaverView) => void) => DraftSaver<Input, Version>,
  isLost: (saver: DraftSaver<Input, Version>) => boolean,
): [DraftSaver<Input, Version>, SaverView] {
  const [view, setView] = useState<SaverView | null>(null);
  const [saver] = useState(() => make(setView));
  const isLostNow = useEffectEvent(() => isLost(saver));
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isLostNow()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => {
      removeEventListener('beforeunload', ask);
      void saver.flush(); // the request outlives this page
    };
  }, [saver]);
  return [saver, view ?? saver.view];
}
