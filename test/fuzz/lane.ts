// A lane: cases of one kind, tried one after the other until the time is over. What a case finds is shortened by fast-check.

import fc, { type Arbitrary } from 'fast-check';

import { monotonicMs } from '../../core/base/clock.ts';
import type { FuzzWorld } from './world.ts';

/** Cases of one kind. */
export interface Lane {
  name: string;
  /** Runs cases from a seed on for so long; counts each, and gives what was found. */
  run(world: FuzzWorld, plan: LanePlan): Promise<Finding[]>;
}

/** What a lane is told. */
interface LanePlan {
  seed: number;
  /** On the monotonic clock. */
  untilMs: number;
  /** Called for each case. */
  count(): void;
  /** Ends the lane before its time. */
  stopped(): boolean;
}

/** What is wrong, and how to see it again: the same lane from this seed on. */
export interface Finding {
  lane: string;
  seed: number;
  what: string;
  /** The case, as short as it became. */
  example: string;
}

const CASES_PER_SEED = 50;
/** Cases that every lane tries, however long they take on a busy machine. */
export const LEAST_CASES = 10;
const MAX_FINDINGS = 5; // of one lane: more are mostly the same again
const SHRINK_MS = 20_000;

/** Makes a lane of an arbitrary and of what tries one case: what is wrong with what happened, or null. */
export function lane<T>(
  name: string,
  cases: Arbitrary<T>,
  attempt: (world: FuzzWorld, value: T) => Promise<string | null>,
): Lane {
  return {
    name,
    async run(world, { seed, untilMs, count, stopped }) {
      const findings: Finding[] = [];
      let tried = 0;
      const timeIsOver = () => monotonicMs() > untilMs && tried >= LEAST_CASES;
      const over = () => stopped() || timeIsOver() || findings.length >= MAX_FINDINGS;
      for (let round = 0; !over(); round++) {
        await world.refresh();
        let failedAt: number | null = null;
        const property = fc.asyncProperty(cases, async (value) => {
          // What is left of a round when its time is over passes unseen.
          if (failedAt === null ? over() : monotonicMs() - failedAt > SHRINK_MS) return;
          tried += 1;
          count();
          const what = await attempt(world, value);
          if (what === null) return;
          failedAt ??= monotonicMs();
          throw new Error(what);
        });
        const result = await fc.check(property, { seed: seed + round, numRuns: CASES_PER_SEED });
        if (!result.failed) continue;
        const what = result.errorInstance instanceof Error ? result.errorInstance.message : 'it threw';
        findings.push({ lane: name, seed: seed + round, what, example: show(result.counterexample?.[0]) });
      }
      return findings;
    },
  };
}

const SHOWN = 2_000; // characters of a case

function show(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, SHOWN);
}
