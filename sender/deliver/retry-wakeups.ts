// Wakes retries at their time: a wake-up is published after the commit that deferred the message, waits in JetStream,
// and then claims exactly that message. PostgreSQL alone decides: a wake-up that is lost costs at most one poll of the
// delivery loop (about a second), and one that comes twice finds nothing to claim. Any sender may get a wake-up: where its bucket
// is not open, those who have it are told to poll.

import type { Fail } from '../../core/base/failpoint.ts';
import { publishReady } from '../../core/clients/live.ts';
import type { Nats } from '../../core/clients/nats.ts';
import { createWorkQueue, type Verdict } from '../../core/clients/work-queue.ts';
import type { Logger } from '../../core/base/log.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import type { Lease } from '../../core/worker/lease.ts';

/** The wake-ups of one process. */
export interface RetryWakeups {
  /** Publishes the wake-ups of outcomes that were just recorded; never waits, never throws. */
  publish(recorded: Outcome[]): void;
  /** Consumes wake-ups until stopped. */
  start(): void;
  stop(): Promise<void>;
}

/** A bucket whose mail is woken. */
export interface WokenDelivery {
  lease: Pick<Lease, 'workerId'>;
  claimByIds: (workerId: string, wanted: { id: string; tenantId: string }[]) => Promise<Claim[]>;
  delivery: { capacity(): number; deliver(claims: Claim[], workerId: string): void };
  /** Whether due messages are claimed here. */
  isNeeded(): boolean;
}

/** What the wake-ups need. */
export interface RetryWakeupDeps {
  nats: Nats;
  databaseNow: Lease['databaseNow'];
  /** The bucket of a tenant, and its delivery; null while that is not open here. */
  find: (tenantId: string) => Promise<{ bucket: string; owner: WokenDelivery | null }>;
  fail: Fail;
  log: Logger;
}

interface Wakeup {
  id: string;
  tenantId: string;
  /** Milliseconds since the epoch, by the database's clock. */
  dueAt: number;
}

const HORIZON_MS = 15 * 60_000; // later ones are found by the loop's own poll; the queue stays small
const NO_CAPACITY_MS = 2_000;

/** Makes the wake-ups of one process. */
export function createRetryWakeups(deps: RetryWakeupDeps): RetryWakeups {
  const { databaseNow } = deps;
  const queue = createWorkQueue(deps.nats, 'retries', deps.log);
  const abort = new AbortController();
  let consuming: Promise<void> = Promise.resolve();

  const handle = async (items: unknown[]): Promise<Verdict[]> => {
    const now = databaseNow().getTime();
    const wakeups = items.map(readWakeup);
    const due = wakeups.filter((wakeup) => wakeup !== null && wakeup.dueAt <= now) as Wakeup[];
    const found = await Promise.all(due.map(({ tenantId }) => deps.find(tenantId)));
    const ofBucket = Map.groupBy(due, (_, at) => found[at]!.bucket);
    const ownerOf = new Map(found.map(({ bucket, owner }) => [bucket, owner]));
    // One whose database is away does not hold the others up; the items come again, and find claimed what was claimed.
    const ends = await Promise.allSettled(
      [...ofBucket].map(([bucket, own]) => claim(deps, bucket, ownerOf.get(bucket)!, own)),
    );
    const left = new Set<Wakeup>();
    for (const end of ends) {
      if (end.status === 'rejected') throw end.reason;
      for (const one of end.value) left.add(one);
    }
    return wakeups.map((wakeup) => {
      if (wakeup === null) return 'done';
      if (wakeup.dueAt > now) return { againInMs: wakeup.dueAt - now };
      return left.has(wakeup) ? { againInMs: NO_CAPACITY_MS } : 'done';
    });
  };
  return {
    publish: (recorded) => {
      for (const outcome of recorded) {
        if (outcome.kind !== 'deferred' || outcome.retryInMs > HORIZON_MS) continue;
        const { id, tenantId, attempts } = outcome.claim;
        const dueAt = databaseNow().getTime() + outcome.retryInMs;
        void queue
          .add(`${id}:${attempts + 1}`, { id, tenantId, dueAt } satisfies Wakeup)
          .then(() => deps.fail('retry.after-publish'));
      }
    },
    start: () => {
      consuming = queue.consume(handle, abort.signal);
    },
    stop: async () => {
      abort.abort();
      await consuming;
    },
  };
}

// Claims all or, when there is no room for them now, none. Returns those for which there was none. Of a bucket that other
// senders have, they are told: each of them looks for what is due.
async function claim(
  { nats }: Pick<RetryWakeupDeps, 'nats'>,
  bucket: string,
  owner: WokenDelivery | null,
  due: Wakeup[],
): Promise<Wakeup[]> {
  if (owner === null || !owner.isNeeded()) {
    publishReady(nats, bucket);
    return [];
  }
  if (owner.delivery.capacity() < due.length) return due;
  const workerId = owner.lease.workerId();
  owner.delivery.deliver(await owner.claimByIds(workerId, due), workerId);
  return [];
}

function readWakeup(item: unknown): Wakeup | null {
  const { id, tenantId, dueAt } = (item ?? {}) as Partial<Wakeup>;
  return typeof id === 'string' && typeof tenantId === 'string' && typeof dueAt === 'number'
    ? { id, tenantId, dueAt }
    : null;
}
