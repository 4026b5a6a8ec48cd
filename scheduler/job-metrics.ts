// What is counted of the jobs.

import { Counter, Gauge } from 'prom-client';

import type { Registry } from '../core/base/metrics.ts';
import type { JobName } from '../core/job/job-names.ts';

/** The meters of the jobs of one bucket. */
export interface JobMetrics {
  ran(job: JobName, runTime: Date, ms: number): void;
  failed(job: JobName): void;
  next(job: JobName, runTime: Date): void;
}

/** Declares them; what it returns makes those of a bucket. */
export function createJobMetrics(registry: Registry): (bucket: string) => JobMetrics {
  const registers = [registry];
  const runs = new Counter({
    name: 'postrider_job_runs_total',
    help: 'Runs of jobs by this scheduler, by bucket and result.',
    labelNames: ['bucket', 'job', 'result'],
    registers,
  });
  const duration = gauge(registers, 'postrider_job_duration_seconds', 'How long the last run took.');
  const lastRunTime = gauge(
    registers,
    'postrider_job_last_slot_seconds',
    'Unix time that the last run was for.',
  );
  const nextRunTime = gauge(registers, 'postrider_job_next_slot_seconds', 'Unix time of the next run.');
  return (bucket) => ({
    ran: (job, runTime, ms) => {
      runs.inc({ bucket, job, result: 'ok' });
      duration.set({ bucket, job }, ms / 1000);
      lastRunTime.set({ bucket, job }, runTime.getTime() / 1000);
    },
    failed: (job) => runs.inc({ bucket, job, result: 'failed' }),
    next: (job, runTime) => nextRunTime.set({ bucket, job }, runTime.getTime() / 1000),
  });
}

function gauge(registers: Registry[], name: string, help: string): Gauge<'bucket' | 'job'> {
  return new Gauge({ name, help, labelNames: ['bucket', 'job'], registers });
}

/** How many rows of an outbox wait, counted whenever the metrics are read. */
export function createWaitingMetric(
  registry: Registry,
  { name, help, count }: { name: string; help: string; count: () => Promise<number> },
): void {
  const meter: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async () => meter.set(await count().catch(() => Number.NaN)),
  });
}
