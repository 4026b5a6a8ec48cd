// What a body of SendGrid's mail/send becomes, and how what is wrong with it is named.

import { expect, test } from 'vitest';

import { countMail, readMail } from '../../../../api/compat/sendgrid/read-mail.ts';
import { substitute } from '../../../../api/compat/sendgrid/substitute.ts';
import { countThreadMs } from '../../../harness/thread-time.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const TEMPLATE = 'tpl_01jd8x4z3kf5t8r9w2m6q7v0ab';

const body = (more: Record<string, unknown> = {}) => ({
  personalizations: [{ to: [{ email: 'ann@example.com' }] }],
  from: { email: 'shop@example.org', name: 'Shop' },
  subject: 'Hello',
  content: [{ type: 'text/plain', value: 'Hello.' }],
  ...more,
});

const inputs = (more: Record<string, unknown>) => {
  const read = readMail(body(more), NOW);
  if (!read.ok) throw new Error(JSON.stringify(read.details));
  return read.value.inputs;
};

const problems = (raw: unknown) => {
  const read = readMail(raw, NOW);
  return read.ok ? null : read.details.map(({ path }) => path);
};

test('each personalization is a message of its own, with what it overrides', () => {
  const [first, second] = inputs({
    personalizations: [
      { to: [{ email: 'ann@example.com', name: 'Ann, "the" \\ first' }], cc: [{ email: 'cy@example.com' }] },
      {
        from: { email: 'other@example.org' },
        to: [{ email: 'ben@example.com' }],
        bcc: [{ email: 'dee@example.com' }],
        subject: 'Hello -name-',
        headers: { 'x-order': '2' },
        substitutions: { '-name-': 'Ben' },
        custom_args: { order: '2' },
        send_at: 1_795_435_200,
      },
    ],
    content: [
      { type: 'text/plain', value: 'Dear -name-' },
      { type: 'text/html; charset=utf-8', value: '<p>Dear -name-</p>' },
    ],
    headers: { 'X-Order': '1', 'X-Shop': 'a' },
    categories: ['receipt', 'first'],
    custom_args: { order: '1', kind: 'k' },
    batch_id: 'b1',
    reply_to: { email: 'help@example.org', name: 'Help' },
    ip_pool_name: 'direct',
    tracking_settings: {
      click_tracking: { enable: false, enable_text: true },
      open_tracking: { enable: true },
    },
    asm: { group_id: 4 },
    anything: { else: true },
  });
  expect(first).toMatchObject({
    from: { text: '"Shop" <shop@example.org>', address: { display: 'Shop', email: 'shop@example.org' } },
    recipients: [{ field: 'to', address: { display: 'Ann, "the" \\ first' } }, { field: 'cc' }],
    subject: 'Hello',
    text: 'Dear -name-',
    html: '<p>Dear -name-</p>',
    replyTo: [{ text: '"Help" <help@example.org>' }],
    headers: [
      { name: 'X-Order', value: '1' },
      { name: 'X-Shop', value: 'a' },
    ],
    tags: [
      { name: 'category', value: 'receipt' },
      { name: 'category', value: 'first' },
      { name: 'order', value: '1' },
      { name: 'kind', value: 'k' },
      { name: 'batch_id', value: 'b1' },
    ],
    esp: 'direct',
    trackOpens: true,
    trackClicks: false,
  });
  expect(second).toMatchObject({
    from: { text: 'other@example.org' },
    recipients: [{ key: 'ben@example.com' }, { key: 'dee@example.com', field: 'bcc' }],
    subject: 'Hello Ben',
    text: 'Dear Ben',
    html: '<p>Dear Ben</p>',
    headers: [
      { name: 'x-order', value: '2' },
      { name: 'X-Shop', value: 'a' },
    ],
    scheduledAt: new Date('2026-11-23T12:00:00Z'),
  });
  expect(second!.tags).toContainEqual({ name: 'order', value: '2' });
});

