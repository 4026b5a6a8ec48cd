// One scheduler, several buckets: each has its loops and its jobs, what is about the whole service is done once, and a bucket
// that is added while it runs is found.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { changeAlertSettings } from '../../core/alert/alert-rules.ts';
import { addChat } from '../../core/alert/chat-store.ts';
import { newUuid } from '../../core/base/ids.ts';
import { createGuardedHttp } from '../../core/clients/guarded-http.ts';
import { addBucket } from '../../core/db/migrate.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { createExport } from '../../core/export/exports.ts';
import { JOB_NAMES } from '../../core/job/job-names.ts';
import { rampSources } from '../../core/source/ramp-sources.ts';
import { TIER_CAPS } from '../../core/warmup/tiers.ts';
import type { JobDeps, JobTable } from '../../scheduler/job.ts';
import { startJobLoop } from '../../scheduler/job-loop.ts';
import { JOBS } from '../../scheduler/jobs.ts';
import { TESTER } from '../harness/actor.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { startEndpoint, type Endpoint } from '../harness/inbound-world.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { startService, type Service } from '../harness/service.ts';
import { waitUntil } from '../harness/wait.ts';

const ALL = ['public', 'b1', 'b2'];
const ONCE = ['release-deferred', 'tls-reports'];
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

let context: Context;
let chat: Endpoint;
let scheduler: Service | undefined;
beforeAll(async () => {
  context = await createContext({ SENDER_ADDRESSES: '127.0.0.1:1' });
  for (const bucket of ALL.slice(1)) await addBucket(context.env['DATABASE_URL']!, bucket);
  chat = await startEndpoint(() => ({ status: 200 }));
});
afterAll(async () => {
  await scheduler?.kill();
  await chat?.close();
  await context?.close();
});

const dbOf = (bucket: string) => context.buckets.database(bucket);
const rowsOf = async (bucket: string, text: string, values: unknown[] = []) =>
  (await dbOf(bucket).pool.query<Record<string, unknown>>(text, values)).rows;
const deps = (): Omit<JobDeps, 'db'> => ({
  config: context.config,
  buckets: context.buckets,
  sender: { releaseDeferred: async () => ({ released: 0n, deferredAgain: 0n, done: true }) },
  dns: null as unknown as JobDeps['dns'],
  log: context.log,
});
const jobsRun = async (bucket: string) =>
  (await rowsOf(bucket, `select job from job_runs where not summary ? 'baseline' order by job`)).map(
    ({ job }) => job,
  );

test('each bucket has its own runs of the jobs; what is for the service runs in the first', async () => {
  const ran: string[] = [];
  const noted = (bucket: string | null): JobTable[keyof JobTable] => {
    return async ({ db }) => {
      const place = ALL.find((one) => dbOf(one) === db)!;
      if (bucket === place) throw new Error('broken');
      ran.push(place);
      return {};
    };
  };
  const table = (broken: string | null) =>
    Object.fromEntries(JOB_NAMES.map((job) => [job, noted(broken)])) as JobTable;
  const times = ['2026-12-01T12:00:00Z', '2026-12-02T05:00:00Z'];
  for (const [time, broken] of [
    [times[0], null],
    [times[1], 'b1'],
    [times[1], null],
  ] as const) {
    let clockRead = 0;
    const loop = startJobLoop({
      ...deps(),
      places: () => ALL.map((bucket) => ({ bucket, db: dbOf(bucket), log: context.log })),
      jobs: table(broken),
      metrics: () => ({ ran: () => {}, failed: () => {}, next: () => {} }),
      now: async () => {
        clockRead += 1;
        return new Date(time!);
      },
    });
    await waitUntil(async () => clockRead > ALL.length); // once for each; then it sleeps, or begins again
    await loop.stop();
    const others = JOB_NAMES.filter((job) => !ONCE.includes(job)).toSorted();
    if (time === times[0]) expect(ran, 'a first start runs nothing').toEqual([]);
    else {
      expect(await jobsRun('public')).toEqual([...JOB_NAMES].toSorted());
      expect(await jobsRun('b1'), 'its failure is its own').toEqual(broken ? [] : others);
      expect(await jobsRun('b2')).toEqual(others);
    }
  }
  expect(ran).toHaveLength(3 * JOB_NAMES.length - 2 * ONCE.length);
});

test('two schedulers share buckets out: a run in one leaves the same job to others elsewhere', async () => {
  const running = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const seen: string[] = [];
  const start = (places: string[], work: (bucket: string) => Promise<void>) =>
    startJobLoop({
      ...deps(),
      places: () => places.map((bucket) => ({ bucket, db: dbOf(bucket), log: context.log })),
      jobs: {
        ...(Object.fromEntries(JOB_NAMES.map((job) => [job, async () => ({})])) as unknown as JobTable),
        reconcile: async ({ db }) => {
          await work(ALL.find((one) => dbOf(one) === db)!);
          return {};
        },
      },
      metrics: () => ({ ran: () => {}, failed: () => {}, next: () => {} }),
      now: async () => new Date('2026-12-03T01:45:00Z'),
    });
  const first = start(['b1'], async () => {
    running.resolve();
    await release.promise;
  });
  await running.promise;
  const second = start(['b1', 'b2'], async (bucket) => void seen.push(bucket));
  await waitUntil(async () => seen.length > 0);
  release.resolve();
  await Promise.all([first.stop(), second.stop()]);
  expect(seen).toEqual(['b2']);
});

