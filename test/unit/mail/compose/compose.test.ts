import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import { describe, expect, test } from 'vitest';
import { composeMessage, joinMessage } from '../../../../core/mail/compose/compose.ts';
import { decodeEncodedWords } from '../../../../core/mail/compose/encoded-word.ts';
import type { MessageContent } from '../../../../core/mail/compose/message-content.ts';
import { MAX_HTML_TO_TEXT_CHARS, textFromHtml } from '../../../../core/mail/compose/text-from-html.ts';
import { anyText } from '../../../harness/any-text.ts';
import { simpleParser, type ParsedMail } from 'mailparser';

const BASE: MessageContent = {
  from: { name: 'The Shop', address: 'shop@example.com' },
  to: [{ address: 'ann@example.net' }],
  subject: 'Your order',
  messageId: '<018f4f5e-1111-7222-8333-444455556666@example.com>',
  date: new Date(Date.UTC(2026, 0, 1, 12, 30, 5)),
};

async function wire(content: MessageContent): Promise<Buffer> {
  return joinMessage('', await composeMessage(content));
}

function expectWireRules(message: Buffer): void {
  const text = message.toString('latin1');
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/);
  expect(text.endsWith('\r\n')).toBe(true);
  expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
}

const ANY_TEXT = fc.oneof(
  anyText({ maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        '\r\n',
        '\r',
        '\n',
        '\0',
        '.',
        'é',
        '日',
        '=',
        '"',
        '\\',
        'Bcc: x@y.example',
        '=?',
        '?=',
        '\t',
        ';',
        'x'.repeat(1100),
      ),
      { maxLength: 30 },
    )
    .map((pieces) => pieces.join('')),
);

