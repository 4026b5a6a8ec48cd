// The rows that accepting locks: days, in id order, before anything is decided. What counts the month's sends comes last
// (write.ts). Every transaction of ours locks in this order, so none deadlock.

import type pg from 'pg';

import { lockDays, openDays, type LockedDay } from '../../core/warmup/warmup-store.ts';
import type { Asked } from './ask-gate.ts';
import type { EspCount } from './esp-shares.ts';
import type { Facts } from './facts.ts';

/** The locked rows that the decisions are made on. */
export interface Locks {
  /** Today's row, by domain. */
  days: Map<string, LockedDay>;
  /** Counts by route, where there is something to count. */
  esp?: EspCount | null;
}

/** Locks the rows of today that the batch counts on, and opens days that have none. */
export async function lockRows(client: pg.ClientBase, facts: Facts, asked: Asked[]): Promise<Locks> {
  const pairs = asked.filter((one) => one.locksDay).map((one) => one.request);
  const { day } = facts.clock;
  if (pairs.length === 0) return { days: new Map() };
  const locked = await lockDays(client, pairs, day);
  const unopened = pairs.filter((pair) => !locked.has(pair.domainId));
  if (unopened.length === 0) return { days: locked };
  await openDays(client, unopened, day);
  return { days: await lockDays(client, pairs, day) };
}
