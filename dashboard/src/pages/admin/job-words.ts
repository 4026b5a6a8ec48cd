// What a job says that it did, and whether it is in time, in words.

const LATE_MS = 15 * 60_000; // a job takes seconds; a schedule looks every few

/** Whether its slots are run: `in time`, `due` since a moment ago, or `late`. */
export function jobState(openSlot: string | null, nowMs: number): 'in time' | 'due' | 'late' {
  if (openSlot === null) return 'in time';
  return nowMs - Date.parse(openSlot) > LATE_MS ? 'late' : 'due';
}

/** The summary of a run (JSON) as "launched 2, frozen 0", and whether a person started it. */
export function runResult(summary: string): { text: string; byHand: boolean } {
  const parsed = parse(summary);
  if (parsed === null) return { text: summary, byHand: false };
  const { manual, ...figures } = parsed;
  return { text: sayFigures(figures) || 'nothing to report', byHand: manual === true };
}

/** "820 ms", "12 s", "3 min". */
export function sayDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}

function sayFigures(figures: object): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${sayValue(value)}`)
    .join(', ');
}

// Of many figures below one name only those that are not 0 are said.
function sayValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '0' : value.map(sayValue).join(' and ');
  if (typeof value === 'object' && value !== null) {
    const said = Object.entries(value).filter(([, inner]) => inner !== 0);
    return said.length === 0 ? 'nothing' : `(${sayFigures(Object.fromEntries(said))})`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parse(summary: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(summary);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
