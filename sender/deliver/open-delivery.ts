// Puts the delivery half of a sender together from its stores and clients: what there is once in a process, and for each
// bucket what claims and records its mail (open-bucket.ts). main.ts opens the stores; tests do the same.

import type { Config } from '../../core/base/config.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import type { Logger } from '../../core/base/log.ts';
import type { Registry } from '../../core/base/metrics.ts';
import type { Buckets } from '../../core/db/buckets.ts';
import { HOME } from '../../core/db/service-tables.ts';
import type { Dns } from '../../core/clients/dns.ts';
import { createSecureDns } from '../../core/clients/secure-dns.ts';
import { createGuardedHttp } from '../../core/clients/guarded-http.ts';
import type { RedisConnection } from '../../core/clients/redis.ts';
import { subscribeBraked, subscribeReady } from '../../core/clients/live.ts';
import type { Nats } from '../../core/clients/nats.ts';
import type { Database } from '../../core/db/pool.ts';
import type { Lease } from '../../core/worker/lease.ts';
import { parseMailbox } from '../../core/mail/address.ts';
import { createComposer, type ComposeDeps } from '../../core/message/compose-outgoing.ts';
import { allProviders, createFindProvider } from '../../core/mailbox-provider/find-provider.ts';
import { createFindPolicy } from '../../core/transport/policies.ts';
import { addSessions } from '../../core/transport/session-store.ts';
import type { DeliverDeps } from './deliver-message.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { openBucket, startSenderLease, type BucketDelivery } from './open-bucket.ts';
import { startSessionCounts } from './session-counts.ts';
import { createSharedDelivery, type SharedDelivery } from './shared-delivery.ts';
import { createRetryWakeups } from './retry-wakeups.ts';
import { createDane } from '../smtp/dane.ts';
import { findTarget } from '../smtp/target.ts';
import { openSources } from '../source/open-sources.ts';

/** Delivery with everything that runs beside it. */
export interface OpenDelivery extends Pick<SharedDelivery, 'drain' | 'stats'> {
  /** This sender's lease in the first bucket, which names the senders of its kind. */
  lease: Lease;
  /** Begins to deliver the mail of a bucket. While `isNeeded` is false, what is due is left to other senders. */
  open(db: Database, bucket: string, isNeeded?: () => boolean): Promise<BucketDelivery>;
  /** Finishes running deliveries, releases the other messages and ends the leases, of all buckets. */
  stop(): Promise<void>;
}

/** What delivery needs. */
export interface OpenDeliveryDeps extends Pick<
  ComposeDeps,
  'render' | 'textOf' | 'decorate' | 'unsubscribeUrl'
> {
  config: Config;
  /** The first bucket, over the connections that deliver and record. */
  home: Database;
  buckets: Pick<Buckets, 'ofTenant'>;
  redis: RedisConnection;
  nats: Nats;
  dns: Dns;
  fail: Fail;
  log: Logger;
  metrics: Registry;
  random?: () => number;
}

/** Opens delivery: it delivers the mail of buckets as they are opened. */
export async function openDelivery(deps: OpenDeliveryDeps): Promise<OpenDelivery> {
  const { config, nats, log, fail } = deps;
  const random = deps.random ?? Math.random;
  const scale = config.TEST_RETRY_SCALE;
  const { pool } = deps.home;
  // Every sender has one in the first bucket: it says how many there are, and who.
  const lease = await startSenderLease(deps, deps.home, true);
  const opened = new Map<string, BucketDelivery>();
  const find = async (tenantId: string) => {
    const bucket = await deps.buckets.ofTenant(tenantId);
    return { bucket, owner: opened.get(bucket) ?? null };
  };
  const compose = createComposer(deps);
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
    (await (await find(tenantId)).owner?.domains.get(tenantId, domainId))?.pool ?? null;
  const sources = await openSources({ config, pool, lease, poolOf, random, scale, log });
  const shared = createSharedDelivery({
    routes: config.OUTBOUND_ROUTES,
    // RFC 8460 section 3: reports go also where the policy that they report on cannot be met.
    findTarget: (route, domain, headerFrom) =>
      findTarget(headerFrom === reportsFrom ? exempt : targetDeps, route, domain),
    chooseSource: sources.choose,
    isResting: sources.isResting,
    providers: {
      redis: deps.redis,
      keyPrefix: config.KEY_PREFIX,
      senders: lease.peers,
      rest: sources.rest,
      scale,
      random,
    },
    databaseNow: lease.databaseNow,
    maxInFlight: config.SENDER_MAX_IN_FLIGHT,
    drainMs: config.SENDER_DRAIN_SECONDS * 1000,
    maxConnections: config.OUTBOUND_MAX_CONNECTIONS,
    random,
    scale,
    log,
  });
  const metricsOf = createDeliveryMetrics(deps.metrics, shared.stats, async () => {
    const counted = [...opened].map(async ([bucket, one]): Promise<[string, number]> => {
      return [bucket, await one.countUnclaimed().catch(() => Number.NaN)];
    });
    return new Map(await Promise.all(counted));
  });
  const wakeups = createRetryWakeups({ nats, databaseNow: lease.databaseNow, find, fail, log });
  const stopReady = subscribeReady(nats, (bucket) => {
    for (const [name, { delivery }] of opened) if (bucket === undefined || bucket === name) delivery.wake();
  });
  const stopBraked = subscribeBraked(nats, ({ tenantId, domainId }) => {
    for (const { domains } of opened.values()) domains.forget(tenantId, domainId);
  });
  const common = {
    ...deps,
    random,
    shared,
    compose,
    noteSession,
    giveBack: sources.giveBack,
    wakeups,
  };
  shared.start();
  wakeups.start();
  return {
    lease,
    stats: shared.stats,
    drain: shared.drain,
    open: async (db, bucket, isNeeded = () => true) => {
      const own = bucket === HOME ? lease : await startSenderLease(deps, db);
      const one = openBucket({ ...common, db, lease: own, isNeeded, metrics: metricsOf(bucket) });
      opened.set(bucket, one);
      const close = async () => {
        opened.delete(bucket);
        await one.close();
      };
      return { ...one, close };
    },
    stop: async () => {
      stopReady();
      stopBraked();
      const all = [...opened.values()];
      await Promise.all([wakeups.stop(), ...all.map((one) => one.stopUpkeep())]);
      await shared.drain();
      await Promise.all(all.map((one) => one.stopBrakes()));
      await counts?.stop();
      await sources.stop();
      const leases = new Set([lease, ...all.map((one) => one.lease)]);
      await Promise.all([...leases].map((one) => one.stop()));
      await http.close();
    },
  };
}
