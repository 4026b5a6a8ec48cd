// Jobs and their run times: the first start, missed runs, runs by hand, stops in the middle, and what retention keeps.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { JOB_NAMES, type JobName } from '../../core/job/job-names.ts';
import { readJobStates } from '../../core/job/job-state.ts';
import { ensurePartitions, PARTITIONED_TABLES } from '../../core/db/partitions.ts';
import { dropOldPartitions } from '../../core/job/retention-store.ts';
import type { Job, JobDeps, JobRun, JobTable } from '../../scheduler/job.ts';
import { runDue, type LoopDeps } from '../../scheduler/job-loop.ts';
import { JOBS } from '../../scheduler/jobs.ts';
import { runJobOnce } from '../../scheduler/run-job.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount } from '../harness/factories.ts';

// The jobs of the warm-up's day; what else is on the table is tested with its own noun.
const DAILY: JobName[] = ['release-deferred', 'tier-reset', 'reconcile', 'auto-ramp', 'retention'];

let context: Context;
beforeAll(async () => {
  context = await createContext();
});
afterAll(() => context.close());
beforeEach(() => context.buckets.home.pool.query('delete from job_runs'));

const deps = (): JobDeps => ({
  config: context.config,
  db: context.buckets.home,
  buckets: context.buckets,
  sender: { releaseDeferred: async () => ({ released: 3n, deferredAgain: 1n, done: true }) },
  dns: null as unknown as JobDeps['dns'],
  log: context.log,
});

// Every job notes its runs.
function noted(): { table: JobTable; runs: (JobRun & { job: string })[] } {
  const runs: (JobRun & { job: string })[] = [];
  const note =
    (job: string): Job =>
    async (_deps, run) => {
      runs.push({ ...run, job });
      return { noted: runs.length };
    };
  return { table: Object.fromEntries(JOB_NAMES.map((job) => [job, note(job)])) as JobTable, runs };
}

const lookAt = (time: string, jobs: JobTable, signal = new AbortController().signal) => {
  const metrics = { ran: () => {}, failed: () => {}, next: () => {} };
  const loop: LoopDeps = { ...deps(), jobs, metrics, now: async () => new Date(time) };
  return runDue(loop, signal);
};
const daily = (runs: { job: string }[]) =>
  runs.map(({ job }) => job).filter((job) => DAILY.includes(job as JobName));
const rows = async () =>
  (await context.buckets.home.pool.query('select job, slot, summary from job_runs order by slot, job')).rows;

test('a first start runs nothing; a scheduler that starts after it missed nothing', async () => {
  const { table, runs } = noted();
  await lookAt('2026-12-01T12:00:00Z', table);
  expect(runs).toEqual([]);
  await lookAt('2026-12-02T02:00:00Z', table);
  expect(daily(runs)).toEqual(['release-deferred', 'tier-reset', 'reconcile', 'auto-ramp']);
  await lookAt('2026-12-02T02:00:00Z', table);
  expect(daily(runs)).toHaveLength(4);
});

test('after three days down the ramp makes up for each day, the others once, and only the last is not late', async () => {
  const { table, runs } = noted();
  await lookAt('2026-12-01T12:00:00Z', table);
  await lookAt('2026-12-04T05:00:00Z', table);
  const ramp = runs.filter(({ job }) => job === 'auto-ramp');
  expect(
    ramp.map(({ runTime, late, now }) => [runTime.toISOString().slice(0, 10), late, now.toISOString()]),
  ).toEqual([
    ['2026-12-02', true, '2026-12-02T02:00:00.000Z'],
    ['2026-12-03', true, '2026-12-03T02:00:00.000Z'],
    ['2026-12-04', false, '2026-12-04T05:00:00.000Z'],
  ]);
  for (const job of DAILY.filter((one) => one !== 'auto-ramp'))
    expect(
      runs.filter((run) => run.job === job).map(({ runTime }) => runTime.toISOString().slice(0, 10)),
    ).toEqual(['2026-12-04']);
});

test('one job’s failure is tried again and does not delay the others', async () => {
  const { table, runs } = noted();
  await lookAt('2026-12-01T12:00:00Z', table);
  const broken: JobTable = { ...table, 'tier-reset': () => Promise.reject(new Error('broken')) };
  await expect(lookAt('2026-12-02T03:30:00Z', broken)).rejects.toThrow('broken');
  expect(runs.map(({ job }) => job)).toContain('auto-ramp');
  await lookAt('2026-12-02T03:30:05Z', table);
  expect(runs.filter(({ job }) => job === 'tier-reset')).toHaveLength(1);
});

test('a stop in the middle of a job leaves its run to others', async () => {
  const { table, runs } = noted();
  await lookAt('2026-12-01T12:00:00Z', table);
  const stop = new AbortController();
  const stopping: JobTable = {
    ...table,
    'auto-ramp': async () => {
      stop.abort();
      return {};
    },
  };
  await expect(lookAt('2026-12-02T02:10:00Z', stopping, stop.signal)).rejects.toThrow();
  await lookAt('2026-12-02T02:11:00Z', table);
  expect(runs.filter(({ job }) => job === 'auto-ramp')).toHaveLength(1);
});

