// Imports over REST, worked off by a scheduler's loop: what becomes of good, bad, known and unwanted rows; files that
// are no files; a loop that is stopped anywhere.

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Loop } from '../../core/base/loop.ts';
import { startImportLoop } from '../../scheduler/slice-loops.ts';
import { createApiWorld, type Answer, type ApiWorld } from '../harness/api-world.ts';
import { waitUntil } from '../harness/wait.ts';

const SCOPES = ['contacts:read', 'contacts:write'];
let world: ApiWorld;
let loop: Loop;

beforeAll(async () => {
  world = await createApiWorld({ WORKER_LEASE_MS: '1000' });
  loop = startLoop();
});
afterAll(async () => {
  await loop?.stop();
  await world?.close();
});

function startLoop(): Loop {
  return startImportLoop({ config: world.context.config, db: world.context.db, log: world.context.log });
}

function upload(key: string, csv: string | Buffer, query = '', headers: Record<string, string> = {}) {
  const type = { 'content-type': 'text/csv', ...headers };
  return world.call('POST', `/contacts/import${query}`, { key, raw: csv, headers: type });
}

// oxlint-disable-next-line typescript/no-explicit-any -- as the answers of the harness
async function untilEnded(key: string, started: Answer): Promise<any> {
  expect(started.status, started.text).toBe(202);
  let answer: Answer | undefined;
  await waitUntil(
    async () => {
      // Read past the rate limit of a key: every look is another key's.
      const reader = await world.makeKey({ tenantId: await tenantOf(key), scopes: SCOPES });
      answer = await world.call('GET', `/contacts/imports/${started.json.data.id}`, { key: reader.key });
      return ['completed', 'failed'].includes(answer.json.data.status);
    },
    { what: () => `the import to end: ${answer?.text}` },
  );
  return answer!.json.data;
}

const tenants = new Map<string, string>();
async function makeKey(): Promise<string> {
  const made = await world.makeKey({ scopes: SCOPES });
  tenants.set(made.key, made.tenantId);
  return made.key;
}
async function tenantOf(key: string): Promise<string> {
  return tenants.get(key)!;
}

async function contact(key: string, email: string) {
  return (await world.call('GET', `/contacts?email=${encodeURIComponent(email)}`, { key })).json.data
    .items[0];
}

test('good rows come in, bad ones are named by row, the rest of the file is not touched by them', async () => {
  const key = await makeKey();
  const list = await world.call('POST', '/contacts/lists', { key, body: { name: 'News' } });
  const csv = [
    '\ufeffE-Mail;First Name;City',
    'ann@example.net;Ann;Bern',
    'nobody;Bob;Basel',
    '',
    '"ben@example.net";"Ben ""B""";"two\nlines"',
    'cem@example.net;Cem',
    'ANN@example.net;Anna;Genf',
    "dan@example.net;=1+1;=cmd|' /C calc'!A0",
  ].join('\r\n');
  const done = await untilEnded(key, await upload(key, csv, `?list_id=${list.json.data.id}`));
  expect(done).toMatchObject({
    status: 'completed',
    total: 6,
    created: 3,
    updated: 0,
    skipped: 1,
    failed: 2,
    progress: 1,
  });
  expect(done.errors).toEqual([
    { row: 3, email: 'nobody', message: expect.stringMatching(/not an address/) },
    { row: 6, email: 'cem@example.net', message: 'has 2 cells where the header has 3' },
  ]);
  expect(await contact(key, 'ann@example.net')).toMatchObject({
    first_name: 'Ann',
    attributes: { City: 'Bern' },
    lists: [list.json.data.id],
  });
  expect(await contact(key, 'ben@example.net')).toMatchObject({
    first_name: 'Ben "B"',
    attributes: { City: 'two\nlines' },
  });
  const counted = await world.call('GET', `/contacts/lists/${list.json.data.id}`, { key });
  expect(counted.json.data.contacts_count).toBe(3);
});

test('statuses of other services: who bounced is suppressed, who unsubscribed is unsubscribed', async () => {
  const key = await makeKey();
  const csv =
    'Email Address;Status\r\nann@example.net;Cleaned\r\nben@example.net;Unsubscribed\r\ncem@example.net;subscribed\r\n';
  const done = await untilEnded(key, await upload(key, Buffer.from(`\ufeff${csv}`, 'utf16le')));
  expect(done).toMatchObject({ status: 'completed', created: 3, failed: 0 });
  expect(await contact(key, 'ann@example.net')).toMatchObject({ status: 'unsubscribed' });
  expect(await contact(key, 'ben@example.net')).toMatchObject({ status: 'unsubscribed' });
  expect(await contact(key, 'cem@example.net')).toMatchObject({ status: 'subscribed' });
  const { rows } = await world.context.db.pool.query(
    'select email, reason, stream from suppressions where tenant_id = $1',
    [await tenantOf(key)],
  );
  expect(rows).toEqual([{ email: 'ann@example.net', reason: 'bounce', stream: 'all' }]);
});

