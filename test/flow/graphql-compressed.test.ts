// Answers of GraphQL for clients that take gzip: queries, not what holds a secret, and of lengths that say nothing.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';

let world: ApiWorld;
let key: string;
const owner = { email: 'packed@example.test', password: '' };
const GZIP = { 'accept-encoding': 'gzip, deflate, br' };
const MANY = Array.from({ length: 12 }, (_, at) => `${'long'.repeat(30)}${at}: __typename`).join(' '); // 1.6 kB of answer
const LONG = `{ viewer { user { email ${MANY} } } }`;
const SHORT = '{ viewer { user { email } } }';

beforeAll(async () => {
  world = await createApiWorld();
  const { id } = await world.makeTenant('pro');
  const made = await createUser(world.context, TESTER, { tenantId: id, email: owner.email, role: 'owner' });
  owner.password = made.password;
  key = (await signIn({})).json.data.login.accessToken as string;
});
afterAll(() => world.close());

const ask = (query: string, headers: Record<string, string>) => world.graphql(query, {}, { key, headers });
const signIn = (headers: Record<string, string>) =>
  world.graphql(
    `mutation ($input: LoginInput!) { login(input: $input) { accessToken ${MANY} } }`,
    { input: owner },
    { headers: { ...headers, origin: world.deps.config.PUBLIC_URL } },
  );

test('the answer to a query comes in gzip to those who accept it, and reads the same', async () => {
  const plain = await ask(LONG, {});
  expect(plain.status).toBe(200);
  expect(plain.headers['content-encoding']).toBeUndefined();
  const packed = await ask(LONG, GZIP);
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(packed.headers['vary']).toBe('accept-encoding');
  expect(packed.json).toEqual(plain.json);
  expect(packed.size).toBeLessThan(plain.size / 3);
});

test('who forbids gzip does not get it, and what is short is not worth it', async () => {
  for (const header of ['gzip;q=0', 'gzip; q=0.0', 'identity', 'br', 'x-gzip-like']) {
    const { headers } = await ask(LONG, { 'accept-encoding': header });
    expect([header, headers['content-encoding']]).toEqual([header, undefined]);
  }
  expect((await ask(SHORT, GZIP)).headers['content-encoding']).toBeUndefined();
});

test('the length of an answer is partly chance, so that a guess in it shows nothing', async () => {
  const sizes = new Set<number>();
  for (let i = 0; i < 20; i++) sizes.add((await ask(LONG, GZIP)).size);
  expect(sizes.size).toBeGreaterThan(5);
});

test('what a mutation answers is never compressed: it may hold a token', async () => {
  const answer = await signIn(GZIP);
  expect(answer.text.length).toBeGreaterThan(1_024);
  expect(answer.json.data.login.accessToken).toBeTruthy();
  expect(answer.headers['content-encoding']).toBeUndefined();
});
