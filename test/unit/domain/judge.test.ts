// What is said of every way in which people publish records wrongly.

import { expect, test } from 'vitest';

import { decideStatus } from '../../../core/domain/decide-status.ts';
import type { CheckResult } from '../../../core/domain/check-records.ts';
import type { DkimKeyInfo, Domain } from '../../../core/domain/domain.ts';
import { judgeDkim } from '../../../core/domain/judge-dkim.ts';
import { judgeCname, judgeDmarc, judgeMx, judgeSpf } from '../../../core/domain/judge-records.ts';
import { checkSendingName } from '../../../core/domain/sending-name.ts';

const key = (selector: string, publicKey: string, more: Partial<DkimKeyInfo> = {}): DkimKeyInfo => ({
  id: selector,
  domainId: 'd',
  selector,
  algorithm: 'rsa-sha256',
  state: 'active',
  publicKey,
  createdAt: new Date(0),
  ...more,
});
const RSA = `MIIB${'A'.repeat(300)}IDAQAB`;
const ours = key('pr1', RSA);
const old = key('pr0', 'MIIBold', { state: 'retired' });
const at = (...values: string[]) => judgeDkim(values, ours, [old]);

test.each([
  ['s=other', 'wrong'],
  ['s=tlsrpt', 'wrong'],
  ['h=sha1', 'wrong'],
  ['h=sha512:sha1', 'wrong'],
  ['s=email', 'found'],
  ['s=other:email', 'found'],
  ['s=*', 'found'],
  ['h=sha1:sha256', 'found'],
  ['h= sha256 ', 'found'],
])('a key with %s is %s', (tag, status) => {
  expect(at(`v=DKIM1; k=rsa; ${tag}; p=${ours.publicKey}`).status).toBe(status);
});

const includes = (count: number) =>
  Array.from({ length: count }, (_, n) => `include:s${n}.example`).join(' ');

test.each([
  [10, 'wrong'],
  [9, 'found'],
])('SPF that names us behind %i look-ups is %s', (count, status) => {
  const values = [`v=spf1 ${includes(count)} a:out.postrider.example ~all`];
  expect(judgeSpf(values, 'out.postrider.example').status).toBe(status);
});

test.each([
  ['include:', 'wrong'],
  ['~include:', 'wrong'],
  ['exists:', 'wrong'],
  ['redirect=', 'wrong'],
  [includes(20), 'found'], // a receiver that got our mail has found us before them
  ['mx a ptr ip4:192.0.2.0/24', 'found'],
])('SPF with %s is %s', (terms, status) => {
  expect(judgeSpf([`v=spf1 a:out.postrider.example ${terms} ~all`], 'out.postrider.example').status).toBe(
    status,
  );
});

test.each<[string, string[], string, RegExp | null]>([
  ['as shown', [`v=DKIM1; k=rsa; p=${RSA}`], 'found', null],
  ['spaces and order', [`k=rsa;p=${RSA.slice(0, 100)} ${RSA.slice(100)}`], 'found', null],
  ['testing flag', [`v=DKIM1; t=y:s; p=${RSA}`], 'found', /testing/],
  ['a second record', ['hello', `v=DKIM1; p=${RSA}`], 'found', /Another TXT record/],
  ['quotation marks', [`"v=DKIM1; k=rsa; p=${RSA}"`], 'wrong', /quotation marks/],
  [
    'split in quotes',
    [`"v=DKIM1; p=${RSA.slice(0, 200)}" "${RSA.slice(200)}"`],
    'wrong',
    /right but contains quotation/,
  ],
  ['cut off', [`v=DKIM1; k=rsa; p=${RSA.slice(0, 238)}`], 'wrong', /cut off after 238 of 310/],
  ['the old key', ['v=DKIM1; p=MIIBold'], 'wrong', /key of selector pr0/],
  ['another key', ['v=DKIM1; p=MIIBother'], 'wrong', /another key/],
  ['revoked', ['v=DKIM1; p='], 'wrong', /revokes/],
  ['no key', ['google-site-verification=x'], 'wrong', /no p=/],
  ['wrong type', [`v=DKIM1; k=ed25519; p=${RSA}`], 'wrong', /k=rsa/],
  ['wrong version', [`v=DKIM2; p=${RSA}`], 'wrong', /v=DKIM1/],
  ['nothing', [], 'missing', /no TXT record/],
])('DKIM: %s', (_, values, status, problem) => {
  const judged = at(...values);
  expect(judged.status).toBe(status);
  if (problem) expect(judged.problem).toMatch(problem);
  else expect(judged.problem).toBeNull();
});

