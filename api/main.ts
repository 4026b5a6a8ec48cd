// The api process: REST, GraphQL and documentation over HTTPS, a redirect on plain HTTP.

import { createNoteRead } from '../core/audit/note-read.ts';
import { ConfigError, loadConfig, type Config } from '../core/base/config.ts';
import { createFailpoints } from '../core/base/failpoint.ts';
import { startHealthServer } from '../core/base/health-server.ts';
import { announceReady, growHeapSlowly, startOrExplain, stopOnSignals } from '../core/base/lifecycle.ts';
import { createLogger, type Logger } from '../core/base/log.ts';
import { createMetrics } from '../core/base/metrics.ts';
import { metricsPort } from '../core/base/metrics-ports.ts';
import { startTracing } from '../core/base/trace.ts';
import { startWatchdog } from '../core/base/watchdog.ts';
import { watchCertificate, type WatchedCertificate } from '../core/base/watched-certificate.ts';
import { createGuardedHttp } from '../core/clients/guarded-http.ts';
import { useFastProtoText } from '../core/clients/proto-text.ts';
import { openNats } from '../core/clients/nats.ts';
import { openRedis } from '../core/clients/redis.ts';
import { readLimits } from '../core/mailbox-provider/limits.ts';
import { openSender } from '../core/clients/sender.ts';
import { createBuckets } from '../core/db/buckets.ts';
import { openDatabase, WARM_CONNECTIONS } from '../core/db/pool.ts';
import { requireSchema } from '../core/db/require-schema.ts';
import { createWritableCheck } from '../core/db/writable.ts';
import { createDomainDns } from '../core/domain/dns-lookup.ts';
import { createSamlReader } from '../core/sso/saml-reader.ts';
import { createTemplateRenderer } from '../core/template/renderer.ts';
import { createAccessTokens } from '../core/people/access-token.ts';
import { createAuthenticator } from '../core/people/authenticate.ts';
import { createTestOrigin } from '../core/people/test-origin.ts';
import { createBucketEngagement } from '../core/tracking/bucket-engagement.ts';
import { createServedHosts } from '../core/tracking-host/served-hosts.ts';
import { createApp, createFetch } from './app.ts';
import { createReadClient } from './client-address.ts';
import { createClientLimits } from './client-limits.ts';
import type { ApiDeps } from './deps.ts';
import { createContextFor } from './tracking/serve-tracking-hosts.ts';
import { createApiMetrics } from './metrics.ts';
import { createOpenStreams } from './open-streams.ts';
import { createRateLimiter } from './rate-limit.ts';
import { createOwnHealth } from './own-health.ts';
import { openReadContent } from './open-read-content.ts';
import { startHttps, startRedirect } from './servers.ts';
import { createTenantDatabase } from './tenant-database.ts';
import { createTenantSender } from './tenant-sender.ts';
import { createTimeBudget } from './time-budget.ts';
import { createReplyCounter } from './submission/metrics.ts';
import { openSubmission } from './submission/open-submission.ts';

useFastProtoText();
await startOrExplain(() => start(loadConfig(process.env)));
growHeapSlowly();

