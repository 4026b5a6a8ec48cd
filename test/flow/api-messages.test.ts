// Reading and cancelling messages over REST, with rows as the sender writes them.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';

let world: ApiWorld;
let key: string;
let tenantId: string;
beforeAll(async () => {
  world = await createApiWorld();
  ({ key, tenantId } = await world.makeKey());
});
afterAll(() => world.close());

const get = (id: string, more = key) => world.call('GET', `/transactional/${id}`, { key: more });
const cancel = (id: string) => world.call('DELETE', `/transactional/${id}`, { key });

test('a message shows its attempts and its events in order', async () => {
  const { db } = world.context;
  const certificate = { subject: 'CN=mx.example.net', issuer: 'CN=Test CA', fingerprint: 'AB:CD' };
  const id = await makeMessageRow(db, tenantId, { state: 'delivered' });
  await db.pool.query(
    `insert into message_attempts (message_id, attempt, tenant_id, at, duration_ms, esp, mx, tls, smtp_code, enhanced_code, reply, outcome,
       tls_verified, tls_policy, certificate, source, source_name)
     values ($1, 2, $2, now(), 5, 'direct', 'mx.example.net', 'TLSv1.3 TLS_AES_256_GCM_SHA384', 250, '2.0.0', 'OK', 'delivered',
              true, 'mta_sts', $3, '192.0.2.25', 'mail1.example.com'),
            ($1, 1, $2, now() - interval '1 minute', 5, 'direct', null, null, null, null, 'connection refused', 'deferred',
              null, null, null, null, null)`,
    [id, tenantId, JSON.stringify({ ...certificate, expiresAt: '2027-01-01T00:00:00.000Z' })],
  );
  for (const [type, ago] of [
    ['delivered', '0 s'],
    ['deferred', '1 min'],
  ]) {
    await db.pool.query(
      `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
       values ($1, $2, $3, $4, $5, 'ann@example.net', now() - $6::interval, '{"a":1}')`,
      [newUuid(), tenantId, type, id, newUuid(), ago],
    );
  }
  const { status, json, headers } = await get(toId('msg', id));
  expect(status).toBe(200);
  expect(headers['x-quota-cap']).toBe('1000');
  expect(json.data).toMatchObject({
    id: toId('msg', id),
    from: 'Shop <shop@example.com>',
    to: 'ann@example.net',
    subject: 'Hello',
    status: 'delivered',
    reason: null,
    defer_reason: null,
    deferred_until: null,
    domain: 'example.com',
    campaign_id: null,
    template_id: null,
    tags: [{ name: 'kind', value: 'receipt' }],
    attempts: [
      {
        mx: null,
        source: null,
        tls: null,
        tls_verified: null,
        certificate: null,
        smtp_code: null,
        reply: 'connection refused',
      },
      {
        mx: 'mx.example.net',
        source: { address: '192.0.2.25', hostname: 'mail1.example.com' },
        tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
        tls_verified: true,
        tls_policy: 'mta_sts',
        certificate: { ...certificate, expires_at: '2027-01-01T00:00:00.000Z' },
        smtp_code: 250,
        enhanced_code: '2.0.0',
        reply: 'OK',
      },
    ],
    events: [{ type: 'accepted' }, { type: 'deferred', data: { a: 1 } }, { type: 'delivered' }],
  });
});

test('another tenant’s message, a malformed id and one that never was are 404', async () => {
  const id = toId('msg', await makeMessageRow(world.context.db, tenantId, { state: 'queued' }));
  const stranger = await world.makeKey();
  for (const [asked, by] of [
    [id, stranger.key],
    [toId('msg', newUuid()), key],
    [id.replace('msg_', 'tpl_'), key],
    ['msg_8zzzzzzzzzzzzzzzzzzzzzzzzz', key],
    ['%00', key],
    ['%ff', key],
    ['x', key],
  ] as const) {
    const answer = await get(asked, by);
    expect(answer, asked).toMatchObject({ status: 404, json: { ok: false, error: 'not_found' } });
  }
});

test('a deferred message can be cancelled once, with its event, and then stays cancelled', async () => {
  const { db } = world.context;
  const uuid = await makeMessageRow(db, tenantId, {
    state: 'deferred',
    deferReason: 'scheduled',
    reason: 'scheduled',
  });
  const id = toId('msg', uuid);
  const before = await get(id);
  expect(before.json.data).toMatchObject({
    status: 'deferred',
    reason: 'scheduled',
    defer_reason: 'scheduled',
  });
  expect(before.json.data.deferred_until).toMatch(/Z$/);

  const answers = await Promise.all([cancel(id), cancel(id), cancel(id)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  expect(answers.find(({ status }) => status === 200)?.json.data).toEqual({ id, deleted: true });
  expect(answers.find(({ status }) => status === 409)?.json.error).toBe('conflict');

  const after = await get(id);
  expect(after.json.data).toMatchObject({
    status: 'cancelled',
    defer_reason: null,
    deferred_until: null,
    events: [{ type: 'accepted' }, { type: 'cancelled' }],
  });
});

test('a message that is queued, delivered or in a sender’s hands cannot be cancelled', async () => {
  const { db } = world.context;
  for (const row of [
    { state: 'queued' },
    { state: 'delivered' },
    { state: 'dropped', reason: 'suppressed' },
    { state: 'deferred', claimedBy: newUuid() },
  ]) {
    const id = toId('msg', await makeMessageRow(db, tenantId, row));
    expect(await cancel(id), row.state).toMatchObject({ status: 409, json: { error: 'conflict' } });
  }
  const stranger = toId('msg', await makeMessageRow(db, newUuid(), { state: 'deferred' }));
  expect((await cancel(stranger)).status).toBe(404);
});

test('reading with a cancelled key does not go on for a second', async () => {
  const made = await world.makeKey({ tenantId });
  const id = toId('msg', await makeMessageRow(world.context.db, tenantId, { state: 'queued' }));
  expect((await get(id, made.key)).status).toBe(200);
  await world.context.db.pool.query('update api_keys set revoked_at = now() where id = $1', [made.keyId]);
  await waitUntil(async () => (await get(id, made.key)).status === 401, WITHIN_A_SECOND);
});
