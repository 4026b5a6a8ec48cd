// Contacts and lists over REST: create, read, change, delete, page, and the isolation of tenants.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';

const SCOPES = ['contacts:read', 'contacts:write'];
let world: ApiWorld;

beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world?.close());

test('a contact is created, found, changed and deleted', async () => {
  const { key } = await world.makeKey({ scopes: SCOPES });
  const list = await world.call('POST', '/contacts/lists', { key, body: { name: 'News' } });
  expect(list.status).toBe(201);
  const body = {
    email: 'Ann@Example.net',
    first_name: 'Ann',
    attributes: { city: 'Bern' },
    tags: ['vip', 'vip'],
  };
  const made = await world.call('POST', '/contacts', { key, body: { ...body, lists: [list.json.data.id] } });
  expect(made.status).toBe(201);
  expect(made.json.data).toMatchObject({
    email: 'Ann@example.net',
    first_name: 'Ann',
    last_name: null,
    attributes: { city: 'Bern' },
    tags: ['vip'],
    lists: [list.json.data.id],
    status: 'subscribed',
  });
  const { id } = made.json.data;
  const again = await world.call('POST', '/contacts', { key, body: { email: 'ANN@example.NET' } });
  expect(again).toMatchObject({ status: 409, json: { error: 'conflict' } });

  const found = await world.call('GET', '/contacts?email=ann@EXAMPLE.net', { key });
  expect(found.json.data.items.map((one: { id: string }) => one.id)).toEqual([id]);
  const counted = await world.call('GET', `/contacts/lists/${list.json.data.id}`, { key });
  expect(counted.json.data.contacts_count).toBe(1);

  const changed = await world.call('PATCH', `/contacts/${id}`, {
    key,
    body: { first_name: null, status: 'unsubscribed', lists: [] },
  });
  expect(changed.json.data).toMatchObject({
    first_name: null,
    status: 'unsubscribed',
    lists: [],
    tags: ['vip'],
  });
  expect((await world.call('DELETE', `/contacts/${id}`, { key })).json.data).toEqual({ id, deleted: true });
  expect((await world.call('GET', `/contacts/${id}`, { key })).status).toBe(404);
  expect((await world.call('DELETE', `/contacts/${id}`, { key })).status).toBe(404);
});

test('pages neither skip nor repeat, newest first', async () => {
  const { key } = await world.makeKey({ scopes: SCOPES });
  for (let i = 0; i < 5; i++)
    await world.call('POST', '/contacts', { key, body: { email: `p${i}@example.net` } });
  const seen: string[] = [];
  let after = '';
  for (;;) {
    const page = await world.call('GET', `/contacts?limit=2${after}`, { key });
    seen.push(...page.json.data.items.map((one: { email: string }) => one.email));
    if (page.json.data.next_cursor === null) break;
    after = `&after=${page.json.data.next_cursor}`;
  }
  expect(seen).toEqual([4, 3, 2, 1, 0].map((i) => `p${i}@example.net`));
  expect((await world.call('GET', '/contacts?limit=101', { key })).status).toBe(422);
  expect((await world.call('GET', '/contacts?after=nonsense', { key })).status).toBe(422);
});

test('bad bodies get different errors, and nothing of another tenant is seen', async () => {
  const { key } = await world.makeKey({ scopes: SCOPES });
  const other = await world.makeKey({ scopes: SCOPES });
  const list = await world.call('POST', '/contacts/lists', { key: other.key, body: { name: 'Theirs' } });
  const bad: [unknown, string][] = [
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@example.net', color: 'red' }, 'color'],
    [{ email: 'a@example.net', attributes: { constructor: 1 } }, 'attributes'],
    [{ email: 'a@example.net', first_name: 'A\r\nBcc: x' }, 'first_name'],
    [{ email: 'a@example.net', lists: [list.json.data.id] }, 'lists[0]'],
    [{}, 'email'],
  ];
  for (const [body, path] of bad) {
    const answer = await world.call('POST', '/contacts', { key, body });
    expect(answer.status).toBe(422);
    expect(answer.json.details[0].path).toBe(path);
  }
  const proto = '{"email":"a@example.net","attributes":{"__proto__":{"x":1}}}';
  expect((await world.call('POST', '/contacts', { key, raw: proto })).status).toBe(422);
  for (const [method, path] of [
    ['GET', `/contacts/lists/${list.json.data.id}`],
    ['PATCH', `/contacts/lists/${list.json.data.id}`],
    ['DELETE', `/contacts/lists/${list.json.data.id}`],
    ['GET', '/contacts/lists/lst_nonsense'],
    ['GET', '/contacts/con_nonsense'],
  ] as const) {
    const ask = method === 'PATCH' ? { key, body: { name: 'Mine' } } : { key };
    expect((await world.call(method, path, ask)).status).toBe(404);
  }
  expect(
    (await world.call('GET', `/contacts?list_id=${list.json.data.id}`, { key })).json.data.items,
  ).toEqual([]);
});
