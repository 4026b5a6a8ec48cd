// Every migration, on tables with rows, beside readers and writers: no statement of theirs waits for a lock for 200 ms, by
// PostgreSQL's clock, beside what a busy machine adds. And killed wherever it may be, it ends right.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { migrate } from '../../core/db/migrate.ts';
import { createContext, type Context } from '../harness/context.ts';
import { describeDatabase } from '../harness/describe-database.ts';
import { waitUntil } from '../harness/wait.ts';

const BEFORE_FIRST_CHANGE = '0001_partitions';
const BEFORE_DELIVERIES_CHANGE = '0016_event_log';
const LONGEST_WAIT_MS = 200;
const REPORT_EVERY_MS = 2_000;
const REPORT_SECONDS = 0.7; // of a report's transaction: whoever waits behind it for a table must let others pass

let context: Context;
beforeAll(async () => {
  context = await createContext();
});
afterAll(() => context.close());

async function withDatabase(work: (url: string, db: pg.Pool) => Promise<void>): Promise<void> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await context.db.pool.query(`create database ${name}`);
  const url = new URL(context.env['DATABASE_URL']!);
  url.pathname = `/${name}`;
  const db = new pg.Pool({ connectionString: url.toString(), max: 4 });
  db.on('error', () => {});
  try {
    await work(url.toString(), db);
  } finally {
    await db.end();
    await context.db.pool.query(`drop database ${name} with (force)`);
  }
}

const NEW_ID = `(substr(uuid_floor(now() - n * interval '3 seconds')::text, 1, 14) || substr(gen_random_uuid()::text, 15))::uuid`;
const TENANT = `(select id from tenants limit 1)`;
const MESSAGE = `insert into messages (id, tenant_id, domain_id, stream, state, next_attempt_at, admitted_day, header_from,
  rcpt_to, subject, tags) select ${NEW_ID}, ${TENANT}, gen_random_uuid(), 'transactional', 'queued', now(), current_date,
  'a@b.test', 'c' || n || '@d.test', 'Hello', '[]'`;
const EVENT = `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
  select ${NEW_ID}, ${TENANT}, 'delivered', gen_random_uuid(), gen_random_uuid(), 'c@d.test', now(), '{}'`;

async function fillFirst(db: pg.Pool, rows: number): Promise<void> {
  await db.query(`insert into tenants (id, name, plan) values (gen_random_uuid(), 'Acme', 'pro')`);
  await db.query(`select ensure_partitions(now() - interval '7 days', 2)`);
  await db.query(`${MESSAGE} from generate_series(1, $1::int) n`, [rows]);
  await db.query(`${EVENT} from generate_series(1, $1::int) n`, [rows]);
  await db.query(
    `insert into message_attempts (message_id, attempt, tenant_id, at, duration_ms, esp, reply, outcome)
     select id, 1, tenant_id, now(), 1, 'direct', '250 ok', 'delivered' from messages`,
  );
}

async function fillDeliveries(db: pg.Pool, rows: number): Promise<void> {
  await db.query(
    `insert into webhook_settings (tenant_id, enabled, sealed_secret) values (${TENANT}, true, '')`,
  );
  await db.query(`insert into inbound_raws (id, tenant_id, mail_from, helo, peer, smtputf8, size_bytes)
                  values (gen_random_uuid(), ${TENANT}, '', '', '', false, 1)`);
  await db.query(
    `insert into webhook_deliveries (id, tenant_id, message_id, raw_id, recipient, size_bytes, next_attempt_at)
     select gen_random_uuid(), ${TENANT}, gen_random_uuid(), r.id, 'c@d.test', 1, now()
     from inbound_raws r, generate_series(1, $1::int)`,
    [rows],
  );
}

// What services do to the tables that grow, one statement after the other, and a report that holds its tables for a while.
const WORK = {
  'accepts mail': `${MESSAGE} from generate_series(0, 0) n`,
  'records events': `${EVENT} from generate_series(0, 0) n`,
  'claims mail': `update messages set attempts = 1 where id = (select id from messages order by id desc limit 1)`,
  'reads mail': `select * from messages where id = (select id from messages order by id limit 1)`,
  'reads the tenant': `select * from tenants where id = ${TENANT}`,
  reports: `select max(m.id::text), max(e.id::text), pg_sleep(${REPORT_SECONDS}) from
    (select id from messages limit 1) m, (select id from events limit 1) e, (select at from message_attempts limit 1) a`,
};
const DELIVERY_WORK = {
  'records webhooks': `update webhook_deliveries set attempts = 1 where id = (select id from webhook_deliveries limit 1)`,
  'reads webhooks': `select * from webhook_deliveries limit 1`,
};

const WAITS = `select application_name as name, (extract(epoch from clock_timestamp() - waitstart) * 1000)::float8 as ms
  from pg_locks join pg_stat_activity using (pid) where waitstart is not null and datname = current_database()`;

interface Worked {
  /** The longest wait for a lock of each who waited, by PostgreSQL's clock. */
  waitedMs: Record<string, number>;
  /** The longest answer to a statement without locks: a lock is held for longer when its holder gets no processor. */
  delayMs: number;
  /** How often each did its statement. */
  done: Record<string, number>;
}