test('a run by hand always runs, shows itself, and leaves the scheduled run to the schedule', async () => {
  const { table, runs } = noted();
  await lookAt('2026-12-01T12:00:00Z', table);
  const now = new Date('2026-12-02T02:30:00Z');
  const first = await runJobOnce(deps(), 'auto-ramp', now, undefined, table);
  expect(first).toEqual({
    job: 'auto-ramp',
    runTime: new Date('2026-12-02T02:00:00Z'),
    ran: true,
    summary: { noted: 1 },
  });
  expect(await runJobOnce(deps(), 'auto-ramp', now, undefined, table)).toMatchObject({ ran: true });
  await lookAt('2026-12-02T02:31:00Z', table);
  await lookAt('2026-12-02T02:32:00Z', table);
  expect(runs.filter(({ job }) => job === 'auto-ramp').map(({ manual }) => manual)).toEqual([
    true,
    true,
    false,
  ]);
  expect((await rows()).filter((row) => row.job === 'auto-ramp' && !row.summary.baseline)).toEqual([
    { job: 'auto-ramp', slot: new Date('2026-12-02T02:00:00Z'), summary: { noted: expect.any(Number) } },
  ]);
  expect(await runJobOnce(deps(), 'auto-ramp', now, undefined, table)).toMatchObject({ ran: true });
});

test('a run that is made up for after midnight still decides about its own day', async () => {
  const runTime = new Date('2026-12-02T02:00:00Z');
  const now = new Date('2026-12-03T01:00:00Z');
  const run = { now, runTime, manual: false, late: false, signal: new AbortController().signal };
  expect(await JOBS['auto-ramp'](deps(), run)).toMatchObject({ day: '2026-12-01' });
  expect(await JOBS.reconcile(deps(), run)).toMatchObject({ day: '2026-12-01' });
  expect(await JOBS['auto-ramp'](deps(), { ...run, manual: true })).toMatchObject({ day: '2026-12-02' });
});

test('an unknown name is refused, naming those that there are', async () => {
  await expect(runJobOnce(deps(), 'no-such-job', new Date())).rejects.toMatchObject({
    code: 'validation_failed',
    message: expect.stringMatching(/no job no-such-job; the jobs are release-deferred, .*auto-ramp/),
  });
});

test('release-deferred gives the sender a clock only when it is run by hand', async () => {
  const asked: unknown[] = [];
  const sender: JobDeps['sender'] = {
    releaseDeferred: async (request) => {
      asked.push(request.now);
      return { released: 3n, deferredAgain: 1n, done: true };
    },
  };
  const now = new Date('2026-12-02T00:00:00Z');
  const result = await runJobOnce({ ...deps(), sender }, 'release-deferred', now);
  expect(result.summary).toEqual({ released: 3, deferred_again: 1 });
  const run = { now, runTime: now, manual: false, late: false, signal: new AbortController().signal };
  await JOBS['release-deferred']({ ...deps(), sender }, run);
  expect(asked).toEqual([now, undefined]);
  const broken = { releaseDeferred: async () => ({ released: 3n, deferredAgain: 0n, done: false }) };
  await expect(runJobOnce({ ...deps(), sender: broken }, 'release-deferred', now)).rejects.toThrow('stopped');
});

test('every real job runs on an empty database; the state names last and next', async () => {
  for (const job of DAILY) await runJobOnce(deps(), job, new Date('2026-12-02T05:00:00Z'));
  const states = await readJobStates(context.buckets.home.pool);
  const ramp = states.find(({ job }) => job === 'auto-ramp')!;
  expect(ramp.nextRunTime.toISOString()).toMatch(/T02:00:00\.000Z$/);
  expect(ramp.last).toMatchObject({ runTime: new Date('2026-12-02T02:00:00Z'), summary: { domains: 0 } });
  expect(states.find(({ job }) => job === 'verify-domains')!.last).toBeNull();
  expect(ramp.openRunTime!.toISOString(), 'a run by hand leaves the scheduled one open').toMatch(
    /T02:00:00\.000Z$/,
  );
});

test('retention drops old weeks, but never one with mail under way; a late week blocks no other', async () => {
  const { pool } = context.buckets.home;
  const account = await makeAccount(context.buckets.home);
  const old = new Date('2025-03-12T12:00:00Z');
  const older = new Date('2025-03-05T12:00:00Z');
  await ensurePartitions(pool, old, 0);
  const insert = (at: Date, state: string) => {
    const hex = at.getTime().toString(16).padStart(12, '0');
    const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7${newUuid().slice(15)}`;
    return pool.query(
      `insert into messages (id, tenant_id, domain_id, stream, state, header_from, rcpt_to, subject, tags)
       values ($1, $2, $3, 'transactional', $4, 'a', 'b', 's', '[]')`,
      [id, account.tenantId, account.domainId, state],
    );
  };
  await insert(old, 'deferred');
  await insert(older, 'delivered');
  const before = new Date('2025-06-01T00:00:00Z');
  expect(await dropOldPartitions(pool, 'message_contents', before)).toEqual(['message_contents_2025w10']);
  expect(await dropOldPartitions(pool, 'messages', before)).toEqual(['messages_2025w10']);
  await pool.query("update messages set state = 'delivered' where tenant_id = $1", [account.tenantId]);
  expect(await dropOldPartitions(pool, 'messages', before)).toEqual(['messages_2025w11']);

  // Nobody made the week of 2030-01-07 in time: its mail is in the default partition, and only that table misses the week.
  await insert(new Date('2030-01-09T00:00:00Z'), 'delivered');
  const made = await ensurePartitions(pool, new Date('2030-01-09T00:00:00Z'), 2);
  const fourWeeks = 4 * PARTITIONED_TABLES.length; // last week, this one and two ahead
  expect(made).toEqual({ made: fourWeeks - 1, blockedWeeks: ['2030-01-09'] });
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'p' and relnamespace = current_schema()::regnamespace`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(PARTITIONED_TABLES.toSorted());
});
