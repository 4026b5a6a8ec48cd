// The guard against URLs that point inwards, at save and at connect.

import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createGuardedHttp, isPublicAddress, MAX_ANSWER_BYTES } from '../../../core/clients/guarded-http.ts';
import { startDnsPeer, type DnsPeer } from '../../harness/dns-peer.ts';

let dns: DnsPeer;
let server: Server;
let port: number;
let requests = 0;

const zone: Parameters<typeof startDnsPeer>[0] = {
  'inside.test': { a: ['127.0.0.1'] },
  'mixed.test': { a: ['93.184.216.34', '10.0.0.1'] },
  'many.test': { a: [...Array.from({ length: 20 }, (_, i) => `93.184.216.${i + 1}`), '10.0.0.1'] },
  'metadata.test': { a: ['169.254.169.254'] },
  'outside.test': { a: ['93.184.216.34'] },
};

beforeAll(async () => {
  dns = await startDnsPeer(zone);
  server = createServer((request, response) => {
    requests++;
    if (request.url === '/redirect') response.writeHead(302, { location: '/elsewhere' }).end();
    else response.end('x'.repeat(1_000_000));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await dns.close();
});

const guarded = () => createGuardedHttp({ WEBHOOK_ALLOW_PRIVATE: false, DNS_SERVERS: [dns.address] });
const open = () => createGuardedHttp({ WEBHOOK_ALLOW_PRIVATE: true, DNS_SERVERS: [] });

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  '198.18.0.1',
  '192.0.2.1',
  '::1',
  '::',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  '::ffff:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  'ff02::1',
  '2001:db8::1',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['93.184.216.34', '1.1.1.1', '2606:4700::1111'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  'http://outside.test/',
  'https://user:pw@outside.test/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://inside.test/',
  'https://mixed.test/',
  'https://metadata.test./',
  'https://localhost/',
  'ftp://outside.test/',
  'javascript:alert(1)',
  'https://',
  '',
])('%s is refused at save', async (url) => {
  const http = guarded();
  expect(await http.checkUrl(url)).not.toBeNull();
  const result = await http.post(url, {}, Buffer.from('x'), 3000);
  expect(result.kind).toBe('blocked');
  await http.close();
});

test('a name that is public at save and private at connect is blocked at connect', async () => {
  const before = requests;
  zone['rebind.test'] = { a: ['93.184.216.34'] };
  const atSave = createGuardedHttp({ WEBHOOK_ALLOW_PRIVATE: false, DNS_SERVERS: [dns.address] });
  expect(await atSave.checkUrl(`https://rebind.test:${port}/`)).toBeNull();
  zone['rebind.test'] = { a: ['127.0.0.1'] };
  const atConnect = createGuardedHttp({ WEBHOOK_ALLOW_PRIVATE: false, DNS_SERVERS: [dns.address] });
  const result = await atConnect.post(`https://rebind.test:${port}/`, {}, Buffer.from('x'), 3000);
  expect(result).toMatchObject({ kind: 'blocked' });
  expect(requests).toBe(before);
  await Promise.all([atSave.close(), atConnect.close()]);
});

test('redirects are not followed, answers are read to 64 KiB, proxies of the environment are ignored', async () => {
  process.env['HTTP_PROXY'] = process.env['http_proxy'] = 'http://127.0.0.1:1';
  const http = open();
  const before = requests;
  const redirected = await http.post(`http://127.0.0.1:${port}/redirect`, {}, Buffer.from('x'), 3000);
  expect(redirected).toMatchObject({ kind: 'answered', status: 302 });
  expect(requests).toBe(before + 1);
  const long = await http.post(`http://localhost:${port}/`, {}, Buffer.from('x'), 3000);
  expect(long).toMatchObject({ kind: 'answered', status: 200 });
  expect(long.kind === 'answered' && long.body.length).toBe(MAX_ANSWER_BYTES);
  delete process.env['HTTP_PROXY'];
  delete process.env['http_proxy'];
  await http.close();
});

test('every address of a name is looked at, however many there are', async () => {
  const http = guarded();
  const result = await http.post('https://many.test/', {}, Buffer.from('x'), 3000);
  expect(result).toMatchObject({ kind: 'blocked' });
  await http.close();
});

test('what fails is told in words, without our addresses or a library’s insides', async () => {
  const talker = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.end('220 mail.example.com ESMTP\r\n');
  });
  const silent = createTcpServer((socket) => socket.destroy());
  for (const one of [talker, silent])
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  const at = (one: { address(): unknown }) => `127.0.0.1:${(one.address() as AddressInfo).port}`;
  const http = open();
  const said = async (url: string) => {
    const result = await http.post(url, {}, Buffer.from('x'), 3000);
    return result.kind === 'failed' ? result.detail : result.kind;
  };
  expect(await said('http://127.0.0.1:1/')).toBe('the server refuses connections at this port');
  expect(await said('http://nowhere.invalid/')).toMatch(/^its host (has no address|cannot be looked up)/);
  expect(await said(`http://${at(talker)}/`)).toBe('what the server answered is not HTTP');
  expect(await said(`https://${at(talker)}/`)).toBe('the server does not speak TLS that we can use');
  expect(await said(`http://${at(silent)}/`)).toBe('the server broke the connection off');
  await http.close();
  talker.close();
  silent.close();
});

test('a body that breaks off half way is a failure, not an exception', async () => {
  const http = open();
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('half');
    await Promise.resolve();
    throw new Error('the store went away');
  }
  const result = await http.post(`http://127.0.0.1:${port}/`, {}, { length: 10, pieces: broken }, 3000);
  expect(result.kind).toBe('failed');
  await http.close();
});
