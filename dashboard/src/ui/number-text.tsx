// Numbers as people read them.

import type { ReactNode } from 'react';

const plain = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 });
const SIZES = ['B', 'KB', 'MB', 'GB'];

/** 1234567 → "1,234,567". */
export function formatNumber(value: number): string {
  return plain.format(value);
}

/** 1234567 → "1.2M". */
export function formatCompact(value: number): string {
  return compact.format(value);
}

/** A fraction: 0.0312 → "3.12%"; null → "–". */
export function formatPercent(fraction: number | null | undefined): string {
  return fraction === null || fraction === undefined ? '–' : percent.format(fraction);
}

/** Bytes: 1536 → "1.5 KB". */
export function formatBytes(bytes: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), SIZES.length - 1);
  const value = bytes / 1024 ** step;
  return `${step > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${SIZES[step]}`;
}

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
