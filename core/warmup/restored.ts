// PostgreSQL was restored to an earlier moment. What was admitted today after that moment is not in the record, and Redis,
// which may know it, may have lost it too: it is asked by nobody. So that no cap is passed, the day is over for every
// domain, and what it has waits for the next 00:00 UTC.

import { nextUtcMidnight } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Buckets } from '../db/buckets.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { deferRestored } from '../message/restored-store.ts';
import { countBeating } from '../worker/worker-store.ts';
import { closeToday } from './warmup-store.ts';

const BEAT_MS = 15_000; // at most, between two heartbeats of a sender: a fifth of the longest WORKER_LEASE_MS, and some

/** What there was, and until when it waits. */
interface ClosedDay {
  until: Date;
  domains: number;
  messages: number;
}

/**
 * Ends the day of every domain, bucket after bucket. For the time between a restore and the start of the services: refused while
 * senders run, whose mail it would take back from them. Repeated, it does what is left.
 */
export async function closeDayAfterRestore(buckets: Buckets): Promise<ClosedDay> {
  const all: ClosedDay[] = [];
  for (const bucket of await buckets.list()) all.push(await closeDayIn(buckets.database(bucket)));
  const [first] = all as [ClosedDay, ...ClosedDay[]];
  const sum = (what: 'domains' | 'messages') => all.reduce((total, one) => total + one[what], 0);
  return { until: first.until, domains: sum('domains'), messages: sum('messages') };
}

async function closeDayIn(db: Database): Promise<ClosedDay> {
  return inTransaction(db.pool, async (client) => {
    const running = await countBeating(client, BEAT_MS);
    if (running > 0)
      throw new AppError(
        'conflict',
        `${running} senders run, or ran ${BEAT_MS / 1000} s ago: stop all services and try again after that time.`,
      );
    const { rows } = await client.query<{ now: Date }>('select now() as now');
    const domains = await closeToday(client);
    const messages = await deferRestored(client);
    return { until: nextUtcMidnight(rows[0]!.now), domains, messages };
  });
}
