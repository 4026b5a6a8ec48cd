// What is said about a domain, by what DNS showed of it.

import { expect, test } from 'vitest';

import type { DomainRecord } from '../../../core/domain/domain.ts';
import { reverseName } from '../../../core/domain/dns-lookup.ts';
import { checkDomain, type DomainFacts } from '../../../core/preflight/domain-checks.ts';
import type { SeenInDns } from '../../../core/preflight/look-up.ts';
import type { CheckId } from '../../../core/preflight/rules.ts';

const NAME = 'shop.example.com';
const HOST = 'out.postrider.example';
const ADDRESS = '11.22.33.44';

const record = (purpose: DomainRecord['purpose'], required = false): DomainRecord => ({
  key: purpose,
  purpose,
  type: 'TXT',
  name: `${purpose}.${NAME}`,
  value: `the ${purpose}`,
  priority: null,
  required,
  status: 'pending',
  problem: null,
});
const RECORDS = [
  record('dkim', true),
  record('return_path', true),
  record('spf'),
  record('dmarc'),
  record('tracking'),
];
const found = { status: 'found', problem: null } as const;
const GOOD: SeenInDns = {
  results: new Map(RECORDS.map(({ key }) => [key, found])),
  dmarc: { kind: 'found', records: [{ at: NAME, text: 'v=DMARC1; p=none;' }] },
  sources: {
    kind: 'found',
    records: [
      { address: ADDRESS, host: HOST, names: { kind: 'found', records: [{ name: HOST, leadsBack: true }] } },
    ],
  },
  spf: [{ address: ADDRESS, result: 'pass', comment: '' }],
  spfWhole: { address: '203.0.113.254', result: 'softfail', comment: '' },
};
const SETTINGS: DomainFacts['settings'] = {
  OUTBOUND_HOSTNAME: HOST,
  OUTBOUND_ROUTES: [{ name: 'direct', weight: 1 }] as DomainFacts['settings']['OUTBOUND_ROUTES'],
  EGRESS_POOLS: [],
  OUTBOUND_TLS: 'opportunistic',
  PUBLIC_URL: 'https://mail.postrider.example',
};

const LIVE: DomainFacts['trackingHost'] = {
  name: `track.${NAME}`,
  status: 'live',
  problem: null,
  certificateExpiresAt: new Date('2027-02-01T00:00:00Z'),
};

function checkOf(id: CheckId, seen: Partial<SeenInDns> = {}, more: Partial<DomainFacts> = {}) {
  const facts = {
    name: NAME,
    records: RECORDS,
    settings: SETTINGS,
    bulkCap: 50,
    trackingHost: LIVE,
    ...more,
  };
  return checkDomain({ ...facts, seen: { ...GOOD, ...seen } }).find((check) => check.id === id)!;
}
const resultsWith = (key: string, result: unknown) =>
  new Map([...GOOD.results, [key, result]]) as SeenInDns['results'];

test('a domain that has everything passes every check', () => {
  const facts = {
    name: NAME,
    records: RECORDS,
    seen: GOOD,
    settings: SETTINGS,
    bulkCap: 50,
    trackingHost: LIVE,
  };
  const checks = checkDomain(facts);
  expect(checks.filter(({ status }) => status !== 'pass')).toEqual([]);
  expect(checks.every(({ fix }) => fix === null)).toBe(true);
});

test.each(['spf', 'dkim', 'return_path'] as const)('%s: missing fails, no answer warns', (id) => {
  const missing = { status: 'missing', problem: 'There is none.' };
  expect(checkOf(id, { results: resultsWith(id, missing) })).toMatchObject({
    status: 'fail',
    found: 'There is none.',
    fix: `Publish: TXT ${id}.${NAME} the ${id}`,
  });
  const unknown = { status: 'unknown', problem: 'DNS did not answer.' };
  expect(checkOf(id, { results: resultsWith(id, unknown) })).toMatchObject({
    status: 'warn',
    fix: expect.stringContaining('Try again'),
  });
});

test('SPF fails for an address that it refuses, and warns of a record that is too long for others', () => {
  const permerror = { address: ADDRESS, result: 'permerror', comment: 'Too many DNS requests' };
  expect(checkOf('spf', { spf: [permerror] })).toMatchObject({
    status: 'fail',
    found: `permerror for ${ADDRESS} (Too many DNS requests)`,
  });
  expect(checkOf('spf', { spf: [{ ...permerror, result: 'softfail', comment: '' }] }).status).toBe('fail');
  expect(checkOf('spf', { spfWhole: permerror })).toMatchObject({ status: 'warn' });
  expect(checkOf('spf', { spf: [{ ...permerror, result: 'temperror' }] })).toMatchObject({ status: 'warn' });
});

