// What a stranger's message and DNS cost when their domain is authenticated.

import { spf } from 'mailauth/lib/spf/index.js';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createAuthenticate, usableTexts } from '../../../inbound/parse/authenticate-sender.ts';
import { startDnsPeer, type DnsPeer } from '../../harness/dns-peer.ts';
import { threadMsOf } from '../../harness/thread-time.ts';

const MOST_MS = 500; // of processor time; an unbounded one takes 2 s and more
const LONG = 128 * 1024;

let dns: DnsPeer;
let authenticate: ReturnType<typeof createAuthenticate>;

beforeAll(async () => {
  dns = await startDnsPeer({ 'good.test': { txt: ['v=spf1 ip4:192.0.2.1 -all'] } });
  authenticate = createAuthenticate([dns.address], 'mx.test');
});
afterAll(() => dns.close());

const job = (raw: string) => ({
  raw: Buffer.from(raw, 'latin1'),
  mailFrom: 'ann@good.test',
  helo: 'mail.test',
  peer: '192.0.2.1',
  content: true,
  report: false,
  aggregate: false,
});

test('ordinary mail is authenticated', async () => {
  expect(await authenticate(job('From: a@good.test\r\n\r\nx'))).toMatchObject({ spf: 'pass' });
});

test.each([1_000, 2_000, 60_000])('an SPF record with a domain of %d characters', async (length) => {
  const record = `v=spf1 redirect=a.${'a'.repeat(length)}!`;
  const resolver = (_name: string, type: string) =>
    Promise.resolve(type === 'TXT' ? usableTexts([[record.slice(0, 200), record.slice(200)]]) : []);
  const spent = await threadMsOf(() =>
    spf({ ip: '192.0.2.1', helo: 'mail.test', sender: 'ann@good.test', mta: 'mx.test', resolver }),
  );
  expect(spent).toBeLessThan(MOST_MS);
});

test.each([
  ['blanks in a signature', `DKIM-Signature: v=1; d=good.test; b=${' '.repeat(LONG)}x\r\n`],
  ['bare returns', `X: a${'\r'.repeat(LONG)}x\r\n`],
  ['folded lines', `X: a${'\r\n a'.repeat(LONG / 4)}\r\n`],
  ['a header without end', 'X: a\r\n'.repeat(LONG)],
])('a header is not read if it costs too much: %s', async (_name, field) => {
  const spent = await threadMsOf(async () => {
    const results = await authenticate(job(`From: a@good.test\r\n${field}\r\nx`));
    expect(results).toEqual({ spf: 'permerror', dkim: 'permerror', dmarc: 'permerror' });
  });
  expect(spent).toBeLessThan(MOST_MS);
});