test('a template gets dynamic data and substitutions as its variables, whatever encloses their names', () => {
  for (const id of [TEMPLATE, `d-${TEMPLATE}`]) {
    const [input] = inputs({
      template_id: id,
      subject: undefined,
      personalizations: [
        {
          to: [{ email: 'ann@example.com' }],
          substitutions: { '{{name}}': 'Ann', '-city-': 'Oslo', '%zip%': '1' },
          dynamic_template_data: { order: { lines: [1] } },
        },
      ],
    });
    expect(input!.templateId).toBeDefined();
    expect(input!.variables).toEqual({ name: 'Ann', city: 'Oslo', zip: '1', order: { lines: [1] } });
    expect(input!.text).toBeUndefined();
  }
});

test('an attachment is inline only where it says so, and is decoded once for all messages', () => {
  const file = { content: Buffer.from('x').toString('base64'), filename: 'a.png', content_id: 'logo' };
  const people = [{ to: [{ email: 'a@example.com' }] }, { to: [{ email: 'b@example.com' }] }];
  const [one, two] = inputs({
    personalizations: people,
    attachments: [{ ...file, disposition: 'inline', type: 'image/png' }, file],
  });
  expect(one!.attachments.map(({ contentId, contentType }) => [contentId, contentType])).toEqual([
    ['logo', 'image/png'],
    [undefined, undefined],
  ]);
  expect(two!.attachments[0]!.content).toBe(one!.attachments[0]!.content);
});

test('types keep their parameters, and a content of text/calendar is an invitation beside the text', () => {
  const value = 'BEGIN:VCALENDAR';
  const [one] = inputs({
    content: [
      { type: 'text/plain', value: 'Please come.' },
      { type: 'text/calendar; method=REQUEST', value },
    ],
    attachments: [{ filename: 'a.csv', content: 'aGk=', type: 'text/csv; header=present' }],
  });
  expect(one!.attachments).toEqual([
    { filename: 'a.csv', content: Buffer.from('hi'), contentType: 'text/csv; header=present' },
    {
      filename: 'invite.ics',
      content: Buffer.from(value),
      contentType: 'text/calendar; method=REQUEST',
      alternative: true,
    },
  ]);
});

test('subscription tracking is our List-Unsubscribe pair and our link', () => {
  const [input] = inputs({
    content: [{ type: 'text/html', value: '<a href="[leave]">leave</a>' }],
    tracking_settings: { subscription_tracking: { enable: true, substitution_tag: '[leave]' } },
  });
  expect(input).toMatchObject({ unsubscribe: true, html: '<a href="{{ unsubscribe_url }}">leave</a>' });
});

test('what is wrong is named as the body names it', () => {
  const to = [{ email: 'ann@example.com' }];
  const cases: [Record<string, unknown>, string[]][] = [
    [{ personalizations: [] }, ['personalizations']],
    [{ personalizations: [{ to: [{ email: 'nobody' }] }] }, ['personalizations[0].to[0].email']],
    [{ personalizations: [{ to }, { to: [] }] }, ['personalizations[1].to']],
    [{ personalizations: [{ to, cc: [{ email: 'a@b@c' }] }] }, ['personalizations[0].cc[0].email']],
    [{ from: { email: 'x' } }, ['from.email']],
    [{ from: undefined }, ['from']],
    [{ subject: undefined }, ['subject']],
    [{ subject: 'a\r\nBcc: x@example.com' }, ['subject']],
    [{ content: undefined }, ['content']],
    [{ content: [{ type: 'text/x-amp-html', value: 'x' }] }, ['content[0].type']],
    [{ content: [{ type: 'text/calendar', value: 'x' }] }, ['content']],
    [{ headers: { Received: 'x' } }, ['headers']],
    [{ custom_args: { n: 1 } }, ['custom_args.n']],
    [{ categories: Array.from({ length: 11 }, String) }, ['custom_args']],
    [{ custom_args: { a: '\0' } }, ['custom_args.a']],
    [{ send_at: 1_995_435_200 }, ['send_at']],
    [{ template_id: 'd-other' }, ['template_id']],
    [{ reply_to_list: [{ email: 'a@b.cd' }, { email: 'c' }] }, ['reply_to_list[1].email']],
    [{ reply_to: { email: 'a@b.cd' }, reply_to_list: [{ email: 'c' }] }, ['reply_to_list[0].email']],
    [{ reply_to: { email: 'a' } }, ['reply_to.email']],
    [{ reply_to_list: Array.from({ length: 11 }, () => ({ email: 'a@b.cd' })) }, ['reply_to_list']],
    [{ sections: { a: 'b' } }, ['sections']],
    [{ attachments: [{ content: '%', filename: 'a' }] }, ['attachments[0].content']],
    [
      { mail_settings: { bypass_list_management: { enable: true } } },
      ['mail_settings.bypass_list_management'],
    ],
    [{ mail_settings: { footer: { enable: true } } }, ['mail_settings.footer']],
    [{ tracking_settings: { ganalytics: { enable: true } } }, ['tracking_settings.ganalytics']],
  ];
  for (const [more, expected] of cases) expect([more, problems(body(more))]).toEqual([more, expected]);
  for (const raw of [null, 1, 'x', [], { personalizations: {} }]) expect(problems(raw)).not.toBeNull();
});

