// Controls for text and for one of several values. Inside a Field they need no id and no label of their own.

import type { ComponentProps, ReactNode } from 'react';

import { cx } from './class-names.ts';
import { useField } from './field.tsx';

const BOX =
  'bg-surface border-line-strong/60 w-full rounded-md border px-3 shadow-card focus:border-accent focus:outline-2 focus:outline-offset-0 focus:outline-accent/30 disabled:bg-subtle disabled:text-muted aria-invalid:border-bad max-sm:text-[16px]';

/** One line of text. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>): ReactNode {
  return <input type="text" {...useField()} {...rest} className={cx(BOX, 'h-9', className)} />;
}

/** Several lines of text; `code` for HTML and the like. */
export function TextArea({
  code = false,
  className,
  rows = 6,
  ...rest
}: ComponentProps<'textarea'> & { code?: boolean }): ReactNode {
  return (
    <textarea
      {...useField()}
      rows={rows}
      spellCheck={!code}
      {...rest}
      className={cx(BOX, 'min-h-20 py-2', code && 'font-mono text-[13px] leading-relaxed', className)}
    />
  );
}

/** One of several values: the browser's own list, which works on every device. */
export function Select({
  options,
  className,
  ...rest
}: ComponentProps<'select'> & { options: readonly { value: string; label: string }[] }): ReactNode {
  return (
    <select {...useField()} {...rest} className={cx(BOX, 'h-9 pr-8', className)}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
