// Reports that nobody should send: each is refused for a reason that is said, or read within bounds.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

import { readAggregate } from '../../../../core/mail/aggregate/read-aggregate.ts';
import { MAX_COUNT, MAX_SOURCES } from '../../../../core/mail/aggregate/report.ts';
import { MAX_UNPACKED_BYTES } from '../../../../core/mail/aggregate/unpack.ts';
import { dmarcRecord, dmarcXml, makeZip, reportMail, tlsJson } from '../../../harness/aggregate-mail.ts';
import { longForm } from '../../../harness/form.ts';
import { liveHeap } from '../../../harness/heap.ts';

const RECORDS = longForm(10_000, 100_000);
const NAMES = longForm(100_000, 1_000_000);

const DOMAIN = 'shop.example';
const read = (...files: (Buffer | string)[]) =>
  readAggregate(Buffer.from(reportMail('dmarc@receiver.test', ...files.map((one) => Buffer.from(one)))));
const record = (given: Parameters<typeof dmarcRecord>[1]) => dmarcRecord(DOMAIN, given);
const withRecords = (records: string) => dmarcXml(DOMAIN, { records });
const blanks = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024, ' ');
const bomb = Buffer.concat([Buffer.from('<feedback>'), blanks(MAX_UNPACKED_BYTES / 1024 / 1024)]);
const tls = (change: (report: Record<string, unknown>) => void) => {
  const report = JSON.parse(tlsJson(DOMAIN)) as Record<string, unknown>;
  change(report);
  return JSON.stringify(report);
};
const policies = (count: unknown) => [
  {
    policy: { 'policy-domain': DOMAIN },
    summary: { 'total-successful-session-count': count, 'total-failure-session-count': 0 },
  },
];

test.each<[string, Buffer | string, RegExp]>([
  ['a gzip bomb', gzipSync(bomb), /too large when unpacked/],
  [
    'a small gzip of one long blank, above the ratio',
    gzipSync(bomb.subarray(0, 8 << 20)),
    /too large when unpacked/,
  ],
  ['a zip bomb', makeZip([bomb]), /too large when unpacked/],
  ['a zip whose files are too large together', makeZip([blanks(20), blanks(20)]), /too large when unpacked/],
  ['a zip bomb that lies about its size', makeZip([bomb], 100), /zip is broken|too large/],
  ['a zip of many files', makeZip(Array.from({ length: 100 }, () => Buffer.from('x'))), /too many files/],
  ['a broken gzip', gzipSync(dmarcXml(DOMAIN)).subarray(0, 100), /gzip is broken/],
  ['a broken zip', makeZip([Buffer.from(dmarcXml(DOMAIN))]).subarray(0, 100), /zip is broken/],
  ['half a report', dmarcXml(DOMAIN).slice(0, -100), /not a whole one/],
  ['other XML', '<html><body/></html>', /no DMARC report/],
  ['no records', withRecords(''), /no records/],
  ['deep XML', withRecords('<record>'.repeat(100_000)), /nested too deeply/],
  [
    'many attributes',
    withRecords(
      `<record ${'a="" '.repeat(100)}/>`.replace(/a=/g, () => `a${Math.random().toString(36).slice(2)}=`),
    ),
    /too many attributes/,
  ],
  [
    'a billion laughs',
    `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>${dmarcXml(DOMAIN).slice(38)}`,
    /DTD/,
  ],
  [
    'an external entity',
    `<!DOCTYPE feedback [<!ENTITY x SYSTEM "file:///etc/passwd">]>${dmarcXml('&x;').slice(38)}`,
    /DTD/,
  ],
  ['a negative count', withRecords(record({ count: '-3' })), /not a whole number/],
  ['a count that is none', withRecords(record({ count: 'many' })), /not a whole number/],
  ['a count above 2^53', withRecords(record({ count: '9007199254740993' })), /not a whole number/],
  [
    'more mail than anybody sends',
    withRecords(record({ count: String(MAX_COUNT) }).repeat(2)),
    /more than anybody/,
  ],
  ['a period that has not come', dmarcXml(DOMAIN, { begin: 4_000_000_000 }), /not come yet/],
  ['a period that ends before it begins', dmarcXml(DOMAIN, { begin: 1_000, end: 10 }), /no period/],
  ['a period of letters', dmarcXml(DOMAIN).replace(/<begin>\d+/, '<begin>x'), /no period/],
  ['no reporter', dmarcXml(DOMAIN, { org: '' }).replace(/<email>.*?<\/email>/, ''), /reporter.* missing/],
  ['deep JSON', `{"a":${'['.repeat(1_000_000)}`, /JSON is broken|no TLS report/],
  ['broken JSON', '{"policies": [', /JSON is broken/],
  ['other JSON', '{"a": 1}', /no TLS report/],
  ['JSON that is too large', `{"a": "${'x'.repeat(5 << 20)}"}`, /too large/],
  ['a negative session count', tls((one) => (one['policies'] = policies(-1))), /no TLS report/],
  ['a session count above 2^53', tls((one) => (one['policies'] = policies(2 ** 60))), /no TLS report/],
  ['10,000 policies', tls((one) => (one['policies'] = Array(10_000).fill(policies(1)[0]))), /no TLS report/],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47]), /holds no report/],
])('%s', async (_name, file, problem) => {
  const before = process.memoryUsage().rss;
  const found = await read(file);
  expect(found.reports).toEqual([]);
  expect(found.problem).toMatch(problem);
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
});

