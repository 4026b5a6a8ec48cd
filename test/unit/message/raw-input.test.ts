// Ready-made mail as an input: with the body's recipients over REST, with those of its envelope over SMTP.

import { expect, test } from 'vitest';

import { OutgoingMessage } from '../../../core/gen/sender/v1/sender.ts';
import { newUuid } from '../../../core/base/ids.ts';
import { readOutgoing, toOutgoing } from '../../../core/message/outgoing.ts';
import { parseRawInput } from '../../../core/message/raw-input.ts';
import { parseSendInput } from '../../../core/message/send-input.ts';

const NOW = new Date('2026-01-15T12:00:00Z');
const MAIL = Buffer.from(
  'From: Shop <shop@example.com>\r\nTo: Ann <ANN@example.net>,\r\n ben@example.net\r\nCc: cy@example.net\r\n' +
    'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\n\r\nHello.\r\n',
);
const RAW = MAIL.toString('base64');
const problems = (more: Record<string, unknown>) => {
  const parsed = parseSendInput({ to: 'a@example.net', raw: RAW, ...more }, NOW);
  return parsed.ok ? [] : parsed.details.map(({ path, message }) => `${path} ${message}`);
};

test.each([
  [{}, []],
  [
    {
      from: 'Other name <Shop@example.com>',
      track_clicks: true,
      unsubscribe: true,
      to: [],
      bcc: 'a@b.example',
    },
    [],
  ],
  [{ from: 'me@example.com' }, ['from must be the From of the message, shop@example.com']],
  [{ raw: 'ä' }, ['raw is not valid base64']],
  [
    { raw: Buffer.from('x').toString('base64') },
    ['raw has a line that is no header field, after 0 that are'],
  ],
  [{ to: [] }, ['to must have at least one address']],
  [{ subject: 'x', text: 'y', attachments: [] }, ['subject', 'text', 'attachments'].map(notWithRaw)],
  [{ html: 'x', template_id: 'tpl_01jd8x4z3kf5t8r9w2m6q7v0ab' }, ['html', 'template_id'].map(notWithRaw)],
  [
    { headers: {}, reply_to: 'a@b.example', variables: {} },
    ['variables', 'reply_to', 'headers'].map(notWithRaw),
  ],
  [
    {
      unsubscribe: true,
      raw: Buffer.concat([Buffer.from('List-Unsubscribe: <x>\r\n'), MAIL]).toString('base64'),
    },
    ['unsubscribe cannot be combined with List-Unsubscribe headers'],
  ],
])('%j', (more, expected) => {
  expect(problems(more)).toEqual(expected);
});

test('recipients of an envelope count as the header names them, up to 100, and arrive so at the sender', () => {
  const others = Array.from({ length: 97 }, (_, n) => `r${n}@example.net`);
  const rcptTo = [...others, 'cy@example.net', 'Ben@example.net', 'ann@example.net', 'ann@example.net'];
  const parsed = parseRawInput(MAIL, rcptTo.slice(0, 100), { tags: [{ name: 'a', value: 'b' }] }, NOW);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.details));
  const { recipients } = parsed.input;
  expect(recipients.slice(0, 3).map(({ field, key }) => [field, key])).toEqual([
    ['to', 'ben@example.net'],
    ['to', 'ann@example.net'],
    ['cc', 'cy@example.net'],
  ]);
  expect(recipients.filter(({ field }) => field === 'bcc')).toHaveLength(97);
  const outgoing = OutgoingMessage.decode(OutgoingMessage.encode(toOutgoing(parsed.input)).finish());
  const read = readOutgoing(newUuid(), outgoing, NOW);
  if (!read.ok) throw new Error(JSON.stringify(read.details));
  expect(read.message).toMatchObject({
    subject: 'Grüße',
    headerFrom: 'Shop <shop@example.com>',
    domain: 'example.com',
  });
  const ids = read.message.recipients.map(({ id }) => id);
  expect(ids.slice(1)).toEqual(ids.slice(1).toSorted());
  expect(new Set(ids).size).toBe(100);
});

test.each([
  [[], {}, 'to must have at least one address'],
  [Array.from({ length: 101 }, (_, n) => `r${n}@example.net`), {}, 'bcc must be at most 100 addresses'],
  [['x'], {}, 'bcc[0] is not an email address'],
  [['a@example.net'], { tags: 'x' }, 'tags '],
  [['a@example.net'], { scheduled_at: 'x' }, 'scheduled_at must be a time'],
])('what is wrong with an envelope is said: %j %j', (rcptTo, options, expected) => {
  const parsed = parseRawInput(MAIL, rcptTo, options, NOW);
  if (parsed.ok) throw new Error('was read');
  const [problem] = parsed.details;
  expect(`${problem!.path} ${problem!.message}`).toMatch(expected);
});

function notWithRaw(path: string): string {
  return `${path} cannot be combined with raw`;
}
