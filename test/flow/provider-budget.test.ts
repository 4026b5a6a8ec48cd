// The parts that senders have of a mailbox provider's limits, against a real Redis: never more in all than the limit.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { providerKeys, readLimits } from '../../core/mailbox-provider/limits.ts';
import type { MailboxProvider } from '../../core/mailbox-provider/provider-table.ts';
import { createBudget, type Budget, type Demand } from '../../sender/provider/budget.ts';
import { createContext, type Context } from '../harness/context.ts';
import { waitUntil } from '../harness/wait.ts';

const SCALE = 0.05; // a second is 50 ms
const FORGET = { name: 'forget', source: "return redis.call('DEL', KEYS[1], KEYS[2])", sha1: '0'.repeat(40) };

let context: Context;
let redis: RedisConnection;
let provider: MailboxProvider;

beforeAll(async () => {
  context = await createContext();
  redis = await openRedis(context.config, context.log);
});
afterAll(async () => {
  await redis.close();
  await context.close();
});
beforeEach(() => {
  provider = { name: newUuid(), mx: ['mx.example.test'], connections: 7, perMinute: 600 };
});

// A sender that opens what it may and wants, and closes a connection only when it pleases.
interface Sender {
  budget: Budget;
  open: number;
  wants: number;
  ask(): Promise<void>;
}

function makeSender(senders: number, wants = 10, scale = SCALE): Sender {
  const deps = { redis, keyPrefix: context.config.KEY_PREFIX, senders: () => senders, scale };
  const budget = createBudget(provider, deps);
  let now = 0;
  let wasOver = true;
  const sender: Sender = {
    budget,
    open: 0,
    wants,
    // Each question comes ten seconds after the last one, by the clock that is given.
    ask: async () => {
      now += 10_000;
      const isOver = sender.open + sender.wants === 0;
      if (isOver && wasOver) return; // it has nothing to ask
      wasOver = isOver;
      await new Promise<void>((news) => {
        budget.poll(demandOf(sender), now, news);
      });
    },
  };
  return sender;
}

const demandOf = ({ open, wants }: Sender): Demand => ({
  open,
  working: open,
  connections: wants,
  messages: wants,
});
const limits = () => readLimits(redis, context.config.KEY_PREFIX, provider);

test('whatever senders want, lose and close, no more are open than the limit', async () => {
  const all = [makeSender(4), makeSender(4), makeSender(4), makeSender(4)];
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const openAll = (one: Sender) =>
    (one.open = Math.max(one.open, Math.min(one.budget.connections(), one.wants)));
  const loseAll = async () => {
    await redis.run(FORGET, providerKeys(context.config.KEY_PREFIX, provider.name), []);
    for (const one of all) {
      one.wants = provider.connections;
      await one.ask();
      openAll(one);
    }
  };
  let mostOpen = 0;
  for (let step = 0; step < 400; step++) {
    const sender = all[random(4)]!;
    const what = random(10);
    if (what < 4) await sender.ask();
    else if (what < 6) sender.wants = random(9);
    else if (what < 8) openAll(sender);
    else if (sender.open > 0) sender.open -= 1 + random(sender.open);
    if (step === 157 || step === 311) await loseAll();
    if (step % 30 === 0) {
      for (const one of all) await one.ask();
      await sleep(4_000 * SCALE);
    }
    const open = all.reduce((sum, one) => sum + one.open, 0);
    mostOpen = Math.max(mostOpen, open);
    expect(open).toBeLessThanOrEqual(provider.connections);
  }
  expect(mostOpen).toBe(provider.connections);
});

test('all who want have the same, and who wants little leaves the rest to the others', async () => {
  const all = [makeSender(3), makeSender(3), makeSender(3, 1)];
  await sleep(250 * SCALE);
  for (let round = 0; round < 8; round++) {
    for (const sender of all) await sender.ask();
    await sleep(1_000 * SCALE);
  }
  expect(all.map(({ budget }) => budget.connections())).toEqual([3, 3, 1]);
});

test('a refused connection sets the limit to what works', async () => {
  const [one, two] = [makeSender(1), makeSender(1)];
  await one.ask();
  one.open = 2;
  two.open = 1;
  await two.ask();
  one.budget.complained({ kind: 'connections' }, '421 Too many connections from 192.0.2.7', 2, monotonicMs());
  expect(one.budget.connections()).toBe(2);
  await one.ask();
  expect(await limits()).toMatchObject({
    connections: 3,
    learnedFrom: '421 Too many connections from <ip>',
  });
  // The next refusal lowers it by one at least.
  await sleep(3_500 * SCALE);
  one.open = 4;
  one.budget.complained({ kind: 'connections' }, '421 Too many connections', 4, monotonicMs());
  await one.ask();
  expect((await limits()).connections).toBe(2);
});

test('one connection more is tried after a while, and after longer when it was one too many', async () => {
  const scale = 0.001; // ten minutes are 600 ms
  const sender = makeSender(1, 10, scale);
  const untilLimit = async (limit: number) => {
    const started = monotonicMs();
    while ((await limits()).connections !== limit) await sender.ask();
    return monotonicMs() - started;
  };
  const refuse = async (working: number) => {
    await sleep(5);
    sender.open = working;
    sender.budget.complained({ kind: 'connections' }, '421 Too many connections', working, monotonicMs());
    await sender.ask();
  };
  await sender.ask();
  await refuse(3);
  expect((await limits()).connections).toBe(3);
  expect(await untilLimit(4)).toBeGreaterThan(500);
  await refuse(3);
  expect((await limits()).connections).toBe(3);
  expect(await untilLimit(4)).toBeGreaterThan(1_100);
  // What works again up to the values of the table was learned from nothing.
  expect((await limits()).learnedFrom).toBe('421 Too many connections');
  sender.open = 4;
  await untilLimit(provider.connections);
  await sender.ask();
  expect((await limits()).learnedFrom).toBeNull();
});

test('a provider that wants nothing for a while: all know, and it ends', async () => {
  const [one, two] = [makeSender(1), makeSender(1)];
  await one.ask();
  one.budget.complained({ kind: 'suspend', minutes: 1 }, '421 4.7.0 [TSS04] Deferred', 1, monotonicMs());
  expect(one.budget.suspendedMs(monotonicMs())).toBeGreaterThan(0);
  await one.ask();
  await two.ask();
  expect(two.budget.suspendedMs(monotonicMs())).toBeGreaterThan(0);
  expect(two.budget.takeMessage(monotonicMs())).toBe(false);
  await waitUntil(async () => {
    await two.ask();
    return two.budget.suspendedMs(monotonicMs()) === 0;
  });
});

test('the messages of a minute are never more than its limit', async () => {
  provider = { ...provider, perMinute: 120 };
  const all = [makeSender(3), makeSender(3), makeSender(3)];
  const taken: number[] = [];
  const until = monotonicMs() + 150_000 * SCALE; // two minutes and a half
  while (monotonicMs() < until) {
    for (const sender of all) {
      await sender.ask();
      while (sender.budget.takeMessage(monotonicMs())) taken.push(monotonicMs());
    }
    await sleep(900 * SCALE);
  }
  const most = Math.max(
    ...taken.map((at) => taken.filter((one) => one >= at && one < at + 60_000 * SCALE).length),
  );
  expect(most).toBeLessThanOrEqual(120);
  expect(most).toBeGreaterThan(90);
});
