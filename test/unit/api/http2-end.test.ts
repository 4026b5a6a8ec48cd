// How a response over HTTP/2 ends whose request body nobody read: with END_STREAM, and only then with a reset (RFC 9113
// section 8.1). Clients discard a response that is reset before its end.

import { constants } from 'node:http2';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ListeningServer } from '../../../api/servers.ts';
import { connectFrames, endsStream, type FrameConnection } from '../../harness/http2-frames.ts';
import { startTestHttps } from '../../harness/test-https.ts';

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
])('a request body that does not end: a response of %s ends, then the body is refused', async (_, length) => {
  text = 'x'.repeat(length);
  const stream = client.request(POST, { hasBody: true });
  client.data(stream, '{"a":', false);
  const reset = await client.until('the reset', (frame) => frame.type === 'RST_STREAM');
  const frames = client.of(stream).filter(({ type }) => type !== 'WINDOW_UPDATE');
  expect(frames.findIndex(endsStream)).toBe(frames.length - 2);
  expect(frames.at(-1)).toBe(reset);
  expect(reset.payload.readUInt32BE()).toBe(constants.NGHTTP2_NO_ERROR);
  expect(
    frames.filter(({ type }) => type === 'DATA').reduce((sum, { payload }) => sum + payload.length, 0),
  ).toBe(length);
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
