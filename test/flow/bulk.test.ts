// Bulk changes over GraphQL, made by a scheduler's loop: what they change, what they leave as it is and why, and whom they refuse.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { fromId, newUuid, toId } from '../../core/base/ids.ts';
import type { Loop } from '../../core/base/loop.ts';
import { MAX_OPEN_BULK_CHANGES } from '../../core/bulk/bulk-change.ts';
import { sweepBulkChanges } from '../../core/bulk/bulk-changes.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { startBulkLoop } from '../../scheduler/slice-loops.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { login, makePerson } from '../harness/sign-in.ts';
import { waitUntil } from '../harness/wait.ts';

const BEGIN = `mutation($input: CreateBulkChangeInput!) {
  createBulkChange(input: $input) { bulkChange { id status } } }`;
const READ = `query($id: ID!) { bulkChange(id: $id) { status done refused { reason count } } }`;

let world: ApiWorld;
const loops: Loop[] = [];
beforeAll(async () => {
  world = await createApiWorld({ WORKER_LEASE_MS: '1000', TRUSTED_PROXIES: '127.0.0.1' });
});
afterEach(() => Promise.all(loops.splice(0).map((loop) => loop.stop())));
afterAll(() => world.close());

const pool = () => world.context.db.pool;

function startLoop(): void {
  const { config, db, log } = world.context;
  loops.push(startBulkLoop({ config, db, log }));
}

async function makeAccount(role: 'owner' | 'member' | 'viewer' = 'member') {
  const { key, tenantId } = await world.makeKey({ scopes: [...SCOPES] });
  const { token } = await login(world, await makePerson(world, role, { tenantId }));
  const begin = (input: object) => world.graphql(BEGIN, { input }, { key: token });
  /** Begins one and waits until it has ended; how it ended. */
  const change = async (input: object) => {
    const begun = await begin(input);
    expect(begun.json.errors, begun.text).toBeUndefined();
    const { id } = begun.json.data.createBulkChange.bulkChange;
    await waitUntil(async () => {
      const sql = 'select from bulk_changes where id = $1 and finished_at is not null';
      return (await pool().query(sql, [fromId('blk', id)])).rowCount === 1;
    });
    const { json } = await world.graphql(READ, { id }, { key: token });
    return { id, ...json.data.bulkChange };
  };
  const rest = async (method: string, path: string, body?: object) =>
    (await world.call(method, path, { key, ...(body && { body }) })).json.data;
  return { key, tenantId, token, begin, change, rest };
}

async function addContacts(tenantId: string, count: number, tag = 'old'): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newUuid());
  await pool().query(
    `insert into contacts (id, tenant_id, email, email_key, tags)
     select id, $1, id || '@example.net', id || '@example.net', array[$3]
     from unnest($2::uuid[]) as id`,
    [tenantId, ids, tag],
  );
  return ids;
}

const countOf = async (table: string, tenantId: string) =>
  (await pool().query(`select count(*)::int as n from ${table} where tenant_id = $1`, [tenantId])).rows[0].n;

test('all contacts that match are put on a list, taken off it and deleted; others and another tenant’s stay', async () => {
  const one = await makeAccount();
  const other = await makeAccount();
  const old = await addContacts(one.tenantId, 1_203);
  await addContacts(one.tenantId, 7, 'new');
  await addContacts(other.tenantId, 3);
  const { id: listId } = await one.rest('POST', '/contacts/lists', { name: 'News' });
  startLoop();
  const first = await one.change({
    action: 'add_contacts_to_list',
    listId,
    ids: [toId('con', old[0]!), toId('con', newUuid())],
  });
  expect(first).toMatchObject({ status: 'completed', done: 1, refused: [{ reason: 'gone', count: 1 }] });
  const all = await one.change({ action: 'add_contacts_to_list', listId, filter: { tag: 'old' } });
  expect(all).toMatchObject({ done: 1_202, refused: [{ reason: 'already_on_list', count: 1 }] });
  expect((await one.rest('GET', `/contacts/lists/${listId}`)).contacts_count).toBe(1_203);
  const off = await one.change({ action: 'remove_contacts_from_list', listId, filter: {} });
  expect(off).toMatchObject({ done: 1_203, refused: [{ reason: 'not_on_list', count: 7 }] });
  await one.change({ action: 'add_contacts_to_list', listId, filter: {} });
  const gone = await one.change({ action: 'delete_contacts', filter: { tag: 'old' } });
  expect(gone).toMatchObject({ status: 'completed', done: 1_203, refused: [] });
  expect(await countOf('contacts', one.tenantId)).toBe(7);
  expect(await countOf('contact_list_members', one.tenantId)).toBe(7);
  expect(await countOf('contacts', other.tenantId)).toBe(3);
  const audit = await pool().query(
    `select action, actor, data from audit_log where tenant_id = $1 and subject = $2 order by at, action desc`,
    [one.tenantId, gone.id],
  );
  expect(audit.rows).toEqual([
    { action: 'bulk.started', actor: expect.stringMatching(/^usr_/), data: { what: 'deletion of contacts' } },
    {
      action: 'bulk.completed',
      actor: audit.rows[0].actor,
      data: { what: 'deletion of contacts', done: 1_203, refused: 0 },
    },
  ]);
});

