// The scheduler: jobs at fixed UTC times, and loops that look for what is due. Most of it is done in each bucket by itself; what
// is about the whole service, once. Many schedulers may run side by side.

import { loadSchedulerConfig, type SchedulerConfig } from '../core/base/config.ts';
import { createFailpoints } from '../core/base/failpoint.ts';
import { startHealthServer } from '../core/base/health-server.ts';
import { announceReady, startOrExplain, stopOnSignals } from '../core/base/lifecycle.ts';
import { createLogger } from '../core/base/log.ts';
import { createMetrics } from '../core/base/metrics.ts';
import { metricsPort } from '../core/base/metrics-ports.ts';
import { startTracing } from '../core/base/trace.ts';
import { startWatchdog } from '../core/base/watchdog.ts';
import { createDns } from '../core/clients/dns.ts';
import { createGuardedHttp } from '../core/clients/guarded-http.ts';
import { publishLive } from '../core/clients/live.ts';
import { openNats } from '../core/clients/nats.ts';
import { useFastProtoText } from '../core/clients/proto-text.ts';
import { openSender } from '../core/clients/sender.ts';
import { createBuckets } from '../core/db/buckets.ts';
import { openPerBucket } from '../core/db/per-bucket.ts';
import { openDatabase, WARM_CONNECTIONS } from '../core/db/pool.ts';
import { requireSchema } from '../core/db/require-schema.ts';
import { HOME } from '../core/db/service-tables.ts';
import { createWritableCheck } from '../core/db/writable.ts';
import { createDomainDns } from '../core/domain/dns-lookup.ts';
import { countWaitingNotices } from '../core/operations/notice-store.ts';
import { startNotices } from '../core/operations/send-notices.ts';
import { countWaitingSystemMail } from '../core/people/waiting-system-mail.ts';
import { createGivenCertificates } from '../core/tracking-host/given-certificates.ts';
import { startChatLoops } from './alert-loops.ts';
import { startBucketLoops } from './bucket-loops.ts';
import { startJobLoop } from './job-loop.ts';
import { createJobMetrics, createWaitingMetric } from './job-metrics.ts';
import { JOBS } from './jobs.ts';
import { startSystemMailLoop } from './system-mail-loop.ts';

useFastProtoText();
await startOrExplain(() => start(loadSchedulerConfig(process.env)));

async function start(config: SchedulerConfig): Promise<void> {
  const log = createLogger(config, 'scheduler');
  startWatchdog(config, log);
  const stopTracing = await startTracing(config, 'scheduler', log);
  const db = openDatabase(config, log, { warm: WARM_CONNECTIONS });
  await requireSchema(db, log);
  const sender = openSender(config, log);
  const nats = openNats(config, log);
  const registry = createMetrics('scheduler');
  const health = await startHealthServer({
    token: config.INTERNAL_TOKEN,
    host: config.BIND_ADDRESS,
    port: metricsPort(config, 'scheduler'),
    metrics: registry,
    checks: { traffic: { postgres: createWritableCheck(db) }, beside: { sender: () => sender.ready() } },
  });
  const http = createGuardedHttp(config);
  const fail = createFailpoints(config.TEST_FAILPOINTS);
  const folder = config.TRACKING_CERT_FOLDER;
  const shared = {
    ...{ config, sender, http, fail },
    dns: createDomainDns(config),
    given: folder === undefined ? null : createGivenCertificates(folder, log),
    publishCampaign: (tenantId: string, progress: { campaign_id: string }) =>
      publishLive(nats, tenantId, 'campaigns', progress),
  };
  const buckets = createBuckets(db);
  const perBucket = await openPerBucket(buckets, log, (own, bucket) =>
    startBucketLoops({ ...shared, bucket, db: own, log: bucket === HOME ? log : log.child({ bucket }) }),
  );
  const places = () => perBucket.all();
  const chats = startChatLoops({ ...{ config, http, log, fail }, places });
  const jobs = startJobLoop({
    config,
    buckets,
    places,
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
  const mails = startSystemMailLoop({ config, db, sender, log, fail });
  createWaitingMetric(registry, {
    name: 'postrider_system_mail_waiting',
    help: 'Mail of this service to people that is not submitted yet, or waits for the cap of its domain.',
    count: () => countWaitingSystemMail({ db, buckets, config }),
  });
  const steps = [
    { name: 'buckets', stop: () => perBucket.close() },
    { name: 'loops of buckets', stop: () => Promise.all(perBucket.all().map((one) => one.stop())) },
    { name: 'chats', stop: () => Promise.all(chats.map((loop) => loop.stop())) },
    { name: 'mail to people', stop: () => mails.stop() },
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
  announceReady(log, 'scheduler', { metrics: health.port });
}
