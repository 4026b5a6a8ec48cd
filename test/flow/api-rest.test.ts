// The REST API: who may, how often, what is refused and how, over real HTTPS with real PostgreSQL and Redis.

import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createAdminToken } from '../../core/key/admin-tokens.ts';
import { revokeKey } from '../../core/key/keys.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { mintToken } from '../../core/key/token-value.ts';
import { createApiWorld, type Answer, type ApiWorld } from '../harness/api-world.ts';
import { failed, sent, SILENCE } from '../harness/stub-sender.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';
import { TESTER } from '../harness/actor.ts';

const MESSAGE = { from: 'Shop <shop@example.com>', to: 'ann@example.net', subject: 'Hello', text: 'Hello.' };

let world: ApiWorld;
let silence: Promise<Answer>;
beforeAll(async () => {
  // Every test asks from its own address, so that the limit for strangers is each test's own.
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  // Takes ten seconds; the other tests run meanwhile.
  const { key } = await world.makeKey();
  silence = world.call('POST', '/transactional/send', { key, body: { ...MESSAGE, to: SILENCE } });
});
afterAll(() => world.close());

let addresses = 0;
const stranger = () => ({ 'x-forwarded-for': `203.0.${Math.floor(++addresses / 250)}.${addresses % 250}` });

