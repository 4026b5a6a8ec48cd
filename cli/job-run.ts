// `job run`: runs one job now. `--now` is the clock of that run.

import { nowDate } from '../core/base/clock.ts';
import { UsageError, type Answer, type Command } from './command.ts';
import type { CliDeps } from './open.ts';

const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** The command. */
export const jobRun: Command = {
  name: 'job run',
  help: 'runs a daily job once, whether or not it was run by schedule',
  args: ['NAME'],
  options: { now: { value: 'TIME', help: 'clock of the run (RFC 3339); default: the real one' } },
  run: (deps, [name = ''], options) => run(deps, name, readTime(options['now'])),
};

async function run({ db, log, config: readConfig }: CliDeps, name: string, now: Date): Promise<Answer> {
  // Only here: gRPC and all the jobs take longer to load than the other commands to run.
  const { runJobOnce } = await import('../scheduler/run-job.ts');
  const { openSender } = await import('../core/clients/sender.ts');
  const { createDns } = await import('../core/clients/dns.ts');
  const { createGuardedHttp } = await import('../core/clients/guarded-http.ts');
  const config = readConfig();
  const sender = openSender(config, log);
  const http = createGuardedHttp(config);
  try {
    const done = await runJobOnce(
      { config, db, sender, dns: createDns(config), reports: { sender, http }, log },
      name,
      now,
    );
    const { job, ran, summary } = done;
    const runTime = new Date(done.runTime).toISOString();
    const lines = Object.entries(summary).map(([what, value]) => `  ${what}: ${JSON.stringify(value)}`);
    return {
      json: { job, slot: runTime, ran, summary },
      text: [`${ran ? 'Ran' : 'Did not run'} ${job} for ${runTime}.`, ...lines].join('\n'),
    };
  } finally {
    sender.close();
    await http.close();
  }
}

function readTime(text: string | undefined): Date {
  if (text === undefined) return nowDate();
  const time = new Date(text);
  if (!RFC3339.test(text) || Number.isNaN(time.getTime()))
    throw new UsageError(`--now must be a time such as 2026-01-31T02:00:00Z, not "${text}"`);
  return time;
}
