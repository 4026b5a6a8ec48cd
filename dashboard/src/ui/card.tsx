// The framed sections of a page.

import { useId, type ReactNode } from 'react';

import { cx } from './class-names.ts';

/** A part of a page with a heading. `flush` for a table that reaches the frame. */
export function Card({
  title,
  description,
  actions,
  flush = false,
  className,
  children,
}: {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  flush?: boolean;
  className?: string;
  children?: ReactNode;
}): ReactNode {
  const id = useId();
  const head = title !== undefined || actions !== undefined;
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={cx('bg-surface shadow-card rounded-lg border', className)}
    >
      {head ? (
        <div className={cx('flex flex-wrap items-start justify-between gap-3 px-5 pt-4', flush && 'pb-3')}>
          <div className="min-w-0">
            <h2 id={id} className="font-semibold">
              {title}
            </h2>
            {description === undefined ? null : <p className="text-muted mt-0.5">{description}</p>}
          </div>
          {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
      ) : null}
      <div className={flush ? '' : cx('px-5 pb-5', head ? 'pt-4' : 'pt-5')}>{children}</div>
    </section>
  );
}

/** One number with its name; a row of them makes the top of an overview. */
export function Stat({
  label,
  value,
  hint,
}: {
  label: ReactNode;
  value: ReactNode;
  hint?: ReactNode;
}): ReactNode {
  return (
    <div className="bg-surface shadow-card min-w-0 rounded-lg border px-4 py-3.5">
      <p className="text-muted truncate text-[13px]">{label}</p>
      <p className="mt-0.5 text-xl font-semibold tabular-nums">{value}</p>
      {hint === undefined ? null : <p className="text-muted mt-0.5 text-xs">{hint}</p>}
    </div>
  );
}

/** Names and values, one below the other. */
export function DescriptionList({
  items,
}: {
  items: readonly { term: string; value: ReactNode }[];
}): ReactNode {
  return (
    <dl className="grid gap-x-6 sm:gap-y-2.5 sm:grid-cols-[minmax(8rem,auto)_1fr]">
      {items.map(({ term, value }) => (
        <div key={term} className="contents">
          <dt className="text-muted">{term}</dt>
          <dd className="min-w-0 break-words max-sm:mb-2.5">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
