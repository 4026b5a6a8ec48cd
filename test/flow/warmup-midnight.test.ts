// 00:00 UTC: the cap is what a receiver sees of a domain in a UTC day. Mail that is undelivered when a day ends gives its
// admission back and takes one of the new day, in the order in which it came, before anything newer.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { nextUtcMidnight, utcDay } from '../../core/base/clock.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import type { Accepted } from '../../core/message/submission.ts';
import { openSimulated, type SimulatedDatabase } from '../../local/simulate/simulated-clock.ts';
import { createAccept, type Accept } from '../../sender/accept/accept.ts';
import { createGate } from '../../sender/accept/gate/gate.ts';
import { startReleaseLoop } from '../../sender/release/release-loop.ts';
import type { Loop } from '../../core/base/loop.ts';
import { createDeliveryWorld, type DeliveryWorld, type OpenSender } from '../harness/delivery-world.ts';
import { makeMessage, makeSubmission } from '../harness/factories.ts';
import type { PeerMessage } from '../harness/smtp-peer.ts';
import { waitUntil } from '../harness/wait.ts';

const CAP = 50; // of tier 0

let world: DeliveryWorld;
let simulated: SimulatedDatabase;
let redis: RedisConnection;
let sender: OpenSender;
let accept: Accept;
let releasing: Loop;

beforeEach(async () => {
  world = await createDeliveryWorld({ TEST_RETRY_SCALE: '0.002' });
  const { config, log } = world.context;
  simulated = await openSimulated(config, log);
  const { pool } = simulated.db;
  redis = await openRedis(config, log);
  sender = await world.open({ home: simulated.db });
  const { delivery, lease } = sender;
  const deps = {
    pool,
    gate: createGate(redis, config.KEY_PREFIX, log),
    fail: () => {},
    maxAgeMs: 5 * DAY_MS,
  };
  const wake = () => delivery.wake();
  accept = createAccept({
    ...deps,
    log,
    wake,
    workerId: () => lease.workerId(),
    capacity: (stream) => delivery.capacity(stream),
    deliver: (claims, workerId) => delivery.deliver(claims, workerId),
  });
  releasing = startReleaseLoop({ ...deps, wake }, log);
});

afterEach(async () => {
  await accept.drain();
  await releasing.stop();
  await sender.stop();
  await redis.close();
  await simulated.db.close();
  await world.close();
});

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const BEFORE_MIDNIGHT_MS = 3_000; // when most of a day's mail is being tried once more

// Submits messages one after the other; returns their statuses.
async function submit(count: number, text: string): Promise<string[]> {
  const statuses: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const message = makeMessage(world.account, { rcptTo: `${text}-${n}@shop.test` });
    const answer = await accept.submit(makeSubmission(world.account, [message]));
    statuses.push(answer.ok ? (answer.items[0] as Accepted).status : answer.code);
  }
  return statuses;
}

let shift = 0; // of the calendar, from this machine's clock
const turnTo = async (time: Date) => {
  shift = await simulated.setNow(time);
  // The sender learns of it by its next heartbeat; a real clock does not jump.
  await waitUntil(() => Math.abs(sender.lease.databaseNow().getTime() - time.getTime()) < 60_000);
};

const midnight = async () => nextUtcMidnight(await simulated.now());

const states = () =>
  world.rows<{ state: string; reason: string | null; day: string | null; n: number }>(
    `select state, defer_reason as reason, admitted_day::text as day, count(*)::int as n from messages
     group by 1, 2, 3 order by 1, 2, 3`,
  );

const undeliveredOf = async (day: string) =>
  (
    await world.rows<{ n: number }>(
      `select count(*)::int as n from messages where admitted_day = $1 and state <> 'delivered'`,
      [day],
    )
  )[0]!.n;

