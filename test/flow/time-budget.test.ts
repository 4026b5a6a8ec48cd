// Processing time over the public interface: who is charged for it, and that every path but health refuses who has none left.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createApp, createFetch } from '../../api/app.ts';
import type { ListeningServer } from '../../api/servers.ts';
import { createTimeBudget, type TimeAccount } from '../../api/time-budget.ts';
import { call, createApiWorld, type ApiWorld, type Ask } from '../harness/api-world.ts';
import { startTestHttps } from '../harness/test-https.ts';

const FROM = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
const [GREEDY, OTHER] = ['192.0.2.1', '192.0.2.2'];

const clock = { now: 0, worked: 0 };
const budget = createTimeBudget({ now: () => clock.now, worked: () => clock.worked });
const charged = new Map<string, number>();
let world: ApiWorld;
let server: ListeningServer;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.0/8' });
  const timeBudget = {
    require: budget.require,
    charge(account: TimeAccount, ms: number) {
      for (const key of [account.address, account.tenantId ?? 'nobody'])
        charged.set(key, (charged.get(key) ?? 0) + ms);
      budget.charge(account, ms);
    },
  };
  const deps = { ...world.deps, timeBudget };
  const app = createApp(deps, { checks: { traffic: {}, beside: {} }, isStopping: () => false });
  server = await startTestHttps(createFetch(deps, app));
  clock.now = clock.worked = 1_000; // a busy second
  budget.charge({ address: OTHER, tenantId: 'another' }, 1);
  budget.charge({ address: GREEDY }, 60_000);
});
afterAll(async () => {
  await server?.close();
  await world?.close();
});

const ask = (method: string, path: string, from: string, { headers, ...more }: Ask = {}) =>
  call(server.port, method, path, { ...more, headers: { ...FROM(from), ...headers } });

const PATHS: [string, string, Ask?][] = [
  ['GET', '/api/v1/whoami'],
  ['GET', '/api/v1/nothing'],
  ['GET', '/api/v1/docs'],
  ['GET', '/api/v1/openapi.json'],
  ['POST', '/graphql', { body: { query: '{ __typename }' } }],
  ['POST', '/compat/resend/emails', { body: {} }],
  ['POST', '/compat/postmark/email', { body: {} }],
  ['POST', '/compat/sendgrid/v3/mail/send', { body: {} }],
  ['GET', '/saml/tnt_01h00000000000000000000000/metadata'],
  ['GET', '/t/o/x'],
  ['GET', '/u/x'],
  ['GET', '/', { headers: { accept: 'text/html' } }],
  ['GET', '/mail-frame'],
  ['GET', '/assets/app.js'],
];

test.each(PATHS)('%s %s answers 429 with Retry-After while its address has no time left', async (...of) => {
  const [method, path, more] = of;
  const { status, headers } = await ask(method, path, GREEDY, more);
  expect([status, headers['retry-after'], headers['x-request-id']]).toEqual([429, '20', expect.any(String)]);
  expect((await ask(method, path, OTHER, more)).status).not.toBe(429);
});

test('health is answered to everybody', async () => {
  for (const path of ['/healthz', '/readyz']) expect((await ask('GET', path, GREEDY)).status).toBe(200);
});

test('a tenant without time is refused from every address, and no other tenant is', async () => {
  const [greedy, other] = [await world.makeKey(), await world.makeKey()];
  expect((await ask('GET', '/api/v1/whoami', OTHER, greedy)).status).toBe(200);
  expect(charged.get(greedy.tenantId)).toBeGreaterThan(0);
  expect(charged.has(other.tenantId)).toBe(false);
  budget.charge({ address: '192.0.2.8', tenantId: greedy.tenantId }, 60_000);
  const refused = await ask('GET', '/api/v1/whoami', '192.0.2.3', greedy);
  expect([refused.status, refused.json.error]).toEqual([429, 'rate_limited']);
  expect(refused.json.message).toMatch(/processing time/);
  expect((await ask('GET', '/api/v1/whoami', '192.0.2.3', other)).status).toBe(200);
});
