// One measured figure, its target, and the raw limit that stands beside it.

/** What must be reached. */
export type Target = { atLeast: number } | { atMost: number };

/** The same thing done by the least code that can do it, measured in the same run. */
interface RawLimit {
  what: string;
  value: number;
  unit: Unit;
}

/** Units of figures. */
export type Unit = '/s' | 'ms' | 'kB' | 'MB' | '%' | '';

/** One line of the report. */
export interface Figure {
  /** Stable: notes are kept under it. */
  id: string;
  what: string;
  value: number;
  unit: Unit;
  target?: Target;
  raw?: RawLimit;
  /** What the value is the sum of, by name. */
  parts?: Record<string, number>;
  /** How it was measured, in a few words. */
  detail?: string;
}

/** Whether the target was met, and if not by how many percent of it the figure missed. */
export function verdict({ value, target }: Pick<Figure, 'value' | 'target'>): string {
  if (!target) return '';
  const [wanted, met] =
    'atLeast' in target ? [target.atLeast, value >= target.atLeast] : [target.atMost, value <= target.atMost];
  if (met) return 'met';
  if (wanted === 0) return 'missed';
  return `missed by ${formatNumber((Math.abs(value - wanted) / wanted) * 100)} %`;
}

/** A figure with its unit, for people. */
export function formatValue(value: number, unit: Unit): string {
  const number = formatNumber(value);
  if (unit === '') return number;
  return unit === '/s' ? `${number}/s` : `${number} ${unit}`;
}

/** A target, for people. */
export function formatTarget(target: Target | undefined, unit: Unit): string {
  if (!target) return '';
  return 'atLeast' in target
    ? `≥ ${formatValue(target.atLeast, unit)}`
    : `≤ ${formatValue(target.atMost, unit)}`;
}

// Three digits say all that such a measurement knows.
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return 'n/a';
  const rounded = value === 0 ? 0 : Number(value.toPrecision(3));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
