// The keys of the page, and the dialog that lists them. They are silent while one types, while a dialog is open, and when
// they are switched off: single letters can be in the way of speech input (WCAG 2.1.4).

import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';

import { Switch } from '../ui/check-box.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PAGE_KEYS } from './page-keys.ts';
import { SEARCH_KEYS } from './search.tsx';

const OFF = 'keyboard-shortcuts-off'; // kept in this browser
const SECOND_KEY_MS = 1_500; // after `g`
const TYPING = 'input, textarea, select, [contenteditable]';
const ROW_LINKS = 'main tbody th a[href]';
const FILTERS = ['main input[type="search"]', 'main [role="search"] :is(input, select)'];
const SEARCH_BUTTON = 'header button[aria-keyshortcuts]';

const GROUPS = [
  {
    label: 'Anywhere',
    lines: [
      { keys: ['?'], does: 'Show this list' },
      { keys: SEARCH_KEYS, does: 'Search everything' },
      { keys: ['/'], does: 'Filter a list, or search' },
    ],
  },
  {
    label: 'In a list',
    lines: [
      { keys: ['j'], does: 'Next row' },
      { keys: ['k'], does: 'Previous row' },
      { keys: ['Enter'], does: 'Open the row' },
    ],
  },
];
const PAGES = PAGE_KEYS.map(({ key, label }) => ({ keys: ['g', key], does: label }));

/** Listens as long as it is shown. */
export function KeyboardMap(): ReactNode {
  const [, navigate] = useLocation();
  const [open, setOpen] = useState(false);
  const [on, setOn] = useState(() => localStorage.getItem(OFF) === null);
  const wentAt = useRef(-Infinity); // when `g` was pressed
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
    if ((event.target as Element).closest?.(TYPING) || document.querySelector('[role="dialog"]')) return;
    if (event.key === '?') return act(event, () => setOpen(true));
    if (!on) return;
    const page = PAGE_KEYS.find(({ key }) => key === event.key);
    if (page && event.timeStamp - wentAt.current < SECOND_KEY_MS) {
      wentAt.current = -Infinity;
      return act(event, () => navigate(page.path));
    }
    wentAt.current = event.key === 'g' ? event.timeStamp : -Infinity;
    if (event.key === 'j') act(event, () => moveRow(1));
    if (event.key === 'k') act(event, () => moveRow(-1));
    if (event.key === '/') act(event, focusFilter);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const turn = (next: boolean) => {
    setOn(next);
    if (next) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, 'yes');
  };
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title="Keyboard shortcuts" width="medium">
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        <div className="space-y-6">
          {GROUPS.map((group) => (
            <KeyGroup key={group.label} {...group} />
          ))}
          <Switch
            label="Keyboard shortcuts"
            hint="Kept in this browser. The ? key always shows this list."
            checked={on}
            onChange={turn}
          />
        </div>
        <KeyGroup label="Go to" lines={PAGES} />
      </div>
    </Dialog>
  );
}

function KeyGroup({
  label,
  lines,
}: {
  label: string;
  lines: readonly { keys: readonly string[]; does: string }[];
}): ReactNode {
  return (
    <section className="space-y-1.5">
      <h3 className="text-muted text-[13px]">{label}</h3>
      {lines.map(({ keys, does }) => (
        <p key={does} className="flex items-center justify-between gap-4">
          <span>{does}</span>
          <span className="flex shrink-0 gap-1">
            {keys.map((key) => (
              <kbd key={key} className="bg-subtle rounded border px-1.5 font-mono text-[13px]">
                {key}
              </kbd>
            ))}
          </span>
        </p>
      ))}
    </section>
  );
}

function act(event: KeyboardEvent, run: () => void): void {
  event.preventDefault();
  run();
}

function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>(ROW_LINKS)];
  const at = rows.findIndex((row) => row === document.activeElement);
  rows[at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
}

function focusFilter(): void {
  const filter = FILTERS.map((one) => document.querySelector<HTMLElement>(one)).find((one) => one !== null);
  if (filter) filter.focus();
  else document.querySelector<HTMLElement>(SEARCH_BUTTON)?.click();
}
