// A sender or Redis frozen (SIGSTOP) or dead under load: nobody waits for it, and a request that two senders got has one
// effect when the frozen one goes on.

import { randomUUID } from 'node:crypto';
import { credentials, status } from '@grpc/grpc-js';
import { Agent, fetch } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import { maybeStored } from '../../core/base/errors.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { submitMs } from '../../core/base/time-limits.ts';
import { tokenMetadata } from '../../core/clients/grpc-credentials.ts';
import {
  OutgoingMessage,
  SenderServiceClient,
  SendRequest,
  type SendStreamResponse,
} from '../../core/gen/sender/v1/sender.ts';
import { createKey } from '../../core/key/keys.ts';
import { TESTER } from '../harness/actor.ts';
import type { Account } from '../harness/factories.ts';
import { startOwnRedis, type OwnRedis } from '../harness/own-redis.ts';
import type { Service } from '../harness/service.ts';
import { isQuickMachine } from '../harness/quick-machine.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';

const CLIENTS = 8;
const FEW_CLIENTS = 4; // what is measured is the waiting, not the machine
const FREEZES = 3;
const STREAMED = 1_500; // three batches at least: the first answer comes before the last request is stored
const FROZEN_MS = 3_000;

let redis: OwnRedis;
let stack: Stack;
let account: Account;
const keys: string[] = []; // each has 600 a minute
const tls = new Agent({ connect: { rejectUnauthorized: false } });

beforeAll(async () => {
  redis = await startOwnRedis();
  stack = await createStack({
    senders: 2,
    api: true,
    env: { REDIS_URL: redis.url, WORKER_LEASE_MS: '3000' },
  });
  account = await stack.makeAccount({ tier: 10 });
  for (let i = 0; i < 40; i++) keys.push(await keyOf(account));
}, 240_000);

afterEach(() => redis.thaw());

afterAll(async () => {
  await stack.close();
  await redis.stop();
});

async function keyOf({ tenantId }: Account): Promise<string> {
  const scopes = ['transactional:send'];
  return (await createKey(stack.context, TESTER, { tenantId, name: 'failover', scopes })).value;
}

interface Answer {
  status: number;
  ms: number;
  error: string | undefined;
  message: string | undefined;
  state: string | undefined;
}

let sent = 0;

async function send(): Promise<Answer> {
  const n = sent++;
  return sendAs(account, keys[n % keys.length]!, n);
}

// Every second one with an Idempotency-Key.
async function sendAs({ domain }: Account, key: string, n: number): Promise<Answer> {
  const started = performance.now();
  const response = await fetch(`${stack.baseUrl}/transactional/send`, {
    method: 'POST',
    dispatcher: tls,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(n % 2 === 0 && { 'idempotency-key': randomUUID() }),
    },
    body: JSON.stringify({
      from: `a@${domain}`,
      to: `r${n}@sink.test`,
      subject: 'Failover',
      text: 'x',
    }),
  });
  const body = (await response.json()) as { error?: string; message?: string; data?: { status: string } };
  const { error, message, data } = body;
  return { status: response.status, ms: performance.now() - started, error, message, state: data?.status };
}

/** Sends with so many clients until `until` ends; what they heard. */
async function sendUntil(until: Promise<unknown>, clients = CLIENTS): Promise<Answer[]> {
  let over = false;
  void until.finally(() => (over = true));
  const answers: Answer[] = [];
  const client = async () => {
    while (!over) answers.push(await send());
  };
  await Promise.all([...Array.from({ length: clients }, client), until]);
  return answers;
}

/** How so many messages of a domain with a cap of 50 were answered. */
async function statesOf({ account, key }: SmallAccount, count: number): Promise<Record<string, number>> {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => sendAs(account, key, n)));
  const found = Map.groupBy(answers, ({ state, error }) => state ?? error);
  return Object.fromEntries([...found].map(([name, list]) => [name, list.length]));
}

interface SmallAccount {
  account: Account;
  key: string;
}

