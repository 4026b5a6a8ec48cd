// Puts the delivery half of a sender together from its stores and clients. main.ts opens those; tests do the same.

import type { Config } from '../../core/base/config.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import type { Logger } from '../../core/base/log.ts';
import type { Registry } from '../../core/base/metrics.ts';
import type { Dns } from '../../core/clients/dns.ts';
import { publishLive, subscribeReady } from '../../core/clients/live.ts';
import type { Nats } from '../../core/clients/nats.ts';
import type { Database } from '../../core/db/pool.ts';
import { claimByIds, claimDue, recordOutcomes } from '../../core/message/delivery-store.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import { createSuppressionCheck } from '../../core/suppression/is-suppressed.ts';
import { startLease, type Lease } from '../../core/worker/lease.ts';
import { startSweep } from '../../core/worker/sweep.ts';
import { createComposer, type Decorate, type Render, type UnsubscribeUrl } from './compose-outgoing.ts';
import { deliverMessage, type DeliverDeps } from './deliver-message.ts';
import { CLAIM_OCTETS, createDelivery, type Delivery } from './delivery-loop.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { createRetryWakeups } from './retry-wakeups.ts';
import { findTarget } from '../smtp/target.ts';

/** Delivery with everything that runs beside it. */
export interface OpenDelivery {
  lease: Lease;
  delivery: Delivery;
  /** What composes the mail that is delivered. */
  compose: DeliverDeps['compose'];
  /** Finishes running deliveries, releases the other messages and ends the lease. */
  stop(): Promise<void>;
}

/** What delivery needs. */
export interface OpenDeliveryDeps {
  config: Config;
  db: Database;
  nats: Nats;
  dns: Dns;
  domains: DeliverDeps['domains'];
  render: Render;
  decorate?: Decorate;
  unsubscribeUrl?: UnsubscribeUrl;
  fail: Fail;
  log: Logger;
  metrics: Registry;
  random?: () => number;
}

/** Opens delivery and starts to deliver. */
export async function openDelivery(deps: OpenDeliveryDeps): Promise<OpenDelivery> {
  const { config, db, nats, log, fail } = deps;
  const random = deps.random ?? Math.random;
  const scale = config.TEST_RETRY_SCALE;
  const leaseMs = config.WORKER_LEASE_MS;
  const { pool } = db;
  const lease = await startLease({ pool, log, service: 'sender', leaseMs });
  const suppressions = createSuppressionCheck(pool);
  const compose = createComposer(deps);
  const deliverDeps = { lease, domains: deps.domains, suppressions, compose, fail, random, scale };
  const targetDeps = { config, dns: deps.dns, random };
  const delivery: Delivery = createDelivery({
    lease,
    routes: config.OUTBOUND_ROUTES,
    findTarget: (route, domain) => findTarget(targetDeps, route, domain),
    deliver: (message, route, maySend) => deliverMessage({ ...deliverDeps, maySend }, message, route),
    claim: (workerId, limits) => claimDue(pool, workerId, limits),
    record: (outcomes) => recordOutcomes(pool, outcomes),
    onRecorded: (written, fenced) => {
      for (const outcome of written) metrics.outcome(outcome);
      metrics.fenced(fenced.length);
      wakeups.publish(written);
      publishChanges(nats, written);
    },
    maxInFlight: config.SENDER_MAX_IN_FLIGHT,
    drainMs: config.SENDER_DRAIN_SECONDS * 1000,
    maxConnections: config.OUTBOUND_MAX_CONNECTIONS,
    random,
    scale,
    fail,
    log,
  });
  const metrics = createDeliveryMetrics(deps.metrics, delivery.stats);
  const wakeups = createRetryWakeups({
    nats,
    lease,
    claimByIds: (workerId, wanted) => claimByIds(pool, workerId, wanted, CLAIM_OCTETS),
    delivery,
    fail,
    log,
  });
  const sweep = startSweep({
    pool,
    log,
    leaseMs,
    lease,
    inFlight: delivery.inFlight,
    onFreed: delivery.wake,
  });
  const stopReady = subscribeReady(nats, delivery.wake);
  delivery.start();
  wakeups.start();
  return {
    lease,
    delivery,
    compose,
    stop: async () => {
      stopReady();
      await Promise.all([sweep.stop(), wakeups.stop()]);
      await delivery.drain();
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
