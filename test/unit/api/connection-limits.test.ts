// How many connections an address may hold, and who makes way when all are in use.

import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';

import { createConnectionLimits, type ClosedConnection } from '../../../api/connection-limits.ts';
import type { ListeningServer } from '../../../api/servers.ts';
import { parseRange, type AddressRange } from '../../../core/base/address-range.ts';
import { connectFrames, connectFrom, endsStream } from '../../harness/http2-frames.ts';
import { startTestHttps } from '../../harness/test-https.ts';
import { waitUntil } from '../../harness/wait.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const ONE = '127.0.0.1';
const TWO = '127.0.0.2';

let server: ListeningServer;
const open: { destroy(): void }[] = [];
const answers: ((response: Response) => void)[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await server.close();
});

/** A server that answers each request once `answers` is called. */
async function start(limits: { perAddress?: number; total?: number; exempt?: readonly AddressRange[] }) {
  const closed: ClosedConnection[] = [];
  answers.length = 0;
  const connections = createConnectionLimits({
    perAddress: 100,
    total: 100,
    exempt: [],
    ...limits,
    onClosed: (why) => void closed.push(why),
  });
  server = await startTestHttps(() => new Promise((resolve) => answers.push(resolve)), { connections });
  return closed;
}

/** A connection, or null when it was closed before its handshake. */
async function connected(localAddress: string): Promise<Socket | null> {
  const socket = connectFrom(server.port, localAddress);
  open.push(socket);
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('secureConnect', resolve).once('close', () => resolve()));
  return socket.closed ? null : socket;
}

async function ask(socket: Socket): Promise<void> {
  const before = answers.length;
  socket.resume().write(REQUEST);
  await waitUntil(() => answers.length > before);
}

test('an address at its limit gets no more connections, others do; a closed one makes room', async () => {
  const closed = await start({ perAddress: 2 });
  const [first, second] = [await connected(ONE), await connected(ONE)];
  expect([first, second]).not.toContain(null);
  expect(await connected(ONE)).toBeNull();
  expect(closed).toEqual(['address_limit']);
  expect(await connected(TWO)).not.toBeNull();
  first!.destroy();
  await waitUntil(async () => (await connected(ONE)) !== null);
});

test('connections that never begin TLS count too', async () => {
  await start({ perAddress: 2 });
  for (let at = 0; at < 2; at++) {
    const socket = connectTcp({ host: ONE, port: server.port });
    open.push(socket);
    await once(socket, 'connect');
  }
  expect(await connected(ONE)).toBeNull();
  expect(await connected(TWO)).not.toBeNull();
});

test('handshakes of an address that never end keep only its own later ones waiting', async () => {
  await start({});
  const stuck: Socket[] = [];
  for (let at = 0; at < 8; at++) {
    const socket = connectTcp({ host: ONE, port: server.port });
    stuck.push(socket);
    open.push(socket);
    await once(socket, 'connect');
  }
  const later = connectFrom(server.port, ONE).on('error', () => {});
  open.push(later);
  const gaveUp = connectFrom(server.port, ONE).on('error', () => {});
  await once(gaveUp, 'connect');
  gaveUp.destroy();
  expect(await connected(TWO)).not.toBeNull();
  expect(later.authorizationError ?? null).toBeNull(); // it is set once a handshake ended
  stuck[3]!.destroy();
  await once(later, 'secureConnect');
  expect(later.authorizationError).not.toBeNull();
});

test('trusted proxies are exempt from the limit per address', async () => {
  const parsed = parseRange(ONE);
  await start({ perAddress: 1, exempt: parsed.ok ? [parsed.range] : [] });
  expect(await connected(ONE)).not.toBeNull();
  expect(await connected(ONE)).not.toBeNull();
});

test('with all connections in use the one that is idle for the longest time makes way', async () => {
  const closed = await start({ total: 3 });
  const [busy, used, unused] = [await connected(ONE), await connected(ONE), await connected(ONE)];
  await ask(busy!);
  await ask(used!);
  const answered = once(used!, 'data');
  answers[1]!(new Response('yes'));
  await answered;
  expect(await connected(TWO)).not.toBeNull();
  await waitUntil(() => unused!.closed);
  expect([busy!.closed, used!.closed]).toEqual([false, false]);
  expect(await connected(TWO)).not.toBeNull();
  await waitUntil(() => used!.closed);
  expect(busy!.closed).toBe(false);
  expect(closed).toEqual(['oldest_idle', 'oldest_idle']);
  const kept = once(busy!, 'data');
  answers[0]!(new Response('yes'));
  await kept;
});

test('a connection of HTTP/2 is idle once its last stream ended', async () => {
  const closed = await start({ total: 1 });
  const client = await connectFrames(server.port);
  open.push(client.socket);
  const streams = [client.request({}), client.request({})];
  await waitUntil(() => answers.length === 2);
  answers[0]!(new Response('yes'));
  await client.until('the first response', (frame) => frame.stream === streams[0] && endsStream(frame));
  expect(await connected(TWO)).toBeNull();
  expect(closed).toEqual(['all_busy']);
  answers[1]!(new Response('yes'));
  await client.until('the second response', (frame) => frame.stream === streams[1] && endsStream(frame));
  await waitUntil(async () => (await connected(TWO)) !== null);
  await waitUntil(() => client.socket.closed);
});