test('failed rows come back as a file that can be imported again', async () => {
  const key = await makeKey();
  const started = await upload(key, 'email;phone;note\nnobody;+41 79;"a;b"\nann@example.net;1;x\nben@;2;y\n');
  await untilEnded(key, started);
  const file = await world.call('GET', `/contacts/imports/${started.json.data.id}/failed-rows`, { key });
  expect(file.status).toBe(200);
  const rows = file.text.replace('\ufeff', '').split('\r\n');
  expect(rows.slice(0, 2)).toEqual([
    '"email","phone","note","import_error"',
    expect.stringMatching(/^"nobody","'\+41 79","a;b","email is not an address/),
  ]);
  expect(rows).toHaveLength(4);
  const again = await untilEnded(key, await upload(key, file.text.replace('nobody', 'bob@example.net')));
  expect(again).toMatchObject({ total: 2, created: 1, failed: 1 });
  expect((await contact(key, 'bob@example.net')).attributes).toEqual({ phone: '+41 79', note: 'a;b' });
});

test('a mapping says what columns hold; a preview shows what an import would make of them', async () => {
  const key = await makeKey();
  const csv = 'Mail;Kunde;Notiz;Vorname\nann@example.net;7;secret;Ann\n';
  const mapping = { Mail: 'email', Kunde: 'attribute:customer', Notiz: 'ignore' };
  const query = `?mapping=${encodeURIComponent(JSON.stringify(mapping))}`;
  const headers = { 'content-type': 'text/csv' };
  const preview = await world.call('POST', `/contacts/import/preview${query}`, { key, raw: csv, headers });
  expect(preview.json.data).toEqual({
    columns: [
      { name: 'Mail', target: 'email' },
      { name: 'Kunde', target: 'attribute:customer' },
      { name: 'Notiz', target: 'ignore' },
      { name: 'Vorname', target: 'first_name' },
    ],
    rows: [['ann@example.net', '7', 'secret', 'Ann']],
  });
  await untilEnded(key, await upload(key, csv, query));
  expect(await contact(key, 'ann@example.net')).toMatchObject({
    first_name: 'Ann',
    attributes: { customer: '7' },
  });
  for (const bad of [
    'nope',
    '[]',
    '{"Mail":"phone"}',
    '{"Mail":"attribute:"}',
    '{"Other":"ignore"}',
    '{"Mail":"email","Kunde":"email"}',
  ]) {
    const refused = await upload(key, csv, `?mapping=${encodeURIComponent(bad)}`);
    expect(refused.status, bad).toBe(422);
  }
});

test('an import whose rows all fail has failed', async () => {
  const key = await makeKey();
  const none = await untilEnded(key, await upload(key, 'email\nnobody\nnowhere@\n'));
  expect(none).toMatchObject({ status: 'failed', total: 2, failed: 2 });
  expect(await untilEnded(key, await upload(key, 'email\n'))).toMatchObject({
    status: 'completed',
    total: 0,
  });
});

test('update_existing changes the fields that a row has and nothing else; without it contacts stay but join the list', async () => {
  const key = await makeKey();
  const body = { email: 'ann@example.net', first_name: 'Ann', last_name: 'Lee', attributes: { a: 1, b: 2 } };
  await world.call('POST', '/contacts', { key, body });
  const list = await world.call('POST', '/contacts/lists', { key, body: { name: 'News' } });
  const rows = { contacts: [{ email: 'Ann@example.net', first_name: 'Anna', attributes: { b: 3 } }] };
  const skipped = await untilEnded(
    key,
    await world.call('POST', '/contacts/import', { key, body: { ...rows, list_id: list.json.data.id } }),
  );
  expect(skipped).toMatchObject({ total: 1, created: 0, updated: 0, skipped: 1 });
  expect(await contact(key, 'ann@example.net')).toMatchObject({
    first_name: 'Ann',
    lists: [list.json.data.id],
  });
  const twice = { contacts: [...rows.contacts, { email: 'ann@example.net', last_name: 'Li' }] };
  const updated = await untilEnded(
    key,
    await world.call('POST', '/contacts/import', { key, body: { ...twice, update_existing: true } }),
  );
  expect(updated).toMatchObject({ total: 2, created: 0, updated: 2, skipped: 0 });
  expect(await contact(key, 'ann@example.net')).toMatchObject({
    first_name: 'Anna',
    last_name: 'Li',
    attributes: { a: 1, b: 3 },
  });
});

test('nobody who left comes back by an import', async () => {
  const key = await makeKey();
  const tenantId = await tenantOf(key);
  const { pool } = world.context.db;
  await world.call('POST', '/contacts', { key, body: { email: 'left@example.net' } });
  await pool.query(
    `insert into suppressions (tenant_id, email, reason)
     values ($1, 'left@example.net', 'unsubscribe'), ($1, 'angry@example.net', 'complaint'),
       ($1, 'gone@example.net', 'bounce')`,
    [tenantId],
  );
  expect(await contact(key, 'left@example.net')).toMatchObject({ status: 'unsubscribed' });
  await world.call('POST', '/contacts', { key, body: { email: 'set@example.net', status: 'unsubscribed' } });
  const csv =
    'email,status\nleft@example.net,subscribed\nANGRY@example.net,subscribed\ngone@example.net,\nset@example.net,subscribed\n';
  const done = await untilEnded(key, await upload(key, csv, '?update_existing=true'));
  expect(done).toMatchObject({ created: 2, updated: 2, failed: 0 });
  for (const name of ['left', 'angry', 'set'])
    expect(await contact(key, `${name}@example.net`), name).toMatchObject({ status: 'unsubscribed' });
  const kept = await pool.query('select email from suppressions where tenant_id = $1', [tenantId]);
  expect(kept.rowCount).toBe(3);
});

test.each([
  ['a duplicate header', 'email,City,city\n', 422],
  ['__proto__', 'email,__proto__\n', 422],
  ['a million columns', `email,${'c,'.repeat(1_000_000)}x\n`, 422],
  ['no line break at all', 'x'.repeat(3_000_000), 422],
  ['an empty file', '', 422],
])('%s is refused at once, and nothing is left of it', async (_, csv, status) => {
  const key = await makeKey();
  const answer = await upload(key, csv);
  expect(answer.status).toBe(status);
  expect(answer.json.details[0].path).toBe('csv');
  const { rowCount } = await world.context.db.pool.query('select from contact_imports where tenant_id = $1', [
    await tenantOf(key),
  ]);
  expect(rowCount).toBe(0);
});

test('an open quote fails its row; a file without line breaks ends there, and what came before is kept', async () => {
  const key = await makeKey();
  const open = 'email,city\na@example.net,x\nb@example.net,"open\nc@example.net,y\nd@example.net,z\n';
  const done = await untilEnded(key, await upload(key, open));
  expect(done).toMatchObject({ status: 'completed', total: 4, created: 3, failed: 1 });
  expect(done.errors).toEqual([{ row: 3, email: '', message: 'a quote is opened and never closed' }]);

  const endless = `email,city\ne@example.net,x\n${'x'.repeat(400_000)}`;
  const failed = await untilEnded(key, await upload(key, endless));
  expect(failed).toMatchObject({ status: 'failed', created: 1 });
  expect(failed.errors[0]).toMatchObject({ row: 3, message: expect.stringMatching(/longer than 128 KiB/) });
  expect(await contact(key, 'e@example.net')).toBeDefined();
});

test('bad JSON, types and options are refused', async () => {
  const key = await makeKey();
  const other = await makeKey();
  const list = await world.call('POST', '/contacts/lists', { key: other, body: { name: 'Theirs' } });
  const contacts = [{ email: 'a@example.net' }];
  const cases: [unknown, number][] = [
    ['{', 400],
    [{ contacts: 'many' }, 422],
    [{ contacts: [] }, 422],
    [{ contacts, color: 1 }, 422],
    [{ contacts, list_id: list.json.data.id }, 422],
    [{ contacts: Array.from({ length: 10_001 }, () => ({})) }, 422],
  ];
  for (const [body, status] of cases) {
    const raw = typeof body === 'string' ? body : JSON.stringify(body);
    expect((await world.call('POST', '/contacts/import', { key, raw })).status).toBe(status);
  }
  expect((await upload(key, 'email\n', '', { 'content-type': 'application/xml' })).status).toBe(415);
  expect((await upload(key, 'email\n', '?list_id=nonsense')).status).toBe(422);
  expect((await upload(key, 'email\n', `?list_id=${list.json.data.id}`)).status).toBe(422);
  const left = await world.context.db.pool.query('select from contact_imports where tenant_id = $1', [
    await tenantOf(key),
  ]);
  expect(left.rowCount).toBe(0);
});

test('an Idempotency-Key makes one import of a repeated upload', async () => {
  const key = await makeKey();
  const headers = { 'idempotency-key': 'once' };
  const first = await upload(key, 'email\na@example.net\n', '', headers);
  const second = await upload(key, 'email\na@example.net\n', '', headers);
  expect(second.json.data.id).toBe(first.json.data.id);
  expect(second.headers['idempotent-replayed']).toBe('true');
  expect((await upload(key, 'email\nb@example.net\n', '', headers)).status).toBe(409);
  await untilEnded(key, first);
  const { rowCount } = await world.context.db.pool.query('select from contact_imports where tenant_id = $1', [
    await tenantOf(key),
  ]);
  expect(rowCount).toBe(1);
});

test('stopped and started again all the time, by two loops, every row is counted once', async () => {
  const key = await makeKey();
  const rows = Array.from({ length: 30_000 }, (_, i) => `user${i}@example.net,Name ${i},city ${i % 7}`);
  const started = await upload(key, `email,first_name,city\n${rows.join('\n')}\n`);
  let restarts = 0;
  const churn = (async () => {
    for (;;) {
      const extra = startLoop();
      await loop.stop();
      loop = startLoop();
      await extra.stop();
      restarts += 1;
      const { rows: open } = await world.context.db.pool.query(
        'select from contact_imports where finished_at is null',
      );
      if (open.length === 0) return;
    }
  })();
  const done = await untilEnded(key, started);
  await churn;
  expect(restarts).toBeGreaterThan(1);
  expect(done).toMatchObject({ total: 30_000, created: 30_000, skipped: 0, failed: 0 });
  const { rows: counted } = await world.context.db.pool.query<{ n: number }>(
    'select count(*)::int as n from contacts where tenant_id = $1',
    [await tenantOf(key)],
  );
  expect(counted[0]!.n).toBe(30_000);
  const { rowCount } = await world.context.db.pool.query(
    'select from contact_import_chunks where seq < 1000000000',
  );
  expect(rowCount).toBe(0);
});

test('imports are listed, newest first, a page at a time; uploads under way and other tenants’ are not', async () => {
  const key = await makeKey();
  const other = await makeKey();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c'])
    ids.unshift((await upload(key, `email\n${name}@example.net\nnobody\n`)).json.data.id);
  await upload(other, 'email\nx@example.net\n');
  await world.context.db.pool.query(
    `insert into contact_imports (id, tenant_id, format) values (gen_random_uuid(), $1, 'csv')`,
    [await tenantOf(key)],
  );
  const list = async (query: string) => (await world.call('GET', `/contacts/imports${query}`, { key })).json;
  const first = (await list('?limit=2')).data;
  const second = (await list(`?limit=2&after=${first.next_cursor}`)).data;
  expect([...first.items, ...second.items].map((one: { id: string }) => one.id)).toEqual(ids);
  expect(second.next_cursor).toBeNull();
  expect(first.items[0]).not.toHaveProperty('errors');
  await waitUntil(async () => {
    const reader = await world.makeKey({ tenantId: await tenantOf(key), scopes: ['contacts:read'] });
    const { items } = (await world.call('GET', '/contacts/imports', { key: reader.key })).json.data;
    return items.every(
      ({ status, failed }: Record<string, unknown>) => status === 'completed' && failed === 1,
    );
  });
  expect((await list('?limit=0')).error).toBe('validation_failed');
  const write = await world.makeKey({ tenantId: await tenantOf(key), scopes: ['contacts:write'] });
  expect((await world.call('GET', '/contacts/imports', { key: write.key })).status).toBe(403);
});

test('an import to a list that was deleted meanwhile fails and says so', async () => {
  const key = await makeKey();
  const list = await world.call('POST', '/contacts/lists', { key, body: { name: 'Gone' } });
  await loop.stop();
  const started = await upload(key, 'email\na@example.net\n', `?list_id=${list.json.data.id}`);
  await world.call('DELETE', `/contacts/lists/${list.json.data.id}`, { key });
  loop = startLoop();
  expect(await untilEnded(key, started)).toMatchObject({
    status: 'failed',
    created: 0,
    errors: [{ row: 0, email: '', message: 'the list was deleted' }],
  });
});