test('what was made after the change was asked for stays', async () => {
  const { tenantId, begin } = await makeAccount();
  await addContacts(tenantId, 2);
  const begun = await begin({ action: 'delete_contacts', filter: {} });
  await pool().query(
    `insert into contacts (id, tenant_id, email, email_key, created_at)
     values ('00000000-0000-7000-8000-000000000001', $1, 'late@example.net', 'late@example.net', now() + interval '1 s')`,
    [tenantId],
  );
  startLoop();
  const id = fromId('blk', begun.json.data.createBulkChange.bulkChange.id);
  await waitUntil(async () => {
    const { rows } = await pool().query('select status from bulk_changes where id = $1', [id]);
    return rows[0].status === 'completed';
  });
  const left = await pool().query('select email from contacts where tenant_id = $1', [tenantId]);
  expect(left.rows).toEqual([{ email: 'late@example.net' }]);
});

test('suppressions are lifted, but for who complained or unsubscribed', async () => {
  const { tenantId, change, rest } = await makeAccount();
  for (const reason of ['manual', 'bounce', 'complaint', 'unsubscribe'])
    await rest('POST', '/suppressions', {
      emails: [`${reason}1@example.net`, `${reason}2@example.net`],
      reason,
    });
  await rest('POST', '/suppressions', { emails: ['bounce2@example.net'], reason: 'unsubscribe' });
  startLoop();
  const few = await change({
    action: 'lift_suppressions',
    emails: ['Manual1@example.net', 'complaint1@example.net', 'nobody@example.net'],
  });
  expect(few).toMatchObject({
    done: 1,
    refused: [
      { reason: 'gone', count: 1 },
      { reason: 'complaint', count: 1 },
    ],
  });
  const all = await change({ action: 'lift_suppressions', filter: {} });
  expect(all).toMatchObject({
    done: 3,
    refused: [
      { reason: 'complaint', count: 2 },
      { reason: 'unsubscribe', count: 2 },
    ],
  });
  const left = await pool().query<{ reason: string }>(
    'select reason from suppressions where tenant_id = $1 order by reason',
    [tenantId],
  );
  expect(left.rows.map(({ reason }) => reason)).toEqual([
    'complaint',
    'complaint',
    'unsubscribe',
    'unsubscribe',
    'unsubscribe', // behind the bounce that was lifted
  ]);
});

test('waiting messages are cancelled, each with its event; others are left', async () => {
  const { tenantId, change } = await makeAccount();
  const { db } = world.context;
  const waiting = await makeMessageRow(db, tenantId, { state: 'deferred' });
  const claimed = await makeMessageRow(db, tenantId, { state: 'deferred', claimedBy: newUuid() });
  const done = await makeMessageRow(db, tenantId, { state: 'delivered' });
  const more = await makeMessageRow(db, tenantId, { state: 'deferred', to: 'bob@example.net' });
  startLoop();
  const ids = [waiting, claimed, done, newUuid()].map((id) => toId('msg', id));
  expect(await change({ action: 'cancel_messages', ids })).toMatchObject({
    done: 1,
    refused: [
      { reason: 'gone', count: 1 },
      { reason: 'being_sent', count: 1 },
      { reason: 'not_waiting', count: 1 },
    ],
  });
  const rest = await change({ action: 'cancel_messages', filter: { status: 'deferred', to: 'bob@' } });
  expect(rest).toMatchObject({ done: 1, refused: [] });
  const states = await pool().query('select id, state from messages where tenant_id = $1', [tenantId]);
  expect(Object.fromEntries(states.rows.map(({ id, state }) => [id, state]))).toEqual({
    [waiting]: 'cancelled',
    [claimed]: 'deferred',
    [done]: 'delivered',
    [more]: 'cancelled',
  });
  const events = await pool().query(`select type from events where tenant_id = $1`, [tenantId]);
  expect(events.rows).toEqual([{ type: 'cancelled' }, { type: 'cancelled' }]);
});

