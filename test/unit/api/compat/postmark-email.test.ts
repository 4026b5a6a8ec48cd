// What an email of Postmark's API becomes, and how pages by count and offset are read.

import { expect, test } from 'vitest';

import { splitAddresses } from '../../../../api/compat/address-list.ts';
import { bounceType } from '../../../../api/compat/postmark/bounce-types.ts';
import { listQuery, readPage } from '../../../../api/compat/postmark/paging.ts';
import { countEmail, readEmail } from '../../../../api/compat/postmark/read-email.ts';

const email = (more: Record<string, unknown> = {}) => ({
  From: 'shop@example.org',
  To: 'ann@example.com',
  Subject: 'Hello',
  TextBody: 'Hello.',
  ...more,
});
const fields = (raw: unknown) => {
  const read = readEmail(raw);
  return read.ok ? null : read.details.map(({ path }) => path);
};
const input = (more: Record<string, unknown>) => {
  const read = readEmail(email(more));
  if (!read.ok) throw new Error(JSON.stringify(read.details));
  return read.value.input;
};

test('a list of addresses is split where a comma separates', () => {
  const cases: [string, string[]][] = [
    ['', []],
    [' , ,', []],
    ['a@b.cd', ['a@b.cd']],
    ['a@b.cd, Ann <c@d.ef>,g@h.ij', ['a@b.cd', 'Ann <c@d.ef>', 'g@h.ij']],
    ['"Ann, first" <a@b.cd>, c@d.ef', ['"Ann, first" <a@b.cd>', 'c@d.ef']],
    ['"Ann \\", <x>" <a@b.cd>, c@d.ef', ['"Ann \\", <x>" <a@b.cd>', 'c@d.ef']],
    ['<a@b.cd,c@d.ef>', ['<a@b.cd,c@d.ef>']],
    ['"never closed, a@b.cd', ['"never closed, a@b.cd']],
    ['a@b.cd\\', ['a@b.cd\\']],
  ];
  for (const [text, list] of cases) expect([text, splitAddresses(text)]).toEqual([text, list]);
  expect(splitAddresses('a,'.repeat(100_000))).toHaveLength(1);
  // No more than say that there are too many: a batch has 500 such lists.
  expect(splitAddresses('a@b.cd,'.repeat(10_000))).toHaveLength(52);
  expect(fields(email({ To: 'a@b.cd,'.repeat(10_000) }))).toContain('To');
});

test('nulls are fields that are not there, unknown fields are left out, empty parts are none', () => {
  const nothing = Object.fromEntries(
    [
      'Cc',
      'Bcc',
      'Tag',
      'HtmlBody',
      'ReplyTo',
      'Headers',
      'Metadata',
      'Attachments',
      'TrackOpens',
      'TrackLinks',
    ].map((name) => [name, null]),
  );
  expect(input({ ...nothing, HtmlBody: '', Anything: { else: 1 }, InlineCss: true })).toMatchObject({
    tags: [],
    attachments: [],
  });
});

test('tracking, metadata and streams', () => {
  const links = (TrackLinks: string) => input({ TrackLinks }).trackClicks;
  expect(['None', 'TextOnly', 'HtmlOnly', 'HtmlAndText'].map(links)).toEqual([false, false, true, true]);
  expect(input({ Tag: 'receipt', Metadata: { order: '1' }, MessageStream: 'broadcast' })).toMatchObject({
    unsubscribe: true,
    tags: [
      { name: 'tag', value: 'receipt' },
      { name: 'order', value: '1' },
      { name: 'message_stream', value: 'broadcast' },
    ],
  });
  const own = [{ Name: 'List-Unsubscribe', Value: '<https://example.org/u>' }];
  expect(input({ Headers: own, MessageStream: 'broadcast' }).unsubscribe).toBeUndefined();
});

test('header fields that mail libraries add are left out', () => {
  const Headers = ['Message-ID', 'date', 'MIME-Version', 'Sender', 'X-Own'].map((Name) => ({
    Name,
    Value: '1',
  }));
  expect(input({ Headers }).headers).toEqual([{ name: 'X-Own', value: '1' }]);
});

test('errors name fields as Postmark does', () => {
  const read = readEmail(email({ TextBody: undefined }));
  expect(read).toMatchObject({
    details: [{ message: 'is required: give HtmlBody, TextBody or TemplateAlias' }],
  });
});

