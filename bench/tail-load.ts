// Part "tail": a million events of one tenant, from the outbox to a follower: how fast they get their positions, how fast a
// stream and pages bring them, how far a follower is behind while others write, and what each event costs PostgreSQL.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';

import { service } from '../core/audit/actor.ts';
import { monotonicMs, sleep } from '../core/base/clock.ts';
import { fromId, newUuid } from '../core/base/ids.ts';
import { createKey } from '../core/key/keys.ts';
import type { Figure } from './figure.ts';
import type { Bench } from './stack/bench.ts';
import { readCpuTimes } from './stack/cpu-time.ts';
import { startStack, type Stack } from './stack/stack.ts';

const EVENTS = 1_000_000;
const QUICK_EVENTS = 100_000;
const PER_SECOND = 20_000;
const BEHIND_MS = 2_000;
const PAGES = 180; // three keys' worth of a minute
const WRITE_SECONDS = 10;
const WRITE_BATCH = 200; // events of one transaction
const WRITE_GAP_MS = 100;
const COST_BATCHES = 200;
const COST_BATCH = 400; // outcomes that a sender records at a time

interface World {
  stack: Stack;
  tenantId: string;
  /** Opens streams and reads pages; each may make 60 requests a minute. */
  keys: string[];
  ask: (path: string, key: string) => RequestOptions;
}

/** Runs the part. */
export async function measureTail(bench: Bench): Promise<Figure[]> {
  const events = bench.options.quick ? QUICK_EVENTS : EVENTS;
  const stack = await startStack(bench, { part: 'tail', api: true, inbound: true, senders: 1 });
  try {
    const world = await prepare(stack);
    const cost = await measureCost(bench, world);
    const dispatch = await measureDispatch(bench, world, events);
    const total = events + 2 * COST_BATCHES * COST_BATCH;
    const stream = await measureStream(bench, world, total);
    return [stream, await measurePages(world), await measureBehind(world, total), dispatch, ...cost];
  } finally {
    await stack.close();
  }
}

async function prepare(stack: Stack): Promise<World> {
  const tenantId = fromId('tnt', stack.seed.tenants[0]!.id)!;
  const name = { tenantId, name: 'tail', scopes: ['events:read'] };
  const made = await Promise.all(
    Array.from({ length: 5 }, () => createKey({ db: stack.db }, service('bench'), name)),
  );
  const ca = readFileSync(stack.caFile);
  const ask = (path: string, key: string) => {
    const { hostname, port } = new URL(stack.apiUrl);
    return { host: hostname, port, path: `/api/v1${path}`, ca, headers: { authorization: `Bearer ${key}` } };
  };
  return { stack, tenantId, keys: made.map((one) => one.value), ask };
}

const INSERT = `
  insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
  select overlay(uuid_floor(now())::text placing right(md5($2::text || i), 12) from 25)::uuid, $1::uuid,
    'delivered', gen_random_uuid(), $1::uuid, 'ann@example.net', now(),
    '{"mx":"mx.example.net","reply":"250 2.0.0 Ok: queued as 4XyZ","at":0}'::jsonb || jsonb_build_object('at', $4::float8)
  from generate_series(1, $3::int) i`;

function insert(world: World, count: number, at = 0): Promise<unknown> {
  return world.stack.db.pool.query(INSERT, [world.tenantId, newUuid(), count, at]);
}

async function untilDispatched({ stack }: World): Promise<void> {
  while ((await stack.db.pool.query('select from event_outbox limit 1')).rowCount !== 0) await sleep(20);
}

// CPU instead of time: the machine may do other things.
async function measureCost(bench: Bench, world: World): Promise<Figure[]> {
  const { pool } = world.stack.db;
  const count = COST_BATCHES * COST_BATCH;
  const write = async () => {
    const before = await readCpuTimes(bench, world.stack);
    for (let i = 0; i < COST_BATCHES; i++) await insert(world, COST_BATCH);
    await untilDispatched(world);
    const after = await readCpuTimes(bench, world.stack);
    return ['postgres', 'inbound'].map((name) => ((after[name]! - before[name]!) * 1_000) / count);
  };
  await pool.query('alter table events disable trigger events_outbox');
  const [plain] = await write();
  await pool.query('alter table events enable trigger events_outbox');
  const [logged, dispatcher] = await write();
  // What was written without its trigger is given its place now, so that the log has all.
  await pool.query(
    `insert into event_outbox (id, tenant_id, type) select id, tenant_id, type from events e
     where not exists (select from event_log l where l.event_id = e.id)`,
  );
  await untilDispatched(world);
  return [
    {
      id: 'tail.cost.postgres',
      what: 'CPU of PostgreSQL for the place of one event: outbox, log and dispatching',
      value: logged! - plain!,
      unit: 'ms',
      raw: { what: 'inserting the event and counting it', value: plain!, unit: 'ms' },
      detail: `${((logged! - plain!) * 1_000).toFixed(0)} µs beside ${(plain! * 1_000).toFixed(0)} µs, batches of ${COST_BATCH}`,
    },
    { id: 'tail.cost.inbound', what: 'CPU of inbound for the same', value: dispatcher!, unit: 'ms' },
  ];
}

