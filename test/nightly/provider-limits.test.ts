// Three senders and a mailbox provider that takes five connections: they find that out, share them, and keep to it when
// Redis loses its data or goes away, or when one of them dies. A second of theirs is a tenth of one here.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { providerKeys, readLimits } from '../../core/mailbox-provider/limits.ts';
import { createBudget } from '../../sender/provider/budget.ts';
import { createDeliveryWorld, type DeliveryWorld, type OpenSender } from '../harness/delivery-world.ts';
import type { SmtpPeer } from '../harness/smtp-peer.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { waitUntil } from '../harness/wait.ts';

const SCALE = 0.1;
const UNSCALED = 1; // where senders lose Redis: how soon each of them is back has no scale, and a lease is to outlast it
const MOST = 5;
const MINUTE_MS = 60_000 * SCALE;
const PROVIDER = { name: 'gmail', mx: ['mx.gmail.test'] };
const TOO_MANY = '421 4.7.0 Too many concurrent SMTP connections from this IP address';
const FORGET = { name: 'forget', source: "return redis.call('DEL', KEYS[1], KEYS[2])", sha1: '0'.repeat(40) };

let world: DeliveryWorld;
let wire: TcpProxy;
let connections: RedisConnection[];
let redis: RedisConnection;
let senders: OpenSender[];
let gmail: SmtpPeer;
let most: number; // connections that it saw at a time, refused ones among them

// Three senders that begin with these limits, each with a connection to Redis that the test can cut.
async function begin(start: { connections: number; per_minute: number }, scale = SCALE): Promise<void> {
  world = await createDeliveryWorld({
    MAILBOX_PROVIDERS: JSON.stringify([{ ...PROVIDER, ...start }]),
    TEST_RETRY_SCALE: String(scale),
  });
  const { REDIS_URL } = world.context.env;
  const url = new URL(REDIS_URL!);
  wire = await startTcpProxy(url.hostname, Number(url.port));
  url.port = String(wire.port);
  const connect = async (to: string) => {
    const connection = await openRedis({ REDIS_URL: [to] }, world.context.log);
    connections.push(connection);
    return connection;
  };
  redis = await connect(REDIS_URL!);
  most = 0;
  gmail = await world.startPeer('gmail.test', {
    greeting: () => {
      most = Math.max(most, gmail.open);
      return gmail.open > MOST ? TOO_MANY : '220 mx.gmail.test ESMTP';
    },
    dot: () => ({ reply: '250 2.0.0 OK - gsmtp', afterMs: 20 }),
  });
  senders = [];
  for (let n = 0; n < 3; n++) senders.push(await world.open({ redis: await connect(url.toString()) }));
}

beforeEach(() => void (connections = []));
afterEach(async () => {
  await world.close();
  for (const connection of connections) await connection.close();
  await wire.close();
});

const to = (count: number, domain = 'gmail.test') =>
  Array.from({ length: count }, (_, n) => `r${n}-${monotonicMs()}@${domain}`);
const inState = async (ids: string[], state: string) =>
  (await world.rows('select 1 from messages where id = any($1) and state = $2', [ids, state])).length;
const delivered = (ids: string[]) =>
  waitUntil(async () => (await inState(ids, 'delivered')) === ids.length, { everyMs: 100 });
const limits = () =>
  readLimits(redis, world.context.config.KEY_PREFIX, { ...PROVIDER, connections: 1e6, perMinute: 1e6 });
const whileDelivering = async (count: number, act: () => Promise<unknown>) => {
  const ids = await world.queueAll(to(count), { stream: 'bulk' });
  await waitUntil(() => gmail.messages.length > count / 10);
  await act();
  return ids;
};

const SMALL_PART = 170; // of the messages that a sender may have in flight
const FITS = 3_300; // bulk messages that three senders may have in flight together: 3 × 1,100

test('the limit is what the provider takes: no more are tried after that, and all of them are used', async () => {
  await begin({ connections: 20, per_minute: 1_200 });
  const first = await world.queueAll(to(120), { stream: 'bulk' });
  await waitUntil(async () => (await limits()).learnedFrom !== null, { everyMs: 50 });
  await waitUntil(async () => (await limits()).connections === MOST, { everyMs: 50 });
  expect(await limits()).toMatchObject({ learnedFrom: TOO_MANY });
  await waitUntil(() => gmail.open <= MOST);
  most = 0;
  const ids = await world.queueAll(to(600), { stream: 'bulk' });
  const waiting = () =>
    world.rows<{ inputs: { connections: number } }>(
      "select defer_reason, next_attempt_at, decisions->-1->'inputs' as inputs from messages where id = any($1) and state = 'deferred'",
      [ids],
    );
  // A sender that did not ask Redis since the limit fell says what it knew before.
  await waitUntil(async () => (await waiting()).some(({ inputs }) => inputs.connections === MOST));
  for (const message of await waiting())
    expect(message).toMatchObject({
      defer_reason: 'provider_limit',
      next_attempt_at: expect.any(Date),
      inputs: { provider: 'gmail', connections: expect.any(Number), per_minute: 1_200 },
    });
  // The others wait in the record, as soon as that is written.
  await waitUntil(() => senders.every(({ stats }) => stats().inFlight < SMALL_PART));
  await delivered([...first, ...ids]);
  expect(most).toBe(MOST);
  expect(gmail.messages).toHaveLength(720);
});

