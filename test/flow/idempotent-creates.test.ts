// A create whose process dies between its commit and the keeping of its answer: the retry with the same key gives the
// first answer, and there is one thing. A trigger that refuses to keep answers stands for the crash: what is left in the
// record is the same, and every route is tried over HTTP as it is.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { createAdminToken } from '../../core/key/admin-tokens.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { toId } from '../../core/base/ids.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { TESTER } from '../harness/actor.ts';

let world: ApiWorld;
let key: string;
let tenantId: string;

beforeAll(async () => {
  world = await createApiWorld();
  ({ key, tenantId } = await world.makeKey({ scopes: [...SCOPES] }));
  await post('/mail/domains', { name: 'held.example.com' });
  await query(`update domains set status = 'verified', verified_at = now() where tenant_id = $1`, [tenantId]);
  const { id } = (await post('/mail/domains', { name: 'before.example.com' })).json.data;
  await world.call('DELETE', `/mail/domains/${id}`, { key });
});
afterAll(() => world?.close());
// A key has 60 writes a minute.
beforeEach(async () => {
  ({ key } = await world.makeKey({ tenantId, scopes: [...SCOPES] }));
});

const query = (text: string, values: unknown[] = []) => world.context.db.pool.query(text, values);
// Keys of a tenant are where the tenant is, those of an admin are in the first bucket.
const inAllBuckets = async (text: string) => {
  const { buckets } = world.context;
  for (const bucket of await buckets.list()) await buckets.database(bucket).pool.query(text);
};
const post = (path: string, body: unknown, headers: Record<string, string> = {}, as = key) =>
  world.call('POST', path, { key: as, body, headers });

/** The request, cut off after its commit, and its retry a minute later. */
async function postTwice(path: string, body: unknown, as = key) {
  const headers = { 'idempotency-key': `${path} ${Math.random()}`.replace(' ', '-') };
  await inAllBuckets('alter table idempotency_keys add constraint crash check (status = 0) not valid');
  const first = await post(path, body, headers, as);
  await inAllBuckets('alter table idempotency_keys drop constraint crash');
  expect(first.status, first.text).toBe(500);
  expect((await post(path, body, headers, as)).json.error).toBe('idempotency_in_progress');
  await inAllBuckets(
    `update idempotency_keys set created_at = now() - interval '61 seconds' where status = 0`,
  );
  const retry = await post(path, body, headers, as);
  const replay = await post(path, body, headers, as);
  expect(replay).toMatchObject({ status: retry.status, headers: { 'idempotent-replayed': 'true' } });
  expect(replay.json).toEqual(retry.json);
  const kept = await query(`select from idempotency_keys where answer::text like '%whsec%'`);
  expect(kept.rowCount).toBe(0); // a secret is in no column as it is
  return retry;
}

const campaign = { name: 'C', from: 'a@held.example.com', subject: 's', text: 't', audience: { all: true } };

test.each([
  ['/templates', 'templates', { name: 'T', subject: 's', text: 't' }],
  ['/mail/domains', 'domains', { name: 'new.example.com' }],
  ['/mail/domains', 'domains', { name: 'before.example.com' }],
  ['/mail/mailboxes', 'mailboxes', { address: 'ann@held.example.com' }],
  ['/webhooks', 'webhook_endpoints', { url: 'http://127.0.0.1:9/', event_types: ['*'] }],
  ['/contacts', 'contacts', { email: 'ann@example.net' }],
  ['/contacts/lists', 'contact_lists', { name: 'L' }],
  ['/contacts/import', 'contact_imports', { contacts: [{ email: 'ben@example.net' }] }],
  ['/campaigns', 'campaigns', campaign],
  ['/suppressions', 'suppressions', { email: 'cem@example.net' }],
])('POST %s into %s: %j', async (path, table, body) => {
  const count = async () =>
    (await query(`select from ${table} where tenant_id = $1`, [tenantId])).rowCount ?? 0;
  const before = await count();
  const retry = await postTwice(path, body);
  expect(retry.status, retry.text).toBe(path === '/contacts/import' ? 202 : 201);
  expect(await count()).toBe(before + 1);
});

test('launch, pause, resume and cancel of a campaign, and a rotation of keys', async () => {
  await post('/contacts', { email: 'reader@example.net' });
  const { id } = (await post('/campaigns', campaign)).json.data;
  for (const [action, status] of [
    ['launch', 'sending'],
    ['pause', 'paused'],
    ['resume', 'sending'],
    ['cancel', 'cancelled'],
  ]) {
    const retry = await postTwice(`/campaigns/${id}/${action}`, {});
    expect(retry.status, retry.text).toBe(action === 'launch' ? 202 : 200);
    expect(retry.json.data.status).toBe(status);
    expect((await post(`/campaigns/${id}/launch`, {})).status).toBe(409);
  }
  const domain = (await post('/mail/domains', { name: 'rotate.example.com' })).json.data.id;
  expect((await postTwice(`/mail/domains/${domain}/dkim-rotation`, {})).status).toBe(201);
  expect((await post(`/mail/domains/${domain}/dkim-rotation`, {})).status).toBe(409);
});

test('a tenant, its suspension and its reactivation', async () => {
  const admin = (await createAdminToken(world.context, TESTER)).value;
  const made = await postTwice('/admin/tenants', { name: 'Cut off', plan: 'free' }, admin);
  expect([made.status, made.json.data.name]).toEqual([201, 'Cut off']);
  expect((await query("select from tenants where name = 'Cut off'")).rowCount).toBe(1);
  const path = `/admin/tenants/${made.json.data.id}`;
  for (const [verb, status] of [
    ['suspend', 'suspended'],
    ['reactivate', 'active'],
  ]) {
    const retry = await postTwice(`${path}/${verb}`, {}, admin);
    expect([verb, retry.status, retry.json.data?.status], retry.text).toEqual([verb, 200, status]);
    expect((await post(`${path}/${verb}`, {}, {}, admin)).status).toBe(409);
  }
});

test('the plan of a warm-up', async () => {
  const admin = await createAdminToken(world.context, TESTER);
  const path = `/admin/tenants/${toId('tnt', tenantId)}/warmup-schedule/generate`;
  const plan = { start_date: '2026-12-01', total_target_recipients: 100 };
  expect((await postTwice(path, plan, admin.value)).status).toBe(201);
});

test.each([
  ['/templates', { name: 'T', subject: 's', text: 't' }],
  ['/mail/domains', { name: 'new.example.com' }],
  ['/mail/mailboxes', { address: 'ann@held.example.com' }],
  ['/contacts', { email: 'ann@example.net' }],
])('POST %s again under another key is still a conflict', async (path, body) => {
  const answer = await post(path, body, { 'idempotency-key': 'another' + path });
  expect(answer).toMatchObject({ status: 409, json: { error: 'conflict' } });
});
