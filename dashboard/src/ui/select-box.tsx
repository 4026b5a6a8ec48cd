// The check boxes with which rows of a list are selected.

import { useEffect, useRef, type ReactNode } from 'react';

import { cx } from './class-names.ts';
import type { Selection } from './use-selection.ts';

/** A box in a target of 24 pixels, mostly without a visible `text`. */
export function SelectBox({
  label,
  text,
  checked,
  mixed = false,
  onChange,
  className,
}: {
  label: string;
  text?: string;
  checked: boolean;
  /** Some of what it stands for is selected. */
  mixed?: boolean;
  onChange: () => void;
  className?: string;
}): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label
      className={cx(
        'relative z-1 inline-flex min-h-6 min-w-6 cursor-pointer items-center justify-center',
        className,
      )}
    >
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={onChange}
        className="accent-accent size-4 cursor-pointer"
      />
      {text === undefined ? null : <span className="ml-2 text-[13px]">{text}</span>}
    </label>
  );
}

/** The box of all rows that are loaded. On a phone a list has no head: put it above the list there. */
export function SelectLoadedBox({
  selection: { loaded, toggleLoaded },
  text,
  className,
}: {
  selection: Selection;
  text?: string;
  className?: string;
}): ReactNode {
  return (
    <SelectBox
      label="Select all rows shown"
      checked={loaded === 'all'}
      mixed={loaded === 'some'}
      onChange={toggleLoaded}
      {...(text !== undefined && { text })}
      {...(className !== undefined && { className })}
    />
  );
}
