// The suppression list over REST: one and many, reasons, pages, and whose it is.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';

let world: ApiWorld;
const SCOPES = ['suppressions:read', 'suppressions:write'];
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const makeKey = async () => (await world.makeKey({ scopes: SCOPES })).key;
const add = (key: string, body: unknown) => world.call('POST', '/suppressions', { key, body });
const emailsOf = (page: { items: { email: string }[] }) => page.items.map((one) => one.email);

test('an address is suppressed once, whatever its letter case, and the weightiest reason stays', async () => {
  const key = await makeKey();
  const first = await add(key, { email: ' Ann@Example.NET ' });
  expect(first).toMatchObject({
    status: 201,
    json: { data: { email: 'ann@example.net', reason: 'manual', source_message_id: null } },
  });
  const reasons = [];
  for (const reason of ['bounce', 'unsubscribe', 'bounce', 'complaint', 'manual']) {
    reasons.push((await add(key, { email: 'ann@example.net', reason })).json.data.reason);
  }
  expect(reasons).toEqual(['bounce', 'bounce', 'bounce', 'complaint', 'complaint']);
  const list = (await world.call('GET', '/suppressions', { key })).json.data;
  expect(list.items).toHaveLength(1);
  expect(list.items[0].created_at).toBe(first.json.data.created_at);
});

test('an entry stops marketing mail or all mail, by its reason unless that is said, and the wider one stays', async () => {
  const key = await makeKey();
  const one = async (more: object) => {
    const { email, reason, stream } = (await add(key, { email: 'bob@example.net', ...more })).json.data;
    expect(email).toBe('bob@example.net');
    return [reason, stream];
  };
  expect(await one({ reason: 'unsubscribe' })).toEqual(['unsubscribe', 'bulk']);
  expect(await one({ stream: 'bulk' })).toEqual(['unsubscribe', 'bulk']); // the weightier reason of the stream
  expect(await one({ reason: 'unsubscribe', stream: 'all' })).toEqual(['unsubscribe', 'all']);
  expect(await one({ reason: 'bounce' })).toEqual(['unsubscribe', 'all']);
  expect(await one({ reason: 'complaint', stream: 'bulk' })).toEqual(['unsubscribe', 'all']);
  expect(await one({ reason: 'complaint' })).toEqual(['complaint', 'all']);
  const path = '/suppressions/bob@example.net';
  expect((await world.call('DELETE', path, { key })).status).toBe(200);
  expect(await one({ stream: 'bulk' })).toEqual(['manual', 'bulk']);
  expect(await one({})).toEqual(['manual', 'all']);
});

test('a thousand at once, listed in pages by reason and address, and removed', async () => {
  const key = await makeKey();
  const emails = Array.from({ length: 1000 }, (_, i) => `u${String(i).padStart(4, '0')}@bulk.example`);
  await add(key, { email: emails[0] });
  const made = await add(key, { emails });
  expect(made.json.data.added).toBe(999);
  expect(emailsOf(made.json.data)).toEqual(emails);
  expect((await add(key, { emails: [...emails, 'x@y.example'] })).status).toBe(422);

  const seen: string[] = [];
  let after = '';
  for (let page = 0; page < 11; page++) {
    const { data } = (await world.call('GET', `/suppressions?limit=100${after}`, { key })).json;
    seen.push(...emailsOf(data));
    if (data.next_cursor === null) break;
    after = `&after=${data.next_cursor}`;
  }
  expect(new Set(seen).size).toBe(1000);
  expect(seen).toHaveLength(1000);

  await add(key, { email: 'c@bulk.example', reason: 'complaint' });
  const complaints = await world.call('GET', '/suppressions?reason=complaint', { key });
  expect(emailsOf(complaints.json.data)).toEqual(['c@bulk.example']);
  const one = await world.call('GET', '/suppressions?email=C%40BULK.example', { key });
  expect(emailsOf(one.json.data)).toEqual(['c@bulk.example']);

  const path = '/suppressions/C%40Bulk.example';
  const stranger = await makeKey();
  expect((await world.call('DELETE', path, { key: stranger })).status).toBe(404);
  expect((await world.call('DELETE', path, { key })).json.data).toMatchObject({ deleted: true });
  expect((await world.call('DELETE', path, { key })).status).toBe(404);
});

test('bad input is reported by field', async () => {
  const key = await makeKey();
  const bad: [unknown, string][] = [
    [{}, 'email'],
    [{ email: 'a@b.example', emails: ['c@d.example'] }, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a\0@b.example' }, 'email'],
    [{ emails: ['a@b.example', 'x y'] }, 'emails[1]'],
    [{ emails: [] }, 'emails'],
    [{ email: 'a@b.example', reason: 'spite' }, 'reason'],
    [{ email: 'a@b.example', stream: 'transactional' }, 'stream'],
    [{ email: 'a@b.example', note: 'x' }, 'note'],
  ];
  for (const [body, path] of bad) {
    expect(await add(key, body), JSON.stringify(body)).toMatchObject({
      status: 422,
      json: { details: [{ path }] },
    });
  }
  for (const after of ['x', '2026-99-99T00:00:00.000Z_a', '1767225600000_', '1767225600000_a%00']) {
    expect((await world.call('GET', `/suppressions?after=${after}`, { key })).status).toBe(422);
  }
  for (const path of ['%00', '%E0%A4%A', 'x'.repeat(400)]) {
    expect((await world.call('DELETE', `/suppressions/${path}`, { key })).status).toBe(404);
  }
});
