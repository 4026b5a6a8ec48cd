// Commits accepted mail in batches (core/base/batcher.ts): a busy server pays for one COMMIT with many messages.
//
// Guarantee: `accept` resolves after the COMMIT that holds the mail, and rejects when there was none.

import type pg from 'pg';

import { createBatcher } from '../core/base/batcher.ts';
import { monotonicMs } from '../core/base/clock.ts';
import type { Fail } from '../core/base/failpoint.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { acceptRaws, type NewRaw } from '../core/inbound/raw-store.ts';

/** Accepts mail: from then on it is ours to deliver. */
export interface AcceptBatch {
  /** All raws of one DATA, together or not at all. */
  accept(raws: NewRaw[]): Promise<void>;
}

/** How much mail comes to a process, for whatever bucket. */
export interface Pace {
  note(): void;
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
const MAX_WAITING = 5_000; // DATA commands, more than there may be sessions: beyond that the peer gets "try again"
const BUSY_PER_SECOND = 200;
const IN_FLIGHT = 2; // while one batch waits for the disk, the next is sent

/** Nothing came yet. */
export function createPace(): Pace {
  let pace = { since: monotonicMs(), count: 0, last: 0 }; // messages of this second and of the one before
  const current = () => {
    const elapsed = monotonicMs() - pace.since;
    if (elapsed >= 1000) pace = { since: monotonicMs(), count: 0, last: elapsed < 2000 ? pace.count : 0 };
    return pace;
  };
  return {
    note: () => void current().count++,
    isBusy: () => Math.max(current().count, pace.last) > BUSY_PER_SECOND,
  };
}

/** The batcher of one bucket. `onAccepted` is called after each commit. */
export function createAcceptBatch(deps: {
  pool: pg.Pool;
  fail: Fail;
  pace: Pick<Pace, 'note'>;
  onAccepted: () => void;
}): AcceptBatch {
  const batcher = createBatcher<Waiting>({
    async run(batch) {
      deps.fail('inbound.before-commit');
      await acceptRaws(
        deps.pool,
        batch.flatMap((one) => one.raws),
      );
      deps.fail('inbound.after-commit');
      deps.onAccepted();
      for (const one of batch) one.resolve();
    },
    failed: (one, error) => one.reject(error),
    isStoreDown: isDatabaseAway,
    whenDown: 'fail',
    maxItems: MAX_BATCH,
    maxBytes: MAX_BATCH_BYTES,
    maxWaiting: MAX_WAITING,
    atOnce: IN_FLIGHT,
    bytesOf: (one) => one.bytes,
  });
  return {
    accept: (raws) =>
      new Promise((resolve, reject) => {
        const bytes = raws.reduce((sum, raw) => sum + (raw.lastChunk?.bytes.length ?? 0), 0);
        deps.pace.note();
        if (!batcher.push({ raws, bytes, resolve, reject })) reject(new Error('too much mail is waiting'));
      }),
  };
}
