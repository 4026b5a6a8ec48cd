// Who is told which store fails: callers with the internal token. All others learn whether the service is ready.

import { afterEach, expect, test } from 'vitest';

import { startHealthServer, type HealthServer } from '../../../core/base/health-server.ts';
import { createMetrics } from '../../../core/base/metrics.ts';

const TOKEN = 'internal-token-of-this-test';

let server: HealthServer;
afterEach(() => server.close());

async function start(token: string | null, redis: boolean): Promise<void> {
  const checks = {
    traffic: { postgres: () => Promise.resolve(true) },
    beside: { redis: () => Promise.resolve(redis) },
  };
  server = await startHealthServer({
    host: '127.0.0.1',
    port: 0,
    metrics: createMetrics('api'),
    checks,
    token,
  });
}

async function ask(path: string, token?: string): Promise<[status: number, body: unknown]> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
  return [answer.status, await answer.json()];
}

test('stores are named to callers with the internal token only', async () => {
  await start(TOKEN, false);
  for (const other of [undefined, '', 'another-token', `${TOKEN}x`]) {
    expect(await ask('/readyz', other)).toEqual([503, { ready: false }]);
    expect(await ask('/readyz?for=traffic', other)).toEqual([200, { ready: true }]);
  }
  expect(await ask('/readyz', TOKEN)).toEqual([
    503,
    { ready: false, checks: { postgres: true, redis: false } },
  ]);
  expect(await ask('/readyz?for=traffic', TOKEN)).toEqual([200, { ready: true, checks: { postgres: true } }]);
  server.setStopping();
  expect(await ask('/readyz')).toEqual([503, { ready: false }]);
  expect(await ask('/readyz', TOKEN)).toEqual([503, { ready: false, checks: { stopping: true } }]);
});

test('a service without the token names them to nobody', async () => {
  await start(null, true);
  for (const token of [undefined, '', 'null', 'undefined'])
    expect(await ask('/readyz', token)).toEqual([200, { ready: true }]);
});
