import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { countRecipients } from '../../../core/message/mailbox-input.ts';
import { parseSendInput } from '../../../core/message/send-input.ts';
import { threadMs } from '../../harness/thread-time.ts';

const NOW = new Date('2026-01-15T12:00:00Z');
const PLAIN = { from: 'Shop <shop@example.com>', to: 'Ann@Example.NET', subject: 'Hello', text: 'Hello.' };
const parse = (more: Record<string, unknown>) => parseSendInput({ ...PLAIN, ...more }, NOW);
const addresses = (count: number) => Array.from({ length: count }, (_, n) => `r${n}@example.com`);
const problems = (more: Record<string, unknown>) => {
  const parsed = parse(more);
  return parsed.ok ? [] : parsed.details.map(({ path, message }) => `${path} ${message}`);
};

test('headers by the million are refused before any is read', () => {
  const headers = Array.from({ length: 1_000_000 }, () => 1);
  let found: string[] = [];
  expect(threadMs(() => (found = problems({ headers })))).toBeLessThan(500);
  expect(found).toEqual(['headers more than 50 headers']);
  const some = addresses(51).map((value, n) => ({ name: `X-${n}`, value }));
  expect(problems({ headers: some })).toEqual(['headers more than 50 headers']);
  expect(problems({ headers: [1] })).toEqual(['headers must be an object of header names and texts']);
});

test('a plain message is read', () => {
  expect(parse({})).toEqual({
    ok: true,
    input: {
      from: { text: 'Shop <shop@example.com>', address: expect.objectContaining({ domain: 'example.com' }) },
      recipients: [
        {
          text: 'Ann@Example.NET',
          address: expect.objectContaining({ email: 'Ann@example.net' }),
          field: 'to',
          key: 'ann@example.net',
        },
      ],
      subject: 'Hello',
      text: 'Hello.',
      headers: [],
      tags: [],
      attachments: [],
    },
  });
});

describe('each field says what is wrong with it', () => {
  test.each([
    [{ from: undefined }, 'from is required'],
    [{ from: 'shop' }, 'from is not a mailbox: it has no @'],
    [{ to: undefined }, 'to is required'],
    [{ to: 7 }, 'to must be an address or a list of addresses'],
    [{ to: [] }, 'to must have at least one address'],
    [{ to: [], cc: [], bcc: [] }, 'to must have at least one address'],
    [{ to: 'a@b.example, c@d.example' }, /^to is not an email address: .*; give several as a list$/],
    [{ to: '' }, /^to is not an email address/],
    [{ to: ['a@b.example', 'c'] }, 'to[1] is not an email address: it has no @'],
    [{ cc: ['a@b.example', 'Cy c@d.example'] }, /^cc\[1\] is not an email address: it has a space/],
    [{ bcc: [null] }, 'bcc[0] must be one address (a string)'],
    [
      { cc: addresses(25), bcc: addresses(25) },
      'to must be at most 50 addresses, with all of to, cc and bcc',
    ],
    [{ bcc: addresses(51) }, 'bcc must be at most 50 addresses, with all of to, cc and bcc'],
    [{ subject: undefined }, 'subject is required'],
    [{ subject: 'x'.repeat(999) }, 'subject must have at most 998 characters'],
    [{ text: undefined }, 'html is required: give html and/or text, template_id or raw'],
    [{ html: 'x'.repeat(5 * 1024 * 1024 + 1) }, 'html must be at most 5 MiB'],
    [{ template_id: 'tpl_01jd8x4z3kf5t8r9w2m6q7v0ab' }, 'template_id cannot be combined with html or text'],
    [{ template_id: 7 }, 'template_id must be a string'],
    [{ variables: {} }, 'variables needs a template_id'],
    [{ reply_to: 'x' }, /^reply_to is not an email address/],
    [{ reply_to: ['a@b.example', 'x'] }, /^reply_to\[1\] is not an email address/],
    [{ reply_to: addresses(11) }, 'reply_to must be at most 10 addresses'],
    [{ headers: 'x' }, 'headers must be an object of header names and texts'],
    [{ headers: { 'X-A': 1 } }, 'headers must be an object of header names and texts'],
    [{ tags: [{ name: '', value: 'a' }] }, 'tags[0].name must not be empty'],
    [
      { tags: Array.from({ length: 11 }, () => ({ name: 'a', value: 'b' })) },
      'tags must have at most 10 items',
    ],
    [
      { attachments: [{ filename: 'a/\0', content: '' }] },
      'attachments[0].filename has a character that is not allowed',
    ],
    [{ attachments: [{ filename: 'a', content: 'a' }] }, 'attachments[0].content is not valid base64'],
    [
      { attachments: [{ filename: 'a', content: 'aGk=', content_type: 'x' }] },
      'attachments[0].content_type is not a MIME type',
    ],
    [
      { attachments: [{ filename: 'a', content: 'aGk=', url: 'x' }] },
      'attachments[0].url is not a known field',
    ],
    [{ scheduled_at: 'tomorrow' }, /^scheduled_at must be a time in RFC 3339/],
    [{ scheduled_at: '2026-02-14T12:01:01Z' }, 'scheduled_at must be at most 30 days ahead'],
    [{ track_opens: 'yes' }, 'track_opens must be a boolean'],
    [{ unsubscribe: 'yes' }, 'unsubscribe must be a boolean'],
    [
      { unsubscribe: true, headers: { 'list-unsubscribe': '<mailto:a@b.example>' } },
      'unsubscribe cannot be combined with List-Unsubscribe headers',
    ],
    [{ headers: { 'List-Unsubscribe': 'x' } }, /^headers header List-Unsubscribe must be <https/],
    [{ esp: 'A B' }, 'esp is not the name of a route'],
    [{ bccs: 'x' }, 'bccs is not a known field (did you mean bcc?)'],
    [{ replyTo: 'x' }, 'replyTo is not a known field (did you mean reply_to?)'],
    [{ carbon: 'x' }, 'carbon is not a known field'],
  ] as const)('%j', (more, expected) => {
    const found = problems(more);
    expect(found).toHaveLength(1);
    if (typeof expected === 'string') expect(found[0]).toBe(expected);
    else expect(found[0]).toMatch(expected);
  });
});

