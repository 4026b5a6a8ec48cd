// Events since the page was opened.

import type { ReactNode } from 'react';

import { LiveDot } from '../../ui/live-dot.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { EVENT_TYPES } from '../events/event-words.ts';

/** One line of counters by event type. */
export function LiveCounts({
  live,
  counts,
}: {
  live: boolean;
  counts: Readonly<Record<string, number>>;
}): ReactNode {
  const seen = EVENT_TYPES.filter(({ value }) => (counts[value] ?? 0) > 0);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[13px]">
      <LiveDot live={live} />
      <span className="text-muted">
        {seen.length === 0 ? 'No new activity' : 'Since you opened this page:'}
      </span>
      {seen.map(({ value, label }) => (
        <span key={value} className="tabular-nums">
          <strong className="font-semibold">{formatNumber(counts[value] ?? 0)}</strong> {label.toLowerCase()}
        </span>
      ))}
    </div>
  );
}
