// What a job is: a function that is given its clock, does its work in transactions of its own that may be repeated,
// and says what it did.

import type { SchedulerConfig } from '../core/base/config.ts';
import type { Logger } from '../core/base/log.ts';
import type { Dns } from '../core/clients/dns.ts';
import type { SenderClient } from '../core/clients/sender.ts';
import type { Buckets } from '../core/db/buckets.ts';
import type { Database } from '../core/db/pool.ts';
import type { ReportDeps } from '../core/transport/send-report.ts';
import type { JobName } from '../core/job/job-names.ts';
import type { JobSummary } from '../core/job/job-store.ts';

/** What jobs work with. */
export interface JobDeps {
  config: SchedulerConfig;
  /** Of the bucket that the run is in. */
  db: Database;
  buckets: Buckets;
  sender: Pick<SenderClient, 'releaseDeferred'>;
  dns: Dns;
  /** What sends TLS reports. */
  reports?: Pick<ReportDeps, 'sender' | 'http'>;
  log: Logger;
  /** Publishes a tenant's warm-up change to live views; may be lost. */
  publishWarmup?: (tenantId: string, change: { domain_id: string }) => void;
}

/** One run of a job. */
export interface JobRun {
  /** The clock of this run. */
  now: Date;
  /** The time that it is run for; `now` is later after a downtime. */
  runTime: Date;
  /** Started by hand: `now` was given by a person. */
  manual: boolean;
  /** A later run time of the same job is due already. */
  late: boolean;
  signal: AbortSignal;
}

/** A job. Throws when it could not be finished; it is then run again. */
export type Job = (deps: JobDeps, run: JobRun) => Promise<JobSummary>;

/** Whether a run is the one that also does what is done once for the service. */
export function isInFirst({ db, buckets }: JobDeps): boolean {
  return db === buckets.home;
}

/** Every job by name. */
export type JobTable = Record<JobName, Job>;
