// Lists as CSV files over REST, written by a scheduler's loop: what stands in them, who may have them, how long they are kept.

import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { fromId, newUuid } from '../../core/base/ids.ts';
import type { Loop } from '../../core/base/loop.ts';
import { sweepExports } from '../../core/export/exports.ts';
import { MAX_KEPT_EXPORTS, MAX_OPEN_EXPORTS } from '../../core/export/export.ts';
import { countMessages } from '../../core/message/list-messages.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { startExportLoop } from '../../scheduler/slice-loops.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { addEvents } from '../harness/event-rows.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { waitUntil } from '../harness/wait.ts';

let world: ApiWorld;
const loops: Loop[] = [];

beforeAll(async () => {
  world = await createApiWorld({ WORKER_LEASE_MS: '1000' });
});
afterEach(() => Promise.all(loops.splice(0).map((loop) => loop.stop())));
afterAll(() => world.close());

function startLoop(): void {
  const { config, db, log } = world.context;
  loops.push(startExportLoop({ config, db, log }));
}

const pool = () => world.context.db.pool;

/** A finished export's rows, the header first; its bytes are checked against what the record says. */
async function exported(key: string, body: object): Promise<{ id: string; rows: string[][] }> {
  const made = await world.call('POST', '/exports', { key, body });
  expect(made.status, made.text).toBe(201);
  const { id } = made.json.data;
  // Past the rate limit of a key: the record is asked, not the api.
  await waitUntil(async () => {
    const open = await pool().query(`select from list_exports where id = $1 and finished_at is null`, [
      fromId('exp', id),
    ]);
    return open.rowCount === 0;
  });
  const now = await world.call('GET', `/exports/${id}`, { key });
  expect(now.json.data).toMatchObject({ status: 'completed', is_cut: false });
  const file = await world.call('GET', `/exports/${id}/file`, { key });
  expect([file.status, file.headers['content-type']]).toEqual([200, 'text/csv']);
  const rows = parse(file.text, { bom: true });
  expect(now.json.data).toMatchObject({
    rows: rows.length - 1,
    size_bytes: Buffer.byteLength(file.text),
  });
  return { id, rows };
}

async function addContacts(tenantId: string, count: number): Promise<void> {
  await pool().query(
    `insert into contacts (id, tenant_id, email, email_key, first_name)
     select gen_random_uuid(), $1, 'c' || i || '@example.net', 'c' || i || '@example.net', '=' || i
     from generate_series(1, $2) as i`,
    [tenantId, count],
  );
}

test('messages by a filter, newest first, and none of another tenant', async () => {
  const { key, tenantId } = await world.makeKey({ scopes: [...SCOPES] });
  const other = await world.makeKey({ scopes: [...SCOPES] });
  const { db } = world.context;
  await makeMessageRow(db, tenantId, { state: 'bounced', to: '+first@example.net' });
  await makeMessageRow(db, tenantId, { state: 'delivered', to: 'no@example.net' });
  await makeMessageRow(db, tenantId, { state: 'bounced', to: 'second@example.net' });
  await makeMessageRow(db, other.tenantId, { state: 'bounced', to: 'foreign@example.net' });
  startLoop();
  const { id, rows } = await exported(key, { kind: 'messages', filter: { status: 'bounced', tag: 'kind' } });
  expect(rows.map((row) => [row[3], row[5], row[12]])).toEqual([
    ['to', 'status', 'tags'],
    ['second@example.net', 'bounced', 'kind=receipt'],
    ["'+first@example.net", 'bounced', 'kind=receipt'],
  ]);
  for (const path of [`/exports/${id}`, `/exports/${id}/file`])
    expect((await world.call('GET', path, { key: other.key })).status).toBe(404);
  const audit = await pool().query(`select action, data from audit_log where tenant_id = $1`, [tenantId]);
  expect(audit.rows).toContainEqual({ action: 'export.created', data: { kind: 'messages' } });
});

test('contacts, suppressions and events', async () => {
  const { key, tenantId } = await world.makeKey({ scopes: [...SCOPES] });
  const list = await world.call('POST', '/contacts/lists', { key, body: { name: '@News' } });
  const contact = {
    email: 'ann@example.net',
    first_name: '=1+1',
    tags: ['vip', 'bern'],
    attributes: { city: 'Bern' },
    lists: [list.json.data.id],
  };
  await world.call('POST', '/contacts', { key, body: contact });
  await world.call('POST', '/contacts', { key, body: { email: 'ben@example.net' } });
  await world.call('POST', '/suppressions', { key, body: { email: 'sup@example.net' } });
  const messageId = await makeMessageRow(world.context.db, tenantId, { state: 'delivered' });
  await addEvents(pool(), { tenantId, domainId: newUuid() }, [{ type: 'open', messageId }]);
  startLoop();
  const contacts = await exported(key, { kind: 'contacts', filter: { list_id: list.json.data.id } });
  expect(contacts.rows.map((row) => row.slice(0, 7))).toEqual([
    ['email', 'first_name', 'last_name', 'status', 'tags', 'lists', 'attributes'],
    ['ann@example.net', "'=1+1", '', 'subscribed', 'vip|bern', "'@News", '{"city":"Bern"}'],
  ]);
  const suppressions = await exported(key, { kind: 'suppressions', filter: { reason: 'manual' } });
  expect(suppressions.rows.map(([email, reason, , , stream]) => [email, reason, stream])).toEqual([
    ['email', 'reason', 'stream'],
    ['sup@example.net', 'manual', 'all'],
  ]);
  const events = await exported(key, { kind: 'events', filter: { types: ['open'] } });
  expect(events.rows.slice(1).map((row) => row.slice(2, 4))).toEqual([['open', 'ann@example.net']]);
});

