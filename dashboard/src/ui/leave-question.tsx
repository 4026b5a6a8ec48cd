// Asks before unsaved work is lost: at a link, at Back and Forward, and at closing or reloading the tab, where the
// browser asks in its own words.

import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { AroundNavHandler } from 'wouter';

import { Button } from './button.tsx';
import { Dialog, DialogFooter } from './dialog.tsx';

/** Another page of the dashboard, or away from it: by signing out, closing the tab, or in another account. */
type LeaveTo = 'page' | 'away';

/** The question on the page that is shown, if it has one. */
let guard: { isLost: (to: LeaveTo) => boolean; ask: (leave: () => void) => void } | null = null;

/** For the Router: every navigation of the page itself passes here. */
export const aroundNav: AroundNavHandler = (navigate, to, options) =>
  askToLeave(() => navigate(to, options), 'page');

/** Leaves now, or after the question if there is unsaved work. */
export function askToLeave(leave: () => void, to: LeaveTo = 'away'): void {
  if (guard?.isLost(to)) guard.ask(leave);
  else leave();
}

// Back and Forward have happened when they are heard of: the address is put back until there is an answer. Capturing,
// at the window, before the Router is notified.
let here = location.href;
addEventListener(
  'popstate',
  (event) => {
    if (!guard?.isLost('page')) return;
    event.stopImmediatePropagation();
    history.pushState(null, '', here);
    guard.ask(() => history.back());
  },
  { capture: true },
);

/** The question. `when` tells whether leaving loses unsaved work; it is called at the moment of leaving. */
export function LeaveQuestion({ when, what }: { when: (to: LeaveTo) => boolean; what: string }): ReactNode {
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const latest = useRef(when);
  latest.current = when;
  // In a layout effect: it ends before the page that comes next navigates, which nobody could answer any more.
  useLayoutEffect(() => {
    here = location.href;
    guard = { isLost: (to) => latest.current(to), ask: (next) => setLeave(() => next) };
    const closing = (event: BeforeUnloadEvent) => {
      if (latest.current('away')) event.preventDefault();
    };
    addEventListener('beforeunload', closing);
    return () => {
      guard = null;
      removeEventListener('beforeunload', closing);
    };
  }, []);
  return (
    <Dialog open={leave !== null} onClose={() => setLeave(null)} title={`Leave without saving ${what}?`}>
      <p className="text-muted">Your changes since the last save will be lost.</p>
      <DialogFooter>
        <Button
          variant="danger"
          onClick={() => {
            guard = null;
            setLeave(null);
            leave?.();
          }}
        >
          Leave without saving
        </Button>
        <Button variant="primary" onClick={() => setLeave(null)}>
          Keep editing
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