test('an address moves by the mail of all buckets, once', async () => {
  const address = '192.0.2.7';
  await rowsOf('public', 'insert into sources (address, tier) values ($1, 3)', [address]);
  const day = 'insert into source_days (address, day, cap, used) values ($1, $2, $3, 30)';
  await rowsOf('public', day, [address, YESTERDAY, TIER_CAPS[3]]);
  // In b1 alone all is well; with that of b2 every third bounced.
  for (const [bucket, state, count] of [
    ['b1', 'delivered', 20],
    ['b2', 'bounced', 10],
  ] as const) {
    const { tenantId } = await makeAccount(dbOf(bucket));
    for (let n = 0; n < count; n++) {
      const id = await makeMessageRow(dbOf(bucket), tenantId, { state });
      await rowsOf(
        bucket,
        `insert into message_attempts (message_id, attempt, tenant_id, at, duration_ms, esp, reply, outcome, source, source_name)
         values ($1, 1, $2, $3::date + interval '12 hours', 1, 'direct', '', $4, $5, 'mail.example.com')`,
        [id, tenantId, YESTERDAY, state, address],
      );
    }
  }
  expect(await rampSources(context.buckets, YESTERDAY, false)).toBe(1);
  expect(await rampSources(context.buckets, YESTERDAY, false)).toBe(0);
  expect(await rowsOf('public', 'select tier from sources')).toEqual([{ tier: 2 }]);
});

test('retention removes what is too old of a bucket in its run, of the service in that of the first', async () => {
  const old = new Date(Date.now() - 500 * 86_400_000);
  await rowsOf(
    'public',
    'insert into operations_notices (id, event, text, created_at) values ($1, $2, $2, $3)',
    [newUuid(), 'old', old],
  );
  const run = (bucket: string) =>
    JOBS.retention(
      { ...deps(), db: dbOf(bucket) },
      {
        now: new Date(),
        runTime: new Date(),
        manual: false,
        late: false,
        signal: new AbortController().signal,
      },
    );
  for (const bucket of ['b1', 'b2']) {
    const { tenantId, domainId } = await makeAccount(dbOf(bucket));
    const warmup = 'insert into warmup_days (tenant_id, domain_id, day, cap, used) values ($1, $2, $3, 1, 1)';
    await rowsOf(bucket, warmup, [tenantId, domainId, old]);
  }
  const b1 = (await run('b1')) as { deleted: Record<string, number> };
  expect(b1.deleted).toMatchObject({ warmup_days: 1 });
  expect(Object.keys(b1.deleted)).not.toContain('operations_notices');
  expect(await rowsOf('b2', 'select from warmup_days')).toHaveLength(1);
  expect(await run('public')).toMatchObject({ deleted: { warmup_days: 0, operations_notices: 1 } });
});

test('its loops work in every bucket, also in one that is added while it runs', async () => {
  scheduler = await startService('scheduler', context.env, { until: 'listening' }); // without a sender
  const accounts = new Map<string, Account>();
  const http = createGuardedHttp(context.config);
  const ask = async (bucket: string) => {
    const db = dbOf(bucket);
    const account = await makeAccount(db);
    const { tenantId } = account;
    accounts.set(bucket, account);
    await createExport(
      { db },
      TESTER,
      { tenantId, scopes: new Set(['events:read']) },
      { kind: 'events', filter: {} },
    );
    await changeAlertSettings({ ...context, db, http }, TESTER, tenantId, { chat_webhook_url: chat.url });
    await inTransaction(db.pool, (client) => addChat(client, { id: newUuid(), tenantId, text: bucket }));
  };
  const isDone = async (bucket: string) => {
    const done = "select from list_exports where tenant_id = $1 and status = 'completed'";
    return (await rowsOf(bucket, done, [accounts.get(bucket)!.tenantId])).length === 1;
  };
  const told = () => chat.hits.map(({ body }) => (JSON.parse(body.toString()) as { text: string }).text);
  for (const bucket of ALL) await ask(bucket);
  for (const bucket of ALL) await waitUntil(() => isDone(bucket));
  await waitUntil(async () => told().length >= ALL.length);
  expect(told().toSorted()).toEqual(['b1', 'b2', 'public']);

  await addBucket(context.env['DATABASE_URL']!, 'b3');
  await ask('b3');
  await waitUntil(() => isDone('b3'), { limitMs: 60_000 });
  await waitUntil(async () => told().includes('b3'));
  expect(told()).toHaveLength(ALL.length + 1);
  const held = `select from pg_stat_activity where datname = current_database() and state like 'idle in%'
    and state_change < now() - interval '2 seconds'`;
  await waitUntil(async () => (await rowsOf('public', held)).length === 0, {
    what: 'that nobody holds a transaction open while there is nothing to do',
  });
  await http.close();
  await scheduler.stop();
  scheduler = undefined;
});