test('what is allowed at the edges passes', () => {
  for (const more of [
    { scheduled_at: '2026-02-14T12:00:00Z' },
    { to: addresses(48), cc: 'Cy <cy@example.com>', bcc: ['dee@example.com'] },
    { cc: [], bcc: [] },
    { unsubscribe: true },
    { unsubscribe: false, headers: { 'List-Unsubscribe': '<https://shop.example/u?t=1>' } },
    { scheduled_at: '2026-01-15T14:00:00+02:00' },
    { headers: [{ name: 'X-A', value: 'b' }] },
    { headers: { 'X-A': 'b', 'In-Reply-To': '<a@b>' } },
    { attachments: [{ filename: 'ä.txt', content: 'aGk', content_id: 'logo' }] },
    { attachments: [{ filename: 'a', content: 'aG\r\nk=' }] },
    { attachments: [{ filename: 'a', content: Buffer.from('x') }] },
    { html: '<b>x</b>', tags: [{ name: 'a', value: '' }], esp: 'direct', track_clicks: false },
    {
      subject: undefined,
      text: undefined,
      template_id: 'tpl_01jd8x4z3kf5t8r9w2m6q7v0ab',
      variables: { a: [1, { b: null }] },
    },
  ]) {
    expect(problems(more), JSON.stringify(more)).toEqual([]);
  }
});

test('recipients are those of to, cc and bcc in this order, each once, where it came first', () => {
  const parsed = parse({
    to: ['Bo <bo@example.net>', 'ann@example.net'],
    cc: ['ANN@example.NET', 'Cy <cy@example.net>', 'cy@example.net'],
    bcc: ['bo@example.net', 'dee@example.net'],
  });
  expect(parsed.ok && parsed.input.recipients.map(({ field, text }) => [field, text])).toEqual([
    ['to', 'Bo <bo@example.net>'],
    ['to', 'ann@example.net'],
    ['cc', 'Cy <cy@example.net>'],
    ['bcc', 'dee@example.net'],
  ]);
});

test('an unchecked body is counted by its recipients, and as one when it will be refused', () => {
  expect(countRecipients({ ...PLAIN })).toBe(1);
  expect(
    countRecipients({ to: ['a@b.example', 'Ann <A@b.example>'], cc: 'c@d.example', bcc: ['e@f.example'] }),
  ).toBe(3);
  expect(countRecipients({ to: 'x', cc: [7, {}] })).toBe(1);
  expect(countRecipients({ to: addresses(51) })).toBe(1);
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (to, cc) => {
      for (const raw of [to, { to, cc }]) expect(countRecipients(raw)).toBeGreaterThanOrEqual(1);
    }),
  );
});

test('whatever comes, the answer is a value and never an exception', () => {
  fc.assert(
    fc.property(
      fc.record(Object.fromEntries([...Object.keys(PLAIN), 'cc'].map((name) => [name, fc.anything()]))),
      (raw) => {
        expect(typeof parseSendInput(raw, NOW).ok).toBe('boolean');
      },
    ),
    { numRuns: 300 },
  );
});
