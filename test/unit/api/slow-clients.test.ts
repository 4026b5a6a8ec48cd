// Clients that read slowly or not at all: queued bytes and waiting time are bounded.

import { once } from 'node:events';
import { constants } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { afterEach, expect, test } from 'vitest';

import { createResponseLimits, RESPONSE_LIMITS, type CutResponse } from '../../../api/response-limits.ts';
import type { ListeningServer } from '../../../api/servers.ts';
import { shareBody } from '../../../api/slice-response.ts';
import { sleep } from '../../../core/base/clock.ts';
import { connectFrames, endsStream, type FrameConnection } from '../../harness/http2-frames.ts';
import { startTestHttps } from '../../harness/test-https.ts';
import { waitUntil } from '../../harness/wait.ts';

const KIB = 1024;
const SLICE = 16 * KIB;
const FOREVER_MS = 3_600_000;
const NO_WINDOW = { initialWindowSize: 0 };
const END = 1; // byte of window: nghttp2 sends the empty frame that ends a stream only while its window is open

let server: ListeningServer;
const clients: { close(): void }[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.close();
});

/** A server whose responses have this body. */
async function start(body: () => string | Uint8Array<ArrayBuffer>, options: Partial<typeof RESPONSE_LIMITS>) {
  const cuts: CutResponse[] = [];
  const onCut = (why: CutResponse) => void cuts.push(why);
  const responses = createResponseLimits({ ...RESPONSE_LIMITS, ...options, onCut });
  server = await startTestHttps(() => new Response(body()), { responses });
  return { cuts, queued: () => responses.queuedBytes() };
}

async function client(...args: Parameters<typeof connectFrames> extends [number, ...infer R] ? R : never) {
  const connection = await connectFrames(server.port, ...args);
  clients.push(connection);
  return connection;
}

const resetsOf = ({ frames }: FrameConnection) =>
  frames
    .filter(({ type }) => type === 'RST_STREAM')
    .map(({ stream, payload }) => [stream, payload.readUInt32BE()]);
const bytesOf = (connection: FrameConnection, stream: number) =>
  connection
    .of(stream)
    .filter(({ type }) => type === 'DATA')
    .reduce((sum, { payload }) => sum + payload.length, 0);

test('of a shared document one slice waits for each reader; of a separate body all of it', async () => {
  const document = shareBody(Buffer.alloc(400 * KIB, 'x'));
  let body: () => string | Buffer<ArrayBuffer> = () => document;
  const { queued } = await start(() => body(), { stalledMs: FOREVER_MS });
  const reader = await client(NO_WINDOW);
  for (let at = 0; at < 4; at++) reader.request({});
  await waitUntil(() => queued() === 4 * SLICE);
  body = () => 'x'.repeat(400 * KIB);
  const stream = reader.request({});
  await waitUntil(() => queued() === 4 * SLICE + 400 * KIB);
  reader.openWindow(stream, 400 * KIB + END);
  await reader.until('the end of the response', (frame) => frame.stream === stream && endsStream(frame));
  expect(bytesOf(reader, stream)).toBe(400 * KIB);
  await waitUntil(() => queued() === 4 * SLICE);
});

test('a stream without progress is reset; the connection and its other streams go on', async () => {
  const { cuts, queued } = await start(() => 'x'.repeat(100 * KIB), { stalledMs: 200 });
  const reader = await client(NO_WINDOW);
  const streams = [reader.request({}), reader.request({}), reader.request({})];
  await waitUntil(() => resetsOf(reader).length === 3);
  expect(resetsOf(reader)).toEqual(streams.map((stream) => [stream, constants.NGHTTP2_CANCEL]));
  expect(cuts).toEqual(['stalled', 'stalled', 'stalled']);
  expect(queued()).toBe(0);
  const next = reader.request({});
  reader.openWindow(next, 100 * KIB + END);
  await reader.until('the next response', (frame) => frame.stream === next && endsStream(frame));
});

