// The buckets that a sender has open: the first, those that it owns, and those that calls came for lately. Each bucket has two
// owners among the senders of each kind, those with the highest scores (core/base/rendezvous.ts), so that what is sent to
// PostgreSQL grows with the buckets and not with the senders times the buckets.
//
// Ownership spares work and protects nothing: leases, versions of claims and locks that are skipped keep mail right when two
// senders see different ones living, or an owner died that still counts as living. So nobody is asked, and nothing is handed over:
// who comes to own a bucket opens it, who does not any more goes on for some minutes.
//
// Dies anywhere in here: docs/crashes.md, "Owners of buckets".

import { monotonicMs, sleep } from '../core/base/clock.ts';
import type { Logger } from '../core/base/log.ts';
import { startLoop } from '../core/base/loop.ts';
import { hashOf, ownersOf } from '../core/base/rendezvous.ts';
import type { Buckets } from '../core/db/buckets.ts';
import { openBuckets } from '../core/db/open-buckets.ts';
import { allOrThrow, LOOK_EVERY_MS, type PerBucket } from '../core/db/per-bucket.ts';
import type { Database } from '../core/db/pool.ts';
import { HOME } from '../core/db/service-tables.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import type { Lease } from '../core/worker/lease.ts';

/** The buckets that are open. */
export interface NeededBuckets<T> extends PerBucket<T> {
  /** That of a bucket if it is open. Nobody counts as having asked for it. */
  openOf(bucket: string): T | undefined;
}

/** What it needs. */
export interface NeededBucketsDeps<T> {
  buckets: Buckets;
  /** That of the first bucket: it names the senders of this kind. */
  lease: Pick<Lease, 'workerId' | 'live'>;
  /** Scales times in tests. */
  scale: number;
  /** Opens one; `isNeeded` turns false for one that is to be closed as soon as nothing is under way in it. */
  open(db: Database, bucket: string, isNeeded: () => boolean): Promise<T>;
  /** Whether nothing is under way. It is closed before anything else happens if so. */
  isIdle(one: T): boolean;
  close(one: T): Promise<void>;
  log: Logger;
}

/** For so long a bucket stays open after it was owned, or a call came for it: opening one takes a dozen statements. */
const QUIET_MS = 5 * 60_000;
const LEAST_LOOK_MS = 250; // whatever the scale of a test
const LATE = Symbol('late');

/** Opens the first bucket at once, the others as they are needed. */
export async function openNeededBuckets<T>(deps: NeededBucketsDeps<T>): Promise<NeededBuckets<T>> {
  const { buckets, lease, log } = deps;
  const needs = createNeeds(deps);
  const pauseMs = Math.max(LOOK_EVERY_MS * deps.scale, LEAST_LOOK_MS);
  const opened = await openBuckets(buckets, log, (db, bucket) =>
    deps.open(db, bucket, () => needs.has(bucket)),
  );
  const closeUnneeded = () => {
    for (const [bucket, one] of opened.open()) {
      if (needs.has(bucket) || !deps.isIdle(one)) continue;
      opened
        .close(bucket, deps.close)
        .catch((error: unknown) => log.error({ err: error, bucket }, 'a bucket could not be closed'));
    }
  };
  const look = startLoop({
    what: 'looking for buckets',
    log,
    isExpected: isDatabaseAway,
    async step(signal) {
      const owned = needs.own(await buckets.list());
      closeUnneeded();
      const missing = [...owned].filter((bucket) => !opened.open().has(bucket));
      if (missing.length === 0) return pauseMs;
      // One whose node is away may take long to fail: others are looked for meanwhile.
      const late = sleep(pauseMs, signal).then(() => LATE);
      const end = await Promise.race([allOrThrow(missing.map(opened.of)), late]);
      return end === LATE ? 0 : pauseMs;
    },
  });
  lease.live.onChange(look.wake);
  return {
    async of(bucket) {
      if (bucket !== HOME) needs.asked(bucket);
      return opened.of(bucket);
    },
    openOf: (bucket) => opened.open().get(bucket),
    all: () => [...opened.open().values()],
    async close() {
      await look.stop();
      await opened.settled();
    },
  };
}

// Which buckets are needed, and until when.
function createNeeds({ lease, scale }: Pick<NeededBucketsDeps<unknown>, 'lease' | 'scale'>) {
  const quietMs = QUIET_MS * scale;
  const until = new Map<string, number>(); // by the monotonic clock
  let owned: ReadonlySet<string> = new Set();
  const asked = (bucket: string) => void until.set(bucket, monotonicMs() + quietMs);
  return {
    asked,
    has: (bucket: string) => bucket === HOME || owned.has(bucket) || (until.get(bucket) ?? 0) > monotonicMs(),
    /** Finds out which of these are owned. */
    own(names: string[]): ReadonlySet<string> {
      const now = new Set(ownedBy(lease.workerId(), names, lease.live.ids()));
      for (const name of owned) if (!now.has(name)) asked(name);
      owned = now;
      return owned;
    },
  };
}

/** Those of the buckets that a sender owns while these senders live; the first is everybody's. */
export function ownedBy(own: string, buckets: readonly string[], live: readonly string[]): string[] {
  const senders = live.map((id) => ({ id, seed: hashOf(id) }));
  return buckets.filter(
    (bucket) => bucket === HOME || ownersOf(hashOf(bucket), senders).some(({ id }) => id === own),
  );
}
