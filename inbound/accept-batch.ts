// Commits accepted mail in batches: what arrives while one batch is being committed forms the next. An idle server
// waits for nothing, and a busy one pays for one COMMIT with many messages.
//
// Guarantee: `accept` resolves after the COMMIT that holds the mail, and rejects when there was none.

import type pg from 'pg';

import { monotonicMs } from '../core/base/clock.ts';
import type { Fail } from '../core/base/failpoint.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { acceptRaws, type NewRaw } from '../core/inbound/raw-store.ts';

/** Takes mail for good. */
export interface AcceptBatch {
  /** All raws of one DATA, together or not at all. */
  accept(raws: NewRaw[]): Promise<void>;
  /** Whether so much came in the last moment that other work should step back. */
  isBusy(): boolean;
}

interface Waiting {
  raws: NewRaw[];
  bytes: number;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const MAX_BATCH = 200;
const MAX_BATCH_BYTES = 4 * 1024 * 1024; // a statement is built in memory, about three times this size
const BUSY_PER_SECOND = 200;
const IN_FLIGHT = 2; // while one batch waits for the disk, the next is sent

/** The batcher of one process. `onAccepted` hears after each commit how many webhook deliveries it made. */
export function createAcceptBatch(deps: {
  pool: pg.Pool;
  fail: Fail;
  onAccepted: (deliveries: number) => void;
}): AcceptBatch {
  const waiting: Waiting[] = [];
  let inFlight = 0;
  let pace = { since: monotonicMs(), count: 0, last: 0 }; // messages of this second and of the one before

  const commit = async (batch: Waiting[]): Promise<void> => {
    deps.fail('inbound.before-commit');
    const deliveries = await acceptRaws(
      deps.pool,
      batch.flatMap((one) => one.raws),
    );
    deps.fail('inbound.after-commit');
    deps.onAccepted(deliveries);
    for (const one of batch) one.resolve();
  };
  const settle = async (batch: Waiting[]): Promise<void> => {
    try {
      await commit(batch);
    } catch (error) {
      const poisoned = batch.length > 1 && !isDatabaseAway(error);
      if (!poisoned) for (const one of batch) one.reject(error);
      else for (const one of batch) await commit([one]).catch(one.reject);
    }
  };
  const currentPace = () => {
    const elapsed = monotonicMs() - pace.since;
    if (elapsed >= 1000) pace = { since: monotonicMs(), count: 0, last: elapsed < 2000 ? pace.count : 0 };
    return pace;
  };
  const pump = (): void => {
    while (inFlight < IN_FLIGHT && waiting.length > 0) {
      inFlight++;
      void settle(takeBatch(waiting)).finally(() => {
        inFlight--;
        pump();
      });
    }
  };
  return {
    accept: (raws) =>
      new Promise((resolve, reject) => {
        const bytes = raws.reduce((sum, raw) => sum + (raw.lastChunk?.bytes.length ?? 0), 0);
        currentPace().count++;
        waiting.push({ raws, bytes, resolve, reject });
        // What the same turn of the event loop brings goes along.
        setImmediate(pump);
      }),
    isBusy: () => Math.max(currentPace().count, pace.last) > BUSY_PER_SECOND,
  };
}

function takeBatch(waiting: Waiting[]): Waiting[] {
  let bytes = 0;
  let count = 0;
  for (const one of waiting) {
    if (count === MAX_BATCH || (count > 0 && bytes + one.bytes > MAX_BATCH_BYTES)) break;
    bytes += one.bytes;
    count++;
  }
  return waiting.splice(0, count);
}
