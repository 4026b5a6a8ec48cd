// The fast check of the day's cap, against a real Redis.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import {
  loadScript,
  openRedis,
  RedisAway,
  type RedisConnection,
  type Script,
} from '../../core/clients/redis.ts';
import { createGate, type Gate, type GateRequest } from '../../sender/accept/gate/gate.ts';
import { createContext, type Context } from '../harness/context.ts';

const PATIENT_MS = 60_000; // on a busy machine the 250 ms of production pass in this process, not in Redis

let context: Context;
let redis: RedisConnection;
let gate: Gate;

beforeAll(async () => {
  context = await createContext();
  redis = await openRedis(context.config, context.log, PATIENT_MS);
  gate = createGate(redis, context.config.KEY_PREFIX, context.log);
});
afterAll(async () => {
  await redis.close();
  await context.close();
});

const request = (more: Partial<GateRequest> = {}): GateRequest => ({
  tenantId: newUuid(),
  domainId: newUuid(),
  day: '2026-11-21',
  cap: 50,
  ordinaryCap: more.cap ?? 50,
  bulkCap: 50,
  items: items(1),
  known: { used: 0, reserved: 0, bulkUsed: 0, bulkReserved: 0 },
  ...more,
});
const items = (count: number, stream: 'transactional' | 'bulk' = 'transactional') =>
  Array.from({ length: count }, () => ({ id: newUuid(), stream }));
const allowed = async (one: GateRequest) => {
  const [verdict] = await gate.admit([one]);
  if (!verdict!.decided) throw new Error('undecided');
  return verdict!.allowed.filter(Boolean).length;
};

test('exactly the cap is let through, over many concurrent calls', async () => {
  const base = request();
  const counts = await Promise.all(Array.from({ length: 40 }, () => allowed({ ...base, items: items(7) })));
  expect(counts.reduce((sum, one) => sum + one, 0)).toBe(50);
});

test('the same id is admitted once, however often it is asked', async () => {
  const base = request({ cap: 2, items: items(1) });
  for (let i = 0; i < 5; i++) expect(await allowed(base)).toBe(1);
  expect(await allowed({ ...base, items: items(3) })).toBe(1);
  const [twice, other] = items(2);
  const both = { ...base, domainId: newUuid(), items: [twice!, twice!, other!, twice!] };
  expect(await allowed(both)).toBe(4);
  expect(await gate.refund(both, both.items)).toBe(2);
  expect(await allowed({ ...both, items: items(3) })).toBe(2);
});

test('an admission is refunded once, and only one that was counted', async () => {
  const base = request({ cap: 1, items: items(1) });
  expect(await allowed(base)).toBe(1);
  const other = items(1);
  expect(await allowed({ ...base, items: other })).toBe(0);
  expect(await gate.refund(base, other)).toBe(0);
  expect(await allowed({ ...base, items: other })).toBe(0);
  expect(await gate.refund(base, base.items)).toBe(1);
  expect(await gate.refund(base, base.items)).toBe(0);
  expect(await allowed({ ...base, items: items(2) })).toBe(1);
});

test('a day that Redis does not know starts where PostgreSQL says; reserved admissions are not for new mail', async () => {
  const base = request({ known: { used: 30, reserved: 15, bulkUsed: 0, bulkReserved: 0 }, items: items(20) });
  expect(await allowed(base)).toBe(5);
});

test('campaign mail stops at its part of the cap', async () => {
  const base = request({ bulkCap: 30, items: items(40, 'bulk') });
  expect(await allowed(base)).toBe(30);
  expect(await allowed({ ...base, items: items(40) })).toBe(20);
});

test('refunded admissions of campaigns are free for campaigns again', async () => {
  const base = request({ cap: 5, bulkCap: 2, items: items(2, 'bulk') });
  expect(await allowed(base)).toBe(2);
  expect(await gate.refund(base, base.items)).toBe(2);
  expect(await allowed({ ...base, items: items(3, 'bulk') })).toBe(2);
});

test('after a correction Redis counts what PostgreSQL counted', async () => {
  const base = request({ items: items(50) });
  expect(await allowed(base)).toBe(50);
  await gate.correct(base, { used: 40, reserved: 0, bulkUsed: 0, bulkReserved: 0 });
  expect(await allowed({ ...base, items: items(20) })).toBe(10);
});

test('with Redis unavailable nothing is decided, and nothing throws', async () => {
  const away: RedisConnection = { ...redis, run: () => Promise.reject(new RedisAway('cut')) };
  const blind = createGate(away, 'x', context.log);
  expect(await blind.admit([request(), request()])).toEqual([{ decided: false }, { decided: false }]);
  await blind.refund(request(), items(1));
});

test('every script is called with the keys that its header names, all in one hash slot', async () => {
  const calls: { script: Script; keys: string[] }[] = [];
  const spy: RedisConnection = {
    ...redis,
    run: (script, keys, args) => {
      calls.push({ script, keys });
      return redis.run(script, keys, args);
    },
  };
  const watched = createGate(spy, context.config.KEY_PREFIX, context.log);
  const one = request();
  await watched.admit([one]);
  await watched.refund(one, one.items);
  expect(new Set(calls.map((call) => call.script.name))).toEqual(
    new Set(['gate.lua', 'seed.lua', 'refund.lua']),
  );
  for (const { script, keys } of calls) {
    const named = new Set([...script.source.matchAll(/^-- KEYS\[(\d+)\]/gm)].map((match) => match[1]));
    expect(keys).toHaveLength(named.size);
    expect(new Set(keys.map((key) => /\{([^}]+)\}/.exec(key)?.[1]))).toEqual(
      new Set([`${one.tenantId}:${one.domainId}`]),
    );
  }
});

test('a script that Redis has never seen, or forgot, runs all the same', async () => {
  const seed = loadScript(join(import.meta.dirname, '../../sender/accept/gate/seed.lua'));
  const source = `${seed.source}\n-- ${newUuid()}`;
  const unseen = { name: 'unseen', source, sha1: createHash('sha1').update(source).digest('hex') };
  const key = `${context.config.KEY_PREFIX}:unseen`;
  expect(await redis.run(unseen, [key], ['replace', '1', '0', '0', '60'])).toBe(1);
  expect(await redis.run(unseen, [key], ['missing', '1', '0', '0', '60'])).toBe(0);
});

test('urgent mail uses the part of the cap that other mail leaves, also what is reserved for earlier mail', async () => {
  const urgent = (count: number) => items(count).map((item) => ({ ...item, urgent: true }));
  const base = request({ ordinaryCap: 40 });
  expect(await allowed({ ...base, items: items(45) })).toBe(40);
  expect(await allowed({ ...base, items: items(1, 'bulk') })).toBe(0);
  expect(await allowed({ ...base, items: urgent(15) })).toBe(10);
  const full = request({ ordinaryCap: 40, known: { used: 0, reserved: 50, bulkUsed: 0, bulkReserved: 0 } });
  expect(await allowed({ ...full, items: items(1) })).toBe(0);
  expect(await allowed({ ...full, items: urgent(60) })).toBe(50);
});
