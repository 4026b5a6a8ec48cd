// The content type of a part travels with its parameters (RFC 2045 section 5.1), and an invitation stands where calendars look
// for it (RFC 6047 section 2.4).

import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';

import { composeMessage, joinMessage } from '../../../../core/mail/compose/compose.ts';
import type { Attachment } from '../../../../core/mail/compose/message-content.ts';
import { OutgoingMessage } from '../../../../core/gen/sender/v1/sender.ts';
import { toOutgoing, toSendInput } from '../../../../core/message/outgoing.ts';
import { parseSendInput } from '../../../../core/message/send-input.ts';

const NOW = new Date('2026-01-15T12:00:00Z');
const EVENT = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:Réunion\r\nEND:VCALENDAR\r\n';

async function wire(attachments: Attachment[], html?: string): Promise<string> {
  const composed = await composeMessage({
    from: { address: 'shop@example.com' },
    to: [{ address: 'ann@example.net' }],
    subject: 'Meeting',
    messageId: '<018f4f5e-1111-7222-8333-444455556666@example.com>',
    date: NOW,
    text: 'Please come.',
    ...(html !== undefined && { html }),
    attachments,
  });
  return joinMessage('', composed).toString('latin1');
}

async function typeOf(contentType: string, filename = 'file.bin'): Promise<string> {
  const message = await wire([{ filename, content: Buffer.from('x'), contentType }]);
  const types = message.replace(/\r\n[ \t]+/g, ' ').match(/^Content-Type: .*$/gm);
  return types!.at(-1)!.slice('Content-Type: '.length);
}

describe('the type of an attachment keeps its parameters', () => {
  test.each([
    ['text/calendar; method=REQUEST', 'text/calendar; method=REQUEST; name=file.bin'],
    [
      'text/calendar; charset=utf-8; method=CANCEL; component=VEVENT',
      'text/calendar; charset=utf-8; method=CANCEL; component=VEVENT; name=file.bin',
    ],
    ['TEXT/Calendar;METHOD=reply', 'text/calendar; method=reply; name=file.bin'],
    [
      'text/csv; header=present; charset=iso-8859-1',
      'text/csv; header=present; charset=iso-8859-1; name=file.bin',
    ],
    [
      'application/vnd.api+json; profile="https://x.example/a;b"',
      'application/vnd.api+json; profile="https://x.example/a;b"; name=file.bin',
    ],
    [
      'text/plain; charset="windows-1252"; format=flowed; delsp=yes',
      'text/plain; charset=windows-1252; format=flowed; delsp=yes; name=file.bin',
    ],
    ['application/pdf; name="other.pdf"; x=1;', 'application/pdf; x=1; name=file.bin'],
    ['text/calendar; method', 'text/calendar; name=file.bin'],
  ])('%s', async (given, expected) => {
    expect(await typeOf(given)).toBe(expected);
  });

  test.each([
    'text/calendar; method=REQUEST\r\nBcc: eve@example.org',
    'multipart/mixed; boundary=x',
    'message/rfc822; x=1',
    'text; charset=utf-8',
  ])('%j adds no field and no structure', async (given) => {
    const message = await wire([{ filename: 'f', content: Buffer.from('x'), contentType: given }]);
    expect(message).not.toMatch(/^bcc:/im);
    expect((await simpleParser(Buffer.from(message, 'latin1'))).attachments).toHaveLength(1);
  });

  test('a value above ASCII comes back (RFC 2231)', async () => {
    const type = await typeOf('application/x-note; title="Größe"');
    expect(type).toContain("title*0*=utf-8''Gr%C3%B6%C3%9Fe");
  });

  test('through the request and the record', () => {
    const parsed = parseSendInput(
      {
        from: 'shop@example.com',
        to: 'ann@example.net',
        subject: 'Meeting',
        text: 'Please come.',
        attachments: [
          {
            filename: 'invite.ics',
            content: Buffer.from(EVENT).toString('base64'),
            content_type: 'text/calendar; method=REQUEST',
            alternative: true,
          },
        ],
      },
      NOW,
    );
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.details));
    const stored = OutgoingMessage.decode(OutgoingMessage.encode(toOutgoing(parsed.input)).finish());
    expect(stored.attachments[0]).toMatchObject({
      contentType: 'text/calendar; method=REQUEST',
      alternative: true,
    });
    expect(toSendInput(stored, NOW)).toEqual(parsed);
  });
});