test('what is wrong is named as the email names it', () => {
  const cases: [Record<string, unknown>, string[]][] = [
    [{ From: undefined }, ['From']],
    [{ To: undefined }, ['']],
    [{ Cc: 'x' }, ['']],
    [{ TextBody: undefined }, ['HtmlBody']],
    [{ TemplateId: 12 }, ['TemplateId']],
    [{ TemplateAlias: 'welcome' }, ['TemplateAlias']],
    [{ Metadata: { n: {} } }, ['Metadata.n']],
    [{ Metadata: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, 'v'])) }, ['Metadata']],
    [{ Metadata: { nul: '\0' } }, ['Metadata.nul']],
    [{ MessageStream: 'inbound' }, ['MessageStream']],
    [{ TrackLinks: 'Some' }, ['TrackLinks']],
    [{ ReplyTo: 'a@b.cd, c' }, ['']],
    [{ ReplyTo: 'a@b.cd,'.repeat(11) }, ['ReplyTo']],
    [{ Attachments: [{ Name: '', Content: '' }] }, ['Attachments[0].Name']],
    [{ Attachments: [{ Name: 'a', Content: '', ContentID: 'cid:a b' }] }, ['Attachments[0].ContentID']],
    [{ Attachments: Array.from({ length: 1_000_000 }, () => 1) }, ['Attachments']],
  ];
  for (const [more, expected] of cases)
    expect([Object.keys(more), fields(email(more))]).toEqual([Object.keys(more), expected]);
  for (const raw of [null, 1, 'x', [], {}]) expect(fields(raw)).not.toBeNull();
});

test('recipients are counted for the rate limit', () => {
  expect(countEmail(email({ To: 'a@b.cd, A@b.cd', Cc: '"x, y" <c@d.ef>', Bcc: 'g@h.ij' }))).toBe(3);
  for (const raw of [null, 1, {}, { To: 3 }, { To: 'nobody' }]) expect(countEmail(raw)).toBe(1);
});

test('a page by count and offset reads no further than it must, and never more than 10,000', async () => {
  let reads = 0;
  const read = (size: number) => async (before: number | undefined, limit: number) => {
    reads += 1;
    const next = (before ?? size) - 1;
    return Array.from({ length: Math.min(limit, next + 1) }, (_, n) => next - n);
  };
  expect(await readPage({ count: 2, offset: 1 }, read(5))).toEqual({ total: 4, items: [3, 2] });
  expect(await readPage({ count: 10, offset: 3 }, read(5))).toEqual({ total: 5, items: [1, 0] });
  expect(await readPage({ count: 2, offset: 0 }, read(3_000), (n) => n % 1_000 === 0)).toEqual({
    total: 3,
    items: [2_000, 1_000],
  });
  reads = 0;
  expect(await readPage({ count: 1, offset: 0 }, read(1_000_000), () => false)).toEqual({
    total: 0,
    items: [],
  });
  expect(reads).toBe(11);
});

test('parameters of lists have no letter case; days are whole; hostile ones are refused', () => {
  const query = listQuery({});
  const until = query.parse({ toDate: '2026-01-31', COUNT: '7', metadata_x: 'y' });
  expect(until).toEqual({ count: 7, offset: 0, todate: new Date('2026-02-01T00:00:00Z') });
  expect(query.parse({ fromdate: '2026-01-31T10:00:00' }).fromdate).toEqual(new Date('2026-01-31T10:00:00Z'));
  for (const given of [
    { count: '501' },
    { offset: '9501' },
    { offset: '-1' },
    { count: 'x' },
    { fromdate: '2026-13-45' },
    { fromdate: '99999-01-01' },
    { todate: '\0' },
  ])
    expect([given, query.safeParse(given).success]).toEqual([given, false]);
});

test('classes of bounces have types', () => {
  const type = (data: Record<string, unknown>) => bounceType({ type: 'bounce', data });
  expect(type({ kind: 'hard', class: 'invalid_recipient' })).toBe('HardBounce');
  expect(type({ kind: 'soft', class: 'mailbox_full' })).toBe('SoftBounce');
  expect(type({ kind: 'soft', class: 'spam_block' })).toBe('Blocked');
  expect(bounceType({ type: 'complaint', data: {} })).toBe('SpamComplaint');
});
