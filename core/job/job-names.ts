// The daily jobs and their fixed UTC times. The scheduler runs them; the api and the CLI name them and show their
// next run time.

/** One job: its run times, and what becomes of those that were missed while no scheduler ran. */
export interface JobTime {
  /** Cron pattern, UTC. */
  cron: string;
  /** `each`: every missed one is run, oldest first. `latest`: one run makes up for all of them. */
  catchUp: 'each' | 'latest';
  /** What it does, for people. */
  does: string;
  /** `each`: in every bucket by itself. `first`: once for the service, and its run is recorded in the first bucket. */
  buckets: 'each' | 'first';
}

/** Every scheduled job, in the order of the day. */
const JOB_TIMES = {
  'release-deferred': {
    cron: '0 0 * * *',
    catchUp: 'latest',
    does: 'checks deferred mail that is due against the warm-up caps again and queues what fits',
    buckets: 'first', // the sender that is asked looks into all of them
  },
  'tls-reports': {
    cron: '20 0 * * *',
    catchUp: 'latest',
    does: 'sends TLS reports of the days before to the domains of recipients that want them',
    buckets: 'first',
  },
  'tier-reset': {
    cron: '30 0 * * *',
    catchUp: 'latest',
    does: 'puts domains without a send for 14 days back to tier 0',
    buckets: 'each',
  },
  reconcile: {
    cron: '30 1 * * *',
    catchUp: 'latest',
    does: 'compares our counts of the day before with the messages and with what the routes accepted',
    buckets: 'each',
  },
  'auto-ramp': {
    cron: '0 2 * * *',
    catchUp: 'each',
    does: 'moves warm-up tiers by the rates of the day before, and pauses domains that bounce',
    buckets: 'each',
  },
  retention: {
    cron: '0 3 * * *',
    catchUp: 'latest',
    does: 'makes the coming partitions and removes what is too old to keep',
    buckets: 'each',
  },
  'launch-campaigns': {
    cron: '15 * * * *',
    catchUp: 'latest',
    does: 'launches campaigns whose time has come and keeps the counts of those that ended long ago',
    buckets: 'each',
  },
  'verify-domains': {
    cron: '0 4 * * *',
    catchUp: 'latest',
    does: 'looks up the DNS records of all sending domains again',
    buckets: 'each',
  },
} as const satisfies Record<string, JobTime>;

/** The name of a job. */
export type JobName = keyof typeof JOB_TIMES;

/** All job names, in the order of the day. */
export const JOB_NAMES = Object.keys(JOB_TIMES) as JobName[];

/** Whether a text names a job. */
export function isJobName(text: string): text is JobName {
  return Object.hasOwn(JOB_TIMES, text);
}

/** The times of a job. */
export function jobTime(name: JobName): JobTime {
  return JOB_TIMES[name];
}
