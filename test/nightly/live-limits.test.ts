// How many live views and streams of events may be open at once: counted over all apis, also after one was killed and
// while Redis is unavailable. A refusal comes before the stream begins, and clients see it as one.

import { createClient as createSseClient } from 'graphql-sse';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { writeTestCertificate } from '../harness/certificate-files.ts';
import { openEventStream } from '../harness/event-stream.ts';
import { startService, type Service } from '../harness/service.ts';
import { login, makePerson } from '../harness/sign-in.ts';
import { subscribe, type Subscription } from '../harness/sse.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { waitUntil } from '../harness/wait.ts';

const QUERY = 'subscription { warmupChanged { domain { name } } }';
const PER_SESSION = 20;
const PER_TENANT = 100;

let world: ApiWorld;
let redis: TcpProxy;
let apis: [Service, Service];
beforeAll(async () => {
  const { hostname, port } = new URL(inject('redisUrl'));
  redis = await startTcpProxy(hostname, Number(port));
  world = await createApiWorld({
    REDIS_URL: inject('redisUrl').replace(`${hostname}:${port}`, `127.0.0.1:${redis.port}`),
    TRUSTED_PROXIES: '127.0.0.1',
  });
  apis = await Promise.all([startApi(), startApi()]);
});
afterAll(async () => {
  for (const one of open.splice(0)) one.hangUp();
  await Promise.all((apis ?? []).map((api) => api.kill()));
  await world?.close();
  await redis?.close();
});

const startApi = (more: Record<string, string> = {}) =>
  startService('api', { ...writeTestCertificate(), ...world.context.env, ...more });
const portOf = (api: Service) => Number(api.env['API_HTTPS_PORT']);

/** Further sign-ins of one tenant, each a session of its own. */
async function sessions(n: number): Promise<string[]> {
  const person = await makePerson(world, 'owner');
  const made = await Promise.all(Array.from({ length: n }, () => login(world, person)));
  return made.map(({ token }) => token);
}

const open: Subscription[] = [];

async function watch(api: Service, token: string): Promise<Subscription> {
  const one = await subscribe(portOf(api), token, QUERY);
  open.push(one);
  return one;
}

const watchMany = (api: Service, token: string, n: number) =>
  Promise.all(Array.from({ length: n }, () => watch(api, token)));
const letIn = (all: Subscription[]) => all.filter(({ refused }) => refused.length === 0);

async function leave(all: Subscription[] = open.splice(0)): Promise<void> {
  for (const one of all) one.hangUp();
  await waitUntil(() => all.every((one) => one.ended()));
}

const isLetIn = async (api: Service, token: string) => {
  const one = await watch(api, token);
  return one.refused.length === 0;
};

test('a session has 20 live views over two apis; one more is 429 before the stream begins', async () => {
  const [token, sibling] = (await sessions(2)) as [string, string];
  const views = (await Promise.all([...apis, ...apis].map((api) => watchMany(api, token, 7)))).flat();
  expect(letIn(views).length).toBe(PER_SESSION); // of 28 that came at once
  for (const api of apis) {
    const late = await watch(api, token);
    await waitUntil(() => late.ended());
    expect(late.refused).toEqual(['status 429']);
    expect(late.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'retry-after': '10',
    });
    expect(late.headers).toHaveProperty('x-request-id');
    expect(JSON.parse(late.text())).toEqual({
      errors: [
        {
          message: 'At most 20 live views of a session at once. Close one of them.',
          extensions: { code: 'rate_limited', retryAfterSeconds: 10 },
        },
      ],
    });
  }
  expect(await isLetIn(apis[0], sibling)).toBe(true); // another session has its own
  letIn(views)[0]!.hangUp();
  await waitUntil(() => isLetIn(apis[1], token), { everyMs: 200 }); // its place is free on the other api
  await leave();
});

test('a tenant has 100 over all of its sessions; another tenant has its own', async () => {
  const tokens = await sessions(6);
  const views = (
    await Promise.all(tokens.slice(0, 5).map((token, i) => watchMany(apis[i % 2]!, token, PER_SESSION)))
  ).flat();
  expect(letIn(views).length).toBe(PER_TENANT);
  const late = await watch(apis[1], tokens[5]!);
  await waitUntil(() => late.ended());
  expect(late.refused).toEqual(['status 429']);
  expect(late.text()).toContain('At most 100 live views of a tenant at once.');
  const [stranger] = (await sessions(1)) as [string];
  expect(await isLetIn(apis[1], stranger)).toBe(true);
  await leave();
});

