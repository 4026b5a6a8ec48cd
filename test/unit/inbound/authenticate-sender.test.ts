// What a stranger's message and DNS cost when their domain is authenticated.

import { authenticate as mailauth, dkimSign } from 'mailauth';
import { spf } from 'mailauth/lib/spf/index.js';
import { generateKeyPairSync } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

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
  const key = {
    signingDomain: 'good.test',
    selector,
    algorithm: 'ed25519-sha256',
    identity,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  const { signatures } = await dkimSign(mail, { ...key, signatureData: [key] });
  expect((await authenticate(job(`${signatures}${mail}`))).dkim).toBe(expected);
});

describe('ARC (RFC 8617)', () => {
  const FORWARDED = 'From: ann@own.test\r\nSubject: x\r\n\r\nHello\r\n';
  let seal: { signingDomain: string; selector: string; privateKey: string };

  beforeAll(() => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 }); // short: a record of one text
    const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    dns.zone['arc._domainkey.list.test'] = { txt: [`v=DKIM1; k=rsa; p=${p}`] };
    dns.zone['_dmarc.own.test'] = { txt: ['v=DMARC1; p=reject'] };
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    seal = { signingDomain: 'list.test', selector: 'arc', privateKey: pem };
  });

  // As a list does that changed nothing.
  async function sealed(mail: string, times = 1): Promise<string> {
    const resolver = async (name: string, type: string) => {
      const found = type === 'TXT' ? dns.zone[name.toLowerCase()]?.txt : undefined;
      if (!found) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
      return found.map((text) => [text]);
    };
    let out = mail;
    for (let n = 0; n < times; n += 1) {
      const { headers } = await mailauth(out, {
        ip: '192.0.2.1',
        helo: 'x',
        sender: 'a@b.test',
        mta: 'x',
        resolver,
        seal,
      });
      out = `${headers.trimEnd()}\r\n${out}`;
    }
    return out;
  }
  const verdict = async (mail: string) => (await authenticate(job(mail))).arc;

  test('a sealed message passes, which explains why DMARC fails', async () => {
    expect(await authenticate(job(await sealed(FORWARDED)))).toMatchObject({ dmarc: 'fail', arc: 'pass' });
  });

  test('several seals pass, in their order', async () => {
    expect(await verdict(await sealed(FORWARDED, 3))).toBe('pass');
  });

  test('without a seal there is no verdict', async () => {
    expect(await authenticate(job(FORWARDED))).not.toHaveProperty('arc');
  });

  test.each<[string, (mail: string) => string]>([
    ['a changed text', (mail) => mail.replace('Hello', 'Jello')],
    ['a changed subject', (mail) => mail.replace('Subject: x', 'Subject: y')],
    ['a seal that is missing', (mail) => mail.replace(/^ARC-Seal: i=1;(?:.|\r\n[ \t])*\r\n/m, '')],
    ['an instance out of order', (mail) => mail.replace(/^(ARC-Seal: i=)1/m, '$13')],
    [
      'a seal of another',
      (mail) => mail.replace(/^(ARC-Seal: (?:.|\r\n[ \t])*?d=)list\.test/m, '$1good.test'),
    ],
  ])('%s is no pass', async (_, change) => {
    const mail = await sealed(FORWARDED);
    const changed = change(mail);
    expect(changed).not.toBe(mail);
    expect(await verdict(changed)).not.toBe('pass');
  });
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
