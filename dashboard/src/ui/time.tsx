// Times as text, in the zone that the person chose. The exact time, with seconds, is in the title and in the datetime attribute.

import { useEffect, useState, type ReactNode } from 'react';

import { nowMs } from '../clock.ts';
import { formatTime, useTimeZone } from './zone.ts';

const TICK_MS = 30_000;
const MINUTE_MS = 60_000;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', MINUTE_MS],
];
const FAR_MS = 14 * 86_400_000;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/**
 * A time: "5 minutes ago", a date beyond two weeks. `exact` shows date, time and zone; `ahead` is for what is to happen:
 * what is due now has not happened yet. Without a value: `fallback`.
 */
export function Time({
  value,
  exact = false,
  ahead = false,
  fallback = 'never',
}: {
  value: string | null | undefined;
  exact?: boolean;
  ahead?: boolean;
  fallback?: string;
}): ReactNode {
  useTick(!exact);
  useTimeZone();
  if (!value) return <span className="text-muted">{fallback}</span>;
  const at = new Date(value);
  return (
    <time dateTime={value} title={formatTime(at, 'second')} className="whitespace-nowrap">
      {exact ? formatTime(at, 'minute') : relativeTime(at, ahead)}
    </time>
  );
}

// By the clock of now, not of the last tick: what just came in by a live view would lie ahead of that.
function relativeTime(at: Date, ahead: boolean): string {
  const difference = at.getTime() - nowMs();
  if (ahead && difference < MINUTE_MS) return difference > 0 ? 'in less than a minute' : 'now';
  if (Math.abs(difference) > FAR_MS) return formatTime(at, 'day');
  for (const [unit, ms] of UNITS) {
    if (Math.abs(difference) >= ms) return relative.format(Math.trunc(difference / ms), unit);
  }
  return 'just now'; // also a little ahead: the server's clock is not this one
}

function useTick(ticking: boolean): void {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!ticking) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [ticking]);
}
