import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseSendInput } from '../../../core/message/send-input.ts';

const NOW = new Date('2026-01-15T12:00:00Z');
const PLAIN = { from: 'Shop <shop@example.com>', to: 'Ann@Example.NET', subject: 'Hello', text: 'Hello.' };
const parse = (more: Record<string, unknown>) => parseSendInput({ ...PLAIN, ...more }, NOW);
const problems = (more: Record<string, unknown>) => {
  const parsed = parse(more);
  return parsed.ok ? [] : parsed.details.map(({ path, message }) => `${path} ${message}`);
};

test('a plain message is read', () => {
  expect(parse({})).toEqual({
    ok: true,
    input: {
      from: { text: 'Shop <shop@example.com>', address: expect.objectContaining({ domain: 'example.com' }) },
      to: expect.objectContaining({ email: 'Ann@example.net' }),
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
    [{ to: ['a@b.example'] }, 'to must be one address (a string); send one message per recipient'],
    [{ to: 'a@b.example, c@d.example' }, /^to is not an email address/],
    [{ to: 'Ann <a@b.example>' }, /^to is not an email address/],
    [{ to: '' }, /^to is not an email address/],
    [{ subject: '' }, 'subject must not be empty'],
    [{ subject: undefined }, 'subject is required'],
    [{ subject: 'x'.repeat(999) }, 'subject must have at most 998 characters'],
    [{ text: undefined }, 'html is required: give html and/or text, or template_id'],
    [{ html: 'x'.repeat(5 * 1024 * 1024 + 1) }, 'html must be at most 5 MiB'],
    [{ template_id: 'tpl_01jd8x4z3kf5t8r9w2m6q7v0ab' }, 'template_id cannot be combined with html or text'],
    [{ template_id: 7 }, 'template_id must be a string'],
    [{ variables: {} }, 'variables needs a template_id'],
    [{ reply_to: 'x' }, /^reply_to is not a mailbox/],
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
    [{ esp: 'A B' }, 'esp is not the name of a route'],
    [{ bcc: 'x' }, 'bcc is not a known field'],
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

test('whatever comes, the answer is a value and never an exception', () => {
  fc.assert(
    fc.property(
      fc.record(Object.fromEntries(Object.keys(PLAIN).map((name) => [name, fc.anything()]))),
      (raw) => {
        expect(typeof parseSendInput(raw, NOW).ok).toBe('boolean');
      },
    ),
    { numRuns: 300 },
  );
});