test('what a killed api had open counts no more soon; what others have open longer still counts', async () => {
  const [token] = (await sessions(1)) as [string];
  const half = PER_SESSION / 2;
  const kept = await watchMany(apis[0], token, half);
  const doomed = await startApi();
  expect(letIn(await watchMany(doomed, token, half)).length).toBe(half);
  expect(await isLetIn(apis[0], token)).toBe(false);
  await doomed.kill();
  const back: Subscription[] = [];
  await waitUntil(
    async () => {
      back.push(await watch(apis[1], token));
      return letIn(back).length === half;
    },
    { everyMs: 200 },
  );
  expect(kept.some((one) => one.ended())).toBe(false);
  expect(await isLetIn(apis[1], token)).toBe(false);
  await leave();
});

test('without Redis each api counts its own, and all are counted again once it is back', async () => {
  const [token] = (await sessions(1)) as [string];
  redis.cut();
  for (const api of apis) {
    expect(letIn(await watchMany(api, token, PER_SESSION + 1)).length).toBe(PER_SESSION);
  }
  redis.mend();
  const fresh = await startApi(); // it has none of its own, so that only what the others keep can refuse
  await waitUntil(
    async () => {
      const one = await watch(fresh, token);
      one.hangUp();
      return one.refused.length > 0;
    },
    { everyMs: 500 },
  );
  await fresh.kill();
  await leave();
});

test('a live view ends cleanly when its time is over', async () => {
  const [token] = (await sessions(1)) as [string];
  const brief = await startApi({ LIVE_VIEW_SECONDS: '1' });
  const view = await watch(brief, token);
  await waitUntil(() => view.ended());
  expect([view.refused, view.completed(), view.cut()]).toEqual([[], true, false]);
  expect(await isLetIn(brief, token)).toBe(true);
  await brief.kill();
  await leave();
});

test('a client of graphql-sse hears the refusal as an answer of 429', async () => {
  const [token] = (await sessions(1)) as [string];
  await watchMany(apis[0], token, PER_SESSION);
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const client = createSseClient({
    url: `https://127.0.0.1:${portOf(apis[1])}/graphql`,
    headers: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
    fetchFn: (url: string, init: object) => fetch(url, { ...init, dispatcher }),
  });
  const heard = await new Promise((resolve) => {
    client.subscribe(
      { query: QUERY },
      { next: resolve, error: resolve, complete: () => resolve('complete') },
    );
  });
  expect(heard).toMatchObject({ name: 'NetworkError', response: { status: 429 } });
  client.dispose();
  await dispatcher.destroy();
  await leave();
});

test('a subscription that asks for no stream holds no place', async () => {
  const [token] = (await sessions(1)) as [string];
  for (let i = 0; i <= PER_SESSION; i++) {
    const answer = await world.graphql(QUERY, {}, { key: token, headers: { accept: 'application/json' } });
    expect(answer.status).toBe(406);
    expect(answer.json.errors[0].message).toContain('text/event-stream');
  }
  await waitUntil(() => world.deps.streams.count() === 0);
});

test('a key has 10 streams of events over two apis, a tenant 30', async () => {
  const { key, tenantId } = await world.makeKey({ scopes: ['events:read'] });
  const more = await Promise.all([1, 2, 3].map(() => world.makeKey({ tenantId, scopes: ['events:read'] })));
  const follow = (api: Service, by: string) => openEventStream(portOf(api), by);
  const streams = await Promise.all(Array.from({ length: 12 }, (_, i) => follow(apis[i % 2]!, key)));
  expect(streams.filter(({ status }) => status === 200).length).toBe(10);
  const refused = streams.find(({ status }) => status === 429)!;
  expect(refused.headers['retry-after']).toBe('10');
  expect(JSON.parse(refused.text())).toMatchObject({
    error: 'rate_limited',
    message: 'At most 10 streams of a key at once. Close one of them.',
  });
  for (const one of more.slice(0, 2)) {
    for (let i = 0; i < 10; i++) streams.push(await follow(apis[i % 2]!, one.key));
  }
  const last = await follow(apis[0], more[2]!.key);
  expect([last.status, last.text()]).toEqual([
    429,
    expect.stringContaining('At most 30 streams of a tenant'),
  ]);
  for (const one of streams) one.hangUp();
  await waitUntil(async () => {
    const one = await follow(apis[1], key);
    streams.push(one);
    return one.status === 200;
  });
  for (const one of streams) one.hangUp();
});
