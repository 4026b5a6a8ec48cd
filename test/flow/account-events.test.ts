// The event feed over REST: its kinds and their fields, its filters, and cursors that neither skip nor repeat.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { makeMessageRow } from '../harness/message-row.ts';

let world: ApiWorld;
let account: Account;
let key: string;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

async function begin(): Promise<void> {
  account = await makeAccount(world.context.db);
  key = await newKey();
}
const newKey = async () => (await world.makeKey({ tenantId: account.tenantId, scopes: ['events:read'] })).key;

async function addEvents(
  messageId: string,
  events: { type: string; data?: unknown; at?: Date; domainId?: string }[],
): Promise<string[]> {
  const ids = events.map(() => newUuid());
  await world.context.db.pool.query(
    `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
     select q.id, $1, q.type, $2, q.domain, 'ann@example.net', q.at, q.data
     from unnest($3::uuid[], $4::text[], $5::timestamptz[], $6::jsonb[], $7::uuid[]) as q(id, type, at, data, domain)`,
    [
      account.tenantId,
      messageId,
      ids,
      events.map((event) => event.type),
      events.map((event) => event.at ?? new Date()),
      events.map((event) => JSON.stringify(event.data ?? {})),
      events.map((event) => event.domainId ?? account.domainId),
    ],
  );
  return ids.map((id) => toId('evt', id));
}
const feed = async (query = '', as = key) => (await world.call('GET', `/events${query}`, { key: as })).json;
const typesOf = (page: { data: { items: { type: string }[] } }) => page.data.items.map((one) => one.type);

test('every kind has the contract’s fields; the default feed holds four of them', async () => {
  await begin();
  const message = await makeMessageRow(world.context.db, account.tenantId, { state: 'bounced' });
  const bounce = { kind: 'soft', class: 'mailbox_full', mx: 'mx.x', smtp_code: 452, diagnostic: '452 full' };
  const ids = await addEvents(message, [
    { type: 'delivered' },
    { type: 'deferred', data: { reason: 'remote_4xx' } },
    { type: 'dropped' },
    { type: 'unsubscribe' },
    { type: 'cancelled' },
    { type: 'open', data: { user_agent: 'UA', ip: '192.0.2.1', machine_open: true } },
    { type: 'click', data: { url: 'https://example.com/', user_agent: 'UA', ip: '192.0.2.1' } },
    { type: 'bounced', data: bounce },
    { type: 'complaint', data: { feedback_type: 'abuse', source: 'arf' } },
  ]);
  const page = await feed();
  expect(typesOf(page)).toEqual(['complaint', 'bounce', 'click', 'open']);
  expect(page.data.items[1]).toEqual({
    id: ids[7],
    type: 'bounce',
    message_id: toId('msg', message),
    campaign_id: null,
    recipient: 'ann@example.net',
    domain: account.domain,
    occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { ...bounce, enhanced_code: null, source: 'smtp' },
  });
  expect(page.data.items[2].data).toMatchObject({ url: 'https://example.com/', machine_click: false });
  expect(page.data.items[3].data).toEqual({ user_agent: 'UA', ip: '192.0.2.1', machine_open: true });
  expect(typesOf(await feed('?type=delivered'))).toEqual(['delivered']);
  expect(typesOf(await feed('?type=unsubscribe,dropped,deferred,bounce'))).toEqual([
    'bounce',
    'unsubscribe',
    'dropped',
    'deferred',
  ]);
});

test('filters by message and time', async () => {
  await begin();
  const [one, other] = [
    await makeMessageRow(world.context.db, account.tenantId, { state: 'delivered' }),
    await makeMessageRow(world.context.db, account.tenantId, { state: 'delivered' }),
  ];
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000);
  await addEvents(one, [
    { type: 'open', at: at(-30) },
    { type: 'click', at: at(-20) },
  ]);
  await addEvents(other, [{ type: 'open', at: at(-10) }]);
  const of = (page: { data: { items: { message_id: string; type: string }[] } }) =>
    page.data.items.map((item) => `${item.type} ${item.message_id === toId('msg', one) ? 1 : 2}`);
  expect(of(await feed(`?message_id=${toId('msg', one)}`))).toEqual(['click 1', 'open 1']);
  expect(of(await feed(`?message_id=${toId('msg', one)}&type=click`))).toEqual(['click 1']);
  expect(of(await feed(`?since=${at(-25).toISOString()}`))).toEqual(['open 2', 'click 1']);
  expect(of(await feed(`?until=${at(-15).toISOString()}`))).toEqual(['click 1', 'open 1']);
  expect(of(await feed('?since=1000-01-01T00:00:00Z'))).toHaveLength(3);
  expect(of(await feed('?until=1000-01-01T00:00:00Z'))).toEqual([]);
  expect(of(await feed('?since=9999-12-31T23:59:59Z'))).toEqual([]);
  expect(of(await feed(`?message_id=${toId('msg', newUuid())}`))).toEqual([]);
  for (const bad of ['type=spam', 'type=', 'since=today', 'message_id=msg_x', 'limit=0', 'after=x', 'x=1']) {
    expect(await feed(`?${bad}`), bad).toMatchObject({ ok: false, error: 'validation_failed' });
  }
});

test('pages neither skip nor repeat, though events arrive meanwhile, and over partitions', async () => {
  await begin();
  const message = await makeMessageRow(world.context.db, account.tenantId, { state: 'delivered' });
  const kinds = ['open', 'click', 'complaint', 'bounced'];
  const many = Array.from({ length: 230 }, (_, i) => ({ type: kinds[i % 4]! }));
  const ids = await addEvents(message, many);
  // Older weeks, and one before any partition.
  const old: string[] = [];
  for (const days of [8, 15, 400]) {
    const { rows } = await world.context.db.pool.query<{ id: string }>(
      `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
       values (uuid_floor(now() - make_interval(days => $1)), $2, 'open', $3, $4, 'a@b.example', now(), '{}')
       returning id`,
      [days, account.tenantId, message, account.domainId],
    );
    old.push(toId('evt', rows[0]!.id));
  }
  const seen: string[] = [];
  let after = '';
  for (;;) {
    const page = await feed(`?limit=17${after}`);
    seen.push(...page.data.items.map((one: { id: string }) => one.id));
    if (page.data.next_cursor === null) break;
    after = `&after=${page.data.next_cursor}`;
    await addEvents(message, [{ type: 'open' }]);
  }
  expect(seen).toEqual([...ids.toReversed(), ...old]);
});

test('another tenant sees nothing; a deleted domain is still named by the message', async () => {
  await begin();
  const gone = newUuid();
  const row = { state: 'delivered', domainId: gone };
  const message = await makeMessageRow(world.context.db, account.tenantId, row);
  await addEvents(message, [{ type: 'open', domainId: gone }]);
  expect((await feed()).data.items).toMatchObject([{ domain: 'example.com' }]);
  const stranger = (await world.makeKey({ scopes: ['events:read'] })).key;
  expect((await feed('', stranger)).data.items).toEqual([]);
  expect((await feed(`?message_id=${toId('msg', message)}`, stranger)).data.items).toEqual([]);
});
