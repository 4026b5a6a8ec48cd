// Times as somebody types them who moves the clock.

const UNITS: Record<string, number> = { h: 3_600_000, d: 86_400_000 };
const RELATIVE = /^\+(\d{1,3})([hd])$/;
const ABSOLUTE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z)?$/;

/** `+6h`, `+2d`, `2026-12-01` (00:00 UTC) or `2026-12-01T03:00Z`. Null if it is none of these, or not after `now`. */
export function readTime(text: string, now: Date): Date | null {
  const [, count, unit] = RELATIVE.exec(text) ?? [];
  if (count !== undefined && unit !== undefined)
    return Number(count) > 0 ? new Date(now.getTime() + Number(count) * UNITS[unit]!) : null;
  const time = ABSOLUTE.test(text) ? new Date(text) : null;
  return time !== null && time > now ? time : null;
}
