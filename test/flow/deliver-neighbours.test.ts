// One destination in trouble, and what its neighbours notice of it: nothing.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createDeliveryWorld, type DeliveryWorld, type OpenSender } from '../harness/delivery-world.ts';
import { waitUntil } from '../harness/wait.ts';

let world: DeliveryWorld;
let sender: OpenSender;

beforeAll(async () => {
  world = await createDeliveryWorld({ SENDER_MAX_IN_FLIGHT: '120', OUTBOUND_MAX_CONNECTIONS: '10' });
  sender = await world.open();
});

afterAll(() => world.close());

const countIn = async (ids: string[], state: string) =>
  (await world.rows('select 1 from messages where id = any($1) and state = $2', [ids, state])).length;

test('a slow destination neither fills the messages in flight nor delays others', async () => {
  const slow = await world.startPeer('slow.test', { rcpt: () => ({ reply: '250 ok', afterMs: 400 }) });
  await world.startPeer('fast.test');
  const stuck = await world.queueAll(Array.from({ length: 300 }, (_, n) => `s${n}@slow.test`));
  await waitUntil(() => slow.connections > 0);
  const quick = await world.queueAll(Array.from({ length: 30 }, (_, n) => `f${n}@fast.test`));
  await waitUntil(async () => (await countIn(quick, 'delivered')) === 30);
  expect(await countIn(stuck, 'delivered')).toBeLessThan(300);
});

test('a dead destination rests: what was not tried waits in the record, with a reason', async () => {
  world.dns.zone['gone.test'] = { a: ['127.0.0.251'] };
  const ids = await world.queueAll(Array.from({ length: 30 }, (_, n) => `g${n}@gone.test`));
  await waitUntil(async () => (await countIn(ids, 'deferred')) === 30);
  const rows = await world.rows<{ defer_reason: string; attempts: number }>(
    'select defer_reason, attempts from messages where id = any($1)',
    [ids],
  );
  expect(new Set(rows.map((row) => row.defer_reason))).toEqual(new Set(['network']));
  expect(rows.filter((row) => row.attempts === 0).length).toBeGreaterThan(0);
});

test('a receipt overtakes a campaign that waits for the same destination', async () => {
  const narrow = await createDeliveryWorld({ SENDER_MAX_IN_FLIGHT: '60', OUTBOUND_MAX_CONNECTIONS: '1' });
  try {
    const peer = await narrow.startPeer('busy.test', { dot: () => ({ reply: '250 ok', afterMs: 30 }) });
    const sender = await narrow.open();
    await narrow.queueAll(
      Array.from({ length: 30 }, (_, n) => `c${n}@busy.test`),
      { stream: 'bulk' },
    );
    await waitUntil(() => sender.stats().inFlight > 20);
    const before = peer.messages.length;
    await narrow.untilState(await narrow.queue('receipt@busy.test'), 'delivered');
    const place = peer.messages.findIndex((message) => message.rcptTo === 'receipt@busy.test');
    expect(place - before).toBeLessThan(8);
  } finally {
    await narrow.close();
  }
});

test('draining finishes what is on its way and gives the rest back at once', async () => {
  const peer = await world.startPeer('drain.test', { dot: () => ({ reply: '250 ok', afterMs: 200 }) });
  const ids = await world.queueAll(Array.from({ length: 20 }, (_, n) => `d${n}@drain.test`));
  await waitUntil(() => sender.stats().active > 0 && peer.connections > 0);
  await sender.stop();
  const rows = await world.rows<{ state: string; claimed_by: string | null }>(
    'select state, claimed_by from messages where id = any($1)',
    [ids],
  );
  expect(rows.every((row) => row.claimed_by === null)).toBe(true);
  expect(rows.filter((row) => row.state === 'delivered').length).toBe(peer.messages.length);
  expect(rows.filter((row) => row.state === 'queued').length).toBe(20 - peer.messages.length);
  expect(await world.rows('select 1 from workers')).toHaveLength(0);
});
