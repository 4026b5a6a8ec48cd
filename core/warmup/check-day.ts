// The nightly check of the counts that the cap and the ramp go by: admissions (warmup_days) and attempts (attempt_days) of a day
// against its messages. Counts change in the transaction of what they count, so a difference is a bug: operations are notified,
// and counts of attempts are corrected before the ramp reads them.
// All domains where that takes seconds; else a sample, so that the check costs the same however much mail there is.

import type pg from 'pg';

import { monotonicMs } from '../base/clock.ts';
import { toId } from '../base/ids.ts';
import { isTooSlow } from '../db/sql-state.ts';
import { inTransaction } from '../db/transaction.ts';
import { addNotices } from '../operations/notice-store.ts';
import type { DomainKey } from './brake-store.ts';
import { correctDay } from './counted-days.ts';
import { sampleDomains } from './full-count-store.ts';
import { readMismatches, type Mismatch } from './reconcile-store.ts';

/** How long the check may take, in milliseconds; tests make it shorter. */
export interface CheckLimits {
  /** For each of the two statements over all domains. */
  wholeMs: number;
  /** For the sample, when that was too short, and for each statement about one of its domains. */
  sampleMs: number;
  domainMs: number;
}

/** What a check found. */
export interface DayCheck {
  /** Domains that were checked; null for all of them. */
  sampled: number | null;
  /** Domains of the sample whose mail takes too long to count. */
  tooLarge: number;
  /** Domains whose admissions are not their messages: nothing is changed. */
  mismatches: Mismatch[];
  /** Domains whose counts of attempts were wrong, and are right now. */
  corrected: string[];
}

/** What the nightly run may take. */
export const CHECK_LIMITS: CheckLimits = { wholeMs: 10_000, sampleMs: 20_000, domainMs: 3_000 };
const SAMPLE = 200; // domains; of a hundred that are wrong in 10,000, one is found in 87 nights of 100
const NAMED = 5; // domains in a notice

/** Checks the counts of a UTC day, and notifies operations of differences once. */
export async function checkDay(pool: pg.Pool, day: string, limits = CHECK_LIMITS): Promise<DayCheck> {
  const found = (await checkAll(pool, day, limits)) ?? (await checkSample(pool, day, limits));
  const text = describe(day, found);
  if (text !== null)
    await inTransaction(pool, (client) => addNotices(client, [{ event: `reconcile:${day}`, text }]));
  return found;
}

// Null when it takes too long.
async function checkAll(pool: pg.Pool, day: string, { wholeMs }: CheckLimits): Promise<DayCheck | null> {
  try {
    return { sampled: null, tooLarge: 0, ...(await checkDomains(pool, day, null, wholeMs)) };
  } catch (error) {
    if (isTooSlow(error)) return null;
    throw error;
  }
}

async function checkSample(
  pool: pg.Pool,
  day: string,
  { sampleMs, domainMs }: CheckLimits,
): Promise<DayCheck> {
  const found: DayCheck = { sampled: 0, tooLarge: 0, mismatches: [], corrected: [] };
  const startedAt = monotonicMs();
  for (const domain of await sampleDomains(pool, day, SAMPLE)) {
    if (monotonicMs() - startedAt > sampleMs) break;
    try {
      const { mismatches, corrected } = await checkDomains(pool, day, domain, domainMs);
      found.sampled! += 1;
      found.mismatches.push(...mismatches);
      found.corrected.push(...corrected);
    } catch (error) {
      if (!isTooSlow(error)) throw error;
      found.tooLarge += 1;
    }
  }
  return found;
}

async function checkDomains(pool: pg.Pool, day: string, domain: DomainKey | null, limitMs: number) {
  const differences = await correctDay(pool, day, domain, limitMs);
  const mismatches = await readMismatches(pool, day, domain, limitMs);
  return { mismatches, corrected: [...new Set(differences.map(({ domainId }) => domainId))] };
}

// Ids only: nothing in a notice is a customer's free text.
function describe(day: string, { sampled, mismatches, corrected }: DayCheck): string | null {
  const of = sampled === null ? '' : ` of ${sampled} that were checked`;
  const named = (ids: string[]) => {
    const some = ids.slice(0, NAMED).map((id) => toId('dom', id));
    return `${some.join(', ')}${ids.length > NAMED ? ', …' : ''}`;
  };
  const parts = [
    corrected.length > 0 &&
      `the counts of attempts of ${corrected.length} domains${of} were not those of their messages and were corrected (${named(corrected)})`,
    mismatches.length > 0 &&
      `the admissions of ${mismatches.length} domains${of} are not those of their messages, as on a day that a restore closed (${named(mismatches.map(({ domainId }) => domainId))})`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : `Warm-up: on ${day} ${parts.join('; ')}. Please report this as a bug.`;
}
