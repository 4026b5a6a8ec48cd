// The row of filters above a list.

import { Search, X } from '../../gen/icons.ts';
import { useEffect, useState, type ReactNode } from 'react';

import { Button } from '../../ui/button.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';

/** The row; give `onClear` while a filter is set. */
export function FilterBar({
  label,
  onClear,
  children,
}: {
  label: string;
  onClear?: (() => void) | undefined;
  children: ReactNode;
}): ReactNode {
  return (
    <div role="search" aria-label={label} className="flex flex-wrap items-center gap-2 border-b p-3">
      {children}
      {onClear ? (
        <Button variant="quiet" size="small" icon={X} onClick={onClear}>
          Clear filters
        </Button>
      ) : null}
    </div>
  );
}

/** A search box. It filters on Enter and on blur. */
export function SearchFilter({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = () => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <form
      className="relative w-full sm:w-64"
      onSubmit={(event) => {
        event.preventDefault();
        commit();
      }}
    >
      <Search size={15} aria-hidden="true" className="text-muted absolute top-2.5 left-2.5" />
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        className="pl-8"
        autoComplete="off"
        spellCheck={false}
      />
    </form>
  );
}

/** One of several values, or all. */
export function SelectFilter({
  label,
  all,
  value,
  onChange,
  options,
}: {
  label: string;
  /** The label of "no filter": "All statuses". */
  all: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
}): ReactNode {
  return (
    <div className="min-w-0 max-sm:flex-[1_1_45%]">
      <Select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        options={[{ value: '', label: all }, ...options]}
        className="sm:max-w-56"
      />
    </div>
  );
}
