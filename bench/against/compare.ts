// `npm run bench -- --against <commit>`: runs parts in two commits by turns and reports which figures changed.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { LockedError, takeLock } from '../../local/servers/lock.ts';
import type { LogLine } from '../../local/servers/install.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';
import type { Options, PartName } from '../options.ts';
import {
  CannotCompare,
  findCommit,
  openCheckout,
  removeOthers,
  snapshot,
  type Checkout,
} from './checkout.ts';
import { comparePart, countJudged, renderComparison, type RunPair } from './report.ts';
import { FEWEST_PAIRS } from './rule.ts';
import { readAbilities, runPart, type Abilities, type PartRun, type RunContext } from './run-part.ts';

const FOLDER = join(import.meta.dirname, '../../.local/bench/against');
const WORSE = 1;
const NOT_COMPARED = 2;

/** Compares this checkout with the commit. Returns the exit code: 1 if a figure is worse, 2 if it could not compare. */
export async function compareCommits(options: Options, against: string, log: LogLine): Promise<number> {
  const aborted = new AbortController();
  const abort = () => aborted.abort(new CannotCompare('interrupted'));
  process.once('SIGINT', abort);
  process.once('SIGTERM', abort);
  await mkdir(FOLDER, { recursive: true });
  try {
    const lock = await takeLock(join(FOLDER, 'lock'));
    const watchdog = startWatchdog();
    try {
      return await compare({ options, watchdog, signal: aborted.signal, log }, against);
    } finally {
      watchdog.close();
      await lock.release();
    }
  } catch (error) {
    const isExpected = error instanceof CannotCompare || error instanceof LockedError;
    console.error(isExpected ? error.message : error);
    return NOT_COMPARED;
  }
}

interface Side {
  checkout: Checkout;
  abilities: Abilities;
}

type RunPairs = Map<PartName, RunPair[]>;

async function compare(context: RunContext, against: string): Promise<number> {
  const { options, log } = context;
  const commits = [await findCommit(against), await snapshot(FOLDER)] as const;
  await removeOthers(FOLDER, [...commits]);
  const open = async (commit: (typeof commits)[number]): Promise<Side> => {
    const checkout = await openCheckout(FOLDER, commit, context);
    log(`${commit.name}: reading the options of its bench`);
    return { checkout, abilities: await readAbilities(checkout) };
  };
  const sides = { a: await open(commits[0]), b: await open(commits[1]) };
  for (const { checkout, abilities } of Object.values(sides)) {
    const unknown = options.parts.filter((part) => !abilities.parts.includes(part));
    if (unknown.length > 0) throw new CannotCompare(`${checkout.name} has no part ${unknown.join(', ')}`);
  }
  log(
    `A is ${sides.a.checkout.name}, B is ${sides.b.checkout.name}; ${options.pairs} pairs of ${options.parts.join(', ')}`,
  );
  const pairs = await runPairs(context, sides);
  const parts = options.parts.flatMap((part) => {
    const complete = pairs.get(part) ?? [];
    return complete.length >= FEWEST_PAIRS ? [{ part, pairs: complete }] : [];
  });
  const judged = countJudged(parts);
  const comparisons = parts.map((one) => comparePart(one, judged));
  const worse = comparisons.flatMap(({ rows }) => rows.filter(({ verdict }) => verdict === 'worse'));
  console.log(`\nA: ${sides.a.checkout.name}\nB: ${sides.b.checkout.name}`);
  for (const comparison of comparisons) console.log(`\n${renderComparison(comparison)}`);
  console.log(`\n${judged} figures judged, ${worse.length} worse${worse.length > 0 ? ':' : ''}`);
  for (const { id, change } of worse) console.log(`  ${id} ${change}`);
  const missing = options.parts.filter((part) => (pairs.get(part)?.length ?? 0) < options.pairs);
  if (missing.length > 0)
    console.log(`fewer than ${options.pairs} pairs of ${missing.join(', ')}: a run failed twice`);
  if (worse.length > 0) return WORSE;
  return missing.length > 0 ? NOT_COMPARED : 0;
}

// The two runs of a pair are close in time, so they share what else the machine does. Every second pair begins with B, so
// that neither side profits from its position. A run that fails is tried once more; a second failure ends the comparison.
async function runPairs(context: RunContext, sides: Record<'a' | 'b', Side>): Promise<RunPairs> {
  const { options, log } = context;
  const pairs: RunPairs = new Map(options.parts.map((part) => [part, []]));
  const startedAt = performance.now();
  for (let n = 0; n < options.pairs; n++) {
    const left = ((performance.now() - startedAt) / n) * (options.pairs - n);
    log(`── pair ${n + 1} of ${options.pairs}${n > 0 ? `, about ${Math.ceil(left / 60_000)} min left` : ''}`);
    for (const part of options.parts) {
      const pair: Partial<RunPair> = {};
      for (const side of n % 2 === 0 ? (['a', 'b'] as const) : (['b', 'a'] as const)) {
        const run =
          (await runOnce(context, sides[side], side, part)) ??
          (await runOnce(context, sides[side], side, part));
        if (run === null) return pairs;
        pair[side] = run;
      }
      if (pair.a && pair.b) pairs.get(part)?.push({ a: pair.a, b: pair.b });
    }
  }
  return pairs;
}

async function runOnce(
  context: RunContext,
  { checkout, abilities }: Side,
  side: 'a' | 'b',
  part: PartName,
): Promise<PartRun | null> {
  const name = `   ${side.toUpperCase()} ${part}`;
  context.log(name);
  try {
    return await runPart(checkout, abilities, part, context);
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.log(`${name} could not be measured: ${(error as Error).message}`);
    return null;
  }
}