test('the messages of a minute become what the provider takes', async () => {
  await begin({ connections: MOST, per_minute: 1_200 });
  const MOST_PER_MINUTE = 100;
  const taken: number[] = [];
  let refused = 0;
  gmail.script.mail = () => {
    const now = monotonicMs();
    if (taken.filter((at) => now - at < MINUTE_MS).length < MOST_PER_MINUTE) {
      taken.push(now);
      return '250 2.1.0 OK';
    }
    refused += 1;
    return '450 4.7.1 Too many messages from your address: rate limited, slow down';
  };
  const ids = await world.queueAll(to(600), { stream: 'bulk' });
  await waitUntil(async () => (await limits()).perMinute <= MOST_PER_MINUTE, { everyMs: 50 });
  const { perMinute } = await limits();
  expect(perMinute).toBeGreaterThan(MOST_PER_MINUTE / 2);
  await sleep(1.5 * MINUTE_MS); // the minute that was too full, and the rest after it
  const [before, since] = [refused, taken.length];
  await waitUntil(() => taken.length - since > perMinute / 4);
  expect(refused).toBe(before);
  expect(before).toBeLessThan(MOST_PER_MINUTE); // most of the surplus was not even tried
  expect((await limits()).perMinute).toBe(perMinute);
  await world.rows('delete from messages where id = any($1) and claimed_by is null', [ids]);
});

test('mail to others does not wait for a provider that is limited', async () => {
  await begin({ connections: 2, per_minute: 120 }); // it needs more than five minutes for all of these
  await world.startPeer('other.test');
  const slow = await world.queueAll(to(2 * FITS), { stream: 'bulk' });
  const claimed = async () =>
    (await world.rows('select 1 from messages where id = any($1) and claim_version > 0', [slow])).length;
  await waitUntil(async () => (await claimed()) > FITS, { everyMs: 100 });
  // Without the limits on what waits for it the provider's messages take up half of each sender.
  await waitUntil(() => senders.every(({ stats }) => stats().inFlight < SMALL_PART));
  await delivered(await world.queueAll(to(100, 'other.test'), { stream: 'bulk' }));
  expect(gmail.messages.length).toBeLessThan(FITS);
});

test('Redis loses its data while they send: nobody opens more than all may have', async () => {
  await begin({ connections: MOST, per_minute: 60_000 }, UNSCALED);
  const keys = providerKeys(world.context.config.KEY_PREFIX, PROVIDER.name);
  const ids = await whileDelivering(200, async () => {
    for (let n = 0; n < 5; n++) {
      await redis.run(FORGET, keys, []);
      await sleep(200);
    }
  });
  await delivered(ids);
  expect(most).toBe(MOST);
});

test.each(['cut', 'freeze'] as const)(
  'Redis is away (%s) while they send: they go on with what they have',
  async (how) => {
    await begin({ connections: MOST, per_minute: 60_000 }, UNSCALED);
    let during = 0;
    const ids = await whileDelivering(250, async () => {
      wire[how]();
      const before = gmail.messages.length;
      await waitUntil(() => gmail.messages.length > before + 100);
      during = gmail.messages.length - before;
      if (how === 'cut') wire.mend();
      else wire.thaw();
    });
    await delivered(ids);
    expect(during).toBeGreaterThan(100);
    expect(most).toBeLessThanOrEqual(MOST);
  },
);

test('Redis is away before the first message: each sender takes its part of the limit', async () => {
  await begin({ connections: 6, per_minute: 60_000 });
  gmail.script.greeting = () => {
    most = Math.max(most, gmail.open);
    return '220 mx.gmail.test ESMTP';
  };
  await waitUntil(() => senders.every(({ lease }) => lease.peers() === 3));
  wire.cut();
  await delivered(await world.queueAll(to(100), { stream: 'bulk' }));
  expect(most).toBeLessThanOrEqual(6);
});

test('a sender dies with all connections: the others have them when its lease is over', async () => {
  await begin({ connections: MOST, per_minute: 60_000 });
  const dead = createBudget(
    { ...PROVIDER, connections: MOST, perMinute: 60_000 },
    { redis, keyPrefix: world.context.config.KEY_PREFIX, senders: () => 1, scale: SCALE },
  );
  await new Promise<void>((news) => {
    dead.poll({ open: 0, working: 0, connections: MOST, messages: 100 }, monotonicMs(), news);
  });
  expect(dead.connections()).toBe(MOST);
  const ids = await world.queueAll(to(100), { stream: 'bulk' });
  await sleep(3_000 * SCALE);
  expect(gmail.connections).toBe(0);
  await delivered(ids);
  expect(most).toBe(MOST);
});

test('other senders have all connections: what waits goes back to the record, for those who have one', async () => {
  await begin({ connections: MOST, per_minute: 60_000 });
  const other = createBudget(
    { ...PROVIDER, connections: MOST, perMinute: 60_000 },
    { redis, keyPrefix: world.context.config.KEY_PREFIX, senders: () => 1, scale: SCALE },
  );
  const hold = () => {
    const demand = { open: MOST, working: MOST, connections: MOST, messages: 100 };
    other.poll(demand, monotonicMs(), () => {});
  };
  hold();
  const holding = setInterval(hold, 1_000 * SCALE);
  await waitUntil(() => other.connections() === MOST);
  const ids = await world.queueAll(to(30));
  await waitUntil(async () => (await inState(ids, 'deferred')) === ids.length, { everyMs: 50 });
  clearInterval(holding);
  expect(gmail.connections).toBe(0);
  await delivered(ids);
});
