// PostgreSQL, Redis or NATS unavailable, one after the other, under the whole sending side: what each costs, and that nothing
// accepted is lost.

import { inject, afterAll, beforeAll, expect, test } from 'vitest';
import { Agent, fetch } from 'undici';

import { createKey } from '../../core/key/keys.ts';
import type { Account } from '../harness/factories.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { waitUntil } from '../harness/wait.ts';
import { TESTER } from '../harness/actor.ts';

let stack: Stack;
let account: Account;
let key: string;
let postgres: TcpProxy;
let redis: TcpProxy;
let nats: TcpProxy;
const tls = new Agent({ connect: { rejectUnauthorized: false } });

beforeAll(async () => {
  const proxies = ['databaseUrl', 'redisUrl', 'natsUrl'].map((name) => through(inject(name as 'redisUrl')));
  [postgres, redis, nats] = (await Promise.all(proxies)) as [TcpProxy, TcpProxy, TcpProxy];
  stack = await createStack({
    senders: 1,
    api: true,
    env: {
      REDIS_URL: at(inject('redisUrl'), redis),
      NATS_URL: at(inject('natsUrl'), nats),
      WORKER_LEASE_MS: '3000',
      TEST_RETRY_SCALE: '0.02',
    },
    databasePort: postgres.port,
  });
  account = await stack.makeAccount({ tier: 3 });
  const made = await createKey(stack.context, TESTER, {
    tenantId: account.tenantId,
    name: 'away',
    scopes: ['transactional:send'],
  });
  key = made.value;
});

afterAll(async () => {
  await stack.close();
  await Promise.all([postgres, redis, nats].map((one) => one.close()));
});

function through(url: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(url);
  return startTcpProxy(hostname, Number(port));
}

function at(url: string, proxy: TcpProxy): string {
  const changed = new URL(url);
  changed.host = `127.0.0.1:${proxy.port}`;
  return changed.toString();
}

const send = async (to: string) => {
  const response = await fetch(`${stack.baseUrl}/transactional/send`, {
    method: 'POST',
    dispatcher: tls,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: `a@${account.domain}`, to, subject: 'Away', text: 'x' }),
  });
  const body = (await response.json()) as { ok: boolean; error?: string; data?: { status: string } };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
};
const arrived = (to: string) => stack.sink.messages.filter((one) => one.rcptTo === to).length;

// What api and sender say to /readyz, and to what a balancer asks.
const untilReadiness = (wanted: string) => {
  const urls = [stack.api!, ...stack.senders].flatMap(({ metricsUrl }) => [
    `${metricsUrl}/readyz`,
    `${metricsUrl}/readyz?for=traffic`,
  ]);
  let said = '';
  return waitUntil(
    async () => {
      said = (await Promise.all(urls.map(async (url) => (await fetch(url)).status))).join(' ');
      return said === wanted;
    },
    { what: () => `readiness to be ${wanted}, not ${said}` },
  );
};

test('PostgreSQL unavailable: 503 with Retry-After, never 202; back: everything accepted arrives', async () => {
  expect(await send('before@sink.test')).toMatchObject({ status: 202 });
  postgres.cut();
  const during = await send('during@sink.test');
  expect(during).toMatchObject({ status: 503, body: { ok: false, error: 'unavailable' } });
  expect(Number(during.retryAfter)).toBeGreaterThan(0);
  await untilReadiness('503 503 503 503');
  postgres.mend();
  await waitUntil(async () => (await send('after@sink.test')).status === 202, {
    what: 'sends to work again',
  });
  await waitUntil(() => arrived('before@sink.test') >= 1 && arrived('after@sink.test') >= 1);
  expect(arrived('during@sink.test')).toBe(0);
  await waitUntil(async () => Object.keys(await stack.countByState(account)).join() === 'delivered');
});

test('Redis unavailable: sends go on, the cap still holds', async () => {
  const small = await stack.makeAccount();
  const { value } = await createKey(stack.context, TESTER, {
    tenantId: small.tenantId,
    name: 'away',
    scopes: ['transactional:send'],
  });
  const saved = { account, key };
  [account, key] = [small, value];
  redis.cut();
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => send(`r${n}@sink.test`)));
  await untilReadiness('503 200 503 200');
  redis.mend();
  ({ account, key } = saved);
  expect(answers.filter((one) => one.body.data?.status === 'queued')).toHaveLength(50);
  expect(answers.filter((one) => one.body.data?.status === 'deferred')).toHaveLength(10);
});

test('NATS unavailable: sends, delivery and retries go on', async () => {
  nats.cut();
  const script = stack.sink.script;
  let refusals = 0;
  script.rcpt = (to) => (to.startsWith('nats') && refusals++ < 1 ? '451 4.3.0 later' : '250 2.1.5 ok');
  expect(await send('nats@sink.test')).toMatchObject({ status: 202 });
  await waitUntil(() => arrived('nats@sink.test') === 1);
  await untilReadiness('200 200 503 200');
  nats.mend();
});
