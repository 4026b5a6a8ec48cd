// The scheduler: jobs at fixed UTC times, and the operations notices. Many may run side by side.

import { loadSchedulerConfig, type SchedulerConfig } from '../core/base/config.ts';
import { createFailpoints } from '../core/base/failpoint.ts';
import { startHealthServer } from '../core/base/health-server.ts';
import { startOrExplain, stopOnSignals } from '../core/base/lifecycle.ts';
import { createLogger } from '../core/base/log.ts';
import { createMetrics } from '../core/base/metrics.ts';
import { metricsPort } from '../core/base/metrics-ports.ts';
import { startTracing } from '../core/base/trace.ts';
import { startWatchdog } from '../core/base/watchdog.ts';
import { createDns } from '../core/clients/dns.ts';
import { createGuardedHttp } from '../core/clients/guarded-http.ts';
import { publishLive } from '../core/clients/live.ts';
import { openNats } from '../core/clients/nats.ts';
import { openSender } from '../core/clients/sender.ts';
import { openDatabase } from '../core/db/pool.ts';
import { requireSchema } from '../core/db/require-schema.ts';
import { createWritableCheck } from '../core/db/writable.ts';
import { countWaitingNotices } from '../core/operations/notice-store.ts';
import { startNotices } from '../core/operations/send-notices.ts';
import { countWaitingMail } from '../core/system-mail/system-mail-store.ts';
import { startAnalyticsLoop } from './analytics-loop.ts';
import { startAlertLoops } from './alert-loops.ts';
import { startCampaignLoop } from './campaign-loop.ts';
import { startContentLoop } from './content-loop.ts';
import { startDomainLoop } from './domain-loop.ts';
import { startIndexLoop } from './index-loop.ts';
import { startJobLoop } from './job-loop.ts';
import { createJobMetrics, createWaitingMetric } from './job-metrics.ts';
import { JOBS } from './jobs.ts';
import { startBulkLoop, startExportLoop, startImportLoop } from './slice-loops.ts';
import { startSystemMailLoop } from './system-mail-loop.ts';
import { startTrackingHostLoops } from './tracking-host-loops.ts';
import { startWebhookLoop } from './webhook-loop.ts';

await startOrExplain(() => start(loadSchedulerConfig(process.env)));

async function start(config: SchedulerConfig): Promise<void> {
  const log = createLogger(config, 'scheduler');
  startWatchdog(config, log);
  const stopTracing = await startTracing(config, 'scheduler', log);
  const db = openDatabase(config, log);
  await requireSchema(db, log);
  const sender = openSender(config, log);
  const nats = openNats(config, log);
  const registry = createMetrics('scheduler');
  const health = await startHealthServer({
    host: config.BIND_ADDRESS,
    port: metricsPort(config, 'scheduler'),
    metrics: registry,
    checks: { traffic: { postgres: createWritableCheck(db) }, beside: { sender: () => sender.ready() } },
  });
  const http = createGuardedHttp(config);
  const jobs = startJobLoop({
    config,
    db,
    sender,
    dns: createDns(config),
    reports: { sender, http },
    log,
    jobs: JOBS,
    metrics: createJobMetrics(registry),
    publishWarmup: (tenantId, change) => publishLive(nats, tenantId, 'warmup', change),
  });
  // Without a chat the notices are kept all the same; they are sent when one is configured within a week.
  const url = config.OPS_WEBHOOK_URL;
  createWaitingMetric(registry, {
    name: 'postrider_operations_notices_waiting',
    help: 'Operations notices that the chat does not have yet.',
    count: () => countWaitingNotices(db.pool),
  });
  const notices = url === undefined ? null : startNotices({ pool: db.pool, url, http, log });
  const fail = createFailpoints(config.TEST_FAILPOINTS);
  const imports = startImportLoop({ config, db, log, fail });
  const exports = startExportLoop({ config, db, log, fail });
  const bulk = startBulkLoop({ config, db, log, fail });
  const campaigns = startCampaignLoop({
    config,
    db,
    sender,
    log,
    fail,
    publishCampaign: (tenantId, progress) => publishLive(nats, tenantId, 'campaigns', progress),
  });
  const index = startIndexLoop({ db, log });
  const analytics = startAnalyticsLoop({ db, log, fail });
  const contents = startContentLoop({ db, log });
  const webhooks = startWebhookLoop({ config, db, sender, log });
  const mails = startSystemMailLoop({ config, db, sender, log, fail });
  createWaitingMetric(registry, {
    name: 'postrider_system_mail_waiting',
    help: 'Mail of this service to people that is not submitted yet.',
    count: () => countWaitingMail(db.pool),
  });
  const domains = startDomainLoop({ config, db, log });
  const alerts = startAlertLoops({ config, db, http, log, fail });
  const trackingHosts = startTrackingHostLoops({ config, db, log, fail });
  log.info({ port: health.port }, 'scheduler is ready');
  const steps = [
    { name: 'campaigns', stop: () => campaigns.stop() },
    { name: 'imports', stop: () => imports.stop() },
    { name: 'exports', stop: () => exports.stop() },
    { name: 'bulk changes', stop: () => bulk.stop() },
    { name: 'contents', stop: () => contents.stop() },
    { name: 'webhooks', stop: () => webhooks.stop() },
    { name: 'alerts', stop: () => Promise.all(alerts.map((loop) => loop.stop())) },
    { name: 'mail to people', stop: () => mails.stop() },
    { name: 'domains', stop: () => domains.stop() },
    { name: 'tracking hosts', stop: () => Promise.all(trackingHosts.map((loop) => loop.stop())) },
    { name: 'index', stop: () => index.stop() },
    { name: 'analytics', stop: () => analytics.stop() },
    { name: 'jobs', stop: () => jobs.stop() },
    { name: 'notices', stop: () => notices?.stop() },
    { name: 'http', stop: () => http.close() },
    { name: 'nats', stop: () => nats.close() },
    { name: 'sender', stop: () => sender.close() },
    { name: 'database', stop: () => db.close() },
    { name: 'traces', stop: stopTracing },
    { name: 'health', stop: () => health.close() },
  ];
  stopOnSignals(log, config, { announce: health.setStopping, steps });
}
