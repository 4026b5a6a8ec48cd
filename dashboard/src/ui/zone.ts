// The one clock of the page: the time zone that the person chose in their profile, else that of the browser. What counts by
// days (caps, plots by day) counts by UTC days, and says so.

import { useSyncExternalStore } from 'react';

import { nowMs } from '../clock.ts';

/** The zone of the browser. */
export const LOCAL_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const MINUTE_MS = 60_000;

let chosen: string | null = null;
const listeners = new Set<() => void>();
const formats = new Map<string, Intl.DateTimeFormat>();

/** The zone in which times are shown now: "Europe/Berlin", "UTC". */
export function timeZone(): string {
  return chosen ?? LOCAL_ZONE;
}

/** Shows all times in a zone; null: in that of the browser. One that this browser does not know is as null. */
export function chooseTimeZone(zone: string | null): void {
  const next = zone !== null && isKnown(zone) ? zone : null;
  if (next === chosen) return;
  chosen = next;
  for (const listener of listeners) listener();
}

/** The zone, for components that show times: they are drawn again when it changes. */
export function useTimeZone(): string {
  return useSyncExternalStore(onChange, timeZone);
}

/** A time in the chosen zone. Formats are kept: making one costs more than using it. */
export function formatTime(at: Date, look: keyof typeof LOOKS): string {
  const key = `${look} ${timeZone()}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat('en', { ...LOOKS[look], timeZone: timeZone() });
    formats.set(key, format);
  }
  return format.format(at);
}

const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const LOOKS = {
  /** "Nov 21, 2026" */
  day: DAY,
  /** "Nov 21, 2026, 14:05 GMT+1" */
  minute: { ...DAY, ...CLOCK, timeZoneName: 'short' },
  /** "Nov 21, 2026, 14:05:09 GMT+1" */
  second: { ...DAY, ...CLOCK, second: '2-digit', timeZoneName: 'short' },
  /** "Nov 21, 14:00" */
  hour: { month: 'short', day: 'numeric', ...CLOCK },
  /** "14:00 GMT+1" */
  clock: { ...CLOCK, timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A full hour of each UTC day in the chosen zone: "03:00 GMT+1"; "02:00 UTC" where that is the zone. */
export function utcHour(hour: number): string {
  return formatTime(new Date(new Date(nowMs()).setUTCHours(hour, 0, 0, 0)), 'clock');
}

/** A time as the value of a field `datetime-local`, in the chosen zone, to the minute. */
export function fieldOfTime(ms: number): string {
  return new Date(ms + offsetMs(ms)).toISOString().slice(0, 16);
}

/** What a field `datetime-local` means in the chosen zone, as RFC 3339. */
export function timeOfField(value: string): string {
  const wall = Date.parse(`${value}Z`);
  const near = wall - offsetMs(wall);
  return new Date(wall - offsetMs(near)).toISOString(); // the offset of then, not of a summer time away
}

// How far the clock of the zone is ahead of UTC.
function offsetMs(ms: number): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: timeZone(), ...FIELDS }).formatToParts(ms);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
  return wall - Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

const FIELDS = { year: 'numeric', month: 'numeric', day: 'numeric', ...CLOCK } as const;

function isKnown(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