test('every row once, with loops that are stopped and started side by side', async () => {
  const { key, tenantId } = await world.makeKey({ scopes: [...SCOPES] });
  await addContacts(tenantId, 12_345);
  startLoop();
  startLoop();
  const restarts = setInterval(() => {
    void loops.shift()?.stop();
    startLoop();
  }, 60);
  const { rows } = await exported(key, { kind: 'contacts' }).finally(() => clearInterval(restarts));
  expect(rows.length).toBe(12_346);
  expect(new Set(rows.map(([email]) => email)).size).toBe(12_346);
});

test('a key needs the scope of the list, to begin and to fetch', async () => {
  const { key, tenantId } = await world.makeKey({ scopes: ['contacts:read'] });
  const made = await world.call('POST', '/exports', { key, body: { kind: 'contacts' } });
  expect(made.status).toBe(201);
  const refused = await world.call('POST', '/exports', { key, body: { kind: 'messages' } });
  expect([refused.status, refused.json.error]).toEqual([403, 'invalid_scope']);
  expect(refused.json.message).toContain('transactional:read');
  const other = await world.makeKey({ tenantId, scopes: ['events:read'] });
  for (const path of ['', '/file']) {
    const answer = await world.call('GET', `/exports/${made.json.data.id}${path}`, { key: other.key });
    expect([answer.status, answer.json.error]).toEqual([403, 'invalid_scope']);
  }
  const early = await world.call('GET', `/exports/${made.json.data.id}/file`, { key });
  expect([early.status, early.json.error]).toEqual([409, 'conflict']);
});

test('filters that the list does not have are refused by name', async () => {
  const { key } = await world.makeKey({ scopes: [...SCOPES] });
  const ask = (filter: unknown) =>
    world.call('POST', '/exports', { key, body: { kind: 'messages', filter } });
  for (const [filter, path] of [
    [{ status: 'nope' }, 'filter.status'],
    [{ to: 'x' }, 'filter.to'],
    [{ list_id: 'lst_1' }, 'filter.list_id'],
    [{ since: 'yesterday' }, 'filter.since'],
    [{ campaign_id: 'cmp_1' }, 'filter.campaign_id'],
    [[], 'filter'],
  ]) {
    const answer = await ask(filter);
    expect([answer.status, answer.json.details?.[0]?.path], answer.text).toEqual([422, path]);
  }
});

test('so many at once, so many kept, and none past its time', async () => {
  const { key, tenantId } = await world.makeKey({ scopes: [...SCOPES] });
  const begin = () => world.call('POST', '/exports', { key, body: { kind: 'contacts' } });
  for (let i = 0; i < MAX_OPEN_EXPORTS; i++) expect((await begin()).status).toBe(201);
  const refused = await begin();
  expect([refused.status, refused.json.error]).toEqual([409, 'conflict']);
  startLoop();
  const count = async (more = '') => {
    const { rows } = await pool().query<{ n: number }>(
      `select count(*)::int as n from list_exports where tenant_id = $1 ${more}`,
      [tenantId],
    );
    return rows[0]!.n;
  };
  await waitUntil(async () => (await count('and finished_at is null')) === 0);
  for (let i = 0; i < 4; i++) await exported(key, { kind: 'contacts' });
  expect(await count()).toBe(MAX_KEPT_EXPORTS);
  await pool().query(
    `update list_exports set expires_at = now() - interval '1 second' where tenant_id = $1`,
    [tenantId],
  );
  await sweepExports(world.context.db);
  const left = await pool().query(`select from list_export_chunks where tenant_id = $1`, [tenantId]);
  expect([await count(), left.rowCount]).toEqual([0, 0]);
});

test('a count is exact up to its bound', async () => {
  const { tenantId } = await world.makeKey({ scopes: [...SCOPES] });
  const { db } = world.context;
  await makeMessageRow(db, tenantId, { state: 'bounced' });
  await makeMessageRow(db, tenantId, { state: 'delivered' });
  expect(await countMessages(db, tenantId, {})).toEqual({ count: 2, isExact: true });
  expect(await countMessages(db, tenantId, { status: 'bounced' })).toEqual({ count: 1, isExact: true });
  expect(await countMessages(db, tenantId, { to: 'ANN@' })).toEqual({ count: 2, isExact: true });
});