async function smallAccount(): Promise<SmallAccount> {
  const small = await stack.makeAccount();
  return { account: small, key: await keyOf(small) };
}

function p99(answers: Answer[]): number {
  return quantile(answers, 0.99);
}

function median(answers: Answer[]): number {
  return quantile(answers, 0.5);
}

function quantile(answers: Answer[], q: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * q)]!;
}

function statuses(answers: Answer[]): Record<string, number> {
  const found = Map.groupBy(answers, ({ status, message }) => `${status} ${message ?? ''}`.trim());
  return Object.fromEntries([...found].map(([name, list]) => [name, list.length]));
}

/** What is stored of these, and counted for them. */
async function effects() {
  const { pool } = stack.context.db;
  const { rows } = await pool.query<{ messages: number; recipients: number; day: number; month: number }>(
    `select (select count(*)::int from messages where tenant_id = $1) as messages,
       (select count(distinct rcpt_to)::int from messages where tenant_id = $1) as recipients,
       (select used from warmup_days where domain_id = $2) as day,
       (select used::int from tenant_usage where tenant_id = $1) as month`,
    [account.tenantId, account.domainId],
  );
  return rows[0]!;
}

test('one of two senders is frozen under load: answers within a second, each message once', async () => {
  const before = await sendUntil(sleep(FROZEN_MS)); // as fast as this machine is now
  const answers: Answer[] = [];
  for (let i = 0; i < FREEZES; i++) {
    const frozen = stack.senders[i % 2]!; // mail of one domain goes to one of them
    process.kill(frozen.pid, 'SIGSTOP');
    answers.push(...(await sendUntil(sleep(FROZEN_MS))));
    process.kill(frozen.pid, 'SIGCONT');
    answers.push(...(await sendUntil(sleep(1_000))));
  }
  expect(statuses(answers)).toEqual({ 202: answers.length });
  if (isQuickMachine(p99(before))) expect(p99(answers)).toBeLessThan(p99(before) + 900);
  await waitUntil(async () => (await effects()).messages >= sent);
  await waitUntil(async () => (await stack.countByState(account))['delivered'] === sent);
  expect(await effects()).toEqual({ messages: sent, recipients: sent, day: sent, month: sent });
});

test('a sender dies under a stream: what it left unanswered is answered when it is asked for again, once each', async () => {
  const doomed = await stack.addSender();
  const requests = Array.from({ length: STREAMED }, (_, n) => streamed(n));
  const first = await streamTo(doomed, requests, (answered) => answered === 1 && void doomed.kill());
  expect(first.code).toBe(status.UNAVAILABLE);
  expect(first.ids.size).toBeLessThan(STREAMED);
  const answers = new Map(first.ids);
  await askUntilAnswered(stack.senders[0]!, requests, answers);
  const again = new Map<string, string>();
  await askUntilAnswered(stack.senders[1]!, requests, again);
  expect(again).toEqual(answers);
  const { rows } = await stack.context.db.pool.query(
    "select count(*)::int as n, count(distinct rcpt_to)::int as recipients from messages where subject = 'Stream'",
  );
  expect(rows).toEqual([{ n: STREAMED, recipients: STREAMED }]);
});

// `unavailable` and `idempotency_in_progress` mean: ask again.
async function askUntilAnswered(sender: Service, requests: SendRequest[], answers: Map<string, string>) {
  const unanswered = () => requests.filter(({ clientRef }) => !answers.has(clientRef));
  await waitUntil(async () => {
    const { ids } = await streamTo(sender, unanswered());
    for (const [ref, id] of ids) if (id.startsWith('msg_')) answers.set(ref, id);
    return unanswered().length === 0;
  });
}

// Every second one has an idempotency key, the others an id of their own.
function streamed(n: number): SendRequest {
  const { domain, tenantId } = account;
  return SendRequest.fromPartial({
    clientRef: `ref-${n}`,
    tenantId: toId('tnt', tenantId),
    ...(n % 2 === 0 ? { idempotency: { key: `stream-${n}` } } : { messageId: toId('msg', newUuid()) }),
    message: OutgoingMessage.fromPartial({
      from: `a@${domain}`,
      to: [`s${n}@sink.test`],
      subject: 'Stream',
      text: 'x',
    }),
  });
}

