// A sender or Redis frozen (SIGSTOP) or dead under load: nobody waits for it, and a request that two senders got has one
// effect when the frozen one goes on.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import { createKey } from '../../core/key/keys.ts';
import { startServers, type Servers } from '../../local/servers/start-servers.ts';
import { TESTER } from '../harness/actor.ts';
import type { Account } from '../harness/factories.ts';
import { createStack, type Stack } from '../harness/stack.ts';

const CLIENTS = 20;
const FEW_CLIENTS = 4; // what is measured is the waiting, not the machine
const FROZEN_MS = 3_000;

let folder: string;
let servers: Servers;
let stack: Stack;
let account: Account;
const keys: string[] = []; // each has 600 a minute
const tls = new Agent({ connect: { rejectUnauthorized: false } });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-failover-'));
  const env = { DATABASE_URL: inject('databaseUrl'), NATS_URL: inject('natsUrl') };
  servers = await startServers({ dataDir: folder, log: () => {}, env });
  stack = await createStack({
    senders: 2,
    api: true,
    env: { REDIS_URL: servers.redisUrl, WORKER_LEASE_MS: '3000' },
  });
  account = await stack.makeAccount({ tier: 10 });
  for (let i = 0; i < 40; i++) keys.push(await keyOf(account));
}, 120_000);

afterAll(async () => {
  process.kill(servers.pids()['redis']!, 'SIGCONT'); // asked to stop, it must be able to
  await stack.close();
  await servers.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function keyOf({ tenantId }: Account): Promise<string> {
  const scopes = ['transactional:send'];
  return (await createKey(stack.context, TESTER, { tenantId, name: 'failover', scopes })).value;
}

interface Answer {
  status: number;
  ms: number;
  error: string | undefined;
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
  const body = (await response.json()) as { error?: string; data?: { status: string } };
  const { error, data } = body;
  return { status: response.status, ms: performance.now() - started, error, state: data?.status };
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
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)]!;
}

function statuses(answers: Answer[]): Record<string, number> {
  const found = Map.groupBy(answers, ({ status, error }) => `${status} ${error ?? ''}`.trim());
  return Object.fromEntries([...found].map(([name, list]) => [name, list.length]));
}

test('Redis frozen: nobody waits for it but the first, the cap stays exact, also when it is back', async () => {
  const small = [await smallAccount(), await smallAccount()] as const;
  const { redis } = servers.pids();
  process.kill(redis!, 'SIGSTOP');
  await sendUntil(sleep(1_000)); // finds out
  const answers = await sendUntil(sleep(FROZEN_MS), FEW_CLIENTS);
  expect(statuses(answers)).toEqual({ 202: answers.length });
  expect(p99(answers)).toBeLessThan(400); // two calls waited 250 ms each before
  expect(await statesOf(small[0], 60)).toEqual({ queued: 50, deferred: 10 });
  process.kill(redis!, 'SIGCONT');
  expect(await statesOf(small[0], 10)).toEqual({ deferred: 10 });
  expect(await statesOf(small[1], 60)).toEqual({ queued: 50, deferred: 10 });
});
