// What the event feed costs at the depth of millions, and what counting events costs whoever inserts them.
//
//   DATABASE_URL=postgres://… node bench/events-load.ts [rows]
//
// Makes a database of its own on that server, fills it with `rows` events (5,000,000 by default) of one tenant over
// eight weeks, and drops it at the end.

import { randomBytes } from 'node:crypto';
import pg from 'pg';

import { nowMs } from '../core/base/clock.ts';
import { newUuid } from '../core/base/ids.ts';
import { migrate } from '../core/db/migrate.ts';
import { DEFAULT_FEED_TYPES, listEvents, type FeedQuery } from '../core/message/event-feed.ts';

const ROWS = Number(process.argv[2] ?? 5_000_000);
const WEEKS = 8;
const PAGE = 101; // a page of 100 and the row that shows that there is more
const TRIES = 200;
const BATCH = 400; // outcomes that a sender records at a time
const BATCHES = 100;

const serverUrl = new URL(process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres');
const name = `bench_events_${randomBytes(4).toString('hex')}`;
const url = new URL(serverUrl);
url.pathname = `/${name}`;

const admin = new pg.Client({ connectionString: serverUrl.href });
await admin.connect();
await admin.query(`create database ${name}`);
try {
  await migrate(url.href);
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  pool.on('error', () => {}); // its last connection may still be closing when the database goes
  try {
    await run(pool);
  } finally {
    await pool.end();
  }
} finally {
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
}

async function run(pool: pg.Pool): Promise<void> {
  const tenantId = newUuid();
  const fillMs = await timed(() => fill(pool, tenantId));
  console.log(`filled ${ROWS.toLocaleString('en')} events in ${(fillMs / 1000).toFixed(0)} s`);
  await feed(pool, tenantId);
  await counting(pool, tenantId);
}

// Types as they come: a click for ten opens, few bounces, hardly a complaint, and ten deliveries for all of them.
async function fill(pool: pg.Pool, tenantId: string): Promise<void> {
  await pool.query(`select ensure_partitions(now() - interval '${WEEKS} weeks', ${WEEKS + 1})`);
  await pool.query('alter table events disable trigger user');
  await pool.query(
    `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
     select overlay(uuid_floor(at)::text placing right(md5(i::text), 12) from 25)::uuid, $1,
       case when i % 2 = 0 then 'delivered' when i % 22 = 1 then 'click' when i % 100 = 3 then 'bounced'
         when i % 5000 = 5 then 'complaint' else 'open' end,
       gen_random_uuid(), $1, 'ann@example.net', at, '{"user_agent":"Mozilla/5.0 (X11; Linux x86_64)","ip":"192.0.2.1"}'
     from (select i, now() - (i::float8 / $2) * interval '${WEEKS} weeks' as at from generate_series(1, $2::int) i) s`,
    [tenantId, ROWS],
  );
  await pool.query('alter table events enable trigger user');
  await pool.query('vacuum analyze events');
}

async function feed(pool: pg.Pool, tenantId: string): Promise<void> {
  const { rows: depths } = await pool.query<{ depth: number; id: string }>(
    `select d as depth, overlay(uuid_floor(now() - d * interval '${WEEKS} weeks')::text placing 'ffff' from 20)::uuid as id
     from unnest(array[0.0, 0.01, 0.25, 0.5, 0.75, 0.99]) as d`,
  );
  const kinds: [string, Partial<FeedQuery>][] = [
    ['default', { types: DEFAULT_FEED_TYPES }],
    ['complaint', { types: ['complaint'] }],
    ['delivered', { types: ['delivered'] }],
  ];
  for (const [label, query] of kinds) {
    for (const { depth, id } of depths) {
      const before = depth === 0 ? undefined : id;
      const read = () => listEvents({ pool }, tenantId, { types: [], ...query, before, limit: PAGE });
      await times(20, read);
      const ms = await times(TRIES, read);
      const found = (await read()).length;
      console.log(`page of ${label} at ${(depth * 100).toFixed(0)} % depth: ${show(ms)} (${found} rows)`);
    }
  }
  const since = new Date(nowMs() - (WEEKS / 2) * 7 * 86_400_000);
  const middle = await times(TRIES, () =>
    listEvents({ pool }, tenantId, { types: DEFAULT_FEED_TYPES, until: since, limit: PAGE }),
  );
  console.log(`page with until= in the middle: ${show(middle)}`);
}

async function counting(pool: pg.Pool, tenantId: string): Promise<void> {
  for (const mode of ['disable', 'enable', 'disable', 'enable'] as const) {
    await pool.query(`alter table events ${mode} trigger events_count`);
    const all: number[] = [];
    for (let i = 0; i < BATCHES; i++) {
      const ids = await acceptMessages(pool, tenantId);
      all.push(await timed(() => insertBatch(pool, tenantId, ids)));
    }
    all.sort((one, other) => one - other);
    console.log(`batch of ${BATCH} events, counting ${mode}d: ${show(all)}`);
  }
}

async function acceptMessages(pool: pg.Pool, tenantId: string): Promise<string[]> {
  const ids = Array.from({ length: BATCH }, () => newUuid());
  await pool.query({
    name: 'bench-messages',
    text: `insert into messages (id, tenant_id, domain_id, stream, state, header_from, rcpt_to, subject, tags, attempts)
           select id, $1, $1, 'bulk', 'delivered', 'a@b.example', 'ann@example.net', 's', '[]', 1
           from unnest($2::uuid[]) as q(id)`,
    values: [tenantId, ids],
  });
  return ids;
}

async function insertBatch(pool: pg.Pool, tenantId: string, ids: string[]): Promise<void> {
  await pool.query({
    name: 'bench-insert',
    text: `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
           select id, $1, 'delivered', id, $1, 'ann@example.net', now(), '{"mx":"mx.example.net","smtp_code":250}'
           from unnest($2::uuid[]) as q(id)`,
    values: [tenantId, ids],
  });
}

async function times(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push(await timed(work));
  return all.sort((a, b) => a - b);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function show(sorted: number[]): string {
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
