// A progress bar.

import type { ReactNode } from 'react';

import { cx } from './class-names.ts';
import { formatNumber } from './format-number.ts';

const TONES = { accent: 'bg-accent', good: 'bg-good', warn: 'bg-warn', bad: 'bg-bad' };

/** A bar with its label and "value of max". `text` replaces the latter; `name` says more than the label to a screen reader. */
export function Progress({
  label,
  name = label,
  value,
  max,
  text,
  tone = 'accent',
}: {
  label: string;
  name?: string;
  value: number;
  max: number;
  text?: ReactNode;
  tone?: keyof typeof TONES;
}): ReactNode {
  const percent = max > 0 ? Math.min(100, (value / max) * 100) : 0;
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <span>{label}</span>
        <span className="text-muted text-[13px] tabular-nums">
          {text ?? `${formatNumber(value)} of ${formatNumber(max)}`}
        </span>
      </div>
      <div
        role="progressbar"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
        className="bg-subtle h-2 overflow-hidden rounded-full"
      >
        <div className={cx('h-full rounded-full', TONES[tone])} style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
