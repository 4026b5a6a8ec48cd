// The search box of the top bar, and Ctrl-K or Cmd-K on every page. What it opens is loaded when it is first opened.

import { Search as Glass } from '../gen/icons.ts';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }));

/** The keys that open the search on this device. */
export const SEARCH_KEYS = /mac|iphone|ipad/i.test(navigator.userAgent) ? ['⌘', 'K'] : ['Ctrl', 'K'];

/** Opens the search. */
export function Search(): ReactNode {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts={SEARCH_KEYS[0] === 'Ctrl' ? 'Control+K' : 'Meta+K'}
        onClick={() => setOpen(true)}
        className="text-muted hover:bg-subtle hover:text-ink sm:bg-ground flex h-9 items-center gap-2 rounded-md px-2.5 sm:w-72 sm:border"
      >
        <Glass size={16} aria-hidden="true" />
        <span className="truncate max-sm:sr-only">Search mail and people</span>
        <kbd aria-hidden="true" className="ml-auto font-sans text-xs whitespace-nowrap max-sm:hidden">
          {SEARCH_KEYS.join(' ')}
        </kbd>
      </button>
      {open ? (
        <Suspense>
          <SearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