test('a list that is deleted meanwhile ends it as failed, with what was done', async () => {
  const { tenantId, begin, rest, token } = await makeAccount();
  await addContacts(tenantId, 2);
  const { id: listId } = await rest('POST', '/contacts/lists', { name: 'News' });
  const begun = await begin({ action: 'add_contacts_to_list', listId, filter: {} });
  await rest('DELETE', `/contacts/lists/${listId}`);
  startLoop();
  const { id } = begun.json.data.createBulkChange.bulkChange;
  await waitUntil(async () => {
    const { json } = await world.graphql(READ, { id }, { key: token });
    return json.data.bulkChange.status === 'failed';
  });
  expect(await countOf('contact_list_members', tenantId)).toBe(0);
});

test('what is refused, and by what name', async () => {
  const { begin, rest, tenantId } = await makeAccount();
  const { id: listId } = await rest('POST', '/contacts/lists', { name: 'News' });
  const con = toId('con', newUuid());
  for (const [input, field] of [
    [{ action: 'delete_contacts' }, 'ids'],
    [{ action: 'delete_contacts', ids: [] }, 'ids'],
    [{ action: 'delete_contacts', ids: [con], filter: {} }, 'ids'],
    [{ action: 'delete_contacts', ids: [toId('msg', newUuid())] }, 'ids[0]'],
    [{ action: 'delete_contacts', ids: Array(1_001).fill(con) }, 'ids'],
    [{ action: 'delete_contacts', filter: { nope: 1 } }, 'filter'],
    [{ action: 'delete_contacts', filter: { status: 'x' } }, 'filter.status'],
    [{ action: 'delete_contacts', filter: {}, listId }, 'listId'],
    [{ action: 'add_contacts_to_list', filter: {} }, 'listId'],
    [{ action: 'cancel_messages', filter: {} }, 'filter.status'],
    [{ action: 'cancel_messages', filter: { status: 'bounced' } }, 'filter.status'],
    [{ action: 'lift_suppressions', ids: [con] }, 'ids'],
  ] as const) {
    const { json, text } = await begin(input);
    expect(json.errors?.[0].extensions.code, text).toBe('validation_failed');
    expect(text).toContain(field);
  }
  const unknown = await begin({ action: 'add_contacts_to_list', listId: toId('lst', newUuid()), filter: {} });
  expect(unknown.json.errors[0].extensions.code).toBe('not_found');
  for (let i = 0; i < MAX_OPEN_BULK_CHANGES; i++)
    expect((await begin({ action: 'delete_contacts', filter: {} })).json.errors).toBeUndefined();
  const tooMany = await begin({ action: 'delete_contacts', filter: {} });
  expect(tooMany.json.errors[0]).toMatchObject({ extensions: { code: 'conflict' } });
  expect(tooMany.json.errors[0].message).toContain('Wait until one of them has ended');
  const viewer = await makeAccount('viewer');
  const refused = await viewer.begin({ action: 'delete_contacts', filter: {} });
  expect(refused.json.errors[0].extensions.code).toBe('forbidden');
  await pool().query(`update bulk_changes set finished_at = now() - interval '8 days' where tenant_id = $1`, [
    tenantId,
  ]);
  await sweepBulkChanges(world.context.db);
  expect(await countOf('bulk_changes', tenantId)).toBe(0);
});

test('counts of contacts and suppressions by their filters', async () => {
  const { tenantId, token, rest } = await makeAccount();
  await addContacts(tenantId, 3);
  await addContacts(tenantId, 2, 'new');
  await rest('POST', '/suppressions', { emails: ['a@example.net', 'b@example.net'], reason: 'bounce' });
  const { json } = await world.graphql(
    `{ all: contactCount { count isExact } old: contactCount(tag: "old") { count }
       bounced: suppressionCount(reason: bounce) { count } manual: suppressionCount(reason: manual) { count } }`,
    {},
    { key: token },
  );
  expect(json.data).toEqual({
    all: { count: 5, isExact: true },
    old: { count: 3 },
    bounced: { count: 2 },
    manual: { count: 0 },
  });
});
