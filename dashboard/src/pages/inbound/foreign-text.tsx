// Untrusted text of a sender or an endpoint: bidirectional control characters affect nothing outside of it, and long words wrap.

import type { ReactNode } from 'react';

import { cx } from '../../ui/class-names.ts';

/** The text, or `fallback` when there is none. */
export function ForeignText({
  children,
  fallback,
  short = false,
}: {
  children: string | null | undefined;
  fallback: string;
  /** At most two lines. */
  short?: boolean;
}): ReactNode {
  if (children === null || children === undefined || children.trim() === '') {
    return <span className="text-muted font-normal">{fallback}</span>;
  }
  return <bdi className={cx('[overflow-wrap:anywhere]', short && 'line-clamp-2')}>{children}</bdi>;
}

/** Several lines of it, as they came. `label` says what they are. */
export function ForeignBlock({ label, children }: { label: string; children: string }): ReactNode {
  return (
    <pre
      tabIndex={0}
      aria-label={label}
      className="bg-subtle max-h-60 overflow-auto rounded-md px-3 py-2 font-mono text-[13px] break-words whitespace-pre-wrap"
    >
      {children}
    </pre>
  );
}
