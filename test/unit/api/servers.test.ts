// A listener that closes: who is connected gets an answer.

import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import type { ListeningServer } from '../../../api/servers.ts';
import { sleep } from '../../../core/base/clock.ts';
import { askHttp2, connectHttp2 } from '../../harness/http2-client.ts';
import { startTestHttps } from '../../harness/test-https.ts';
import { waitUntil } from '../../harness/wait.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const ON_ITS_WAY_MS = 300; // of a request, while the listener is closed already

let server: ListeningServer;
let tookMs = 0;

async function answer(): Promise<Response> {
  await sleep(tookMs);
  return new Response('yes');
}

beforeEach(async () => {
  tookMs = 0;
  server = await startTestHttps(answer);
});
afterEach(() => server.close().catch(() => {}));

async function connected(): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
}

async function ask(socket: TLSSocket): Promise<string> {
  socket.write(REQUEST);
  let text = '';
  const read = (chunk: Buffer) => (text += chunk.toString());
  socket.on('data', read);
  while (!text.includes('yes')) {
    if (socket.closed) throw new Error(`the connection was closed after: ${text}`);
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  }
  socket.off('data', read);
  return text;
}

test.each(['for the first time', 'again'])(
  'a client that asks %s after the listener closed is answered',
  async (when) => {
    const socket = await connected();
    if (when === 'again') await ask(socket);
    server.announceStop();
    const closed = server.close();
    await sleep(ON_ITS_WAY_MS);
    const text = await ask(socket);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text.toLowerCase()).toContain('connection: close');
    await closed;
  },
);

test('connections that wait to be accepted when it closes are answered', async () => {
  const waiting = Array.from({ length: 40 }, () => connectTcp(server.port, '127.0.0.1'));
  await Promise.all(waiting.map((socket) => once(socket, 'connect')));
  const closed = server.close();
  const answers = waiting.map(async (tcp) => {
    const socket = connect({ socket: tcp, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    return ask(socket);
  });
  for (const text of await Promise.all(answers)) expect(text).toMatch(/^HTTP\/1\.1 200 /);
  await closed;
});

test('while requests come, nobody is let go', async () => {
  const sockets = await Promise.all(Array.from({ length: 5 }, connected));
  server.announceStop();
  const closed = server.close();
  for (const socket of sockets) {
    await sleep(ON_ITS_WAY_MS);
    expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 /);
  }
  await closed;
});

test('a client whose handshake ends late has time to ask', async () => {
  const [early, late] = [await connected(), connectTcp(server.port, '127.0.0.1')];
  await once(late, 'connect');
  const closed = server.close();
  await once(early.resume(), 'close');
  const socket = connect({ socket: late, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  await sleep(ON_ITS_WAY_MS);
  expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 /);
  await closed;
});

test('what takes longer is finished', async () => {
  tookMs = 1_500;
  const answered = ask(await connected());
  await sleep(100);
  await server.close();
  expect(await answered).toMatch(/^HTTP\/1\.1 200 /);
});

test('a client that asks nothing is let go soon, and nobody connects any more', async () => {
  const socket = await connected();
  const startedAt = performance.now();
  const closed = server.close();
  await once(socket.resume(), 'close');
  await expect(connected()).rejects.toThrow('ECONNREFUSED');
  await closed;
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('while clients connect, it listens; for five seconds at most', async () => {
  const startedAt = performance.now();
  const first = await connected();
  first.destroy();
  const closed = server.close();
  await waitUntil(() =>
    connected().then(
      (one) => {
        one.destroy();
        return false;
      },
      (error: Error) => error.message.includes('ECONN'),
    ),
  );
  expect(performance.now() - startedAt).toBeGreaterThan(3_000);
  await closed;
});

test('a listener to which nobody ever connected closes at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] }); // they never come
  onTestFinished(() => void vi.useRealTimers());
  await server.close();
});

test.each(['for the first time', 'again'])(
  'a client of HTTP/2 that asks %s after the listener closed is answered, and is asked to leave',
  async (when) => {
    const session = await connectHttp2(server.port);
    if (when === 'again') await askHttp2(session, { ':path': '/' });
    server.announceStop();
    const closed = server.close();
    await sleep(ON_ITS_WAY_MS);
    const left = once(session, 'goaway');
    expect(await askHttp2(session, { ':path': '/' })).toMatchObject({ status: 200, text: 'yes' });
    await Promise.all([left, closed]);
  },
);

test('what takes longer on HTTP/2 is finished, and who asks nothing is let go', async () => {
  tookMs = 1_500;
  const [busy, quiet] = [await connectHttp2(server.port), await connectHttp2(server.port)];
  const answered = askHttp2(busy, { ':path': '/' });
  await sleep(100);
  const startedAt = performance.now();
  await Promise.all([server.close(), once(quiet, 'close')]);
  expect((await answered).text).toBe('yes');
  expect(performance.now() - startedAt).toBeLessThan(6_000);
});
