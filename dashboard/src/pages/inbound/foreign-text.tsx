// Untrusted text of a sender: bidirectional control characters affect nothing outside of it, and long words wrap.

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
