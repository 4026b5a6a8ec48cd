// Asks recheck, an analyzer of regular expressions, how the time of a search grows with the text.

import { importTool } from '../tools/tools.ts';

/** The part of recheck that is used here. */
interface Recheck {
  check(
    pattern: string,
    flags: string,
    options: { timeout: number; maxRepeatCount: number; maxPatternSize: number; recallTimeout: number },
  ): Promise<
    | { status: 'safe' }
    | { status: 'vulnerable'; complexity: { summary: string }; attack: { pattern: string } }
    | { status: 'unknown'; error: { kind: string } }
  >;
}

/** A search that takes linear time, or not. */
export type Verdict = { ok: true } | { ok: false; complexity: string; attack: string };

const TIMEOUT_MS = 60_000; // the slowest takes 6 s on two busy cores
const MOST_REPEATS = 3;
const UNBOUNDED_REPEATS = 1_000;
const TOKEN = /\\(?:[upP]\{[^{}]*\}|[^])|\[(?:[^\]\\]|\\[^])*\]|\{(\d+)(?:(,)(\d*))?\}|[^]/g;

/** Whether a pattern must be analyzed. Without a repetition that has no bound every search takes linear time. */
export function needsAnalysis(pattern: string): boolean {
  const repetitions = shrink(pattern).replaceAll(TOKEN, (token) =>
    token.length > 1 && !token.startsWith('{') ? '' : token,
  );
  return /[*+]|\{\d+,\}/.test(repetitions);
}

/** Judges a pattern. */
export async function judge(pattern: string, flags: string): Promise<Verdict> {
  if (!needsAnalysis(pattern)) return { ok: true };
  const { check } = await importTool<Recheck>('recheck');
  const result = await check(shrink(pattern), flags.replaceAll(/[dy]/g, ''), {
    timeout: TIMEOUT_MS,
    maxRepeatCount: 1_000, // of all repetitions together; beyond it recheck guesses with random texts
    maxPatternSize: 20_000,
    recallTimeout: -1, // no try of the attack: we ask for the order, not for seconds
  });
  if (result.status === 'safe') return { ok: true };
  return result.status === 'vulnerable'
    ? { ok: false, complexity: result.complexity.summary, attack: result.attack.pattern }
    : { ok: false, complexity: `unknown: ${result.error.kind}`, attack: '' };
}

/**
 * The pattern with bounded repetitions cut to three: they change the time by a factor, not its order, and recheck needs minutes for
 * `{1,253}`. What may repeat more than a thousand times counts as unbounded.
 */
export function shrink(pattern: string): string {
  return pattern.replaceAll(TOKEN, (token, least?: string, comma?: string, most?: string) => {
    if (least === undefined) return token;
    const low = Math.min(Number(least), MOST_REPEATS);
    const high = comma === undefined ? least : most!;
    if (high === '' || Number(high) > UNBOUNDED_REPEATS) return `{${low},}`;
    return `{${low},${Math.min(Number(high), MOST_REPEATS)}}`;
  });
}