async function start(config: Config): Promise<void> {
  const log = createLogger(config, 'api');
  startWatchdog(config, log);
  const stopTracing = await startTracing(config, 'api', log);
  const certificate = watchTls(config, log);
  const tls = certificate.current();
  const registry = createMetrics('api');
  const home = openDatabase(config, log, { work: 'request', warm: WARM_CONNECTIONS });
  await requireSchema(home, log);
  const buckets = createBuckets(home);
  const tenants = createTenantDatabase(buckets);
  const redis = await openRedis(config, log);
  const sender = createTenantSender(openSender(config, log), tenants);
  const nats = openNats(config, log);
  const tokens = createAccessTokens(config);
  const authenticator = createAuthenticator({ db: home, tokens, config, log });
  const renderer = createTemplateRenderer({ db: tenants.db, log });
  const saml = createSamlReader(log);
  const webhookHttp = createGuardedHttp(config);
  const stopping = new AbortController();
  const engagement = createBucketEngagement({ buckets, nats, log });
  const readClient = createReadClient(config.TRUSTED_PROXIES);
  const metrics = createApiMetrics(registry);
  const clients = createClientLimits(config, readClient, metrics.closed);
  const checks = {
    traffic: {
      database: createWritableCheck(home),
      sender: () => sender.ready(),
    },
    beside: { redis: () => redis.ping() },
  };
  const deps: ApiDeps = {
    config,
    buckets,
    home,
    ...tenants,
    sender,
    nats,
    dns: createDomainDns(config),
    renderer,
    readComposed: openReadContent({ db: tenants.db, config, renderer, log }),
    noteRead: createNoteRead(),
    saml,
    testOrigin: createTestOrigin(),
    authenticator,
    tokens,
    webhook: { db: tenants.db, config, http: webhookHttp },
    providerLimits: (provider) => readLimits(redis, config.KEY_PREFIX, provider),
    limiter: createRateLimiter(redis, config.KEY_PREFIX, log),
    timeBudget: createTimeBudget(),
    streams: createOpenStreams(redis, config.KEY_PREFIX, log),
    engagement,
    trackingHosts: createServedHosts({ buckets, config, log }),
    ownHealth: createOwnHealth({ checks, nats, certificate: () => certificate.current().cert }),
    readClient,
    metrics,
    log,
    stopping: stopping.signal,
    fail: createFailpoints(config.TEST_FAILPOINTS),
  };
  let isStopping = false;
  const app = createApp(deps, { checks, isStopping: () => isStopping });
  const host = config.BIND_ADDRESS;
  const listen = { host, port: config.API_HTTPS_PORT };
  const https = await startHttps(createFetch(deps, app), tls, listen, clients, createContextFor(deps));
  const plain = { host, port: config.API_HTTP_PORT };
  const http = await startRedirect(deps, () => https.port, plain, clients);
  const submission = await openSubmission({ ...deps, tls, countReply: createReplyCounter(registry) });
  certificate.onChange((renewed) => {
    for (const one of [https, submission]) one.setCertificate(renewed);
  });
  const health = await startHealthServer({
    token: config.INTERNAL_TOKEN,
    host,
    port: metricsPort(config, 'api'),
    metrics: registry,
    checks,
  });
  announceReady(log, 'api', {
    https: https.port,
    http: http.port,
    submission: submission.port,
    submissions: submission.tlsPort,
    metrics: health.port,
  });

  const announce = () => {
    isStopping = true;
    for (const one of [https, http]) one.announceStop();
    health.setStopping();
  };
  const steps = [
    {
      name: 'finish requests',
      stop: () => {
        stopping.abort();
        return Promise.all([https.close(), http.close(), submission.stop()]);
      },
    },
    { name: 'write opens and clicks', stop: () => engagement.close() },
    { name: 'write times of use', stop: () => authenticator.close() },
    { name: 'close templates', stop: () => renderer.close() },
    { name: 'close the SAML reader', stop: () => saml.close() },
    { name: 'close the sender connection', stop: () => sender.close() },
    { name: 'close webhook connections', stop: () => webhookHttp.close() },
    { name: 'close nats', stop: () => nats.close() },
    { name: 'close redis', stop: () => redis.close() },
    { name: 'close the database', stop: () => home.close() },
    { name: 'send traces', stop: stopTracing },
    { name: 'close health', stop: () => health.close() },
  ];
  stopOnSignals(log, config, { announce, steps });
}

function watchTls(config: Config, log: Logger): WatchedCertificate {
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key } = config;
  if (cert === undefined || key === undefined) {
    throw new ConfigError('TLS_CERT_FILE and TLS_KEY_FILE are needed; `npm start` makes a local pair.');
  }
  try {
    return watchCertificate({ cert, key }, log);
  } catch (error) {
    throw new ConfigError(`TLS_CERT_FILE or TLS_KEY_FILE cannot be used: ${(error as Error).message}`);
  }
}
