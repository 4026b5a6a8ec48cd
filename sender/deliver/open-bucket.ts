// What delivers the mail of one bucket in one process: its lease there, what claims its mail and records what became of it,
// and what is looked up for a message. What all buckets share is opened by open-delivery.ts.

import type { Config } from '../../core/base/config.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import type { Logger } from '../../core/base/log.ts';
import { STREAMS, type Stream } from '../../core/base/stream.ts';
import { publishBraked, publishLive } from '../../core/clients/live.ts';
import type { Nats } from '../../core/clients/nats.ts';
import type { Database } from '../../core/db/pool.ts';
import { createSigningDomains, type SigningDomains } from '../../core/domain/signing-domains.ts';
import {
  claimByIds,
  claimDue,
  claimByDomain,
  findDueDomains,
  recordOutcomes,
} from '../../core/message/delivery-store.ts';
import { countUnclaimed } from '../../core/message/due-store.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import { createSuppressionCheck } from '../../core/suppression/is-suppressed.ts';
import { startBrakeWatch } from '../../core/warmup/brake-watch.ts';
import { startLease, type Lease } from '../../core/worker/lease.ts';
import { startStatistics } from '../../core/worker/statistics.ts';
import { startSweep } from '../../core/worker/sweep.ts';
import { deliverMessage, type DeliverDeps } from './deliver-message.ts';
import { CLAIM_OCTETS, createDelivery, type Delivery, type DeliveryDeps } from './delivery-loop.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { RetryWakeups, WokenDelivery } from './retry-wakeups.ts';
import type { SharedDelivery } from './shared-delivery.ts';
import { createTrickle } from './trickle.ts';
import { createTurns } from './turns.ts';

/** Delivery of one bucket's mail. */
export interface BucketDelivery extends WokenDelivery {
  lease: Lease;
  delivery: Delivery;
  domains: SigningDomains;
  /** This sender's part of what waits for any sender. */
  countUnclaimed(): Promise<number>;
  /** What it does for all senders. */
  stopUpkeep(): Promise<void>;
  /** After everything is recorded. */
  stopBrakes(): Promise<void>;
  /** Ends all of it, the lease too, after its delivery was halted while idle. */
  close(): Promise<void>;
}

/** What it needs. */
export interface OpenBucketDeps extends Pick<DeliverDeps, 'compose' | 'noteSession' | 'fail' | 'random'> {
  config: Config;
  db: Database;
  lease: Lease;
  nats: Nats;
  shared: SharedDelivery;
  giveBack: DeliveryDeps['giveBack'];
  metrics: DeliveryMetrics;
  wakeups: Pick<RetryWakeups, 'publish'>;
  /** Whether due messages are claimed here. */
  isNeeded: () => boolean;
  fail: Fail;
  log: Logger;
}

/** Registers this process as one that claims mail of a bucket. `named`: the lease knows who else does. */
export function startSenderLease(
  { config, log }: { config: Config; log: Logger },
  { pool }: Database,
  named = false,
): Promise<Lease> {
  const worker = { service: 'sender', bulkOnly: config.SENDER_BULK_ONLY };
  return startLease({ pool, log, worker, leaseMs: config.WORKER_LEASE_MS, named });
}

/** Starts to deliver. */
export function openBucket(deps: OpenBucketDeps): BucketDelivery {
  const { config, db, lease, nats, log, fail, random, shared, metrics } = deps;
  const scale = config.TEST_RETRY_SCALE;
  const leaseMs = config.WORKER_LEASE_MS;
  const bulkOnly = config.SENDER_BULK_ONLY;
  const { pool } = db;
  const streams = () => streamsOf(bulkOnly, lease);
  const brakes = startBrakeWatch({ pool, nats, log, onMove: (domain) => publishBraked(nats, domain) });
  const domains = createSigningDomains({ db, config, log });
  const deliverDeps = {
    lease,
    domains,
    suppressions: createSuppressionCheck(pool),
    takeTrickle: createTrickle({ db: pool, scale, onTaken: (domain) => brakes.note([domain]) }),
    compose: deps.compose,
    noteSession: deps.noteSession,
    fail,
    random,
    scale,
  };
  const delivery = createDelivery({
    shared,
    lease,
    deliver: (message, route, maySend) => deliverMessage({ ...deliverDeps, maySend }, message, route),
    claim: (workerId, limits) => claimDue(pool, workerId, limits),
    turns: createTurns({
      find: () => findDueDomains(pool, streams()),
      claim: (workerId, shares, octets) => claimByDomain(pool, workerId, shares, octets),
    }),
    giveBack: deps.giveBack,
    record: (outcomes) => recordOutcomes(pool, outcomes),
    onRecorded: (written, fenced) => {
      for (const outcome of written) metrics.outcome(outcome);
      metrics.fenced(fenced.length);
      deps.wakeups.publish(written);
      brakes.note(written.filter(({ kind }) => kind === 'bounced').map(({ claim }) => claim));
      publishChanges(nats, written);
    },
    streams,
    isNeeded: deps.isNeeded,
    fail,
    log,
  });
  const sweep = startSweep({
    pool,
    log,
    leaseMs,
    lease,
    inFlight: shared.inFlight.ids,
    onFreed: delivery.wake,
  });
  const statistics = startStatistics({ pool, log });
  const stopUpkeep = async () => void (await Promise.all([sweep.stop(), statistics.stop()]));
  delivery.start();
  return {
    lease,
    delivery,
    domains,
    claimByIds: (workerId, wanted) => claimByIds(pool, workerId, wanted, CLAIM_OCTETS, streams()),
    countUnclaimed: async () => (await countUnclaimed(pool, streams())) / rivals(bulkOnly, lease),
    stopUpkeep,
    isNeeded: deps.isNeeded,
    stopBrakes: brakes.stop,
    close: async () => {
      await stopUpkeep();
      await delivery.end();
      await brakes.stop();
      await lease.stop();
    },
  };
}

// One message per tenant and batch: which messages changed, and to what.
function publishChanges(nats: Nats, outcomes: Outcome[]): void {
  if (!nats.connection()) return;
  const byTenant = new Map<string, { id: string; outcome: string }[]>();
  for (const { claim, kind } of outcomes) {
    const changes = byTenant.get(claim.tenantId) ?? [];
    changes.push({ id: claim.id, outcome: kind });
    byTenant.set(claim.tenantId, changes);
  }
  for (const [tenantId, changes] of byTenant) publishLive(nats, tenantId, 'messages', { changes });
}

// The senders that claim the same streams, this one among them.
function rivals(bulkOnly: boolean, { peers, bulkPeers }: Pick<Lease, 'peers' | 'bulkPeers'>): number {
  return Math.max(bulkOnly ? bulkPeers() : peers() - bulkPeers(), 1);
}

// Bulk mail is left to the senders that are there for it, transactional mail to the others, while there are any.
function streamsOf(bulkOnly: boolean, lease: Pick<Lease, 'peers' | 'bulkPeers'>): readonly Stream[] {
  if (bulkOnly) return lease.peers() > lease.bulkPeers() ? ['bulk'] : STREAMS;
  return lease.bulkPeers() > 0 ? ['transactional'] : STREAMS;
}