describe('whatever the texts hold', () => {
  const content = fc.record({
    subject: ANY_TEXT,
    html: ANY_TEXT,
    text: ANY_TEXT,
    name: ANY_TEXT,
    header: ANY_TEXT,
    filename: ANY_TEXT,
    type: ANY_TEXT,
    cid: ANY_TEXT,
    attach: fc.boolean(),
  });

  test('the octets keep the rules of the wire, and no field is there that was not asked for', async () => {
    const allowed =
      /^(from|to|reply-to|subject|message-id|date|x-note|mime-version|content-type|content-transfer-encoding|content-disposition|content-id)$/;
    await fc.assert(
      fc.asyncProperty(
        content,
        async ({ subject, html, text, name, header, filename, type, cid, attach }) => {
          const message = await wire({
            ...BASE,
            from: { name, address: 'shop@example.com' },
            replyTo: [{ name, address: 'help@example.com' }],
            subject,
            html,
            text,
            headers: [{ name: 'X-Note', value: header }],
            attachments: attach
              ? [{ filename, content: Buffer.from(html), contentType: type, contentId: cid }]
              : [],
          });
          expectWireRules(message);
          const parsed = await simpleParser(message);
          for (const { key } of parsed.headerLines!) expect(key).toMatch(allowed);
          expect(new Set(parsed.headerLines!.map(({ key }) => key)).size).toBe(parsed.headerLines!.length);
          expect(parsed.from?.value.map((mailbox) => mailbox.address)).toEqual(['shop@example.com']);
          expect(parsed.attachments).toHaveLength(attach ? 1 : 0);
          if (attach) expect(parsed.attachments[0]?.content.equals(Buffer.from(html))).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('an unchecked address or header name throws', async () => {
    await expect(wire({ ...BASE, to: [{ address: 'a@b.example\r\nBcc: c@d.example' }] })).rejects.toThrow(
      RangeError,
    );
    await expect(wire({ ...BASE, messageId: '<x>\r\nBcc: c@d.example' })).rejects.toThrow(RangeError);
    for (const name of ['Bcc', 'bcc', 'X\r\nBcc', 'From', 'DKIM-Signature', 'Content-Type']) {
      await expect(wire({ ...BASE, headers: [{ name, value: 'x@y.example' }] })).rejects.toThrow(RangeError);
    }
  });
});

describe('the skeleton says what nodemailer’s composer says', () => {
  // Only what both must keep: line ends become LF and a parser drops the last one, so they are set aside.
  const meaning = (mail: ParsedMail) => ({
    subject: mail.subject,
    from: mail.from?.value,
    to: mail.to,
    replyTo: mail.replyTo?.value,
    text: mail.text?.replace(/\n+$/, ''),
    html: mail.html === false ? false : mail.html?.replace(/\n+$/, ''),
    date: mail.date?.toISOString(),
    messageId: mail.messageId,
    // The parser leaves headers it does not know encoded; nodemailer encodes a quote, we do not.
    note: decodeEncodedWords(String(mail.headers!.get('x-note'))),
    unsubscribe: mail.headers!.get('list'),
    type: (mail.headers!.get('content-type') as { value?: string } | undefined)?.value,
  });
  const reference = async (content: MessageContent): Promise<Buffer> =>
    new MailComposer({
      from: { name: content.from.name, address: content.from.address },
      to: [...content.to],
      replyTo: [...(content.replyTo ?? [])],
      subject: content.subject,
      messageId: content.messageId,
      date: content.date,
      ...(content.text && { text: content.text.replace(/\r\n|\r|\n/g, '\r\n') }),
      ...(content.html && { html: content.html.replace(/\r\n|\r|\n/g, '\r\n') }),
      headers: Object.fromEntries((content.headers ?? []).map(({ name, value }) => [name, value])),
    })
      .compile()
      .build();

  const words = fc.constantFrom(
    'Hello',
    'Ann',
    'Größe',
    '日本語の',
    '🚀',
    '€',
    '=',
    '"',
    "'",
    '.',
    ',',
    '<b>',
    '&amp;',
    '\\',
    '(x)',
    '#1',
    '_',
    '?',
    'x'.repeat(80),
  );
  const phrase = fc.array(words, { minLength: 1, maxLength: 14 }).map((list) => list.join(' '));
  const lines = fc
    .array(fc.oneof(phrase, fc.constantFrom('', 'From here', '.', ' indented', 'trailing ')), {
      minLength: 1,
      maxLength: 12,
    })
    .map((list) => `A${list.join('\r\n')}`);

  test('for any text, html, subject, names and header', async () => {
    await fc.assert(
      fc.asyncProperty(
        phrase,
        phrase,
        phrase,
        lines,
        fc.option(lines),
        async (subject, name, note, text, html) => {
          const content: MessageContent = {
            ...BASE,
            from: { name, address: 'shop@example.com' },
            replyTo: [{ name, address: 'help@example.org' }],
            subject,
            text,
            ...(html !== null && { html }),
            headers: [{ name: 'X-Note', value: note }],
          };
          const ours = await simpleParser(await wire(content));
          const theirs = await simpleParser(await reference(content));
          expect(meaning(ours)).toEqual(meaning(theirs));
          expect(ours.subject).toBe(subject);
          expect(ours.from?.value[0]?.name).toBe(name);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('html alone', async () => {
    const content = { ...BASE, html: '<p>Hello</p>' };
    const mail = await simpleParser(await wire(content));
    expect(mail.html).toContain('<p>Hello</p>');
    expect(mail.text?.trim()).toBe('Hello');
  });
});

describe('one message', () => {
  test('is the same octets every time', async () => {
    const content = {
      ...BASE,
      html: '<p>Hi</p>',
      attachments: [{ filename: 'a.txt', content: Buffer.from('x'), contentType: 'text/plain' }],
    };
    expect((await wire(content)).equals(await wire(content))).toBe(true);
  });

  test('plain short text goes out as it is', async () => {
    expect((await wire({ ...BASE, text: 'Hello\nAnn\n' })).toString()).toBe(
      'From: The Shop <shop@example.com>\r\nTo: ann@example.net\r\nSubject: Your order\r\n' +
        'Message-ID: <018f4f5e-1111-7222-8333-444455556666@example.com>\r\nDate: Thu, 01 Jan 2026 12:30:05 +0000\r\n' +
        'MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n' +
        'Hello\r\nAnn\r\n',
    );
  });

  test('without text and html has an empty text', async () => {
    const message = await wire({ ...BASE });
    expectWireRules(message);
    expect((await simpleParser(message)).text?.trim()).toBe('');
  });

  test('carries unsubscribe and feedback headers when asked to', async () => {
    const text = (
      await wire({ ...BASE, text: 'x', feedbackId: 'a:b:c:d', unsubscribeUrl: 'https://u.example.com/t' })
    ).toString();
    expect(text).toContain('\r\nFeedback-ID: a:b:c:d\r\n');
    expect(text).toContain(
      '\r\nList-Unsubscribe: <https://u.example.com/t>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n',
    );
  });

  test('says when it needs SMTPUTF8', async () => {
    expect((await composeMessage({ ...BASE, text: 'x' })).smtputf8).toBe(false);
    expect(
      (await composeMessage({ ...BASE, text: 'x', cc: [{ address: 'jürgen@example.net' }] })).smtputf8,
    ).toBe(true);
  });
});

describe('attachments', () => {
  const png = Buffer.from('89504e470d0a1a0a00ff', 'hex');

  test('keep content, name, type and place', async () => {
    const message = await wire({
      ...BASE,
      html: '<img src="cid:logo">',
      text: 'Größe\n'.repeat(3),
      attachments: [
        { filename: 'naïve "plan".pdf', content: png, contentType: 'application/pdf' },
        { filename: 'logo.png', content: png, contentType: 'image/png', contentId: 'logo' },
      ],
    });
    expectWireRules(message);
    const mail = await simpleParser(message, { keepCidLinks: true });
    expect(mail.text).toContain('Größe');
    expect(
      mail.attachments.map(({ filename, contentType, cid, contentDisposition }) => [
        filename,
        contentType,
        cid,
        contentDisposition,
      ]),
    ).toEqual([
      ['logo.png', 'image/png', 'logo', 'inline'],
      ['naïve "plan".pdf', 'application/pdf', undefined, 'attachment'],
    ]);
    for (const attachment of mail.attachments) expect(attachment.content.equals(png)).toBe(true);
  });

  test.each([
    ['message/rfc822', 'application/octet-stream'],
    ['multipart/mixed; boundary=x', 'application/octet-stream'],
    ['text/html\r\nX-Evil: 1', 'application/octet-stream'],
    ['nonsense', 'application/octet-stream'],
    ['Text/CSV; charset=utf-8', 'text/csv'],
  ])('of type %j travel as %s', async (contentType, expected) => {
    const mail = await simpleParser(
      await wire({ ...BASE, text: 'x', attachments: [{ filename: 'f.bin', content: png, contentType }] }),
    );
    expect(mail.attachments.map((attachment) => [attachment.filename, attachment.contentType])).toEqual([
      ['f.bin', expected],
    ]);
  });

  test('a name is a name, not a path', async () => {
    const mail = await simpleParser(
      await wire({ ...BASE, text: 'x', attachments: [{ filename: '../../etc/pass\u202ewd', content: png }] }),
    );
    expect(mail.attachments[0]?.filename).toBe('.._.._etc_passwd');
  });

  test('an empty one, and one of a mebibyte, arrive whole', async () => {
    const big = Buffer.alloc(1024 * 1024, 'ab\r\n\n\0');
    const mail = await simpleParser(
      await wire({
        ...BASE,
        text: 'x',
        attachments: [
          { filename: 'e', content: Buffer.alloc(0) },
          { filename: 'b', content: big },
        ],
      }),
    );
    expect(mail.attachments.map((attachment) => attachment.content.length)).toEqual([0, big.length]);
    expect(mail.attachments[1]?.content.equals(big)).toBe(true);
  });
});

describe('text made from html', () => {
  test('reads as a person would', () => {
    const html =
      '<style>p{}</style><h1>Order</h1><p>Track it <a href="https://example.com/t">here</a></p><img src="x.png" alt="logo">';
    const text = textFromHtml(html);
    expect(text).toContain('Track it here [https://example.com/t]');
    expect(text).not.toMatch(/<|p\{\}|x\.png/);
  });

  test('is not made from more than the limit', () => {
    expect(textFromHtml(`<p>${'x '.repeat(MAX_HTML_TO_TEXT_CHARS / 2)}</p>`)).toBeUndefined();
  });

  test('survives html nested forty thousand deep', () => {
    expect(textFromHtml('<b>'.repeat(40_000))).toBe('...');
  });
});
