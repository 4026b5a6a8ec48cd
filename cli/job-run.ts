// `job run`: runs one job now. `--now` is the clock of that run.

import { nowDate } from '../core/base/clock.ts';
import { UsageError, type Answer, type Command } from './command.ts';
import type { CliDeps } from './open.ts';
import type { JobResult } from '../scheduler/run-job.ts';

const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** The command. */
export const jobRun: Command = {
  name: 'job run',
  help: 'runs a daily job once in every bucket, whether or not it was run by schedule',
  args: ['NAME'],
  options: { now: { value: 'TIME', help: 'clock of the run (RFC 3339); default: the real one' } },
  run: (deps, [name = ''], options) => run(deps, name, readTime(options['now'])),
};

async function run(deps: CliDeps, name: string, now: Date): Promise<Answer> {
  // Only here: gRPC and all the jobs take longer to load than the other commands to run.
  const { runJobInAll } = await import('../scheduler/run-job.ts');
  const { openSender } = await import('../core/clients/sender.ts');
  const { createDns } = await import('../core/clients/dns.ts');
  const { createGuardedHttp } = await import('../core/clients/guarded-http.ts');
  const { buckets, log } = deps;
  const config = deps.config();
  const sender = openSender(config, log);
  const http = createGuardedHttp(config);
  try {
    const jobDeps = { config, buckets, sender, dns: createDns(config), reports: { sender, http }, log };
    return answer(await runJobInAll(jobDeps, name, now));
  } finally {
    sender.close();
    await http.close();
  }
}

// With several buckets the summary has one for each.
function answer(results: Map<string, JobResult>): Answer {
  const [first] = [...results.values()] as [JobResult, ...JobResult[]];
  const ran = [...results.values()].every((one) => one.ran);
  const runTime = first.runTime.toISOString();
  const summaries = Object.fromEntries([...results].map(([bucket, { summary }]) => [bucket, summary]));
  const summary = results.size === 1 ? first.summary : summaries;
  const lines = Object.entries(summary).map(([what, value]) => `  ${what}: ${JSON.stringify(value)}`);
  return {
    json: { job: first.job, slot: runTime, ran, summary },
    text: [`${ran ? 'Ran' : 'Did not run'} ${first.job} for ${runTime}.`, ...lines].join('\n'),
  };
}

function readTime(text: string | undefined): Date {
  if (text === undefined) return nowDate();
  const time = new Date(text);
  if (!RFC3339.test(text) || Number.isNaN(time.getTime()))
    throw new UsageError(`--now must be a time such as 2026-01-31T02:00:00Z, not "${text}"`);
  return time;
}
