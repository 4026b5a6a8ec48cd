// Inbound: accepts mail for owned domains, reads bounces and complaints, and posts the rest to webhooks. Many may run
// side by side.

import { loadInboundConfig, type InboundConfig } from '../core/base/config.ts';
import { createFailpoints } from '../core/base/failpoint.ts';
import { startHealthServer } from '../core/base/health-server.ts';
import { announceReady, startOrExplain, stopOnSignals } from '../core/base/lifecycle.ts';
import { createLogger, type Logger } from '../core/base/log.ts';
import { createMetrics } from '../core/base/metrics.ts';
import { metricsPort } from '../core/base/metrics-ports.ts';
import { startTracing } from '../core/base/trace.ts';
import { startWatchdog } from '../core/base/watchdog.ts';
import { watchCertificate, type WatchedCertificate } from '../core/base/watched-certificate.ts';
import { createGuardedHttp } from '../core/clients/guarded-http.ts';
import { openNats } from '../core/clients/nats.ts';
import { createBuckets } from '../core/db/buckets.ts';
import { openDatabase, WARM_CONNECTIONS } from '../core/db/pool.ts';
import { requireSchema } from '../core/db/require-schema.ts';
import { createWritableCheck } from '../core/db/writable.ts';
import { openInbound } from './open-inbound.ts';
import { makeOwnCertificate } from './own-certificate.ts';

await startOrExplain(() => start(loadInboundConfig(process.env)));

async function start(config: InboundConfig): Promise<void> {
  const log = createLogger(config, 'inbound');
  startWatchdog(config, log);
  const stopTracing = await startTracing(config, 'inbound', log);
  const metrics = createMetrics('inbound');
  const db = openDatabase(config, log, { work: 'worker', warm: WARM_CONNECTIONS, byIndex: true });
  await requireSchema(db, log);
  const nats = openNats(config, log);
  const http = createGuardedHttp(config);
  const certificate = watchOwn(config, log);
  const inbound = await openInbound({
    config,
    buckets: createBuckets(db),
    nats,
    http,
    tls: certificate?.current() ?? (await makeOwnCertificate(config.INBOUND_HOSTNAME)),
    fail: createFailpoints(config.TEST_FAILPOINTS),
    log,
    metrics,
  });
  certificate?.onChange((tls) => inbound.setCertificate(tls));
  const health = await startHealthServer({
    token: null,
    host: config.BIND_ADDRESS,
    port: metricsPort(config, 'inbound'),
    metrics,
    checks: {
      traffic: { postgres: createWritableCheck(db) },
      beside: { nats: () => Promise.resolve(nats.connection() !== null) },
    },
  });
  const steps = [
    { name: 'inbound', stop: () => inbound.stop() },
    { name: 'http', stop: () => http.close() },
    { name: 'nats', stop: () => nats.close() },
    { name: 'database', stop: () => db.close() },
    { name: 'traces', stop: stopTracing },
    { name: 'health server', stop: () => health.close() },
  ];
  stopOnSignals(log, config, { announce: health.setStopping, steps });
  announceReady(log, 'inbound', { smtp: inbound.port, metrics: health.port });
}

function watchOwn(config: InboundConfig, log: Logger): WatchedCertificate | null {
  const { TLS_KEY_FILE: key, TLS_CERT_FILE: cert } = config;
  return key === undefined || cert === undefined ? null : watchCertificate({ cert, key }, log);
}
