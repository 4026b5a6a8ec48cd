// What a process has open of buckets, by name: each is opened once, and may be closed again while it runs.

import { sleep } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Buckets } from './buckets.ts';
import type { Database } from './pool.ts';
import { requireBucketSchema } from './require-schema.ts';
import { HOME } from './service-tables.ts';
import { databaseAway } from './transaction.ts';

/** What is open, by bucket. */
export interface OpenBuckets<T> {
  /**
   * That of a bucket, opened now if it is not yet. While it is being closed, this waits for that and opens anew. Throws
   * `unavailable` while the bucket is not at this version's schema, or when closing takes long.
   */
  of(bucket: string): Promise<T>;
  /** What is open and not being closed, that of the first bucket first. */
  open(): ReadonlyMap<string, T>;
  /** Closes one that is open: from now on nobody gets it. */
  close(bucket: string, shut: (one: T) => Promise<void>): Promise<void>;
  /** Resolves when nothing is being opened or closed. */
  settled(): Promise<void>;
}

const CLOSING_MS = 2_000; // nothing is under way in it, so that it takes milliseconds, unless its database is away

/** Opens that of the first bucket. */
export async function openBuckets<T>(
  buckets: Buckets,
  log: Logger,
  openOne: (db: Database, bucket: string) => Promise<T> | T,
): Promise<OpenBuckets<T>> {
  const opened = new Map<string, T>([[HOME, await openOne(buckets.home, HOME)]]);
  const opening = new Map<string, Promise<T>>();
  const closing = new Map<string, Promise<void>>();

  const openNow = async (bucket: string) => {
    await untilClosed(bucket, closing.get(bucket));
    const db = buckets.database(bucket);
    await requireBucketSchema(db, bucket);
    const one = await openOne(db, bucket);
    opened.set(bucket, one);
    log.info({ bucket }, 'a bucket is open');
    return one;
  };
  return {
    async of(bucket) {
      const known = opened.get(bucket);
      if (known !== undefined) return known;
      const started = opening.get(bucket) ?? openNow(bucket).finally(() => opening.delete(bucket));
      opening.set(bucket, started);
      return started;
    },
    open: () => opened,
    async close(bucket, shut) {
      const one = opened.get(bucket);
      if (one === undefined) return;
      opened.delete(bucket);
      const ended = shut(one).finally(() => closing.delete(bucket));
      closing.set(bucket, ended);
      await ended;
      log.info({ bucket }, 'a bucket is closed');
    },
    settled: async () => void (await Promise.allSettled([...opening.values(), ...closing.values()])),
  };
}

async function untilClosed(bucket: string, closing: Promise<void> | undefined): Promise<void> {
  if (closing === undefined) return;
  const waited = new AbortController();
  const late = sleep(CLOSING_MS, waited.signal).then(() => false);
  const isClosed = await Promise.race([closing.then(() => true), late]).finally(() => waited.abort());
  if (!isClosed) throw databaseAway(new Error(`bucket ${bucket}: closing it takes long`));
}
