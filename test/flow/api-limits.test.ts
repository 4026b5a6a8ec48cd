// Rate limits over several processes, redirects, proxies, and a database that is unavailable.

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { createLogger } from '../../core/base/log.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { createRateLimiter } from '../../api/rate-limit.ts';
import { openDatabase } from '../../core/db/pool.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';

const MESSAGE = { from: 'shop@example.com', to: 'ann@example.net', subject: 'Hello', text: 'Hello.' };

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.0/8' });
});
afterAll(() => world.close());

describe('rate limits', () => {
  test('60 reads a minute per key, exactly, over two processes asked at once', async () => {
    const other = await world.startAnother();
    const { key } = await world.makeKey();
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => (i % 2 ? world : other).call('GET', '/whoami', { key })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(40);
    const passed = (performance.now() - startedAt) / 1_000;
    const [{ headers, json } = answers[0]!] = refused;
    expect(json).toMatchObject({ ok: false, error: 'rate_limited' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(59 - passed);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(61);
    expect(headers['x-ratelimit-remaining']).toBe('0');
    expect(Math.abs(Number(headers['x-ratelimit-reset']) * 1000 - Date.now() - 60_000)).toBeLessThan(30_000);
    // Another class of the same key, and another key, are not touched.
    expect((await world.call('POST', '/transactional/send', { key, body: MESSAGE })).status).toBe(202);
    expect((await world.call('GET', '/whoami', { key: (await world.makeKey()).key })).status).toBe(200);
  });

  test('a message counts its recipients, all or nothing, and a batch all of its messages’', async () => {
    const { key } = await world.makeKey();
    const to = Array.from({ length: 50 }, (_, n) => `r${n}@example.net`);
    const send = (more: object) =>
      world.call('POST', '/transactional/send', { key, body: { ...MESSAGE, ...more } });
    const batch = (messages: object[]) =>
      world.call('POST', '/transactional/batch', { key, body: { messages } });
    expect((await send({ to, cc: ['R1@example.net'] })).status).toBe(422); // 51 addresses; counts once
    const body = { ...MESSAGE, to };
    expect((await batch(Array.from({ length: 11 }, () => body))).headers['x-ratelimit-remaining']).toBe('49');
    expect((await send({ to })).status).toBe(429);
    const most = await send({ to: to.slice(0, 48), bcc: ['R1@example.net', 'Ann <ann@example.net>'] });
    expect(most.headers['x-ratelimit-remaining']).toBe('0');
    const { key: fresh } = await world.makeKey();
    const refused = await world.call('POST', '/transactional/batch', {
      key: fresh,
      body: { messages: [...Array.from({ length: 12 }, () => body), MESSAGE] },
    });
    expect(refused).toMatchObject({ status: 422, json: { details: [{ path: 'messages' }] } });
    expect(refused.json.message).toContain('601 recipients');
  });

  test('a batch of N counts N, all or nothing, and what is refused does not count', async () => {
    const { key } = await world.makeKey();
    const batch = (n: number) =>
      world.call('POST', '/transactional/batch', {
        key,
        body: { messages: Array.from({ length: n }, () => MESSAGE) },
      });
    for (let i = 0; i < 5; i++) expect((await batch(100)).status).toBe(202);
    expect((await batch(60)).headers['x-ratelimit-remaining']).toBe('40');
    expect((await batch(41)).status).toBe(429);
    const last = await batch(40);
    expect([last.status, last.headers['x-ratelimit-remaining']]).toEqual([202, '0']);
    expect((await world.call('POST', '/transactional/send', { key, body: MESSAGE })).status).toBe(429);
  });

  test('strangers are limited by address', async () => {
    const from = (address: string) =>
      world.call('GET', '/whoami', { headers: { 'x-forwarded-for': `10.0.0.1, ${address}` } });
    const answers = await Promise.all(Array.from({ length: 70 }, () => from('198.51.100.7')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(60);
    expect((await from('198.51.100.8')).status).toBe(401);
  });

  test('with Redis unavailable each process counts for itself, and nothing fails', async () => {
    const away = await openRedis(
      { REDIS_URL: ['redis://127.0.0.1:1'] },
      createLogger({ LOG_LEVEL: 'silent' }, 'test'),
    );
    const limiter = createRateLimiter(away, 'p', world.context.log);
    const states = await Promise.all(Array.from({ length: 70 }, () => limiter.hit('key:a', 'read', 1)));
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(60);
    await away.close();
  });

  test('redis losing its data does not let one process pass a limit', async () => {
    const redis = await openRedis({ REDIS_URL: inject('redisUrl').split(',') }, world.context.log);
    let prefix = 'before';
    // Another key prefix is, for the limiter, a Redis that forgot everything.
    const forgetful: RedisConnection = {
      ...redis,
      run: (script, keys, args) => redis.run(script, [`${prefix}:${keys[0]}`], args),
    };
    const limiter = createRateLimiter(forgetful, newUuid().replaceAll('-', ''), world.context.log);
    expect((await limiter.hit('key:a', 'send', 550)).allowed).toBe(true);
    prefix = 'after';
    expect((await limiter.hit('key:a', 'send', 51)).allowed).toBe(false);
    expect(await limiter.hit('key:a', 'send', 50)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter.peek('key:a', 'send')).toMatchObject({ allowed: false, remaining: 0 });
    await redis.close();
  });
});

describe('https', () => {
  test.each(['GET', 'POST', 'DELETE', 'OPTIONS'])('plain %s gets a 301 to the same place', async (method) => {
    const answer = await plain(method, '/api/v1/transactional/send?a=b%20c', 'localhost:8080');
    expect(answer.status).toBe(301);
    expect(answer.headers['location']).toBe(
      `https://localhost:${world.port}/api/v1/transactional/send?a=b%20c`,
    );
    expect(answer.headers['x-request-id']).toMatch(/^req_/);
    expect(answer.headers['x-ratelimit-limit']).toBe('60');
  });

  test('a host that is none, and the public host, give the public location', async () => {
    expect((await plain('GET', '/x', 'api.test:8080')).headers['location']).toBe('https://api.test/x');
    expect((await plain('GET', '/x', 'evil.test/@')).headers['location']).toBe('https://api.test/x');
    const served = await world.call('GET', '/\\x', {
      headers: { host: 'evil.test/@', 'x-forwarded-for': '192.0.2.9' },
    });
    expect(served).toMatchObject({ status: 404, json: { error: 'not_found' } });
  });

  test('what a trusted proxy received over plain HTTP is redirected, what it received over HTTPS is served', async () => {
    const headers = (proto: string) => ({ 'x-forwarded-proto': proto, host: 'api.test' });
    const http = await world.call('GET', '/whoami?x=1', { headers: headers('http') });
    expect([http.status, http.headers['location']]).toEqual([301, 'https://api.test/api/v1/whoami?x=1']);
    expect((await world.call('GET', '/whoami', { headers: headers('https') })).status).toBe(401);
  });
});

test('a database that is unavailable is 503 with Retry-After, within seconds, and nothing of the inside', async () => {
  const { key } = await world.makeKey();
  const gone = openDatabase(
    { DATABASE_URL: 'postgres://127.0.0.1:1/none', DATABASE_POOL_SIZE: 2 },
    world.context.log,
  );
  const { pool } = world.context.db;
  const query = pool.query;
  const connect = pool.connect;
  pool.query = gone.pool.query.bind(gone.pool);
  pool.connect = gone.pool.connect.bind(gone.pool);
  try {
    const startedAt = performance.now();
    const answer = await world.call('GET', '/whoami', { key });
    expect(answer).toMatchObject({ status: 503, json: { ok: false, error: 'unavailable' } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.headers['x-ratelimit-limit']).toBeDefined();
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    expect(answer.text).not.toMatch(/ECONN|127\.0\.0\.1|pg/);
  } finally {
    pool.query = query;
    pool.connect = connect;
    await gone.close();
  }
  expect((await world.call('GET', '/whoami', { key })).status).toBe(200);
});

test('a fault of ours is 500 with a request id and nothing of the inside', async () => {
  const { key } = await world.makeKey();
  const { pool } = world.context.buckets.home; // who has the key is looked up there
  const query = pool.query;
  await world.call('GET', '/whoami', { key });
  pool.query = () => Promise.reject(new Error('secret detail'));
  const answer = await world.call('GET', '/whoami', { key });
  pool.query = query;
  expect(answer).toMatchObject({ status: 500, json: { ok: false, error: 'internal_error' } });
  expect(answer.json.request_id).toBe(answer.headers['x-request-id']);
  expect(answer.text).not.toContain('secret detail');
});

test('HTTPS and HTTP share the connections of an address', async () => {
  const small = await createApiWorld({ API_CONNECTIONS_PER_ADDRESS: '2' });
  const connected = async (port: number) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  const held = [await connected(small.port), await connected(small.redirectPort)];
  for (const port of [small.port, small.redirectPort]) await once((await connected(port)).resume(), 'close');
  for (const socket of held) socket.destroy();
  await small.close();
});

function plain(
  method: string,
  path: string,
  host: string,
): Promise<{ status: number; headers: Record<string, string | string[] | undefined> }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: world.redirectPort, method, path, headers: { host } };
    const outgoing = httpRequest(options, (incoming) => {
      incoming.resume();
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
