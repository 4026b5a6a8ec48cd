// Senders for bulk mail: while one lives the others leave campaigns to it, and it leaves receipts to them. Each sender has a
// name of its own here, which the peer hears.

import { afterEach, expect, test } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import { STREAMS, type Stream } from '../../core/base/stream.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import type { SmtpPeer } from '../harness/smtp-peer.ts';
import { waitUntil } from '../harness/wait.ts';

const LEASE_MS = 1_000;
const RECIPIENTS = Array.from({ length: 40 }, (_, n) => `r${n}@there.test`);
const [MAIN, BULK] = ['main.postrider.test', 'bulk.postrider.test'];

let world: DeliveryWorld;
afterEach(() => world.close());

async function start(): Promise<SmtpPeer> {
  world = await createDeliveryWorld({ WORKER_LEASE_MS: String(LEASE_MS) });
  return world.startPeer('there.test');
}

const open = (name: string) =>
  world.open({
    config: { ...world.context.config, OUTBOUND_HOSTNAME: name, SENDER_BULK_ONLY: name === BULK },
  });

// Sends to all recipients in each stream; returns the names of the senders that each stream came from.
async function send(peer: SmtpPeer): Promise<Record<Stream, string[]>> {
  const before = peer.messages.length;
  for (const stream of STREAMS) await world.queueAll(RECIPIENTS, { stream, subject: stream });
  await waitUntil(() => peer.messages.length === before + STREAMS.length * RECIPIENTS.length);
  const names = (stream: Stream) =>
    peer.messages
      .slice(before)
      .flatMap(({ helo, raw }) => (raw.includes(`Subject: ${stream}`) ? [helo] : []));
  return {
    transactional: [...new Set(names('transactional'))],
    bulk: [...new Set(names('bulk'))],
  };
}

// A sender hears of another with its next heartbeat.
const heard = () => sleep(LEASE_MS / 2);

test('campaigns leave from the sender for bulk mail and receipts from the other, whichever began first', async () => {
  const peer = await start();
  await open(MAIN);
  expect(await send(peer)).toEqual({ transactional: [MAIN], bulk: [MAIN] });
  await open(BULK);
  await heard();
  expect(await send(peer)).toEqual({ transactional: [MAIN], bulk: [BULK] });
});

test('a sender that is left alone delivers both', async () => {
  const peer = await start();
  const main = await open(MAIN);
  const bulk = await open(BULK);
  await heard();
  await main.stop();
  await heard();
  expect(await send(peer)).toEqual({ transactional: [BULK], bulk: [BULK] });
  await open(MAIN);
  await heard();
  await bulk.stop();
  await heard();
  expect(await send(peer)).toEqual({ transactional: [MAIN], bulk: [MAIN] });
});
