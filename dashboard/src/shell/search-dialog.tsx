// "Where is my e-mail?": one box over messages, contacts, suppressions and campaigns. A combobox with a list (WAI-ARIA APG,
// "Combobox Pattern"): arrows choose, Enter opens, the focus stays in the box.

import { Search } from '../gen/icons.ts';
import { Dialog } from 'radix-ui';
import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';

import { SearchDocument } from '../gen/shell/search-dialog.ts';
import { errorText } from '../graphql/error-text.ts';
import { useDebounced } from '../pages/filters/use-debounced.ts';
import { StatusBadge } from '../ui/badge.tsx';
import { cx } from '../ui/class-names.ts';
import { Time } from '../ui/time.tsx';
import { groupsOf, type SearchGroup, type SearchRow } from './search-results.ts';

const MIN_CHARS = 3; // the api looks for nothing shorter
const DEBOUNCE_MS = 200;

export function SearchDialog({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <Dialog.Root open onOpenChange={(open) => void (!open && onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Content
          aria-describedby={undefined}
          className="bg-raised shadow-float fixed inset-x-0 top-0 z-50 flex max-h-[100dvh] flex-col overflow-hidden outline-none sm:inset-x-auto sm:top-[12dvh] sm:left-1/2 sm:max-h-[76dvh] sm:w-full sm:max-w-2xl sm:-translate-x-1/2 sm:rounded-xl"
        >
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <Finder onClose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Finder({ onClose }: { onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const typed = text.trim();
  const asked = useDebounced(typed, DEBOUNCE_MS);
  const pause = asked.length < MIN_CHARS;
  const [{ data, error, fetching }] = useQuery({ query: SearchDocument, variables: { text: asked }, pause });
  const settled = typed === asked && !fetching && !pause;
  const groups = typed.length < MIN_CHARS ? [] : groupsOf(asked, error ? undefined : data?.search);
  const rows = groups.flatMap((group) => group.rows);
  const [chosen, setChosen] = useState(0);
  useEffect(() => setChosen(0), [asked]);
  const at = Math.min(chosen, rows.length - 1);
  const [, navigate] = useLocation();
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && rows.length > 0) {
      event.preventDefault();
      const next = (at + step + rows.length) % rows.length;
      setChosen(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    }
    const row = rows[at];
    // While an answer is on its way the rows are those of another text.
    if (event.key === 'Enter' && row && typed === asked) {
      event.preventDefault();
      navigate(row.href);
      onClose();
    }
  };
  return (
    <>
      <div className="relative border-b">
        <Search size={18} aria-hidden="true" className="text-muted absolute top-4 left-4" />
        <input
          type="text"
          role="combobox"
          aria-label="Search"
          aria-autocomplete="list"
          aria-expanded={rows.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={rows.length > 0 ? `${id}-${at}` : undefined}
          placeholder="Address, subject, tag or ID"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          autoFocus
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={400}
          className="h-13 w-full bg-transparent pr-18 pl-11 text-[16px] outline-none"
        />
        <Dialog.Close className="text-muted hover:text-ink absolute top-3 right-3 rounded-md border px-2 py-0.5 text-xs leading-5">
          <span className="sm:hidden">Close</span>
          <span className="max-sm:hidden">Esc</span>
          <span className="sr-only"> search</span>
        </Dialog.Close>
      </div>
      <div className="min-h-0 overflow-y-auto">
        <Results id={id} groups={groups} chosen={at} onChoose={setChosen} onOpen={onClose} />
        <p role="status" className={cx('text-muted px-4', settled && rows.length > 0 ? 'sr-only' : 'py-5')}>
          {statusText(typed, settled, rows.length, error ? errorText(error) : null)}
        </p>
      </div>
    </>
  );
}

function statusText(typed: string, settled: boolean, found: number, problem: string | null): string {
  if (typed.length < MIN_CHARS)
    return 'Enter part of an address, words of a subject, a tag (name=value) or an ID. At least 3 characters.';
  if (!settled) return 'Searching …';
  if (problem !== null) return problem;
  if (found > 0) return `${found} found`;
  return 'Nothing found. Whole words of a subject are searched, and three or more characters of an address.';
}

interface ResultsProps {
  id: string;
  groups: SearchGroup[];
  chosen: number;
  onChoose: (at: number) => void;
  onOpen: () => void;
}

function Results({ id, groups, chosen, onChoose, onOpen }: ResultsProps): ReactNode {
  const first = groups.map((_, at) => groups.slice(0, at).reduce((sum, { rows }) => sum + rows.length, 0));
  return (
    <div role="listbox" id={`${id}-list`} aria-label="Results" className={groups.length > 0 ? 'p-2' : ''}>
      {groups.map(({ label, rows }, group) => (
        <div key={label} role="group" aria-labelledby={`${id}-${label}`}>
          <p
            id={`${id}-${label}`}
            role="presentation"
            className="text-muted px-2.5 pt-2 pb-1 text-xs font-medium"
          >
            {label}
          </p>
          {rows.map((row, place) => {
            const at = first[group]! + place;
            return (
              <Result
                key={row.href}
                id={`${id}-${at}`}
                row={row}
                chosen={at === chosen}
                onChoose={() => onChoose(at)}
                onOpen={onOpen}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

function Result({
  id,
  row: { href, title, detail, status, at },
  chosen,
  onChoose,
  onOpen,
}: {
  id: string;
  row: SearchRow;
  chosen: boolean;
  onChoose: () => void;
  onOpen: () => void;
}): ReactNode {
  return (
    <Link
      href={href}
      id={id}
      role="option"
      aria-selected={chosen}
      tabIndex={-1}
      onMouseMove={onChoose}
      onClick={onOpen}
      className={cx('flex items-center gap-3 rounded-md px-2.5 py-2', chosen && 'bg-accent-soft')}
    >
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{title}</bdi>
        {detail === '' ? null : <bdi className="text-muted block truncate text-[13px]">{detail}</bdi>}
      </span>
      <span className="text-muted flex shrink-0 flex-col items-end gap-0.5 text-xs">
        {status === null ? null : <StatusBadge status={status} />}
        {at === null ? null : <Time value={at} />}
      </span>
    </Link>
  );
}