async function measureDispatch(bench: Bench, world: World, events: number): Promise<Figure> {
  const { pool } = world.stack.db;
  await pool.query('alter table events disable trigger events_count');
  for (let left = events; left > 0; left -= 50_000) await insert(world, Math.min(left, 50_000));
  await pool.query('alter table events enable trigger events_count');
  const { rows } = await pool.query<{ n: string }>('select count(*) as n from event_outbox');
  const startedAt = monotonicMs();
  await untilDispatched(world);
  const perSecond = Number(rows[0]!.n) / ((monotonicMs() - startedAt) / 1_000);
  bench.log(`${events.toLocaleString('en')} events are there`);
  return {
    id: 'tail.dispatch',
    what: 'Events given their place, of a backlog',
    value: perSecond,
    unit: '/s',
    detail: `${Number(rows[0]!.n).toLocaleString('en')} waited`,
  };
}

/** Opens a stream; `onEvents` gets the text of what came. Returns how to close it. */
async function openStream(world: World, query: string, onText: (text: Buffer) => void): Promise<() => void> {
  const outgoing = request(world.ask(`/events/stream${query}`, world.keys[0]!)).end();
  const [incoming] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
  if (incoming.statusCode !== 200) throw new Error(`the stream answered ${incoming.statusCode}`);
  incoming.on('error', () => {}); // closed by us
  incoming.on('data', onText);
  return () => outgoing.destroy();
}

async function measureStream(bench: Bench, world: World, total: number): Promise<Figure> {
  const before = await readCpuTimes(bench, world.stack);
  const startedAt = monotonicMs();
  let ends = 0; // of events; one more after the first id
  await new Promise<void>((resolve, reject) => {
    let last = 0;
    const opened = openStream(world, '', (text) => {
      for (const octet of text) {
        if (octet === 10 && last === 10) ends += 1;
        last = octet;
      }
      if (ends < total + 1) return;
      void opened.then((close) => close());
      resolve();
    });
    opened.catch(reject);
  });
  const seconds = (monotonicMs() - startedAt) / 1_000;
  const after = await readCpuTimes(bench, world.stack);
  const us = (name: string) => (((after[name]! - before[name]!) * 1e6) / total).toFixed(0);
  const detail = `${total.toLocaleString('en')} events; each ${us('api')} µs of the api, ${us('postgres')} µs of PostgreSQL`;
  bench.log(detail);
  return {
    id: 'tail.stream',
    what: 'Events followed from the oldest, one stream',
    value: total / seconds,
    unit: '/s',
    target: { atLeast: PER_SECOND },
    detail,
  };
}

async function measurePages(world: World): Promise<Figure> {
  let cursor = '';
  let count = 0;
  const startedAt = monotonicMs();
  for (let page = 0; page < PAGES; page++) {
    const key = world.keys[1 + (page % (world.keys.length - 1))]!;
    const outgoing = request(world.ask(`/events?order=asc&limit=100${cursor}`, key)).end();
    const [incoming] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    const { data } = JSON.parse(text) as { data: { items: unknown[]; next_cursor: string } };
    count += data.items.length;
    cursor = `&after=${data.next_cursor}`;
  }
  return {
    id: 'tail.pages',
    what: 'Events followed in pages of 100, one after another',
    value: count / ((monotonicMs() - startedAt) / 1_000),
    unit: '/s',
    detail: 'the rate limit of a key is 60 pages a minute',
  };
}

async function measureBehind(world: World, before: number): Promise<Figure> {
  const behind: number[] = [];
  let rest = '';
  const close = await openStream(world, '?after=newest', (text) => {
    const now = performance.timeOrigin + performance.now();
    const blocks = (rest + text.toString()).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const at = /"at":([\d.]+)/.exec(block)?.[1];
      if (at !== undefined) behind.push(now - Number(at));
    }
  });
  let written = 0;
  for (const end = monotonicMs() + WRITE_SECONDS * 1_000; monotonicMs() < end; written += WRITE_BATCH) {
    await insert(world, WRITE_BATCH, performance.timeOrigin + performance.now());
    await sleep(WRITE_GAP_MS);
  }
  for (const end = monotonicMs() + 30_000; behind.length < written && monotonicMs() < end;) await sleep(50);
  close();
  if (behind.length !== written) throw new Error(`${written} events were written, ${behind.length} came`);
  behind.sort((one, other) => one - other);
  const ms = (part: number) => behind[Math.floor((behind.length - 1) * part)]!;
  return {
    id: 'tail.behind',
    what: 'Behind the insert, while others write: the worst of all events',
    value: ms(1),
    unit: 'ms',
    target: { atMost: BEHIND_MS },
    detail: `${(written / WRITE_SECONDS).toFixed(0)} events/s after ${before.toLocaleString('en')}; p50 ${ms(0.5).toFixed(0)} ms, p99 ${ms(0.99).toFixed(0)} ms`,
  };
}
