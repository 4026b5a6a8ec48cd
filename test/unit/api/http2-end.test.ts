// How a response over HTTP/2 ends whose request body nobody read: with END_STREAM. A reset before that makes clients
// discard the response (RFC 9113 section 8.1), and one after it makes some fail.

import { constants } from 'node:http2';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ListeningServer } from '../../../api/servers.ts';
import { connectFrames, endsStream, type FrameConnection } from '../../harness/http2-frames.ts';
import { startTestHttps } from '../../harness/test-https.ts';

const MIB = 1024 * 1024;
const POST = { ':method': 'POST', 'content-type': 'application/json' };

let server: ListeningServer;
let client: FrameConnection;
let text: string;

beforeEach(async () => {
  text = '{"ok":false}';
  server = await startTestHttps(() => new Response(text, { status: 401 }));
  client = await connectFrames(server.port);
});
afterEach(async () => {
  client.close();
  await server.close();
});

test.each([
  ['one frame', 12],
  ['several frames', 40_000],
])('a response of %s ends before the request body does; then the body is discarded', async (_, length) => {
  text = 'x'.repeat(length);
  const stream = client.request(POST, { hasBody: true });
  client.data(stream, '{"a":', false);
  await client.until('the end of the response', (frame) => frame.stream === stream && endsStream(frame));
  const bodies = client.of(stream).filter(({ type }) => type === 'DATA');
  expect(bodies.reduce((sum, { payload }) => sum + payload.length, 0)).toBe(length);
  await client.upload(stream, 2 * MIB);
  client.data(stream, '1}', true);
  text = 'yes';
  const next = client.request({});
  await client.until('the next response', (frame) => frame.stream === next && endsStream(frame));
  expect(client.frames.filter(({ type }) => type === 'RST_STREAM')).toEqual([]);
});

test('a request body of more than 16 MiB is refused, after the end of the response', async () => {
  const stream = client.request(POST, { hasBody: true });
  await client.upload(stream, 18 * MIB);
  const reset = await client.until('the reset', (frame) => frame.type === 'RST_STREAM');
  const frames = client.of(stream).filter(({ type }) => type !== 'WINDOW_UPDATE');
  expect(frames.findIndex(endsStream)).toBe(frames.length - 2);
  expect(frames.at(-1)).toBe(reset);
  expect(reset.payload.readUInt32BE()).toBe(constants.NGHTTP2_NO_ERROR);
});

test('a request body that came whole: the response ends without a reset', async () => {
  for (let at = 0; at < 10; at++) {
    const stream = client.request(POST, { hasBody: true });
    client.data(stream, '{"a":1}', true);
  }
  const last = client.request({});
  await client.until('the last response', (frame) => frame.stream === last && endsStream(frame));
  await client.until('all responses', () => client.frames.filter(endsStream).length === 11);
  expect(client.frames.filter(({ type }) => type === 'RST_STREAM')).toEqual([]);
});