test(`${RECORDS} records: totals are exact, the largest sources are kept and the rest is summed`, async () => {
  const ip = (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
  const one = (i: number) =>
    `<record><row><source_ip>${ip(i)}</source_ip><count>${i === RECORDS / 2 ? 5 : 1}</count><policy_evaluated><dkim>pass</dkim></policy_evaluated></row></record>`;
  const xml = withRecords(Array.from({ length: RECORDS }, (_, i) => one(i)).join(''));
  const { reports } = await read(gzipSync(xml));
  const [report] = reports;
  expect(report).toMatchObject({ total: RECORDS + 4, passed: RECORDS + 4, failed: 0 });
  expect(report!.sources).toHaveLength(MAX_SOURCES);
  expect(report!.sources.at(-1)).toMatchObject({ source: null, result: null });
  expect(report!.sources.reduce((sum, { count }) => sum + count, 0)).toBe(RECORDS + 4);
});

test('what is no UTF-8, and what no text may hold, is made readable', async () => {
  const xml = Buffer.from(dmarcXml(DOMAIN, { org: 'Caf\xe9 \x00\u0007 &amp; Co' }), 'latin1');
  const [report] = (await read(xml)).reports;
  expect(report!.reporter).toMatch(/^Café +& Co$/);
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(dmarcXml(DOMAIN), 'utf16le')]);
  expect((await read(wide)).reports[0]).toMatchObject({ domain: DOMAIN, total: 3 });
});

test(`${NAMES} names that somebody made up are not kept`, async () => {
  const names = Array.from({ length: NAMES }, (_, i) => `<n${i}/>`).join('');
  const before = liveHeap();
  const { reports } = await read(
    gzipSync(
      withRecords(
        `<record>${names}</record>${record({})}`.replace(
          '<record><n',
          '<record><row><count>1</count></row><n',
        ),
      ),
    ),
  );
  expect(reports).toMatchObject([{ total: 4 }]);
  expect(liveHeap() - before).toBeLessThan(20 * NAMES);
});

test('each signature stands with its own domain', async () => {
  const auth = `<dkim><result>fail</result></dkim><dkim><domain>B.example.</domain><result>Pass</result></dkim>
    <spf><domain>c.example</domain><result>pass</result></spf>`;
  const { reports } = await read(withRecords(record({ auth })));
  expect(reports[0]!.sources[0]!.auth).toBe('dkim=fail dkim=pass (b.example) spf=pass (c.example)');
});

test('of two reports in one file the first counts', async () => {
  const { reports } = await read(dmarcXml(DOMAIN) + dmarcXml(DOMAIN, { id: 'r2' }).slice(38));
  expect(reports).toMatchObject([{ reportId: 'r1', total: 3 }]);
});

test('a report in the second attachment is found, and one in the text itself', async () => {
  expect((await read('hello', dmarcXml(DOMAIN))).reports[0]).toMatchObject({ domain: DOMAIN });
  const plain = `From: a@receiver.test\r\n\r\n${tlsJson(DOMAIN)}\r\n`;
  expect(await readAggregate(Buffer.from(plain))).toMatchObject({
    sender: 'receiver.test',
    reports: [{ type: 'tls', domain: DOMAIN, total: 40, passed: 38, failed: 2 }],
  });
});
