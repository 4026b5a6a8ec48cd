// Puts the delivery half of a sender together from its stores and clients. main.ts opens those; tests do the same.

import type { Config } from '../../core/base/config.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import type { Logger } from '../../core/base/log.ts';
import type { Registry } from '../../core/base/metrics.ts';
import { STREAMS, type Stream } from '../../core/base/stream.ts';
import type { Dns } from '../../core/clients/dns.ts';
import { createSecureDns } from '../../core/clients/secure-dns.ts';
import { createGuardedHttp } from '../../core/clients/guarded-http.ts';
import type { RedisConnection } from '../../core/clients/redis.ts';
import { publishBraked, publishLive, subscribeBraked, subscribeReady } from '../../core/clients/live.ts';
import type { Nats } from '../../core/clients/nats.ts';
import type { Database } from '../../core/db/pool.ts';
import { parseMailbox } from '../../core/mail/address.ts';
import { allProviders, createFindProvider } from '../../core/mailbox-provider/find-provider.ts';
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
import { createFindPolicy } from '../../core/transport/policies.ts';
import { startBrakeWatch } from '../../core/warmup/brake-watch.ts';
import { addSessions } from '../../core/transport/session-store.ts';
import { startLease, type Lease } from '../../core/worker/lease.ts';
import { startSweep } from '../../core/worker/sweep.ts';
import { createComposer, type Decorate, type Render, type UnsubscribeUrl } from './compose-outgoing.ts';
import { deliverMessage, type DeliverDeps } from './deliver-message.ts';
import { CLAIM_OCTETS, createDelivery, type Delivery } from './delivery-loop.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { startSessionCounts } from './session-counts.ts';
import { createTurns } from './turns.ts';
import { createRetryWakeups } from './retry-wakeups.ts';
import { createDane } from '../smtp/dane.ts';
import { findTarget } from '../smtp/target.ts';
import { openSources } from '../source/open-sources.ts';
import { createTrickle } from './trickle.ts';

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
  redis: RedisConnection;
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
  const bulkOnly = config.SENDER_BULK_ONLY;
  const { pool } = db;
  const lease = await startLease({ pool, log, worker: { service: 'sender', bulkOnly }, leaseMs });
  const streams = () => streamsOf(bulkOnly, lease);
  const suppressions = createSuppressionCheck(pool);
  const compose = createComposer(deps);
  const brakes = startBrakeWatch({ pool, nats, log, onMove: (domain) => publishBraked(nats, domain) });
  const takeTrickle = createTrickle({ db: pool, scale, onTaken: (domain) => brakes.note([domain]) });
  const deliverDeps = {
    lease,
    domains: deps.domains,
    suppressions,
    takeTrickle,
    compose,
    fail,
    random,
    scale,
  };
  const http = createGuardedHttp({ ...config, WEBHOOK_ALLOW_PRIVATE: config.OUTBOUND_ALLOW_PRIVATE });
  const findPolicy = createFindPolicy({
    pool,
    dns: deps.dns,
    http,
    log,
    port: config.TEST_MTA_STS_PORT,
    scale,
  });
  const dane = config.OUTBOUND_DANE ? createDane(createSecureDns(config), scale) : null;
  const port = config.OUTBOUND_SMTP_PORT;
  const findProvider = createFindProvider(allProviders(config));
  const targetDeps = { config, dns: deps.dns, findPolicy, findProvider, dane, port, random };
  const exempt = { ...targetDeps, findPolicy: () => Promise.resolve(null), dane: null };
  const reportMailbox = parseMailbox(config.OUTBOUND_TLS_REPORT_FROM ?? '');
  const reportsFrom = reportMailbox.ok ? reportMailbox.address.email : undefined;
  const counts =
    reportsFrom === undefined
      ? null
      : startSessionCounts({
          findPolicy,
          dns: deps.dns,
          databaseNow: lease.databaseNow,
          add: (sessions) => addSessions(pool, sessions),
          log,
          scale,
        });
  const relays = new Set(
    config.OUTBOUND_ROUTES.filter(({ url }) => url !== undefined).map(({ name }) => name),
  );
  const noteSession: DeliverDeps['noteSession'] = (route, domain, sent) => {
    if (!relays.has(route)) counts?.note(domain, sent);
  };
  const poolOf = async (tenantId: string, domainId: string) =>
    (await deps.domains.get(tenantId, domainId))?.pool ?? null;
  const sources = await openSources({ config, pool, lease, poolOf, random, scale, log });
  const delivery: Delivery = createDelivery({
    lease,
    routes: config.OUTBOUND_ROUTES,
    // RFC 8460 section 3: reports go also where the policy that they report on cannot be met.
    findTarget: (route, domain, headerFrom) =>
      findTarget(headerFrom === reportsFrom ? exempt : targetDeps, route, domain),
    chooseSource: sources.choose,
    isResting: sources.isResting,
    giveBack: sources.giveBack,
    deliver: (message, route, maySend) =>
      deliverMessage({ ...deliverDeps, noteSession, maySend }, message, route),
    claim: (workerId, limits) => claimDue(pool, workerId, limits),
    turns: createTurns({
      find: () => findDueDomains(pool, streams()),
      claim: (workerId, shares, octets) => claimByDomain(pool, workerId, shares, octets),
    }),
    record: (outcomes) => recordOutcomes(pool, outcomes),
    onRecorded: (written, fenced) => {
      for (const outcome of written) metrics.outcome(outcome);
      metrics.fenced(fenced.length);
      wakeups.publish(written);
      brakes.note(written.filter(({ kind }) => kind === 'bounced').map(({ claim }) => claim));
      publishChanges(nats, written);
    },
    providers: {
      redis: deps.redis,
      keyPrefix: config.KEY_PREFIX,
      senders: lease.peers,
      rest: sources.rest,
      scale,
      random,
    },
    streams,
    maxInFlight: config.SENDER_MAX_IN_FLIGHT,
    drainMs: config.SENDER_DRAIN_SECONDS * 1000,
    maxConnections: config.OUTBOUND_MAX_CONNECTIONS,
    random,
    scale,
    fail,
    log,
  });
  const metrics = createDeliveryMetrics(
    deps.metrics,
    delivery.stats,
    async () => (await countUnclaimed(pool, streams())) / rivals(bulkOnly, lease),
  );
  const wakeups = createRetryWakeups({
    nats,
    lease,
    claimByIds: (workerId, wanted) => claimByIds(pool, workerId, wanted, CLAIM_OCTETS, streams()),
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
  const stopBraked = subscribeBraked(nats, ({ tenantId, domainId }) =>
    deps.domains.forget(tenantId, domainId),
  );
  delivery.start();
  wakeups.start();
  return {
    lease,
    delivery,
    compose,
    stop: async () => {
      stopReady();
      stopBraked();
      await Promise.all([sweep.stop(), wakeups.stop()]);
      await delivery.drain();
      await brakes.stop();
      await counts?.stop();
      await sources.stop();
      await Promise.all([lease.stop(), http.close()]);
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