describe('every answer', () => {
  test('carries a request id, the rate limit headers and the static hygiene', async () => {
    const { key } = await world.makeKey();
    const answers = await Promise.all([
      world.call('GET', '/whoami', { key }),
      world.call('GET', '/whoami', { headers: stranger() }),
      world.call('GET', '/nothing', { headers: stranger() }),
      world.call('PUT', '/whoami', { headers: stranger() }),
      world.call('POST', '/transactional/send', { key, body: {} }),
      world.call('GET', '/openapi.json', { headers: stranger() }),
      world.call('GET', '//healthz', { headers: stranger() }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 405, 422, 200, 200]);
    for (const { headers } of answers) {
      expect(headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
      expect(Number(headers['x-ratelimit-limit'])).toBeGreaterThan(0);
      expect(Number(headers['x-ratelimit-remaining'])).toBeGreaterThanOrEqual(0);
      expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(1_700_000_000);
      expect(headers['strict-transport-security']).toContain('max-age=');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(answers.length);
  });

  test('to an unknown path is 404, to a known path with another method 405 with Allow', async () => {
    const unknown = await world.call('GET', '/nothing', { headers: stranger() });
    expect(unknown.json).toMatchObject({ ok: false, error: 'not_found' });
    const wrong = await world.call('PUT', `/transactional/${toId('msg', newUuid())}`, {
      headers: stranger(),
    });
    expect(wrong).toMatchObject({ status: 405, json: { error: 'method_not_allowed' } });
    expect(wrong.headers.allow).toBe('DELETE, GET, HEAD, PATCH');
  });
});

describe('keys', () => {
  test('whoami shows tenant, key and quota', async () => {
    const { key, keyId, tenantId } = await world.makeKey({ scopes: ['events:read', 'transactional:send'] });
    const { status, json } = await world.call('GET', '/whoami', { key });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      ok: true,
      data: {
        tenant: { id: toId('tnt', tenantId), name: 'Acme', plan: 'free' },
        key: {
          id: toId('key', keyId),
          name: 'test',
          scopes: ['events:read', 'transactional:send'],
          last_used_at: null,
        },
        quota: { used: 0, cap: 1000, remaining: 1000 },
      },
    });
    expect(json.data.tenant.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(json.data.quota.resets_at).toMatch(/-01T00:00:00\.000Z$/);
  });

  test('a bad key, no key and a key wrong by its checksum are 401, the last without a database read', async () => {
    const { key } = await world.makeKey();
    const typo = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    const statements = await countStatements(async () => {
      const answer = await world.call('GET', '/whoami', { key: typo, headers: stranger() });
      expect(answer).toMatchObject({ status: 401, json: { ok: false, error: 'unauthorized' } });
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    });
    expect(statements).toBe(0);
    for (const bad of [
      undefined,
      'sk_live_short',
      mintToken('sk_live_'),
      'eyJhbGciOiJub25lIn0.e30.',
      'x'.repeat(9000),
    ]) {
      expect((await world.call('GET', '/whoami', { key: bad, headers: stranger() })).status).toBe(401);
    }
  });

  test('a key without the scope is 403 and the message names the scope', async () => {
    const { key } = await world.makeKey({ scopes: ['templates:write'] });
    const answer = await world.call('POST', '/transactional/send', { key, body: MESSAGE });
    expect(answer).toMatchObject({ status: 403, json: { error: 'invalid_scope' } });
    expect(answer.json.message).toContain('transactional:send');
  });

  test('a super-admin token is not a tenant', async () => {
    const { value } = await createAdminToken(world.context, TESTER);
    const answer = await world.call('GET', '/whoami', { key: value });
    expect(answer).toMatchObject({ status: 403, json: { error: 'forbidden' } });
    expect(answer.headers['x-ratelimit-limit']).toBe('600');
    const { paths } = (await world.call('GET', '/openapi.json', { headers: stranger() })).json;
    expect(paths['/whoami'].get.responses['403'].description).toContain('`forbidden`');
    expect(paths['/mail/domains'].post.responses['409'].description).toContain('`conflict`');
  });

  test('a revoked key is 401 within a second on every process', async () => {
    const other = await world.startAnother();
    const { key, keyId } = await world.makeKey();
    const ask = (api: typeof other) => api.call('GET', '/whoami', { key, headers: stranger() });
    expect([(await ask(world)).status, (await ask(other)).status]).toEqual([200, 200]);
    await revokeKey(world.context, TESTER, { keyId });
    for (const api of [world, other])
      await waitUntil(async () => (await ask(api)).status === 401, WITHIN_A_SECOND);
  });

  test('last_used_at is written in batches and when the process stops', async () => {
    const other = await world.startAnother();
    const { key, keyId } = await world.makeKey();
    await other.call('GET', '/whoami', { key });
    await other.deps.authenticator.flush();
    const { json } = await world.call('GET', '/whoami', { key });
    expect(Date.now() - Date.parse(json.data.key.last_used_at)).toBeLessThan(60_000);
    expect(json.data.key.id).toBe(toId('key', keyId));
  });
});

describe('sending', () => {
  test('an accepted message is 202 with its decision and the quota after it', async () => {
    const { key } = await world.makeKey();
    const { status, json, headers } = await world.call('POST', '/transactional/send', { key, body: MESSAGE });
    expect(status).toBe(202);
    expect(json.data).toEqual({
      id: expect.stringMatching(/^msg_/),
      status: 'queued',
      reason: null,
      deferred_until: null,
      domain: 'example.com',
      warmup: { tier: 0, cap: 50, used: 1 },
    });
    expect(headers).toMatchObject({
      'x-quota-used': '7',
      'x-quota-cap': '1000',
      'x-quota-remaining': '993',
      'x-ratelimit-limit': '600',
    });
    expect(headers['x-quota-warning']).toBeUndefined();
  });

  test.each([
    ['quota_exceeded', 402],
    ['domain_paused', 409],
    ['domain_not_verified', 422],
    ['idempotency_conflict', 409],
    ['idempotency_in_progress', 409],
    ['unavailable', 503],
    ['validation_failed', 422],
  ])('a refusal of the sender, %s, is %d', async (code, status) => {
    const { key } = await world.makeKey();
    world.stub.answer = () => failed(code, { quota: { used: 1000n, cap: 1000n }, retryAfterSeconds: 0 });
    const answer = await world.call('POST', '/transactional/send', { key, body: MESSAGE });
    world.stub.answer = ({ messageId }) => sent(messageId);
    expect(answer).toMatchObject({ status, json: { ok: false, error: code } });
    expect(answer.headers).toMatchObject({
      'x-quota-used': '1000',
      'x-quota-remaining': '0',
      'x-quota-warning': '1',
    });
    if (status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('the idempotency key goes through, and a replay says so', async () => {
    const { key } = await world.makeKey();
    const ask = { key, body: MESSAGE, headers: { 'idempotency-key': 'order-1' } };
    await world.call('POST', '/transactional/send', ask);
    // Another order of fields is the same request.
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(MESSAGE).reverse()), null, 2);
    world.stub.answer = ({ messageId }) => sent(messageId, { replayed: true });
    const again = await world.call('POST', '/transactional/send', { ...ask, raw: reordered });
    world.stub.answer = ({ messageId }) => sent(messageId);
    const [first, second] = world.stub.requests.slice(-2).map(({ idempotency }) => idempotency);
    expect(first?.key).toBe('order-1');
    expect(first?.bodyHash).toEqual(second?.bodyHash);
    expect(again.headers['idempotent-replayed']).toBe('true');
    for (const bad of ['', ' ', 'ü', 'x'.repeat(256)]) {
      const headers = { 'idempotency-key': Buffer.from(bad).toString('latin1') };
      const refused = await world.call('POST', '/transactional/send', { key, body: MESSAGE, headers });
      expect(refused).toMatchObject({ status: 422, json: { details: [{ path: 'Idempotency-Key' }] } });
    }
  });

  test('a batch answers item by item, in order', async () => {
    const { key } = await world.makeKey();
    world.stub.answerBatch = ({ messages }) => ({
      items: messages.map(({ messageId }, i) => ({
        outcome: i === 1 ? failed('domain_paused') : sent(messageId),
      })),
      quota: { used: 900n, cap: 1000n },
      replayed: false,
      refused: undefined,
    });
    const messages = [MESSAGE, { ...MESSAGE, to: 'nobody' }, MESSAGE, MESSAGE];
    const { status, json, headers } = await world.call('POST', '/transactional/batch', {
      key,
      body: { messages },
    });
    expect(status).toBe(202);
    expect(json.data.items).toMatchObject([
      { status: 'queued' },
      { error: 'validation_failed', details: [{ path: 'to' }] },
      { error: 'domain_paused' },
      { status: 'queued' },
    ]);
    expect(headers).toMatchObject({
      'x-quota-used': '900',
      'x-quota-warning': '1',
      'x-ratelimit-remaining': '596',
    });
  });

  test('a batch at the quota is 402 as a whole, and its list is checked', async () => {
    const { key } = await world.makeKey();
    world.stub.answerBatch = () => ({
      items: [],
      quota: { used: 1000n, cap: 1000n },
      replayed: false,
      refused: failed('quota_exceeded').value,
    });
    const whole = await world.call('POST', '/transactional/batch', { key, body: { messages: [MESSAGE] } });
    expect(whole).toMatchObject({ status: 402, json: { error: 'quota_exceeded' } });
    expect(whole.headers['x-quota-remaining']).toBe('0');
    for (const messages of [[], Array.from({ length: 101 }, () => MESSAGE), 'x', undefined]) {
      const bad = await world.call('POST', '/transactional/batch', { key, body: { messages } });
      expect(bad).toMatchObject({ status: 422, json: { details: [{ path: 'messages' }] } });
    }
  });

  test('a sender that never answers is 503 and not a hanging request', async () => {
    const answer = await silence;
    expect(answer).toMatchObject({ status: 503, json: { error: 'unavailable' } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('documentation', () => {
  test('the OpenAPI document and the page are made of the route table', async () => {
    const { json } = await world.call('GET', '/openapi.json', { headers: stranger() });
    expect(json.openapi).toBe('3.1.0');
    expect(Object.keys(json.paths)).toContain('/transactional/{id}');
    const send = json.paths['/transactional/send'].post;
    expect(Object.keys(send.responses)).toEqual(
      expect.arrayContaining(['202', '402', '403', '409', '422', '429']),
    );
    const references = JSON.stringify(json).match(/#\/components\/(\w+)\/([\w-]+)/g) ?? [];
    for (const reference of references) {
      const [, , kind = '', name = ''] = reference.split('/');
      expect(json.components[kind][name], reference).toBeDefined();
    }
    const page = await world.call('GET', '/docs', { headers: stranger() });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).toContain('curl -X POST');
  });
});

async function countStatements(work: () => Promise<void>): Promise<number> {
  const { pool } = world.context.db;
  const query = pool.query.bind(pool);
  let count = 0;
  pool.query = ((...args: Parameters<typeof query>) => {
    count++;
    return query(...args);
  }) as typeof pool.query;
  try {
    await work();
  } finally {
    pool.query = query;
  }
  return count;
}

describe('what can be read in two ways', () => {
  test('a query parameter twice is refused, by name', async () => {
    const { key } = await world.makeKey({ scopes: [...SCOPES] });
    const twice = await world.call('GET', '/transactional?limit=1&limit=50', { key });
    expect(twice).toMatchObject({
      status: 422,
      json: { details: [{ path: 'limit', message: 'must be given once' }] },
    });
  });

  test('two Host fields are refused before anything is looked at', async () => {
    const socket = connect({ port: world.port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.write('GET /api/v1/whoami HTTP/1.1\r\nHost: api.test\r\nHost: evil.test\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*\r\n\r\n[^]*two Host fields/s);
  });

  test('times have years of 1 to 9999', async () => {
    const { key } = await world.makeKey({ scopes: [...SCOPES] });
    for (const time of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00']) {
      const since = await world.call('GET', `/transactional?since=${encodeURIComponent(time)}`, { key });
      const sent = await world.call('POST', '/transactional/send', {
        key,
        body: { ...MESSAGE, scheduled_at: time },
      });
      for (const answer of [since, sent]) expect(answer, time).toMatchObject({ status: 422 });
      const day = await world.graphql(
        'query ($at: DateTime) { messages(first: 1, since: $at) { edges { node { id } } } }',
        { at: time },
        { headers: stranger() },
      );
      expect(day.json.errors[0].message, time).toContain('1 to 9999');
    }
  });

  test('control characters around an address are refused, spaces are not', async () => {
    const { key } = await world.makeKey({ scopes: [...SCOPES] });
    for (const [path, name] of [
      ['/suppressions', 'email'],
      ['/contacts', 'email'],
      ['/mail/mailboxes', 'address'],
    ] as const)
      for (const around of ['\n', '\t', '\r\n', '\u0085'])
        for (const value of [`${around}ann@example.net`, `ann@example.net${around}`]) {
          const answer = await world.call('POST', path, { key, body: { [name]: value } });
          expect(answer, JSON.stringify([path, value])).toMatchObject({
            status: 422,
            json: { details: [{ path: name }] },
          });
        }
    expect(
      (await world.call('POST', '/suppressions', { key, body: { email: ' ann@example.net ' } })).status,
    ).toBe(201);
  });

  test('TLS 1.2 with CBC or without forward secrecy is not spoken', async () => {
    const agree = (ciphers: string) =>
      new Promise<string>((resolve) => {
        const options = {
          port: world.port,
          host: '127.0.0.1',
          rejectUnauthorized: false,
          maxVersion: 'TLSv1.2' as const,
        };
        const socket = connect({ ...options, ciphers }, () => {
          resolve(socket.getCipher().name);
          socket.destroy();
        });
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      });
    expect(await agree('ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256')).toMatch(/AES128-GCM/);
    for (const weak of ['ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA256', 'AES128-GCM-SHA256'])
      expect(await agree(weak), weak).toBe('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE');
  });
});
