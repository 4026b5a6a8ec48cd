// The rows that accepting locks: usage first, days second, each in id order. Every transaction of ours locks in this
// order, so none deadlock.

import type pg from 'pg';

import { lockUsage } from '../../core/message/accept-usage-store.ts';
import { lockDays, openDays, type LockedDay } from '../../core/warmup/warmup-store.ts';
import type { Asked } from './ask-gate.ts';
import type { EspCount } from './esp-shares.ts';
import type { Candidate, Facts } from './facts.ts';

/** The locked rows that the decisions are made on. */
export interface Locks {
  /** Accepted sends of the month, by tenant. */
  usage: Map<string, number>;
  /** Today's row, by domain. */
  days: Map<string, LockedDay>;
  /** Counts by route, where there is something to count. */
  esp?: EspCount | null;
}

/** Locks the rows of usage and of today that the batch counts on, and opens days that have none. */
export async function lockRows(client: pg.ClientBase, facts: Facts, asked: Asked[]): Promise<Locks> {
  const tenantIds = [...new Set(facts.candidates.filter(isCounted).map((one) => one.tenantId))].sort();
  const pairs = asked.filter((one) => one.locksDay).map((one) => one.request);
  const { day, month } = facts.clock;
  if (tenantIds.length === 0) return { usage: new Map(), days: new Map() };
  const [usage, locked] = await Promise.all([
    lockUsage(client, tenantIds, month),
    pairs.length === 0 ? new Map<string, LockedDay>() : lockDays(client, pairs, day),
  ]);
  const unopened = pairs.filter((pair) => !locked.has(pair.domainId));
  if (unopened.length === 0) return { usage, days: locked };
  await openDays(client, unopened, day);
  return { usage, days: await lockDays(client, pairs, day) };
}

function isCounted(candidate: Candidate): boolean {
  return candidate.verdict === 'count';
}
