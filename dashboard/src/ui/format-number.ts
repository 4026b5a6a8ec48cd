// Numbers as text. The only place that formats rates.

const plain = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const twoDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const SIZES = ['B', 'KB', 'MB', 'GB'];
const NBSP = '\u00a0';

/** 1234567 → "1,234,567". */
export function formatNumber(value: number): string {
  return plain.format(value);
}

/** 1234567 → "1.2M". */
export function formatCompact(value: number): string {
  return compact.format(value);
}

/** A fraction as a rate of two digits: 0.0312 → "3.1 %", 0.9981 → "> 99 %", null → "–". */
export function formatPercent(fraction: number | null | undefined): string {
  if (fraction === null || fraction === undefined) return '–';
  if (fraction > 0.99 && fraction < 1) return `>${NBSP}99${NBSP}%`; // never rounded up to 100 %
  return `${twoDigits.format(fraction * 100)}${NBSP}%`;
}

/** Bytes: 1536 → "1.5 KB". */
export function formatBytes(bytes: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), SIZES.length - 1);
  const value = bytes / 1024 ** step;
  return `${step > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${SIZES[step]}`;
}