const mx = (...found: [number, string][]) =>
  judgeMx(
    found.map(([priority, exchange]) => ({ priority, exchange })),
    'mx.postrider.example',
    'shop.example.com',
  );

test.each<[string, [number, string][], string, RegExp | null]>([
  ['ours', [[10, 'MX.postrider.example.']], 'found', null],
  [
    'ours before another',
    [
      [5, 'mx.postrider.example'],
      [10, 'other.example'],
    ],
    'found',
    null,
  ],
  [
    'another before ours',
    [
      [10, 'mx.postrider.example'],
      [5, 'other.example'],
    ],
    'wrong',
    /also goes to other\.example/,
  ],
  [
    'another beside ours',
    [
      [10, 'mx.postrider.example'],
      [10, 'other.example'],
    ],
    'wrong',
    /smaller number/,
  ],
  ['another host', [[10, 'aspmx.l.google.com']], 'wrong', /points to aspmx\.l\.google\.com/],
  ['lost dot', [[10, 'mx.postrider.example.example.com']], 'wrong', /dot at its end/],
  ['null MX', [[0, '']], 'wrong', /null MX/],
])('MX: %s', (_, found, status, problem) => {
  const judged = mx(...found);
  expect(judged.status).toBe(status);
  if (problem) expect(judged.problem).toMatch(problem);
});

test.each<[string, string[], string, RegExp | null]>([
  ['as shown', ['v=spf1 a:out.postrider.example ~all'], 'found', null],
  ['with others', ['other', 'v=spf1 include:x.example +a:OUT.postrider.example -all'], 'found', null],
  ['two records', ['v=spf1 a:out.postrider.example ~all', 'v=spf1 -all'], 'wrong', /two SPF records/],
  ['without us', ['v=spf1 include:x.example ~all'], 'wrong', /add a:out\.postrider\.example/],
  ['after all', ['v=spf1 -all a:out.postrider.example'], 'wrong', /after "all"/],
  ['quotes', ['"v=spf1 a:out.postrider.example ~all"'], 'wrong', /quotation/],
  ['none', ['v=spf2 x'], 'missing', /no SPF record/],
])('SPF: %s', (_, values, status, problem) => {
  const judged = judgeSpf(values, 'out.postrider.example');
  expect(judged.status).toBe(status);
  if (problem) expect(judged.problem).toMatch(problem);
});

test('DMARC and the tracking name', () => {
  expect(judgeDmarc(['v=DMARC1; p=none;'])).toMatchObject({ status: 'found' });
  expect(judgeDmarc(['v=DMARC1;rua=mailto:a@b.c; p=reject'])).toMatchObject({ status: 'found' });
  expect(judgeDmarc(['v=DMARC1; rua=mailto:a@b.c'])).toMatchObject({ status: 'wrong' });
  expect(judgeDmarc(['v=DMARC1; p=none', 'v=DMARC1; p=none'])).toMatchObject({ status: 'wrong' });
  expect(judgeDmarc(['x'])).toMatchObject({ status: 'missing' });
  expect(judgeCname(['Mail.postrider.example.'], 'mail.postrider.example', 'x.example')).toMatchObject({
    status: 'found',
  });
  expect(judgeCname(['evil.example'], 'mail.postrider.example', 'x.example').problem).toMatch(
    /points to evil\.example/,
  );
});

const HOSTS = {
  INBOUND_HOSTNAME: 'mx.postrider.example',
  OUTBOUND_HOSTNAME: 'localhost',
  PUBLIC_URL: 'https://mail.postrider.example',
};

