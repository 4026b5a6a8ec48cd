// Keeps the counts of a day (attempt_days) equal to the full count: corrects them from the rows, for all domains or one.
// Dies anywhere in here: batches of corrections that committed stay, and the next run finds what is left.

import type pg from 'pg';

import { inTransaction } from '../db/transaction.ts';
import type { DomainKey } from './brake-store.ts';
import { addDifferences, isBeforeCounting, readDifferences, type Difference } from './full-count-store.ts';

/** For the full count of a day: 10 million attempts take about two minutes. */
export const LONGEST_COUNT_MS = 600_000;
const BATCH = 1_000; // rows of one transaction, whose late outcomes wait for it, about 30 ms
const TRIES = 10; // another correction between count and write makes the count of no use

/** Corrects the counts of a day; returns what was wrong with them. Throws 57014 when counting takes longer than `limitMs`. */
export async function correctDay(
  pool: pg.Pool,
  day: string,
  domain: DomainKey | null = null,
  limitMs = LONGEST_COUNT_MS,
): Promise<Difference[]> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { rows, recounts } = await readDifferences(pool, day, domain, limitMs);
    if (await addAll(pool, day, rows, recounts)) return rows;
  }
  throw new Error(`the counts of ${day} were being corrected elsewhere all the time`);
}

async function addAll(pool: pg.Pool, day: string, rows: Difference[], recounts: number): Promise<boolean> {
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH);
    const seen = recounts + at / BATCH;
    if (!(await inTransaction(pool, (client) => addDifferences(client, day, batch, seen)))) return false;
  }
  return true;
}

/** Counts a day from the rows if a version before this one may have recorded some of it. */
export async function countOlderDay(pool: pg.Pool, day: string): Promise<void> {
  if (await isBeforeCounting(pool, day)) await correctDay(pool, day);
}
