// What a service does for each bucket by itself: loops, batches, leases. A bucket that is added while it runs is found.

import type { Logger } from '../base/log.ts';
import { startLoop } from '../base/loop.ts';
import type { Buckets } from './buckets.ts';
import type { Database } from './pool.ts';
import { schemaProblem } from './require-schema.ts';
import { HOME } from './service-tables.ts';
import { databaseAway, isDatabaseAway } from './transaction.ts';

/** What is open, by bucket. */
export interface PerBucket<T> {
  /** That of a bucket, opened now if it is not yet. Throws `unavailable` while the bucket is not at this version's schema. */
  of(bucket: string): Promise<T>;
  /** What is open now, that of the first bucket first. */
  all(): T[];
  /** Opens no more. What is open is for the caller to stop. */
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 5_000;

/** Opens one for each bucket: that of the first at once, those of the others as they are found. */
export async function openPerBucket<T>(
  buckets: Buckets,
  log: Logger,
  open: (db: Database, bucket: string) => Promise<T> | T,
): Promise<PerBucket<T>> {
  const opened = new Map<string, T>([[HOME, await open(buckets.home, HOME)]]);
  const opening = new Map<string, Promise<T>>();
  const openNow = async (bucket: string) => {
    const db = buckets.database(bucket);
    const problem = await schemaProblem(db, bucket);
    if (problem !== null) throw databaseAway(new Error(`bucket ${bucket}: ${problem}`));
    const one = await open(db, bucket);
    opened.set(bucket, one);
    log.info({ bucket }, 'a bucket is open');
    return one;
  };
  const of = async (bucket: string): Promise<T> => {
    const known = opened.get(bucket);
    if (known !== undefined) return known;
    const started = opening.get(bucket) ?? openNow(bucket).finally(() => opening.delete(bucket));
    opening.set(bucket, started);
    return started;
  };
  const look = startLoop({
    what: 'looking for buckets',
    log,
    isExpected: isDatabaseAway,
    async step() {
      const results = await Promise.allSettled((await buckets.list()).map(of));
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      return LOOK_EVERY_MS;
    },
  });
  return {
    of,
    all: () => [...opened.values()],
    async close() {
      await look.stop();
      await Promise.allSettled(opening.values());
    },
  };
}
