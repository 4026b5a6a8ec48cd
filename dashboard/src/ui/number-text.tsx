// Numbers in tables and text.

import type { ReactNode } from 'react';

import { formatBytes, formatCompact, formatNumber, formatPercent } from './format-number.ts';

/** A number with digits of one width; `kind` says which. */
export function NumberText({
  value,
  kind = 'number',
}: {
  value: number | null | undefined;
  kind?: 'number' | 'percent' | 'bytes' | 'compact';
}): ReactNode {
  return <span className="tabular-nums">{textOf(value, kind)}</span>;
}

function textOf(value: number | null | undefined, kind: 'number' | 'percent' | 'bytes' | 'compact'): string {
  if (value === null || value === undefined) return '–';
  switch (kind) {
    case 'number':
      return formatNumber(value);
    case 'percent':
      return formatPercent(value);
    case 'bytes':
      return formatBytes(value);
    case 'compact':
      return formatCompact(value);
  }
}