/** As any client of the proto: all requests over one stream; the ids by client_ref, and how the stream ended. */
function streamTo(sender: Service, requests: SendRequest[], onAnswer = (_answered: number) => {}) {
  const client = new SenderServiceClient(
    `127.0.0.1:${sender.env['SENDER_GRPC_PORT']}`,
    credentials.createInsecure(),
  );
  const call = client.sendStream(tokenMetadata(stack.context.config));
  const ids = new Map<string, string>();
  return new Promise<{ ids: Map<string, string>; code: number }>((resolve) => {
    call.on('data', ({ clientRef, outcome }: SendStreamResponse) => {
      ids.set(clientRef, outcome?.$case === 'sent' ? outcome.value.id : outcome!.value.code);
      onAnswer(ids.size);
    });
    call.on('error', () => {}); // the status says it too
    call.on('status', ({ code }) => {
      client.close();
      resolve({ ids, code });
    });
    for (const request of requests) call.write(request);
    call.end();
  });
}

test('Redis frozen: nobody waits for it but the first, the cap stays exact, also when it is back', async () => {
  const small = [await smallAccount(), await smallAccount()] as const;
  const before = await sendUntil(sleep(FROZEN_MS), FEW_CLIENTS);
  await redis.freeze();
  await sendUntil(sleep(1_000)); // finds out
  const answers = await sendUntil(sleep(FROZEN_MS), FEW_CLIENTS);
  expect(statuses(answers)).toEqual({ 202: answers.length });
  if (isQuickMachine(median(before))) expect(median(answers)).toBeLessThan(median(before) + 250); // of two calls each waited so long before
  expect(await statesOf(small[0], 60)).toEqual({ queued: 50, deferred: 10 });
  await redis.thaw();
  expect(await statesOf(small[0], 10)).toEqual({ deferred: 10 });
  expect(await statesOf(small[1], 60)).toEqual({ queued: 50, deferred: 10 });
});

test('all senders frozen: 503 after some silence, which may be stored; none of it twice when they go on', async () => {
  const frozen = stack.senders.slice(0, 2);
  for (const { pid } of frozen) process.kill(pid, 'SIGSTOP');
  const refused = await Promise.all(Array.from({ length: FEW_CLIENTS }, () => send()));
  const { message, code } = maybeStored(null);
  for (const one of refused) expect(one).toMatchObject({ status: 503, error: code, message });
  expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(submitMs(0) - 1_000);
  for (const { pid } of frozen) process.kill(pid, 'SIGCONT');
  await waitUntil(async () => (await send()).status === 202, WITHIN_A_SECOND);
  const { messages, recipients, day } = await effects();
  expect({ recipients, day }).toEqual({ recipients: messages, day: messages });
});

test('no sender there: 503 at once, and 202 as soon as one is back', async () => {
  const ports = stack.senders.map(({ env }) => env['SENDER_GRPC_PORT']!);
  await Promise.all(stack.senders.map((one) => one.kill()));
  await waitUntil(async () => (await send()).status === 503);
  const answers = await sendUntil(sleep(1_000), FEW_CLIENTS);
  expect(statuses(answers)).toEqual({
    '503 No sender is available. Nothing was stored; try again.': answers.length,
  });
  expect(median(answers)).toBeLessThan(400);
  const { metricsUrl } = stack.api!;
  const headers = { authorization: `Bearer ${stack.context.config.INTERNAL_TOKEN}` };
  const ready = await fetch(`${metricsUrl}/readyz?for=traffic`, { headers });
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({ ready: false, checks: { database: true, sender: false } });
  expect((await fetch(`${metricsUrl}/readyz?for=mail`)).status).toBe(400);
  await stack.addSender({ SENDER_GRPC_PORT: ports[0]! });
  await waitUntil(async () => (await send()).status === 202, WITHIN_A_SECOND);
});
