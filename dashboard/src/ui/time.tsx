// Times as text. The exact time is in the title and in the datetime attribute.

import { useEffect, useState, type ReactNode } from 'react';

import { nowMs } from '../clock.ts';

const TICK_MS = 30_000;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const FAR_MS = 14 * 86_400_000;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const full = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });
const clock = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** A time: "5 minutes ago", a date beyond two weeks. `exact` shows date, time and zone. Without a value: `fallback`. */
export function Time({
  value,
  exact = false,
  fallback = 'never',
}: {
  value: string | null | undefined;
  exact?: boolean;
  fallback?: string;
}): ReactNode {
  const now = useNow(!exact);
  if (!value) return <span className="text-muted">{fallback}</span>;
  const at = new Date(value);
  return (
    <time dateTime={value} title={`${full.format(at)} (${at.toISOString()})`} className="whitespace-nowrap">
      {exact ? clock.format(at) : relativeTime(at.getTime(), now)}
    </time>
  );
}

/** The browser's time zone, for fields that take a local time. */
export const TIME_ZONE = full.resolvedOptions().timeZone;

/** A time relative to `now`: "in 3 hours", "2 days ago", "just now". */
function relativeTime(at: number, now: number): string {
  const difference = at - now;
  if (Math.abs(difference) > FAR_MS) return day.format(at);
  for (const [unit, ms] of UNITS) {
    if (Math.abs(difference) >= ms) return relative.format(Math.trunc(difference / ms), unit);
  }
  return difference > 0 ? 'in a moment' : 'just now';
}

function useNow(ticking: boolean): number {
  const [now, setNow] = useState(nowMs);
  useEffect(() => {
    if (!ticking) return undefined;
    const timer = setInterval(() => setNow(nowMs()), TICK_MS);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
