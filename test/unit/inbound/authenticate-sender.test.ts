// What a stranger's message and DNS cost when their domain is authenticated.

import { dkimSign } from 'mailauth';
import { spf } from 'mailauth/lib/spf/index.js';
import { generateKeyPairSync } from 'node:crypto';

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

test.each([
  ['', 'permerror'],
  ['Sender: a@good.test\r\n', 'permerror'],
  ['X-From: a@good.test\r\n', 'permerror'],
  ['From: a@good.test\r\nFrom: b@other.test\r\n', 'permerror'],
  ['from: a@good.test\r\nFROM: a@good.test\r\n', 'permerror'],
  ['FROM: a@good.test\r\n', 'none'],
])('DMARC needs one From (RFC 9989 section 5.3.1): %j is %s', async (header, expected) => {
  expect((await authenticate(job(`Subject: x\r\n${header}\r\nx`))).dmarc).toBe(expected);
});

// RFC 6376 section 3.6.1: with t=s the identity may not be in a subdomain of the signing domain.
test.each([
  ['t=s;', '@good.test', 'pass'],
  ['t=s;', 'ann@good.test', 'pass'],
  ['t=s;', '@news.good.test', 'neutral'],
  ['t=y:s;', 'ann@a.b.good.test', 'neutral'],
  ['t=y;', '@news.good.test', 'pass'],
  ['', '@news.good.test', 'pass'],
])('a key with %j and a signature of %s is %s', async (flags, identity, expected) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519'); // short: a record of one text
  const selector = `s${Math.random().toString(36).slice(2)}`;
  const p = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
  dns.zone[`${selector}._domainkey.good.test`] = { txt: [`v=DKIM1; k=ed25519;${flags} p=${p}`] };
  const mail = 'From: ann@good.test\r\nSubject: x\r\n\r\nHello\r\n';
  const { signatures } = await dkimSign(mail, {
    signatureData: [
      {
        signingDomain: 'good.test',
        selector,
        algorithm: 'ed25519-sha256',
        identity,
        privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      },
    ],
  });
  expect((await authenticate(job(`${signatures}${mail}`))).dkim).toBe(expected);
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
