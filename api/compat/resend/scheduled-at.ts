// Times as Resend's clients write them: RFC 3339, or the simple form of plain English that its documentation shows.

const UNITS: Readonly<Record<string, number>> = {
  second: 1_000,
  sec: 1_000,
  minute: 60_000,
  min: 60_000,
  hour: 3_600_000,
  hr: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
};

const RELATIVE = /^in (\d{1,4}|an?) ([a-z]+?)s?$/i;

/** `in 1 hour`, `in an hour` or `in 3 days` as a time in RFC 3339; anything else as it is, for the next check. */
export function readScheduledAt(given: unknown, now: Date): unknown {
  const [, count = '', unit = ''] = typeof given === 'string' ? (RELATIVE.exec(given.trim()) ?? []) : [];
  const length = UNITS[unit.toLowerCase()];
  if (length === undefined) return given;
  const times = /^\d/.test(count) ? Number(count) : 1;
  return new Date(now.getTime() + times * length).toISOString();
}