test('names: one spelling, and only what can be a sending domain', () => {
  expect(checkSendingName(' News.Example.COM. ', HOSTS)).toBe('news.example.com');
  expect(checkSendingName('bücher.example', HOSTS)).toBe('xn--bcher-kva.example');
  expect(checkSendingName('postrider.example', HOSTS)).toBe('postrider.example');
  for (const bad of [
    '',
    'example',
    'localhost',
    '127.0.0.1',
    '[::1]',
    '0x7f.1',
    'exa mple.com',
    'a@example.com',
    'https://example.com',
    '_dmarc.example.com',
    '-a.example',
    'a..example',
    '*.example.com',
    'printer.local',
    '1.0.0.127.in-addr.arpa',
    'co.uk',
    'bounces.example.com',
    'mx.postrider.example',
    'x.mail.postrider.example',
    `${'a'.repeat(60)}.`.repeat(4) + 'example',
    'exаmple\u3002com',
  ])
    expect(() => checkSendingName(bad, HOSTS), bad).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
});

const domain = (more: Partial<Domain>): Domain =>
  ({ name: 'x.example', status: 'verified', recordStatus: {}, failingSince: null, ...more }) as Domain;
const look = (dkim: CheckResult['status'], returnPath: CheckResult['status'], next?: CheckResult['status']) =>
  new Map<string, CheckResult>([
    ['dkim:pr1', { status: dkim, problem: 'p' }],
    ['return_path', { status: returnPath, problem: 'p' }],
    ...(next ? [['dkim:pr2', { status: next, problem: null } as CheckResult] as const] : []),
  ]);
const now = new Date('2026-01-10T00:00:00Z');
const decide = (given: Partial<Domain>, results: Map<string, CheckResult>, keys = [ours]) =>
  decideStatus(domain(given), keys, results, now);

test('status: both records verify, either missing does not', () => {
  expect(decide({ status: 'pending' }, look('found', 'found'))).toMatchObject({ status: 'verified' });
  expect(decide({ status: 'failed', failingSince: now }, look('found', 'found'))).toMatchObject({
    status: 'verified',
    failingSince: null,
  });
  for (const [dkim, returnPath] of [
    ['missing', 'found'],
    ['found', 'missing'],
    ['found', 'unknown'],
    ['wrong', 'wrong'],
  ] as const)
    expect(decide({ status: 'pending' }, look(dkim, returnPath))).toMatchObject({ status: 'pending' });
});

test('status: a lost DKIM key fails at once, a lost return path after three days, DNS trouble never', () => {
  expect(decide({}, look('missing', 'found'))).toMatchObject({ status: 'failed', failingSince: now });
  expect(decide({}, look('wrong', 'found'))).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(/DKIM/),
  });
  expect(decide({}, look('found', 'missing'))).toMatchObject({ status: 'verified', failingSince: now });
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  expect(decide({ failingSince: daysAgo(2.9) }, look('found', 'wrong'))).toMatchObject({
    status: 'verified',
    failingSince: daysAgo(2.9),
  });
  expect(decide({ failingSince: daysAgo(3) }, look('found', 'wrong'))).toMatchObject({ status: 'failed' });
  expect(decide({ failingSince: daysAgo(2) }, look('found', 'found'))).toMatchObject({
    status: 'verified',
    failingSince: null,
  });
  const before = { 'dkim:pr1': { status: 'found', problem: null } } as const;
  const trouble = decide({ recordStatus: before, failingSince: daysAgo(9) }, look('unknown', 'unknown'));
  expect(trouble).toMatchObject({ status: 'verified', failingSince: daysAgo(9) });
  expect(trouble.recordStatus['dkim:pr1']).toEqual({ status: 'found', problem: 'p' });
});

test('status: the new key of a rotation takes over when it is seen, even when the old record is gone', () => {
  const keys = [ours, key('pr2', 'new', { state: 'pending' })];
  expect(decide({}, look('found', 'found', 'missing'), keys)).toMatchObject({
    status: 'verified',
    promoteKeys: false,
  });
  expect(decide({}, look('found', 'found', 'found'), keys)).toMatchObject({
    status: 'verified',
    promoteKeys: true,
  });
  expect(decide({}, look('missing', 'found', 'found'), keys)).toMatchObject({
    status: 'verified',
    promoteKeys: true,
  });
  expect(decide({}, look('missing', 'found', 'missing'), keys)).toMatchObject({ status: 'failed' });
});
