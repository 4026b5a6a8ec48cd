// PostgreSQL that is there and does not get on: a lock on `messages` that nothing passes, and all of its processes
// stopped. Every request is answered within two seconds, nothing accepted is lost, and what follows is at full rate.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { fromId } from '../../core/base/ids.ts';
import { migrate } from '../../core/db/migrate.ts';
import { createKey } from '../../core/key/keys.ts';
import { startServers, type Servers } from '../../local/servers/start-servers.ts';
import { TESTER } from '../harness/actor.ts';
import { isQuickMachine } from '../harness/quick-machine.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const PER_SECOND = 100;
const STALL_MS = 5_000;
const BEFORE_MS = 2_000;
const AFTER_MS = 3_500;
const FULL_RATE_AFTER_MS = 2_000;
const KEYS = 4; // 600 sends a minute each

interface Sent {
  id: string | undefined;
  atMs: number;
  tookMs: number;
  status: number;
  retryAfter: string | null;
}

let folder: string;
let servers: Servers;
let stack: Stack;
const senders: { key: string; from: string }[] = [];
const tls = new Agent({ connect: { rejectUnauthorized: false }, connections: 256 });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-stalls-'));
  const env = { REDIS_URL: inject('redisUrl'), NATS_URL: inject('natsUrl') };
  servers = await startServers({ dataDir: folder, log: () => {}, env });
  await migrate(servers.databaseUrl);
  stack = await createStack({ senders: 1, api: true, env: { DATABASE_URL: servers.databaseUrl } });
});

afterAll(async () => {
  await stack?.close();
  await tls.close();
  await servers?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function makeKeys(): Promise<void> {
  senders.length = 0;
  for (let i = 0; i < KEYS; i++) {
    const account = await stack.makeAccount({ tier: 6 });
    const options = { tenantId: account.tenantId, name: 'stalls', scopes: ['transactional:send'] };
    const { value } = await createKey(stack.context, TESTER, options);
    senders.push({ key: value, from: `a@${account.domain}` });
  }
}

async function send(name: string, n: number): Promise<Sent> {
  const { key, from } = senders[n % KEYS]!;
  const to = `${name}${n}@sink.test`;
  const scheduled_at = new Date(Date.now() + 3_600_000); // accepted, and not delivered beside it: that is another load
  const atMs = monotonicMs();
  const answer = await fetch(`${stack.baseUrl}/transactional/send`, {
    method: 'POST',
    dispatcher: tls,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from, to, subject: 'Stalls', text: 'x', scheduled_at }),
  });
  const tookMs = monotonicMs() - atMs;
  const { data } = (await answer.json()) as { data?: { id: string } };
  const retryAfter = answer.headers.get('retry-after');
  return { id: data?.id, atMs, tookMs, status: answer.status, retryAfter };
}

// PER_SECOND sends at their times, whatever became of those before: callers do not wait for each other.
async function sendThrough(name: string, stall: () => Promise<void>) {
  const sent: Promise<Sent>[] = [];
  let open = 0;
  let mostOpen = 0;
  const startedAt = monotonicMs();
  let stalledMs = { from: 0, to: Infinity }; // a lock is waited for, so that the stall may end late
  const stalling = sleep(BEFORE_MS).then(async () => {
    stalledMs.from = monotonicMs();
    await stall();
    stalledMs = { ...stalledMs, to: monotonicMs() };
  });
  while (monotonicMs() < stalledMs.to + AFTER_MS) {
    const due = ((monotonicMs() - startedAt) / 1000) * PER_SECOND;
    while (sent.length < due) {
      mostOpen = Math.max(mostOpen, ++open);
      sent.push(send(name, sent.length).finally(() => open--));
    }
    await sleep(5);
  }
  await stalling;
  const all = await Promise.all(sent);
  return { all, mostOpen, stalledMs };
}

async function expectAnswers(name: string, stall: () => Promise<void>): Promise<void> {
  await makeKeys();
  await Promise.all(Array.from({ length: 2 * KEYS }, (_, n) => send(`${name}-first`, n))); // connections and plans
  const { all, mostOpen, stalledMs } = await sendThrough(name, stall);
  const p99 = p99Of(all);
  const usualP99 = p99Of(all.filter((one) => one.atMs + one.tookMs < stalledMs.from)); // what a busy machine adds
  const statuses = Object.groupBy(all, (one) => String(one.status));
  const counts = Object.fromEntries(Object.entries(statuses).map(([status, some]) => [status, some!.length]));

  const isQuick = isQuickMachine(usualP99);
  if (isQuick) expect(p99).toBeLessThan(2_000 + 2 * usualP99);
  expect(Object.keys(counts).sort()).toEqual(['202', '503']); // the stall was felt, and was no other error
  for (const one of statuses['503']!) expect(Number(one.retryAfter)).toBeGreaterThan(0);
  if (isQuick) expect(mostOpen).toBeLessThan(3 * PER_SECOND);
  const later = all.filter((one) => one.atMs > stalledMs.to + FULL_RATE_AFTER_MS);
  expect(later.length).toBeGreaterThan(PER_SECOND);
  if (isQuick) expect(later.filter((one) => one.status !== 202)).toEqual([]);
  await waitUntil(async () => (await send(`${name}-after`, 0)).status === 202);
  const accepted = statuses['202']!.map((one) => fromId('msg', one.id!));
  const { rowCount } = await stack.context.db.pool.query('select from messages where id = any ($1)', [
    accepted,
  ]);
  expect(rowCount).toBe(accepted.length);
}

function p99Of(sent: Sent[]): number {
  const took = sent.map((one) => one.tookMs).sort((a, b) => a - b);
  return Math.round(took[Math.floor(took.length * 0.99)]!);
}

test('a lock that nothing passes for five seconds', async () => {
  await expectAnswers('lock', async () => {
    const client = new pg.Client({ connectionString: servers.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query('lock table messages in access exclusive mode');
    await sleep(STALL_MS);
    await client.query('commit');
    await client.end();
  });
});

test('PostgreSQL stopped for five seconds', async () => {
  await expectAnswers('frozen', async () => {
    const { postgres } = servers.pids();
    const children = readFileSync(`/proc/${postgres}/task/${postgres}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number);
    const all = [postgres!, ...children];
    for (const pid of all) process.kill(pid, 'SIGSTOP');
    await sleep(STALL_MS);
    for (const pid of all) process.kill(pid, 'SIGCONT');
  });
});
