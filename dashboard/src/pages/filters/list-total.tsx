// How many rows a list has.

import type { ReactNode } from 'react';

import { formatNumber } from '../../ui/format-number.ts';

/** "1 message", "3,412 messages", "10,000+ messages"; nothing while the count is not there. */
export function ListTotal({
  total,
  one,
  many,
}: {
  total: { count: number; isExact: boolean } | null | undefined;
  one: string;
  many: string;
}): ReactNode {
  return (
    <span role="status" aria-label="Total" className="text-muted text-[13px] tabular-nums">
      {total ? totalText(total, one, many) : ''}
    </span>
  );
}

function totalText(
  { count, isExact }: { count: number; isExact: boolean },
  one: string,
  many: string,
): string {
  return `${formatNumber(count)}${isExact ? '' : '+'} ${count === 1 && isExact ? one : many}`;
}
