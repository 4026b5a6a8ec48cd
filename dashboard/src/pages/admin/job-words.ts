// The result of a job run and whether the job is on time, as text.

const LATE_MS = 15 * 60_000; // a job takes seconds; the scheduler polls every few

/** Whether its runs are `on time`, `due` since a moment ago, or `late`. `openRun`: the run time that was not run yet. */
export function jobStatus(openRun: string | null, nowMs: number): 'on time' | 'due' | 'late' {
  if (openRun === null) return 'on time';
  return nowMs - Date.parse(openRun) > LATE_MS ? 'late' : 'due';
}

/** The summary of a run (JSON) as "launched 2, frozen 0", and whether it was started manually. */
export function runResult(summary: string): { text: string; startedManually: boolean } {
  const parsed = parse(summary);
  if (parsed === null) return { text: summary, startedManually: false };
  const { manual, ...figures } = parsed;
  return { text: figuresText(figures) || 'nothing to report', startedManually: manual === true };
}

/** A duration with its unit: "820 ms", "12 s", "3 min". */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}

function figuresText(figures: object): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${valueText(value)}`)
    .join(', ');
}

// Nested figures that are 0 are left out.
function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '0' : value.map(valueText).join(' and ');
  if (typeof value === 'object' && value !== null) {
    const shown = Object.entries(value).filter(([, inner]) => inner !== 0);
    return shown.length === 0 ? 'none' : `(${figuresText(Object.fromEntries(shown))})`;
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