test('settings that are off, and the sandbox', () => {
  const off = Object.fromEntries(
    ['footer', 'bypass_list_management'].map((name) => [name, { enable: false }]),
  );
  const read = readMail(body({ mail_settings: { ...off, sandbox_mode: { enable: true } } }), NOW);
  expect(read).toMatchObject({ ok: true, value: { sandbox: true } });
});

test('recipients are counted for the rate limit without a look at anything else', () => {
  const to = [{ email: 'a@example.com' }, { email: 'A@example.com' }, { email: 'b@example.com' }];
  expect(countMail({ personalizations: [{ to, bcc: [{ email: 'c@example.com' }] }, { to }] })).toBe(5);
  const many = Array.from({ length: 601 }, (_, n) => ({ to: [{ email: `r${n}@example.com` }] }));
  expect(countMail({ personalizations: many })).toBe(1);
  expect(problems(body({ personalizations: many }))).toEqual(['personalizations']);
  for (const raw of [
    null,
    [],
    { personalizations: [null, 1, { to: 3 }, { to: [null] }] },
    { personalizations: 'x' },
  ])
    expect(countMail(raw)).toBeGreaterThan(0);
});

test('hostile bodies are refused in bounded time', () => {
  const wide = Array.from({ length: 1_000_000 }, () => 1);
  const large = 'a'.repeat(1_000_000);
  const took = countThreadMs();
  expect(problems(body({ categories: wide }))).toEqual(['categories']);
  expect(problems(body({ personalizations: wide }))).toEqual(['personalizations']);
  const substitutions = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`aaaaaaaaaa${n}`, 'b']));
  expect(
    problems(
      body({
        personalizations: [{ to: [{ email: 'a@example.com' }], substitutions }],
        content: [{ type: 'text/plain', value: large }],
      }),
    ),
  ).toEqual(['personalizations']);
  const people = Array.from({ length: 100 }, (_, n) => ({ to: [{ email: `r${n}@example.com` }] }));
  expect(
    problems(body({ personalizations: people, content: [{ type: 'text/plain', value: large }] })),
  ).toEqual(['personalizations']);
  // The subject is searched too, and it is as long as the body that it comes in.
  const subject = { personalizations: [{ to: [{ email: 'a@example.com' }], substitutions }], subject: large };
  expect(problems(body(subject))).toEqual(['personalizations']);
  expect(took()).toBeLessThan(5_000);
});

test('substitutions make no more of one request than a request may hold', () => {
  const people = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      to: [{ email: `r${n}@example.com` }],
      substitutions: { X: 'x'.repeat(1_000) },
    }));
  const content = [{ type: 'text/plain', value: 'X'.repeat(5_000) }]; // 5 MB for each
  expect(problems(body({ personalizations: people(2), content }))).toBeNull();
  expect(problems(body({ personalizations: people(600), content }))).toEqual(['personalizations']);
});

test('substitutions are made once, the longest name first, and bring in no more than a message holds', () => {
  const values = new Map([
    ['-a-', '-ab-'],
    ['-ab-', 'x'],
    ['(.*)', '$&'],
  ]);
  expect(substitute('-a- -ab- (.*)', values)).toEqual({ ok: true, text: '-ab- x $&' });
  const bomb = new Map([['a', 'b'.repeat(100_000)]]);
  expect(substitute('a'.repeat(1_000), bomb).ok).toBe(false);
});
