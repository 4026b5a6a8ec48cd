// Inbound: accepts mail for owned domains, reads bounces and complaints, and posts the rest to webhooks. Many may run
// side by side.

import { readFile } from 'node:fs/promises';

import { loadInboundConfig, type InboundConfig } from '../core/base/config.ts';
import { createFailpoints } from '../core/base/failpoint.ts';
import { startHealthServer } from '../core/base/health-server.ts';
import { startOrExplain, stopOnSignals } from '../core/base/lifecycle.ts';
import { createLogger } from '../core/base/log.ts';
import { createMetrics } from '../core/base/metrics.ts';
import { metricsPort } from '../core/base/metrics-ports.ts';
import { startWatchdog } from '../core/base/watchdog.ts';
import { createGuardedHttp } from '../core/clients/guarded-http.ts';
import { openNats } from '../core/clients/nats.ts';
import { openDatabase } from '../core/db/pool.ts';
import { createWritableCheck } from '../core/db/writable.ts';
import { openInbound } from './open-inbound.ts';
import { makeOwnCertificate } from './own-certificate.ts';

await startOrExplain(() => start(loadInboundConfig(process.env)));

async function start(config: InboundConfig): Promise<void> {
  const log = createLogger(config, 'inbound');
  startWatchdog(config, log);
  const metrics = createMetrics('inbound');
  const db = openDatabase(config, log, { work: 'worker', byIndex: true });
  const nats = openNats(config, log);
  const http = createGuardedHttp(config);
  const inbound = await openInbound({
    config,
    db,
    nats,
    http,
    tls: await certificate(config),
    fail: createFailpoints(config.TEST_FAILPOINTS),
    log,
    metrics,
  });
  const health = await startHealthServer({
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
    { name: 'health server', stop: () => health.close() },
  ];
  stopOnSignals(log, config, { announce: health.setStopping, steps });
  log.info({ smtp: inbound.port, metrics: health.port }, 'inbound is ready');
}

async function certificate(config: InboundConfig): Promise<{ key: string; cert: string }> {
  const { TLS_KEY_FILE, TLS_CERT_FILE } = config;
  if (TLS_KEY_FILE === undefined || TLS_CERT_FILE === undefined) {
    return makeOwnCertificate(config.INBOUND_HOSTNAME);
  }
  const [key, cert] = await Promise.all([readFile(TLS_KEY_FILE, 'utf8'), readFile(TLS_CERT_FILE, 'utf8')]);
  return { key, cert };
}