test('DMARC is asked for where the cap allows more than 5,000 a day, and its policy is shown', () => {
  const none = { kind: 'no_records', detail: '' } as const;
  const results = resultsWith('dmarc', { status: 'missing', problem: 'There is no DMARC record.' });
  expect(checkOf('dmarc', { dmarc: none, results }, { bulkCap: 5_000 }).status).toBe('warn');
  expect(checkOf('dmarc', { dmarc: none, results }, { bulkCap: 5_001 }).status).toBe('fail');
  const above = (text: string) => ({ kind: 'found' as const, records: [{ at: 'example.com', text }] });
  expect(checkOf('dmarc', { dmarc: above('v=DMARC1; p=reject; sp=quarantine') })).toMatchObject({
    status: 'pass',
    found: 'p=quarantine (inherited from example.com)',
  });
  expect(checkOf('dmarc', { dmarc: { kind: 'unavailable', detail: 'x' } }).status).toBe('warn');
});

test('alignment: DKIM is enough; SPF alone warns; with aspf=s SPF does not count', () => {
  expect(checkOf('alignment').found).toBe(`DKIM (d=${NAME}) and SPF`);
  const strict = {
    kind: 'found' as const,
    records: [{ at: NAME, text: 'v=DMARC1; p=none; aspf=s' }],
  };
  expect(checkOf('alignment', { dmarc: strict })).toMatchObject({
    status: 'pass',
    found: expect.stringContaining('not SPF'),
  });
  const results = resultsWith('dkim', { status: 'missing', problem: 'none' });
  expect(checkOf('alignment', { results }).status).toBe('warn');
  expect(checkOf('alignment', { results, dmarc: strict }).status).toBe('fail');
});

test('reverse DNS must lead back; the name of the greeting is best', () => {
  const withNames = (names: { name: string; leadsBack: boolean }[], address = ADDRESS) =>
    checkOf('reverse_dns', {
      sources: {
        kind: 'found',
        records: [{ address, host: HOST, names: { kind: 'found', records: names } }],
      },
    });
  expect(withNames([{ name: 'a.isp.example', leadsBack: false }])).toMatchObject({
    status: 'fail',
    found: expect.stringContaining('does not lead back'),
  });
  expect(withNames([{ name: 'a.isp.example', leadsBack: true }]).status).toBe('warn');
  expect(withNames([{ name: HOST, leadsBack: true }], '10.0.0.1').status).toBe('warn');
  const bare = {
    address: ADDRESS,
    host: HOST,
    names: { kind: 'no_domain' as const, detail: '' },
  };
  expect(checkOf('reverse_dns', { sources: { kind: 'found', records: [bare] } }).status).toBe('fail');
  expect(checkOf('reverse_dns', { sources: { kind: 'unavailable', detail: '' } }).status).toBe('warn');
  expect(reverseName(ADDRESS)).toBe('44.33.22.11.in-addr.arpa');
  expect(reverseName('2001:db8::1')).toMatch(/^1\.0\.0\.0\..*8\.b\.d\.0\.1\.0\.0\.2\.ip6\.arpa$/);
});

test('settings and names: TLS off, links without https, free mail', () => {
  const settings = (change: Partial<DomainFacts['settings']>) => ({
    settings: { ...SETTINGS, ...change },
    trackingHost: { ...LIVE, status: 'lost' as const },
  });
  expect(checkOf('tls', {}, settings({ OUTBOUND_TLS: 'off' })).status).toBe('fail');
  expect(checkOf('one_click', {}, settings({ PUBLIC_URL: 'http://mail.example' })).status).toBe('fail');
  expect(checkOf('one_click', {}, settings({ PUBLIC_URL: 'https://localhost:8443' })).status).toBe('warn');
  expect(checkOf('free_mail', {}, { name: 'news.gmail.com' }).status).toBe('fail');
});

test('tracking_host: passes while it is live, and says what is missing otherwise', () => {
  const judged = (more: Partial<DomainFacts['trackingHost']>, seen: Partial<SeenInDns> = {}) =>
    checkOf('tracking_host', seen, { trackingHost: { ...LIVE, ...more } });
  expect(judged({})).toMatchObject({ status: 'pass', found: expect.stringContaining('until 2027-02-01') });
  expect(judged({ problem: 'The renewal failed.' })).toMatchObject({
    status: 'warn',
    fix: 'The renewal failed.',
  });
  expect(judged({ status: 'waiting_for_certificate', problem: 'Wait a minute.' })).toMatchObject({
    status: 'warn',
    found: 'its record is there, but links of new mail lead over mail.postrider.example',
    fix: 'Wait a minute.',
  });
  const missing = resultsWith('tracking', { status: 'missing', problem: 'There is none.' });
  expect(judged({ status: 'lost' }, { results: missing })).toMatchObject({
    status: 'warn',
    found: 'There is none.',
    fix: `Publish: TXT tracking.${NAME} the tracking`,
  });
  expect(judged({ status: 'off' }, { results: missing })).toMatchObject({
    status: 'warn',
    fix: expect.stringContaining('ACME_DIRECTORY_URL'),
  });
});
