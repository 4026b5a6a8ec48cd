// Every fault of the proof does what its name says, and heals: otherwise a proof would pass because nothing happened.

import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { monotonicMs, nowMs } from '../../core/base/clock.ts';
import type { FaultKind } from '../../prove/faults/fault-kinds.ts';
import { isRecovered, makeFault } from '../../prove/faults/make-fault.ts';
import { openJournal, readJournal, type Journal } from '../../prove/journal.ts';
import type { Stack } from '../../prove/stack/stack.ts';
import { startStack } from '../../prove/stack/start-stack.ts';
import { skips } from '../harness/needs.ts';
import { waitUntil } from '../harness/wait.ts';

const ROOT = join(import.meta.dirname, '../..');
const DAY_MS = 86_400_000;
const TEN_MINUTES_MS = 600_000;

let runDir: string;
let journal: Journal;
let stack: Stack;

beforeAll(async () => {
  runDir = await mkdtemp(join(tmpdir(), 'prove-faults-'));
  journal = openJournal(join(runDir, 'journal'), 'faults');
  const outside = { smtpPort: 1, dnsAddress: '127.0.0.1:1' }; // nobody sends mail here
  stack = await startStack({ folder: ROOT, runDir, journal, outside, log: () => {} });
});
afterAll(async () => {
  await stack?.stop();
  journal?.close();
  await rm(runDir, { recursive: true, force: true });
});

test('processes are killed and frozen, alone and all of a role, and come back', async () => {
  const sender = stack.processes.find(({ name }) => name === 'sender-2')!;
  const before = sender.pid();
  await make('kill', 'sender-2');
  await waitUntil(async () => sender.pid() !== before && (await sender.isReady()));

  const inbounds = stack.processes.filter(({ role }) => role === 'inbound');
  const thaw = await make('freeze-role', 'inbound');
  expect(await Promise.all(inbounds.map((one) => one.isReady()))).toEqual([false, false]);
  await thaw();
  await waitUntil(() => isRecovered(stack));
});

test('PostgreSQL reads only, has no disk, no connection and no table to give, one after the other', async () => {
  const tries: [FaultKind, string, statement: string, sqlState: string][] = [
    ['postgres-read-only', 'postgres', 'create table not_made ()', '25006'],
    [
      'postgres-disk-full',
      'postgres',
      'select repeat(md5(g::text), 99) into filler from generate_series(1, 2000) g',
      '53100',
    ],
    ['postgres-no-connections', 'postgres', 'select 1', '53300'],
    ['postgres-lock', 'tenants', "set statement_timeout = '300ms'; select from tenants", '57014'],
  ];
  for (const [kind, target, statement, sqlState] of tries) {
    if (kind === 'postgres-disk-full' && skips(missing('the disk'))) continue;
    const heal = await make(kind, target);
    expect(await tried(statement), kind).toBe(sqlState);
    await heal();
    expect(await tried(statement), `${kind}, healed`).toBe('done');
  }
  await waitUntil(() => isRecovered(stack));
});

test('stores freeze, crash, and lose what they had', async () => {
  const { postgres, redis, nats } = stack.stores;
  const thaw = await make('postgres-freeze', 'postgres');
  expect(await postgres.isUp()).toBe(false);
  await thaw();
  expect(await postgres.isUp()).toBe(true);
  await inRedis('SET', 'kept', '1');
  await redis.save();
  await inRedis('SET', 'later', '1');
  await redis.save(); // what comes back is older
  const before = [postgres.pid(), redis.pid(), nats.pid()];
  await Promise.all([
    make('postgres-crash', 'postgres'),
    make('redis-restore', 'redis'),
    make('nats-erase', 'nats'),
  ]);
  await waitUntil(() => isRecovered(stack));
  for (const [i, store] of [postgres, redis, nats].entries()) expect(store.pid()).not.toBe(before[i]);
  expect([await inRedis('EXISTS', 'kept'), await inRedis('EXISTS', 'later')]).toEqual([1, 0]);
  await make('redis-flush', 'redis');
  expect(await inRedis('EXISTS', 'kept')).toBe(0);
});

test('the wire to a store loses and delays packets, and connections break', async () => {
  if (skips(missing('toxiproxy'))) return;
  const sender = stack.processes.find(({ role }) => role === 'sender')!;
  await make('connections-reset', 'redis');
  await waitUntil(() => isRecovered(stack));
  const mend = await make('packets-dropped', 'postgres');
  await waitUntil(async () => !(await sender.isReady()));
  expect(await stack.stores.postgres.isUp()).toBe(true); // not through the wire
  await mend();
  await waitUntil(() => isRecovered(stack));
  const hurry = await make('packets-delayed', 'postgres');
  await waitUntil(async () => {
    const asked = monotonicMs();
    return (await sender.isReady()) && monotonicMs() - asked > 100;
  });
  await hurry();
});

test('the calendar goes through midnight and 02:00, and processes follow it, or are off from it', async () => {
  if (skips(missing('libfaketime'))) return;
  const calendar = stack.calendar!;
  const first = await calendar.now();
  const target = new Date(Math.floor(first.getTime() / DAY_MS) * DAY_MS + DAY_MS - 26_000);
  if (first.getTime() % DAY_MS >= 2 * 3_600_000 && first < target) await calendar.jumpTo(target);
  const store = await calendar.now();
  expect(store.getTime()).toBeGreaterThanOrEqual(first.getTime());
  const ahead = store.getTime() - nowMs();
  await waitUntil(async () => Math.abs((await clockOfApi()) - nowMs() - ahead) < 10_000);
  const heal = await make('clock-off', 'api-1');
  await waitUntil(
    async () => Math.abs(Math.abs((await clockOfApi()) - nowMs() - ahead) - TEN_MINUTES_MS) < 10_000,
  );
  await heal();
  await waitUntil(async () => Math.abs((await clockOfApi()) - nowMs() - ahead) < 10_000);

  const noted = readJournal(join(runDir, 'journal')).filter((entry) => entry.kind === 'calendar');
  const last = noted.at(-1)!;
  expect(Math.abs(last.storeMs - store.getTime())).toBeLessThan(10_000);
  expect(new Date(noted[0]!.storeMs).toISOString()).toMatch(/T12:0/); // where each run begins
});

async function make(kind: FaultKind, target: string): Promise<() => Promise<void>> {
  const made = await makeFault(stack, { id: 'f1', kind, target, at: 0, lasts: 0, round: 1 });
  if (!made.made) throw new Error(`${kind} of ${target} was not made: ${made.why}`);
  return async () => made.heal();
}

/** Why a part of the faults cannot be made here; null when it can. */
function missing(what: string): string | null {
  return stack.missing.find((one) => one.includes(what)) ?? null;
}

async function tried(statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: stack.settings['DATABASE_URL'] });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    void client.end();
  }
}

async function inRedis(...command: string[]): Promise<unknown> {
  const client = createClient({ url: stack.settings['REDIS_URL']! });
  await client.connect();
  try {
    return await client.sendCommand(command);
  } finally {
    client.destroy();
  }
}

/** What the first api believes the time is, by the Date of its answers. */
function clockOfApi(): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(stack.apis[0]!.origin, { rejectUnauthorized: false }, (answer) => {
      answer.resume();
      resolve(Date.parse(answer.headers.date ?? ''));
    });
    asked.on('error', reject);
    asked.end();
  });
}
