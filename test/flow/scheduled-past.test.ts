// A time that has passed is refused wherever mail is sent or moved, since a typo in the year would send at once; but not when a
// request is repeated.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createKey } from '../../core/key/keys.ts';
import { TESTER } from '../harness/actor.ts';
import { call } from '../harness/api-world.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { shareStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const PAST = [{ path: 'scheduled_at', message: 'is in the past: leave it out to send now' }];

let stack: Stack;
let account: Account;
let key: string;

beforeAll(async () => {
  stack = await shareStack();
  account = await makeAccount(stack.context.db, { tier: 3 });
  const scopes = ['transactional:send', 'transactional:read'];
  const { tenantId } = account;
  key = (await createKey(stack.context, TESTER, { tenantId, name: 'past', scopes })).value;
});
afterAll(() => stack?.close());

const ask = (method: string, path: string, body: unknown, headers = {}) =>
  call(Number(new URL(stack.baseUrl).port), method, `/api/v1${path}`, { key, body, headers });
const letter = () => ({ from: `a@${account.domain}`, to: 'ann@sink.test', subject: 's', text: 't' });
const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const send = (scheduled_at: string, headers = {}) =>
  ask('POST', '/transactional/send', { ...letter(), scheduled_at }, headers);

test.each(['2015-01-15T12:00:00Z', '1926-01-15T12:00:00+14:00', '0001-01-01T00:00:00Z'])(
  '%s is refused',
  async (time) => {
    expect(await send(time)).toMatchObject({ status: 422, json: { details: PAST } });
  },
);

test('more than a minute ago is refused, less is now', async () => {
  expect(await send(at(-75_000))).toMatchObject({ status: 422, json: { details: PAST } });
  const sent = await send(at(-30_000));
  expect([sent.status, sent.json.data.status]).toEqual([202, 'queued']);
});

test('in a batch only the message with such a time is refused', async () => {
  const messages = [letter(), { ...letter(), scheduled_at: '2015-01-15T12:00:00Z' }];
  const { json } = await ask('POST', '/transactional/batch', { messages });
  expect(json.data.items).toMatchObject([
    { status: 'queued' },
    { error: 'validation_failed', details: PAST },
  ]);
});

test('a request that is repeated is answered as before, though its time has passed meanwhile', async () => {
  const again = { 'idempotency-key': 'repeated' };
  const time = at(-50_000); // ten seconds are left of the minute
  const first = await send(time, again);
  expect(first.status).toBe(202);
  await waitUntil(() => Date.now() - Date.parse(time) > 61_000);
  expect((await send(time)).status).toBe(422);
  const replayed = await send(time, again);
  expect([replayed.status, replayed.headers['idempotent-replayed']]).toEqual([202, 'true']);
  expect(replayed.json.data.id).toBe(first.json.data.id);
});

test('a message cannot be moved into the past', async () => {
  const { id } = (await send(at(3_600_000))).json.data;
  const moved = await ask('PATCH', `/transactional/${id}`, { scheduled_at: at(-75_000) });
  expect(moved).toMatchObject({ status: 422, json: { details: PAST } });
  expect((await ask('PATCH', `/transactional/${id}`, { scheduled_at: at(-1_000) })).status).toBe(200);
});
