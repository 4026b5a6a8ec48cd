// The sender: accepts mail behind the warm-up gate, delivers it, releases what waited. Many may run side by side.

import { loadConfig, type Config } from '../core/base/config.ts';
import { createFailpoints } from '../core/base/failpoint.ts';
import { startHealthServer } from '../core/base/health-server.ts';
import { announceReady, startOrExplain, stopOnSignals } from '../core/base/lifecycle.ts';
import { lowerPriority } from '../core/base/low-priority.ts';
import { createLogger } from '../core/base/log.ts';
import { createMetrics } from '../core/base/metrics.ts';
import { metricsPort } from '../core/base/metrics-ports.ts';
import { startTracing } from '../core/base/trace.ts';
import { startWatchdog } from '../core/base/watchdog.ts';
import { createDns } from '../core/clients/dns.ts';
import { useFastProtoText } from '../core/clients/proto-text.ts';
import { openNats } from '../core/clients/nats.ts';
import { openRedis } from '../core/clients/redis.ts';
import { createBuckets } from '../core/db/buckets.ts';
import { openDatabase, WARM_CONNECTIONS } from '../core/db/pool.ts';
import { requireBucketSchema, requireSchema } from '../core/db/require-schema.ts';
import { createWritableCheck } from '../core/db/writable.ts';
import { createDecorate } from '../core/tracking/decorate.ts';
import { createUnsubscribeUrl } from '../core/tracking/unsubscribe-url.ts';
import { createTemplateRenderer } from '../core/template/renderer.ts';
import { createAcceptLoad } from './accept/accept.ts';
import { createBatchCounter } from './accept/metrics.ts';
import { createGate } from './accept/gate/gate.ts';
import { openBucketSender, releaseOf } from './bucket-sender.ts';
import { createMethods } from './grpc/methods.ts';
import { startGrpcServer } from './grpc/server.ts';
import { openDelivery } from './deliver/open-delivery.ts';
import { openNeededBuckets } from './needed-buckets.ts';

const REQUEST_SHARE = 0.4; // of the connections: for those who wait for an answer; the rest deliver and record

useFastProtoText();
await startOrExplain(() => start(loadConfig(process.env)));

async function start(config: Config): Promise<void> {
  const log = createLogger(config, 'sender');
  startWatchdog(config, log);
  const stopTracing = await startTracing(config, 'sender', log);
  if (config.SENDER_BULK_ONLY) lowerPriority();
  const metrics = createMetrics('sender');
  const fail = createFailpoints(config.TEST_FAILPOINTS);
  const requests = Math.ceil(config.DATABASE_POOL_SIZE * REQUEST_SHARE);
  const answering = openDatabase(config, log, {
    work: 'request',
    connections: requests,
    warm: WARM_CONNECTIONS,
  });
  await requireSchema(answering, log);
  const connections = Math.max(2, config.DATABASE_POOL_SIZE - requests);
  const db = openDatabase(config, log, { work: 'worker', connections, warm: WARM_CONNECTIONS });
  const redis = await openRedis(config, log);
  const nats = openNats(config, log);
  const buckets = createBuckets(answering);
  const delivering = createBuckets(db);
  const renderer = createTemplateRenderer({
    db: async (tenantId) => delivering.database(await buckets.ofTenant(tenantId)),
    log,
  });
  const delivery = await openDelivery({
    config,
    home: db,
    buckets,
    redis,
    nats,
    dns: createDns(config),
    render: ({ tenantId, templateId, version }, variables) =>
      renderer.render(tenantId, templateId, version, variables),
    textOf: renderer.textOf,
    decorate: createDecorate(config),
    unsubscribeUrl: createUnsubscribeUrl(config),
    fail,
    log,
    metrics,
  });
  const deps = {
    config,
    delivery,
    gate: createGate(redis, config.KEY_PREFIX, log),
    nats,
    fail,
    log,
    load: createAcceptLoad(),
    committed: createBatchCounter(metrics),
    renderSubject: renderer.renderSubject,
  };
  const senders = await openNeededBuckets({
    buckets,
    lease: delivery.lease,
    scale: config.TEST_RETRY_SCALE,
    open: (own, bucket, isNeeded) =>
      openBucketSender(deps, bucket, { answering: own, db: delivering.database(bucket), isNeeded }),
    isIdle: (one) => one.isIdle(),
    close: (one) => one.close(),
    log,
  });
  const routes = config.OUTBOUND_ROUTES.map(({ name }) => name);
  const ofTenant = async (tenantId: string) => senders.of(await buckets.ofTenant(tenantId));
  const releaseIn = async (bucket: string) => {
    const open = senders.openOf(bucket);
    if (open) return open.release;
    const own = delivering.database(bucket);
    await requireBucketSchema(own, bucket);
    return releaseOf(deps, bucket, own);
  };
  const methods = (stopping: AbortSignal) =>
    createMethods({ nats, ofTenant, list: buckets.list, releaseIn, routes, log, stopping });
  const grpc = await startGrpcServer(config, methods, log);
  const health = await startHealthServer({
    token: config.INTERNAL_TOKEN,
    host: config.BIND_ADDRESS,
    port: metricsPort(config, 'sender'),
    metrics,
    checks: {
      traffic: { postgres: createWritableCheck(answering) },
      beside: { redis: () => redis.ping(), nats: () => Promise.resolve(nats.connection() !== null) },
    },
  });
  const announce = () => {
    grpc.announceStop();
    health.setStopping();
  };
  const steps = [
    { name: 'grpc', stop: () => grpc.stop() },
    { name: 'buckets', stop: () => senders.close() },
    { name: 'accept', stop: () => Promise.all(senders.all().map((one) => one.drain())) },
    { name: 'release', stop: () => Promise.all(senders.all().map((one) => one.stopRelease())) },
    { name: 'delivery', stop: () => delivery.stop() },
    { name: 'templates', stop: () => renderer.close() },
    { name: 'nats', stop: () => nats.close() },
    { name: 'redis', stop: () => redis.close() },
    { name: 'database', stop: () => Promise.all([answering.close(), db.close()]) },
    { name: 'traces', stop: stopTracing },
    { name: 'health server', stop: () => health.close() },
  ];
  stopOnSignals(log, config, { announce, steps });
  const worker = senders.all()[0]?.workerId();
  announceReady(log, 'sender', { grpc: grpc.port, metrics: health.port }, { worker });
}