describe('a calendar as another form of the text', () => {
  const invitation = {
    filename: 'invite.ics',
    content: Buffer.from(EVENT),
    contentType: 'text/calendar; method=REQUEST',
    alternative: true,
  };

  test('is the third alternative, after the html, and no file', async () => {
    const message = await wire([invitation], '<p>Please come.</p>');
    const types = message.replace(/\r\n[ \t]+/g, ' ').match(/^Content-Type: [^\r\n]*$/gm)!;
    expect(types.map((type) => type.replace(/; boundary=.*/, ''))).toEqual([
      'Content-Type: multipart/alternative',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Type: text/html; charset=utf-8',
      'Content-Type: text/calendar; charset=utf-8; method=REQUEST',
    ]);
    expect(message).not.toMatch(/^Content-Disposition/m);
    expect(Buffer.from(/BEGIN|QkVHSU[\s\S]*?(?=\r\n--)/.exec(message)![0], 'base64').toString()).toBe(EVENT);
  });

  test('beside a file and an inline image', async () => {
    const png = Buffer.from('89504e47', 'hex');
    const message = await wire(
      [
        invitation,
        { filename: 'invite.ics', content: Buffer.from(EVENT), contentType: 'text/calendar' },
        { filename: 'logo.png', content: png, contentType: 'image/png', contentId: 'logo' },
      ],
      '<img src="cid:logo">',
    );
    const types = [...message.matchAll(/^Content-Type: ([^;\r\n]+)/gm)].map(([, type]) => type);
    expect(types).toEqual([
      'multipart/mixed',
      'multipart/alternative',
      'text/plain',
      'multipart/related',
      'text/html',
      'image/png',
      'text/calendar',
      'text/calendar',
    ]);
  });

  test('a charset of its own stays', async () => {
    const message = await wire([{ ...invitation, contentType: 'text/calendar; charset=iso-8859-1' }]);
    expect(message).toContain('Content-Type: text/calendar; charset=iso-8859-1\r\n');
  });

  test.each([
    [{ content_type: 'application/pdf' }, 'attachments[0].alternative needs the content_type text/calendar'],
    [{ content_type: undefined }, 'attachments[0].alternative needs the content_type text/calendar'],
    [{ content_id: 'x' }, 'attachments[0].content_id cannot be combined with alternative'],
  ])('with %j is refused', (more, expected) => {
    const one = { filename: 'a', content: 'aGk=', content_type: 'text/calendar', alternative: true, ...more };
    const parsed = parseSendInput(
      { from: 'a@example.com', to: 'b@example.net', subject: '', text: 'x', attachments: [one] },
      NOW,
    );
    expect(parsed).toMatchObject({ ok: false });
    if (!parsed.ok)
      expect(parsed.details.map(({ path, message }) => `${path} ${message}`)).toEqual([expected]);
  });

  test('twice is refused', () => {
    const one = { filename: 'a', content: 'aGk=', content_type: 'text/calendar', alternative: true };
    const parsed = parseSendInput(
      { from: 'a@example.com', to: 'b@example.net', subject: '', text: 'x', attachments: [one, one] },
      NOW,
    );
    expect(parsed).toMatchObject({ ok: false, details: [{ message: 'can have one alternative' }] });
  });
});

describe('a content id is the same with and without brackets (RFC 2392)', () => {
  const parse = (content_id: string) =>
    parseSendInput(
      {
        from: 'a@example.com',
        to: 'b@example.net',
        subject: '',
        html: '<img src="cid:logo">',
        attachments: [{ filename: 'logo.png', content: 'aGk=', content_id }],
      },
      NOW,
    );

  test.each([
    ['logo', 'logo'],
    ['<logo>', 'logo'],
    ['<logo@shop.example.com>', 'logo@shop.example.com'],
    ['logo.1_a-b', 'logo.1_a-b'],
    ['<ii_m1x2+y=z>', 'ii_m1x2+y=z'],
  ])('%s', async (given, expected) => {
    const parsed = parse(given);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.details));
    const [one] = parsed.input.attachments;
    expect(one!.contentId).toBe(expected);
    expect(await wire([one!], '<img src="cid:logo">')).toContain(`Content-ID: <${expected}>\r\n`);
  });

  test.each(['', '<>', '<logo', 'logo>', '<<logo>>', 'lo go', '<logo>\r\nX: y'])('%j is refused', (given) => {
    expect(parse(given)).toMatchObject({ ok: false, details: [{ message: 'is not a content id' }] });
  });
});
