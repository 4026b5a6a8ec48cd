// What is done all the time for the tenants of one bucket. Each bucket has these loops for itself, so that one that is busy, or
// whose node of a cluster is away, holds no other up. They share the connections of the process, and hold none between two steps.
// What holds one for long (posting to chats, the daily jobs) goes from bucket to bucket instead.

import type { SchedulerConfig } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import type { GuardedHttp } from '../core/clients/guarded-http.ts';
import type { SenderClient } from '../core/clients/sender.ts';
import type { Database } from '../core/db/pool.ts';
import type { DomainDns } from '../core/domain/dns-lookup.ts';
import type { GivenCertificates } from '../core/tracking-host/given-certificates.ts';
import { startWatchLoop } from './alert-loops.ts';
import { startAnalyticsLoop } from './analytics-loop.ts';
import { startCampaignLoop } from './campaign-loop.ts';
import { startContentLoop } from './content-loop.ts';
import { startDomainLoop } from './domain-loop.ts';
import { startIndexLoop } from './index-loop.ts';
import { startBulkLoop, startExportLoop, startImportLoop } from './slice-loops.ts';
import { startTrackingHostLoops } from './tracking-host-loops.ts';
import { startWebhookLoop } from './webhook-loop.ts';

/** What they share with those of other buckets, but for the first three. */
export interface BucketLoopDeps {
  bucket: string;
  db: Database;
  log: Logger;
  config: SchedulerConfig;
  sender: SenderClient;
  http: GuardedHttp;
  dns: DomainDns;
  /** Certificates of tracking hosts; null without a folder. */
  given: GivenCertificates | null;
  fail: Fail;
  /** Publishes progress to live views; may be lost. */
  publishCampaign: (tenantId: string, progress: { campaign_id: string }) => void;
}

/** The loops of a bucket at work. */
export interface BucketLoops {
  bucket: string;
  db: Database;
  log: Logger;
  stop(): Promise<unknown>;
}

/** Starts them. They end after the steps in flight. */
export function startBucketLoops(deps: BucketLoopDeps): BucketLoops {
  const loops = [
    startCampaignLoop({ ...deps, sender: deps.sender.inBucket(deps.bucket) }),
    startImportLoop(deps),
    startExportLoop(deps),
    startBulkLoop(deps),
    startContentLoop(deps),
    startWebhookLoop(deps),
    startWatchLoop(deps),
    startDomainLoop(deps),
    ...startTrackingHostLoops(deps),
    startIndexLoop(deps),
    startAnalyticsLoop(deps),
  ];
  const { bucket, db, log } = deps;
  return { bucket, db, log, stop: () => Promise.all(loops.map((loop) => loop.stop())) };
}