test('a response that was sent is not cut off while its request still arrives', async () => {
  const { cuts } = await start(() => 'yes', { stalledMs: 200 });
  const sender = await client();
  const stream = sender.request({ ':method': 'POST' }, { hasBody: true });
  await sender.until('the response', (frame) => frame.stream === stream && endsStream(frame));
  const later = await client(NO_WINDOW);
  later.request({});
  await waitUntil(() => resetsOf(later).length === 1);
  expect([cuts, resetsOf(sender)]).toEqual([['stalled'], []]);
  sender.data(stream, 'x', true);
  const next = sender.request({});
  await sender.until('the next response', (frame) => frame.stream === next && endsStream(frame));
});

test('a reader that takes a slice now and then gets all of it', async () => {
  const { cuts } = await start(() => 'x'.repeat(4 * SLICE), { stalledMs: 1_800 });
  const reader = await client(NO_WINDOW);
  const stream = reader.request({});
  for (let slices = 1; slices <= 4; slices++) {
    await sleep(500); // four of them are longer than the limit
    reader.openWindow(stream, SLICE);
    await waitUntil(() => bytesOf(reader, stream) === slices * SLICE);
  }
  reader.openWindow(stream, END);
  await reader.until('the end', (frame) => frame.stream === stream && endsStream(frame));
  expect(cuts).toEqual([]);
});

test('a reader of HTTP/1.1 that stops reading is disconnected; meanwhile one slice waits', async () => {
  const document = shareBody(Buffer.alloc(64 * KIB * KIB, 'x')); // more than the kernel takes
  const { cuts, queued } = await start(() => document, { stalledMs: 500 });
  const socket = connectTls({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false });
  clients.push({ close: () => socket.destroy() });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'readable');
  let most = 0;
  await waitUntil(() => {
    most = Math.max(most, queued());
    return cuts.length > 0;
  });
  expect(cuts).toEqual(['stalled']);
  expect(most).toBe(SLICE);
  const closed = once(socket, 'close');
  socket.resume();
  await closed;
  expect(socket.bytesRead).toBeLessThan(document.length);
});

test('an address with too many bytes waiting loses its oldest response, not others', async () => {
  const { cuts } = await start(() => 'x'.repeat(40 * KIB), {
    stalledMs: FOREVER_MS,
    perAddressBytes: 100 * KIB,
  });
  const other = await client(NO_WINDOW, '127.0.0.2');
  const others = other.request({});
  await waitUntil(() => other.frames.some(({ stream }) => stream === others));
  const reader = await client(NO_WINDOW);
  const streams = Array.from({ length: 5 }, () => reader.request({}));
  await waitUntil(() => resetsOf(reader).length === 3);
  expect(resetsOf(reader).map(([stream]) => stream)).toEqual(streams.slice(0, 3));
  expect(cuts).toEqual(['queued_bytes', 'queued_bytes', 'queued_bytes']);
  for (const [connection, stream] of [
    [other, others],
    [reader, streams[3]!],
  ] as const) {
    connection.openWindow(stream, 40 * KIB + END);
    await connection.until('a response', (frame) => frame.stream === stream && endsStream(frame));
  }
});

test('with too many bytes waiting in total, the address with most of them loses a response', async () => {
  await start(() => 'x'.repeat(40 * KIB), { stalledMs: FOREVER_MS, totalBytes: 150 * KIB });
  const small = await client(NO_WINDOW, '127.0.0.2');
  const only = small.request({});
  await waitUntil(() => small.frames.some(({ stream }) => stream === only));
  const large = await client(NO_WINDOW);
  const streams = Array.from({ length: 4 }, () => large.request({}));
  await waitUntil(() => resetsOf(large).length === 2);
  expect(resetsOf(large).map(([stream]) => stream)).toEqual(streams.slice(0, 2));
  expect(resetsOf(small)).toEqual([]);
});

test('a single response may be larger than the limit of its address', async () => {
  const { cuts } = await start(() => 'x'.repeat(200 * KIB), { perAddressBytes: 100 * KIB });
  const reader = await client();
  const stream = reader.request({});
  reader.openWindow(stream, 200 * KIB + END);
  await reader.until('the end', (frame) => frame.stream === stream && endsStream(frame));
  expect(bytesOf(reader, stream)).toBe(200 * KIB);
  expect(cuts).toEqual([]);
});
