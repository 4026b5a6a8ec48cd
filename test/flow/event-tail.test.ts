// Following events: pages and streams, from any start, resumed, waited for, refused. That none is missing and none comes
// twice whatever happens to the writers is test/nightly/event-tail-faults.test.ts.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { publishLive } from '../../core/clients/live.ts';
import { revokeKey } from '../../core/key/keys.ts';
import { lockOutbox, takeOutbox, appendToLog } from '../../core/outbox/outbox-store.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { addEvents, type EventRow } from '../harness/event-rows.ts';
import { openEventStream, type EventStream } from '../harness/event-stream.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { waitUntil } from '../harness/wait.ts';

let world: ApiWorld;
let account: Account;
let key: string;
let keyId: string;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  account = await makeAccount(world.context.db);
  await newKey();
});

async function newKey(): Promise<void> {
  ({ key, keyId } = await world.makeKey({ tenantId: account.tenantId, scopes: ['events:read'] }));
}

/** Adds events and gives them their positions, as the dispatcher does; returns their outside ids. */
async function add(...events: (string | EventRow)[]): Promise<string[]> {
  const rows = events.map((event) => (typeof event === 'string' ? { type: event } : event));
  const { pool } = world.context.db;
  const ids = await addEvents(pool, account, rows);
  const heads = await inTransaction(pool, async (client) => {
    expect(await lockOutbox(client)).toBe(true);
    return appendToLog(client, await takeOutbox(client, 100_000));
  });
  for (const { tenantId } of heads) publishLive(world.deps.nats, tenantId, 'log', {});
  return ids.map((id) => toId('evt', id));
}
const read = async (query = '', as = key) => world.call('GET', `/events?order=asc${query}`, { key: as });
const page = async (query = '') => {
  const { json } = await read(query);
  return {
    ids: json.data.items.map((one: { id: string }) => one.id),
    cursor: json.data.next_cursor,
    items: json.data.items,
  };
};
const stream = (query = '', headers = {}) => openEventStream(world.port, key, query, headers);
const idsOf = ({ events }: EventStream) => events.map((one) => one.data.id);

const STORED = 'open click bounced complaint delivered deferred dropped unsubscribe expired cancelled'.split(
  ' ',
);
const SHOWN = STORED.map((type) => (type === 'bounced' ? 'bounce' : type));

test('all ten types, oldest first; pages go on where they stopped, and never end', async () => {
  const ids = await add(...STORED);
  const first = await page('&limit=4');
  expect(first.items.map((one: { type: string }) => one.type)).toEqual(SHOWN.slice(0, 4));
  const second = await page(`&limit=100&after=${first.cursor}`);
  expect([...first.ids, ...second.ids]).toEqual(ids);
  const none = await page(`&after=${second.cursor}`);
  expect(none).toMatchObject({ ids: [], cursor: second.cursor });
  // An id of long ago by the clock that made it comes last all the same.
  const late = await add({ type: 'open', clockMs: -600_000 });
  expect((await page(`&after=${none.cursor}`)).ids).toEqual(late);
  const { json } = await world.call('GET', `/events?type=${SHOWN.join(',')}`, { key });
  expect(json.data.items[0]).toEqual((await page('&types=cancelled')).items[0]);
});

test('types choose; one that is rare costs a bounded scan and still moves the cursor', async () => {
  await add('bounced', ...Array.from({ length: 12_000 }, () => 'cancelled'), 'complaint');
  expect((await page('&types=bounce,open')).items).toMatchObject([{ type: 'bounce' }]);
  const seen: string[] = [];
  const cursors = new Set<string>();
  let cursor = '';
  while (seen.length < 2) {
    const next = await page(`&type=bounce,complaint${cursor}`);
    expect(cursors.has(next.cursor)).toBe(false);
    cursors.add(next.cursor);
    seen.push(...next.items.map((one: { type: string }) => one.type));
    cursor = `&after=${next.cursor}`;
  }
  expect(seen).toEqual(['bounce', 'complaint']);
  expect(cursors.size).toBe(3);
  expect((await page(`&types=complaint&wait=25`)).items).toMatchObject([{ type: 'complaint' }]);
});

