// Every way to write an address that is not on the public internet into a URL: the guarded client connects to none of them.
// The forms are those of the WHATWG URL standard's host parser (what its tests call "ends in a number", IDNA and IPv6), and
// the classic list of what request libraries were fooled with.

import { createServer, type Server } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createGuardedHttp, type GuardedHttp } from '../../../core/clients/guarded-http.ts';
import { startDnsPeer, type DnsPeer } from '../../harness/dns-peer.ts';

let dns: DnsPeer;
let http: GuardedHttp;
let server: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  dns = await startDnsPeer({
    'inside.test': { a: ['127.0.0.1'] },
    'azure.test': { a: ['168.63.129.16'] },
    'public.test': { a: ['93.184.216.34'] },
  });
  http = createGuardedHttp({ WEBHOOK_ALLOW_PRIVATE: false, DNS_SERVERS: [dns.address] });
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve)); // every address of this machine, IPv6 too
  port = (server.address() as { port: number }).port;
});
afterAll(async () => {
  await http.close();
  server.close();
  await dns.close();
});

const BODY = Buffer.from('x');
const TIMEOUT_MS = 3_000;

const NO_NAME = /^its host (?:has no address|cannot be looked up)/; // some spellings are names that nobody has

/** Neither saved nor connected to. */
async function expectRefused(url: string): Promise<void> {
  expect(await http.checkUrl(url), url).not.toBeNull();
  for (const result of [await http.post(url, {}, BODY, TIMEOUT_MS), await http.get(url, TIMEOUT_MS)]) {
    const safe = result.kind === 'blocked' || (result.kind === 'failed' && NO_NAME.test(result.detail));
    expect(safe, `${url} ${JSON.stringify(result)}`).toBe(true);
  }
}

const LOOPBACK = [
  '127.0.0.1 127.1 127.0.1 127.000.000.001 0177.0.0.1 0x7f.0.0.1 0x7f000001 2130706433 017700000001',
  '0x7f.1 127.0.0.1. 127.1. 127.0x0.0.0x1 127.0.256 0x 0 0.0.0.0 00 %31%32%37.0.0.1 127%2e0%2e0%2e1',
  '１２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 127｡0｡0｡1 [::1] [::] [0:0:0:0:0:0:0:1] [0000::0001]',
  '[::127.0.0.1] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1] [2002:7f00:1::] [fe80::1] [2001:0:7f00:1::] [fc00::1] [fec0::1] [ff02::1]',
  '[100::1] [3fff::1] [5f00::1] localhost LOCALHOST localhost. ⓛocalhost local­host inside.test',
  'INSIDE.test. ınside.test 169.254.169.254 169.254.43518 0xa9fea9fe 2852039166 0251.0376.0251.0376',
  '[::ffff:a9fe:a9fe] [fd00:ec2::254] 100.100.100.200 192.0.0.192 10.0.0.1 172.16.0.1 192.168.0.1',
  '198.18.0.1 168.63.129.16 168.63.33040 0xa83f8110 2822734096 [::ffff:168.63.129.16] azure.test',
].flatMap((line) => line.split(' '));

describe.each(LOOPBACK)('https://%s', (host) => {
  test('is refused, with any port, path, query and slashes', async () => {
    for (const url of [
      `https://${host}/`,
      `https://${host}:${port}/a?b`,
      `https:\\\\${host}:${port}\\a`,
      `HTTPS:/${host}:${port}`,
    ])
      await expectRefused(url);
  });
});

// What one parser takes for the host and another for something else.
test.each([
  ...[
    'https://public.test@127.0.0.1/',
    'https://127.0.0.1#@public.test/',
    'https://127.0.0.1\\@public.test/',
  ],
  ...[
    'https://public.test:443@127.0.0.1:443/',
    'https://127.0.0.1?@public.test/',
    'https://127.0.0.1\t/',
    '\thttps://127.0.0.1/ ',
  ],
  ...[
    'https://127.0.\n0.1/',
    'https:127.0.0.1',
    'https:///127.0.0.1',
    'https://[::1%25lo]/',
    'https://[::1%lo0]/',
    'https://127.0.0.1:0/',
  ],
  ...[
    '//127.0.0.1/',
    '/hook',
    'http://127.0.0.1/',
    'http://public.test/',
    'ws://public.test/',
    'file:///etc/passwd',
    'data:,x',
  ],
  ...[
    'gopher://127.0.0.1:6379/_x',
    'dict://127.0.0.1:11211/',
    'javascript:1',
    'blob:https://public.test/',
    'unix:/run/x.sock',
  ],
  ...[
    'https://',
    'https://..',
    'https:// /',
    'https://a b/',
    'https://256.256.256.256/',
    'https://1.2.3.4.5/',
    'https://0x100000000/',
  ],
])('%j is refused', (url) => expectRefused(url));

const PRIVATE: [number, number][] = [
  [0x7f000000, 8], // loopback
  [0x0a000000, 8],
  [0xac100000, 12],
  [0xc0a80000, 16],
  [0xa9fe0000, 16], // link-local, where clouds keep their metadata
  [0x64400000, 10], // carriers
  [0x00000000, 8],
  [0xe0000000, 4], // multicast
  [0xf0000000, 4],
];

const octets = (ip: number) => [24, 16, 8, 0].map((shift) => (ip >>> shift) & 0xff);
const base = {
  decimal: (n: number) => `${n}`,
  octal: (n: number) => `0${n.toString(8)}`,
  hex: (n: number) => `0x${n.toString(16)}`,
};
const wide = (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const encoded = (text: string) => text.replaceAll(/\d/g, (digit) => `%3${digit}`);

test('any private IPv4 address, in any of its spellings, is refused', async () => {
  const spelling = fc.constantFrom<keyof typeof base>('decimal', 'octal', 'hex');
  const given = fc.record({
    range: fc.constantFrom(...PRIVATE),
    low: fc.nat(2 ** 28 - 1),
    parts: fc.integer({ min: 1, max: 4 }),
    spellings: fc.tuple(spelling, spelling, spelling, spelling),
    dress: fc.constantFrom<(text: string) => string>(
      (text) => text,
      wide,
      encoded,
      (text) => `${text}.`,
    ),
    mapped: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ range: [first, bits], low, parts, spellings, dress, mapped }) => {
      const ip = (first | (low & (2 ** (32 - bits) - 1))) >>> 0;
      if (mapped) return expectRefused(`https://[::ffff:${octets(ip).join('.')}]:${port}/`);
      const head = octets(ip).slice(0, parts - 1);
      const rest = Number(BigInt(ip) & ((1n << BigInt(32 - 8 * (parts - 1))) - 1n));
      const text = [...head, rest].map((n, at) => base[spellings[at]!](n)).join('.');
      await expectRefused(`https://${dress(text)}:${port}/`);
    }),
    { numRuns: 300 },
  );
});

test('nobody was connected to', () => {
  expect(connections).toBe(0);
});
