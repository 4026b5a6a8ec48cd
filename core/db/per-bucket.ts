// What a service does for each bucket by itself: loops, batches, leases. A bucket that is added while it runs is found.

import type { Logger } from '../base/log.ts';
import { startLoop } from '../base/loop.ts';
import type { Buckets } from './buckets.ts';
import { openBuckets, type OpenBuckets } from './open-buckets.ts';
import type { Database } from './pool.ts';
import { isDatabaseAway } from './transaction.ts';

/** What is open, by bucket. */
export interface PerBucket<T> extends Pick<OpenBuckets<T>, 'of'> {
  /** What is open now, that of the first bucket first. */
  all(): T[];
  /** Opens no more. What is open is for the caller to stop. */
  close(): Promise<void>;
}

/** Between two looks for buckets that were added. */
export const LOOK_EVERY_MS = 5_000;

/** Opens one for each bucket: that of the first at once, those of the others as they are found. */
export async function openPerBucket<T>(
  buckets: Buckets,
  log: Logger,
  openOne: (db: Database, bucket: string) => Promise<T> | T,
): Promise<PerBucket<T>> {
  const { of, open, settled } = await openBuckets(buckets, log, openOne);
  const look = startLoop({
    what: 'looking for buckets',
    log,
    isExpected: isDatabaseAway,
    async step() {
      await allOrThrow((await buckets.list()).map(of));
      return LOOK_EVERY_MS;
    },
  });
  return {
    of,
    all: () => [...open().values()],
    async close() {
      await look.stop();
      await settled();
    },
  };
}

/** Waits for all; then throws the first failure, if there was one. */
export async function allOrThrow(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