test('begins at the oldest, after the newest, or at a time', async () => {
  const old = await add({ type: 'open', clockMs: -3_600_000 }, { type: 'click', clockMs: -1_800_000 });
  const recent = await add('open', 'click');
  expect((await page()).ids).toEqual([...old, ...recent]);
  const newest = await page('&after=newest');
  expect(newest.ids).toEqual([]);
  const since = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  expect((await page(`&since=${since(60)}`)).ids).toEqual([...old, ...recent]);
  expect((await page(`&since=${since(35)}`)).ids).toEqual([...old.slice(1), ...recent]);
  expect((await page(`&since=${since(5)}`)).ids).toEqual(recent);
  expect((await page(`&since=${since(-60)}`)).ids).toEqual([]);
  const next = await add('dropped');
  expect((await page(`&after=${newest.cursor}&since=${since(60)}`)).ids).toEqual(next);
});

test('waits for an event of the wanted types, and no longer than was asked', async () => {
  const { cursor } = await page('&after=newest');
  const waiting = page(`&after=${cursor}&types=bounce&wait=25`);
  await add('open', 'click');
  const ids = await add('open', 'bounced');
  expect((await waiting).ids).toEqual([ids[1]]);
  const from = performance.now();
  const none = await page(`&after=newest&wait=1.2`);
  expect(none.ids).toEqual([]);
  expect(performance.now() - from).toBeGreaterThan(1_150);
});

test('refusals name the field, and a cursor whose events are gone is 410', async () => {
  const [lost] = await add('open', 'click');
  const { cursor } = await page('&limit=1');
  for (const [query, path] of [
    ['&wait=26', 'wait'],
    ['&wait=x', 'wait'],
    ['&types=spam', 'types[0]'],
    ['&types=open&type=click', 'type'],
    ['&until=2030-01-01T00:00:00Z', 'until'],
    [`&message_id=${toId('msg', newUuid())}`, 'message_id'],
    ['&after=x', 'after'],
    [`&after=${Buffer.from(JSON.stringify([newUuid()])).toString('base64url')}`, 'after'],
  ]) {
    const { json, status } = await read(query);
    expect([status, json.details?.[0]?.path], query).toEqual([422, path]);
  }
  expect((await world.call('GET', '/events?wait=1', { key })).json.details[0].path).toBe('wait');
  expect((await stream('', { 'Last-Event-ID': 'x' })).text()).toContain('Last-Event-ID');

  // What a restore of a backup leaves: the position belongs to another event, or to none.
  const { pool } = world.context.db;
  await pool.query('update event_log set event_id = $2 where tenant_id = $1 and position = 1', [
    account.tenantId,
    newUuid(),
  ]);
  expect(await read(`&after=${cursor}`)).toMatchObject({ status: 410, json: { error: 'gone' } });
  expect(lost).toBeDefined();
  const { cursor: newest } = await page('&after=newest');
  await pool.query('update event_log_heads set position = 1 where tenant_id = $1', [account.tenantId]);
  expect(await read(`&after=${newest}`)).toMatchObject({ status: 410, json: { error: 'gone' } });
  // What retention leaves.
  await pool.query('update event_log_heads set position = 2, removed_to = 1 where tenant_id = $1', [
    account.tenantId,
  ]);
  await pool.query('delete from event_log where tenant_id = $1 and position = 1', [account.tenantId]);
  expect((await page(`&after=${cursor}`)).items).toHaveLength(1);
  expect((await page()).items).toHaveLength(1);
  await pool.query('update event_log_heads set removed_to = 2 where tenant_id = $1', [account.tenantId]);
  expect(await read(`&after=${cursor}`)).toMatchObject({ status: 410, json: { error: 'gone' } });
  expect((await stream(`?after=${cursor}`)).status).toBe(410);
});

test('a stream brings what is there and what comes, with cursors that pages and other streams go on from', async () => {
  const ids = await add('open', 'bounced');
  const all = await stream();
  const newest = await stream('?after=newest');
  const bounces = await stream('?types=bounce');
  await waitUntil(() => all.events.length === 2 && newest.lastId() !== undefined);
  expect(all.headers['content-type']).toMatch(/^text\/event-stream/);
  expect(all.events.map((one) => one.type)).toEqual(['open', 'bounce']);
  expect(all.events[0]!.data).toEqual((await page('&limit=1')).items[0]);
  const more = await add('click', 'bounced', 'expired');
  await waitUntil(() => all.events.length === 5 && newest.events.length === 3);
  expect(idsOf(all)).toEqual([...ids, ...more]);
  expect(idsOf(newest)).toEqual(more);
  await waitUntil(() => bounces.events.length === 2);
  expect(idsOf(bounces)).toEqual([ids[1], more[1]]);
  const cursor = all.events[2]!.cursor;
  expect((await page(`&after=${cursor}`)).ids).toEqual(more.slice(1));
  const resumed = await stream('?after=newest', { 'Last-Event-ID': cursor });
  await waitUntil(() => resumed.events.length === 2);
  expect(idsOf(resumed)).toEqual(more.slice(1));
  for (const one of [all, newest, bounces, resumed]) one.hangUp();
});

