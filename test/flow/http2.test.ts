// Everything of the api over HTTP/2, as browsers speak it: bodies and their limits, uploads, streams, hosts.

import { once } from 'node:events';
import { constants, type ClientHttp2Session } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { askHttp2, connectHttp2, readHttp2 } from '../harness/http2-client.ts';
import { connectFrames, endsStream, SETTING, settingsIn, type Frame } from '../harness/http2-frames.ts';
import { waitUntil } from '../harness/wait.ts';

let world: ApiWorld;
let session: ClientHttp2Session;
let key: string;
let tenantId: string;
const post = (path: string, type = 'application/json') => ({
  ':method': 'POST',
  ':path': path,
  authorization: `Bearer ${key}`,
  'content-type': type,
});

const UNFINISHED = { ':method': 'POST', ':path': '/graphql', 'content-type': 'application/json' };

beforeAll(async () => {
  world = await createApiWorld();
  const scopes = ['contacts:read', 'contacts:write', 'events:read'];
  ({ key, tenantId } = await world.makeKey({ scopes }));
  session = await connectHttp2(world.port);
});
afterAll(async () => {
  session?.destroy();
  await world.close();
});

test.each([
  [['h2', 'http/1.1'], 'h2'],
  [['http/1.1'], 'http/1.1'],
  [undefined, false],
])('a client that offers %s gets %s', async (offered, chosen) => {
  const socket = connectTls({
    host: '127.0.0.1',
    port: world.port,
    rejectUnauthorized: false,
    ...(offered && { ALPNProtocols: offered }),
  });
  await once(socket, 'secureConnect');
  expect(socket.alpnProtocol).toBe(chosen);
  socket.destroy();
});

test('REST reads and writes, with and without the length of the body', async () => {
  const body = JSON.stringify({ email: 'two@example.net' });
  const made = await askHttp2(session, post('/api/v1/contacts'), body); // no content-length
  expect([made.status, JSON.parse(made.text).data.email]).toEqual([201, 'two@example.net']);
  const list = await askHttp2(session, {
    ':path': '/api/v1/contacts',
    authorization: `Bearer ${key}`,
  });
  expect(JSON.parse(list.text).data.items).toHaveLength(1);
  expect(list.headers['connection']).toBeUndefined();
  const none = await askHttp2(session, post('/api/v1/contacts'));
  expect([none.status, JSON.parse(none.text).error]).toEqual([400, 'invalid_json']);
});

test('many requests at once share the connection', async () => {
  const answers = await Promise.all(
    Array.from({ length: 80 }, () => askHttp2(session, { ':path': '/healthz' })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a connection has 16 streams at once, and 100 after its first valid key', async () => {
  const stranger = await connectFrames(world.port);
  const first = await stranger.until('the settings', (frame) => frame.type === 'SETTINGS');
  expect(settingsIn(first).get(SETTING.maxConcurrentStreams)).toBe(16);
  const streams = Array.from({ length: 17 }, () => stranger.request(UNFINISHED, { hasBody: true }));
  const refused = await stranger.until('a refusal', ({ type }) => type === 'RST_STREAM' || type === 'GOAWAY');
  if (refused.type === 'RST_STREAM') expect(refused.stream).toBe(streams[16]);
  stranger.close();

  const customer = await connectFrames(world.port);
  const raised = ({ type, stream, flags }: Frame) => type === 'SETTINGS' && stream === 0 && flags === 0;
  for (const authorization of ['Bearer sk_live_wrong', `Bearer ${key}`]) {
    await customer.until('settings', raised);
    expect(customer.frames.filter(raised)).toHaveLength(1);
    const stream = customer.request({ ':path': '/api/v1/contacts', authorization });
    await customer.until('an answer', (frame) => frame.stream === stream && endsStream(frame));
  }
  await waitUntil(() => customer.frames.filter(raised).length === 2);
  expect(settingsIn(customer.frames.filter(raised)[1]!).get(SETTING.maxConcurrentStreams)).toBe(100);
  customer.close();
});

test('a body over the limit is refused, whether it says so or not, and the connection goes on', async () => {
  const large = Buffer.alloc(3 * 1024 * 1024, 'x');
  for (const length of [{}, { 'content-length': String(large.length) }]) {
    const { status, text } = await askHttp2(session, { ...post('/api/v1/contacts'), ...length }, large);
    expect([status, JSON.parse(text).error]).toEqual([413, 'payload_too_large']);
  }
  const fits = JSON.stringify({ email: 'fits@example.net', attributes: { long: 'x'.repeat(10_000) } });
  expect((await askHttp2(session, post('/api/v1/contacts'), fits)).status).toBe(201);
});

test('an upload that is cut off imports nothing; one that ends does', async () => {
  const imports = async () =>
    (await world.context.db.pool.query('select from contact_imports where tenant_id = $1', [tenantId]))
      .rowCount;
  const cut = session.request(post('/api/v1/contacts/import', 'text/csv'));
  const over = readHttp2(cut);
  cut.write('email\na@example.net\nb@exam');
  await waitUntil(async () => (await imports()) === 1);
  cut.destroy(new Error('gone')); // `close` would end the body first
  await over;
  await waitUntil(async () => (await imports()) === 0);
  const whole = await askHttp2(
    session,
    post('/api/v1/contacts/import', 'text/csv'),
    'email\na@example.net\n',
  );
  expect(whole.status).toBe(202);
  expect(await imports()).toBe(1);
});

test('a stream begins, is counted, and gives its place back when the reader leaves', async () => {
  const stream = session.request({
    ':path': '/api/v1/events/stream',
    authorization: `Bearer ${key}`,
    accept: 'text/event-stream',
  });
  const over = readHttp2(stream);
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  expect(headers['content-type']).toContain('text/event-stream');
  await waitUntil(async () => world.deps.streams.count() === 1);
  stream.close(constants.NGHTTP2_CANCEL);
  await over;
  await waitUntil(async () => world.deps.streams.count() === 0);
});

test('two hosts are refused, and one that is none gets our own answer', async () => {
  const two = await askHttp2(session, { ':path': '/healthz', ':authority': 'a.test', host: 'b.test' });
  expect([two.status, two.text]).toEqual([400, 'The request has two Host fields. Send one.\n']);
  const same = await askHttp2(session, { ':path': '/healthz', ':authority': 'a.test', host: 'a.test' });
  expect(same.status).toBe(200);
  const odd = await askHttp2(session, { ':path': '/api/v1/nothing', ':authority': 'a_b.test' });
  expect(JSON.parse(odd.text).error).toBe('not_found');
  const target = await askHttp2(session, { ':path': 'https://else.test/healthz' });
  expect([target.status, target.reset]).toEqual([0, constants.NGHTTP2_PROTOCOL_ERROR]); // below us
});

test('headers beyond 16 KiB end the request, not the connection', async () => {
  const { status, reset } = await askHttp2(session, { ':path': '/healthz', 'x-long': 'x'.repeat(40_000) });
  expect([status, reset]).not.toEqual([200, 0]);
  expect((await askHttp2(session, { ':path': '/healthz' })).status).toBe(200);
});