/** Works while `during` runs. */
async function workBeside(
  url: string,
  work: Record<string, string>,
  during: () => Promise<void>,
): Promise<Worked> {
  const worked: Worked = { waitedMs: {}, delayMs: 0, done: {} };
  let running = true;
  const repeat = async (
    name: string,
    sql: string,
    pauseMs: number,
    use: (rows: unknown[], tookMs: number) => void,
  ) => {
    const client = new pg.Client({ connectionString: url, application_name: name });
    client.on('error', () => {}); // the statement under way throws it
    await client.connect();
    while (running) {
      const startedAt = monotonicMs();
      const { rows } = await client.query(sql);
      use(rows, monotonicMs() - startedAt);
      await sleep(pauseMs);
    }
    await client.end();
  };
  const workers = Object.entries(work).map(([name, sql]) =>
    repeat(name, sql, name === 'reports' ? REPORT_EVERY_MS : 2, () => {
      worked.done[name] = (worked.done[name] ?? 0) + 1;
    }),
  );
  const watcher = repeat('watcher', WAITS, 10, (rows) => {
    for (const { name, ms } of rows as { name: string; ms: number }[]) {
      if (name in work) worked.waitedMs[name] = Math.max(worked.waitedMs[name] ?? 0, ms);
    }
  });
  const idler = repeat('idler', 'select 1', 2, (_, tookMs) => {
    worked.delayMs = Math.max(worked.delayMs, tookMs);
  });
  const all = Promise.all([...workers, watcher, idler]);
  try {
    await Promise.race([during(), all]);
  } finally {
    running = false;
    await Promise.allSettled([...workers, watcher, idler]);
  }
  await all;
  return worked;
}

async function expectNobodyWaits(url: string, work: Record<string, string>, during: () => Promise<void>) {
  const { waitedMs, delayMs, done } = await workBeside(url, work, during);
  const tooLong = Object.entries(waitedMs).filter(([, ms]) => ms > LONGEST_WAIT_MS + delayMs);
  expect(tooLong).toEqual([]);
  for (const name of Object.keys(work)) expect(done[name], name).toBeGreaterThan(0);
}

async function expectComplete(db: pg.Pool): Promise<void> {
  const { rows } = await db.query<{
    invalid: number;
    steps: number;
    unfilled: number;
    unlogged: number;
    gaps: number;
  }>(
    `select (select count(*)::int from pg_index where not indisvalid) as invalid,
       (select count(*)::int from drizzle.migration_steps) as steps,
       (select count(*)::int from webhook_deliveries where endpoint_id is null) as unfilled,
       (select count(*)::int from events e where not exists (select from event_log l where l.event_id = e.id)
          and not exists (select from event_outbox o where o.id = e.id)) as unlogged,
       (select (max(position) - count(*))::int from event_log) as gaps`,
  );
  expect(rows).toEqual([{ invalid: 0, steps: 0, unfilled: 0, unlogged: 0, gaps: 0 }]);
  expect(await describeDatabase(db)).toEqual(await describeDatabase(context.buckets.home.pool));
}

test('no migration makes anybody wait', { timeout: 300_000 }, async () => {
  await withDatabase(async (url, db) => {
    await migrate(url, { upTo: BEFORE_FIRST_CHANGE });
    await fillFirst(db, 30_000);
    await expectNobodyWaits(url, WORK, () => migrate(url, { upTo: BEFORE_DELIVERIES_CHANGE }));
    await fillDeliveries(db, 30_000);
    await expectNobodyWaits(url, { ...WORK, ...DELIVERY_WORK }, () => migrate(url));
    await expectComplete(db);
    await migrate(url); // nothing left to do
  });
});

const PROGRAM = `import { migrate } from ${JSON.stringify(join(import.meta.dirname, '../../core/db/migrate.ts'))};
await migrate(process.env.DATABASE_URL);`;

async function killWhen(url: string, db: pg.Pool, condition: string): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url },
    stdio: 'inherit',
  });
  const ended = once(child, 'exit');
  const isThere = () =>
    db.query<{ met: boolean }>(`select ${condition} as met`).then(
      ({ rows }) => rows[0]!.met,
      () => false,
    );
  await waitUntil(async () => child.exitCode !== null || (await isThere()), { everyMs: 1 });
  expect(child.exitCode, condition).toBeNull();
  child.kill('SIGKILL');
  await ended;
  // What a crash of PostgreSQL would do to what the dead one was at.
  await db.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`,
  );
}

test('killed in the middle it goes on where it was', { timeout: 300_000 }, async () => {
  await withDatabase(async (url, db) => {
    await migrate(url, { upTo: BEFORE_FIRST_CHANGE });
    await fillFirst(db, 20_000);
    const building = `exists (select from pg_stat_progress_create_index where datname = current_database()`;
    await killWhen(url, db, `${building} and relid::regclass::text like 'message_attempts_%')`);
    await killWhen(url, db, `${building} and relid::regclass::text like 'messages_%')`);
    await killWhen(url, db, `(select count(*) > 2000 from event_log)`);
    await migrate(url, { upTo: BEFORE_DELIVERIES_CHANGE });
    await fillDeliveries(db, 20_000);
    await killWhen(url, db, `exists (select from webhook_deliveries where endpoint_id is not null)`);
    await killWhen(url, db, `${building} and relid::regclass::text = 'webhook_deliveries')`);
    await Promise.all([migrate(url), migrate(url)]);
    await expectComplete(db);
  });
});