test('a receiver that says 421 all day sees no more than the cap the next day, the oldest first', async () => {
  let refuses = true;
  const peer = await world.startPeer('shop.test', {
    rcpt: () => (refuses ? '421 4.3.2 not today' : '250 ok'),
  });
  await turnTo(new Date((await midnight()).getTime() + HOUR_MS));
  expect(new Set(await submit(CAP, 'a'))).toEqual(new Set(['queued']));
  expect(new Set(await submit(30, 'b'))).toEqual(new Set(['deferred']));
  await waitUntil(() => peer.commands.filter((line) => line.startsWith('RCPT')).length >= CAP);
  expect(peer.messages).toEqual([]);

  const second = await midnight();
  await turnTo(new Date(second.getTime() + 1_000));
  refuses = false;
  await submit(30, 'c');
  await waitUntil(() => peer.messages.length === CAP);
  await waitUntil(async () => (await undeliveredOf(utcDay(second))) === 0);
  expect(peer.messages.map(nameOf).toSorted()).toEqual(names('a', CAP).toSorted());
  expect(await states()).toEqual([
    { state: 'deferred', reason: 'warmup_cap', day: null, n: 60 },
    { state: 'delivered', reason: null, day: utcDay(second), n: CAP },
  ]);
  expect(await world.rows('select day::text as day, used, reserved from warmup_days order by day')).toEqual([
    { day: utcDay(new Date(second.getTime() - DAY_MS)), used: 0, reserved: 0 },
    { day: utcDay(second), used: CAP, reserved: 0 },
  ]);

  await turnTo(new Date(second.getTime() + DAY_MS + 1_000));
  await waitUntil(() => peer.messages.length === 2 * CAP);
  expect(peer.messages.slice(CAP).map(nameOf).toSorted()).toEqual(
    [...names('b', 30), ...names('c', 20)].toSorted(),
  );
});

test('a retry that is due tomorrow takes its admission at midnight and keeps its time and reason', async () => {
  await world.startPeer('shop.test', { rcpt: () => '451 4.7.1 greylisted' });
  await turnTo(new Date((await midnight()).getTime() + HOUR_MS));
  await submit(1, 'a');
  await waitUntil(async () => (await states())[0]?.reason === 'remote_4xx');
  const put = `update messages set next_attempt_at = next_attempt_at + interval '30 hours'
    where claimed_by is null returning id`; // between two attempts, which come every second here
  await waitUntil(async () => (await world.rows(put)).length === 1);
  const [before] = await world.rows('select next_attempt_at, expires_at from messages');
  const next = await midnight();
  await turnTo(new Date(next.getTime() + 1_000));
  await waitUntil(async () => (await states())[0]?.day === utcDay(next));
  expect(await states()).toEqual([{ state: 'deferred', reason: 'remote_4xx', day: utcDay(next), n: 1 }]);
  expect((await world.rows('select next_attempt_at, expires_at from messages'))[0]).toEqual(before);

  await world.rows(`update domains set warmup_state = 'paused'`);
  await turnTo(new Date(next.getTime() + DAY_MS + 1_000));
  await waitUntil(async () => (await states())[0]?.reason === 'domain_paused');
  expect((await world.rows('select next_attempt_at, expires_at from messages'))[0]).toEqual(before); // it ages
});

test('through a midnight under load, what the receiver sees by its day is never over the cap', async () => {
  const seen = new Map<string, Set<string>>();
  const end = await midnight();
  let isTurning = false; // a sender that has not heard of it would go on in the first day
  await world.startPeer('shop.test', {
    data: () => (isTurning ? '451 4.3.0 in a moment' : { reply: '354 go on', afterMs: Math.random() * 300 }),
    dot: ({ dataAt, rcptTo }) => {
      const day = utcDay(new Date(dataAt + shift));
      seen.set(day, (seen.get(day) ?? new Set()).add(rcptTo));
      const refused = day < utcDay(end) && Math.random() < 0.6;
      return { reply: refused ? '451 4.3.0 again' : '250 ok', afterMs: Math.random() * 200 };
    },
  });
  const [first, second] = [utcDay(new Date(end.getTime() - 1)), utcDay(end)];
  await turnTo(new Date(end.getTime() - HOUR_MS));
  await submit(CAP + 20, 'a');
  await waitUntil(() => seen.get(first)?.size === CAP);
  isTurning = true;
  await turnTo(new Date(end.getTime() - BEFORE_MIDNIGHT_MS));
  isTurning = false;
  while (Date.now() + shift < end.getTime() + 2_000) await submit(2, `b${Date.now()}`);
  await waitUntil(async () => (await undeliveredOf(second)) === 0 && (await usedOf(second)) === CAP);
  expect(seen.get(first)!.size).toBe(CAP);
  expect(seen.get(second)!.size).toBe(CAP);
  expect(await undeliveredOf(first)).toBe(0);
});

const usedOf = async (day: string) =>
  (await world.rows<{ used: number }>('select used from warmup_days where day = $1', [day]))[0]?.used;

const nameOf = ({ rcptTo }: PeerMessage) => rcptTo.split('@')[0]!;
const names = (text: string, count: number) => Array.from({ length: count }, (_, n) => `${text}-${n}`);
