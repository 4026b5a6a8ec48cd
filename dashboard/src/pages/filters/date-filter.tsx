// A filter by day. The URL has the instant at which the range begins or ends, so that a link means the same to everybody.

import type { ReactNode } from 'react';

import { TextInput } from '../../ui/text-input.tsx';
import { fieldOfTime, timeOfField } from '../../ui/zone.ts';

const DAY_MS = 86_400_000;

/** A day from which a list begins, or with `end` the last day that it shows; in the zone in which times are shown. */
export function DateFilter({
  label,
  value,
  end = false,
  onChange,
}: {
  label: string;
  /** An instant, or '' for no bound. */
  value: string;
  end?: boolean;
  onChange: (value: string) => void;
}): ReactNode {
  return (
    <label className="text-muted flex items-center gap-2 text-[13px] whitespace-nowrap max-sm:w-full max-sm:justify-between">
      <span className="max-sm:w-20">{label}</span>
      <TextInput
        type="date"
        max="9998-12-31"
        value={dayOf(value, end)}
        onChange={(event) => onChange(boundOf(event.target.value, end))}
      />
    </label>
  );
}

/** An instant of the URL as the api wants it; undefined for anything else. */
export function instantOf(text: string): string | undefined {
  const at = new Date(text);
  const year = at.getUTCFullYear(); // of an invalid time NaN: neither comparison holds
  return year >= 1 && year <= 9999 ? at.toISOString() : undefined;
}

// A range ends before its bound: the last day shown is that of the millisecond before.
function dayOf(value: string, end: boolean): string {
  const instant = instantOf(value);
  return instant === undefined ? '' : fieldOfTime(Date.parse(instant) - (end ? 1 : 0)).slice(0, 10);
}

function boundOf(day: string, end: boolean): string {
  const midnight = Date.parse(`${day}T00:00Z`);
  if (Number.isNaN(midnight)) return '';
  const bound = new Date(midnight + (end ? DAY_MS : 0)).toISOString().slice(0, 16);
  return timeOfField(bound).replace('.000Z', 'Z');
}