test('a stream that is silent says so within 15 s, and resumes behind events of other types', async () => {
  const bounces = await stream('?types=bounce');
  await waitUntil(() => bounces.lastId() !== undefined);
  const begin = bounces.lastId();
  await add('open', 'open');
  await waitUntil(() => bounces.comments() > 0, { limitMs: 20_000 });
  expect(bounces.lastId()).not.toBe(begin);
  expect((await page(`&after=${bounces.lastId()}`)).ids).toEqual([]);
  bounces.hangUp();
});

test('a revoked key ends its streams within seconds, and waits for nothing', async () => {
  const open = await stream();
  const waiting = read('&after=newest&wait=25');
  await waitUntil(() => open.lastId() !== undefined);
  await revokeKey(world.context, TESTER, { tenantId: account.tenantId, keyId });
  await waitUntil(() => open.ended() !== null, { limitMs: 10_000 });
  expect(open.ended()).toBe('clean');
  await add('open');
  expect((await waiting).status).toBe(401);
  expect(open.events).toEqual([]);
});

test('the eleventh stream of a key is 429, until one is closed; another key has its own', async () => {
  const streams: EventStream[] = [];
  for (let i = 0; i < 10; i++) {
    const one = await stream();
    await waitUntil(() => one.lastId() !== undefined);
    streams.push(one);
  }
  const eleventh = await stream();
  expect([eleventh.status, eleventh.headers['retry-after']]).toEqual([429, '10']);
  expect(eleventh.text()).toContain('At most 10 streams of a key');
  streams[0]!.hangUp();
  await waitUntil(async () => {
    const one = await stream();
    streams.push(one);
    return one.status === 200;
  });
  await newKey();
  const other = await stream();
  expect(other.status).toBe(200);
  for (const one of [...streams, other]) one.hangUp();
});

test('when the api stops, streams end and waiting requests are answered at once', async () => {
  const other = await world.startAnother();
  const open = await openEventStream(other.port, key);
  await waitUntil(() => open.lastId() !== undefined);
  const waiting = other.call('GET', '/events?order=asc&after=newest&wait=25', { key });
  await waitUntil(async () => (await other.deps.limiter.peek(`key:${keyId}`, 'read')).remaining === 58);
  const from = performance.now();
  await other.close();
  expect(performance.now() - from).toBeLessThan(20_000); // the request would have waited for 25 s
  expect(open.ended()).toBe('clean');
  expect(await waiting).toMatchObject({ status: 200, json: { data: { items: [] } } });
});

test('a HEAD request opens no stream', async () => {
  for (let i = 0; i < 12; i++) expect((await world.call('HEAD', '/events/stream', { key })).status).toBe(200);
  const one = await stream();
  expect(one.status).toBe(200);
  one.hangUp();
});

test('a slow reader costs little memory and loses nothing', async () => {
  const data = { diagnostic: 'x'.repeat(4_000) };
  const ids: string[] = [];
  for (let i = 0; i < 2; i++)
    ids.push(...(await add(...Array.from({ length: 2_500 }, () => ({ type: 'cancelled', data })))));
  const slow = await stream();
  slow.pause(); // at once: on a fast machine all of it would come between two looks
  const fast = await stream();
  await waitUntil(() => fast.events.length === 5_000);
  // 20 MB: if they were read ahead for the slow one, what is removed now would come all the same.
  const { pool } = world.context.db;
  await pool.query('delete from event_log where tenant_id = $1 and position > 4500', [account.tenantId]);
  const last = await add('open');
  slow.resume();
  await waitUntil(() => idsOf(slow).at(-1) === last[0]);
  expect(idsOf(slow)).toEqual([...ids.slice(0, 4_500), ...last]);
  for (const one of [slow, fast]) one.hangUp();
});

test('another tenant’s cursor shows nothing of that tenant', async () => {
  await add('open', 'click');
  const { cursor } = await page('&limit=1');
  const stranger = (await world.makeKey({ scopes: ['events:read'] })).key;
  expect((await read('', stranger)).json.data.items).toEqual([]);
  expect((await read(`&after=${cursor}`, stranger)).status).toBe(410);
  const none = (await read('&after=newest', stranger)).json.data.next_cursor;
  expect(none).toMatch(/^0_/);
});
