// What becomes of ready-made mail on its way out: nothing but what must, unless its HTML is to be changed.

import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';

import { composeRaw } from '../../../../core/mail/raw/compose-raw.ts';
import { readHeaderSection } from '../../../../core/mail/raw/header-section.ts';
import { readWords } from '../../../../core/mail/raw/read-words.ts';
import { rewriteHtml } from '../../../../core/mail/raw/rewrite-html.ts';
import { countThreadMs, threadMs } from '../../../harness/thread-time.ts';

const OWN = {
  messageId: '<0197b0a0-0000-7000-8000-000000000001@example.com>',
  date: new Date('2026-01-15T12:00:00Z'),
  feedbackId: 'a:b:c:postrider',
  cfblAddress: 'fbl@cfbl.example.com',
};
const sectionOf = (raw: Buffer) => {
  const read = readHeaderSection(raw);
  if (!read.ok) throw new Error(read.problem);
  return read.section;
};
const compose = (raw: Buffer, own: Parameters<typeof composeRaw>[2] = OWN) =>
  composeRaw(raw, sectionOf(raw), own);
const headersOf = (raw: Buffer, own?: Parameters<typeof composeRaw>[2]) =>
  compose(raw, own).headers.toString();
const mail = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text.replaceAll('\n', '\r\n'), encoding);

describe('the header', () => {
  test('gets what is missing, on top', () => {
    const headers = headersOf(mail('From: a@example.com\nSubject: x\n\nHi'), {
      ...OWN,
      unsubscribeUrl: 'https://l.example/u/1',
    });
    expect(headers).toBe(
      `Message-ID: ${OWN.messageId}\r\nDate: Thu, 15 Jan 2026 12:00:00 +0000\r\nFeedback-ID: a:b:c:postrider\r\n` +
        'CFBL-Address: fbl@cfbl.example.com; report=arf\r\nList-Unsubscribe: <https://l.example/u/1>\r\n' +
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\nFrom: a@example.com\r\nSubject: x\r\n',
    );
  });

  test.each([
    ['Content-Type: text/html', true],
    ['content-type:text/plain;\n charset=utf-8', true],
    ['Content-Type: multipart/mixed; boundary=b', true],
    ['MIME-Version: 1.0\nContent-Type: text/html', false],
    ['Content-Type: text/html\nmime-version: 1.0 (made by x)', false],
    ['X-A: Content-Type: text/html', false],
  ])('MIME-Version is added to Content-Type (RFC 2045 section 4): %j', (fields, added) => {
    const headers = headersOf(mail(`From: a@example.com\n${fields}\n\nHi`));
    expect(headers.startsWith('Message-ID: ')).toBe(true);
    expect(/^MIME-Version: 1\.0\r\nFrom:/m.test(headers)).toBe(added);
    expect(headers.match(/^mime-version:/gim) ?? []).toHaveLength(
      /content-type.*|mime-version/i.test(fields.split('X-A')[0]!) ? 1 : 0,
    );
  });

  test('keeps what its author wrote in place of ours', () => {
    const header = 'Message-Id:  <1@x>\nDATE: yesterday\ncfbl-address: y\nFrom: a@example.com\n';
    expect(headersOf(mail(`${header}\nHi`))).toBe(
      `Feedback-ID: ${OWN.feedbackId}\r\n${header.replaceAll('\n', '\r\n')}`,
    );
  });

  test.each([
    'Bcc: b@x',
    'BCC: b@x,\n\tc@x',
    'Resent-Bcc: b@x',
    'Return-Path: <>',
    'X-Postrider-Tags:\n []',
    'X-SMTPAPI: {}',
  ])('loses %j', (field) => {
    const headers = headersOf(mail(`From: a@example.com\n${field}\nX-A: b\n${field}\n\nBcc: stays`));
    expect(headers).toMatch(/\r\nFrom: a@example.com\r\nX-A: b\r\n$/);
  });

  test('without a body, and without an end of its last line, is whole', () => {
    const { headers, body } = compose(mail('From: a@example.com\nX-A: b'));
    expect([headers.toString().slice(-8), body.length]).toEqual(['X-A: b\r\n', 0]);
  });

  test('in UTF-8 asks for SMTPUTF8', () => {
    expect(compose(mail('From: a@example.com\nSubject: Grüße\n\n')).smtputf8).toBe(true);
    expect(compose(mail('From: a@example.com\n\nGrüße')).smtputf8).toBe(false);
  });
});

const line = fc.string({
  unit: fc.constantFrom('a', ' ', '\t', '.', '-', '=', ':', 'ü', '€', '<'),
  maxLength: 60,
});
const field = fc
  .tuple(
    fc.constantFrom(
      'From',
      'To',
      'Subject',
      'X-A',
      'DKIM-Signature',
      'Received',
      'Bcc',
      'bCC',
      'X-Postrider-Route',
      'Content-Type',
      'Date',
    ),
    fc.array(line, { minLength: 1, maxLength: 3 }),
  )
  .map(([name, lines]) => ({ name, text: `${name}:${lines.map((one) => `${one}x`).join('\r\n ')}\r\n` }));
const octets = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constant(Buffer.from('\r\n')),
      fc.constant(Buffer.from('\r\n--b\r\n')),
    ),
  )
  .map((pieces) => Buffer.concat(pieces));

test('whatever was written, the body and all other fields leave as they came, in order', () => {
  fc.assert(
    fc.property(fc.array(field, { minLength: 1, maxLength: 12 }), octets, (fields, body) => {
      const raw = Buffer.concat([Buffer.from(`${fields.map(({ text }) => text).join('')}\r\n`), body]);
      const composed = compose(raw);
      expect(composed.body.equals(body)).toBe(true);
      const stay = fields.filter(({ name }) => !/^(?:bcc|x-postrider)/i.test(name)).map(({ text }) => text);
      const headers = composed.headers.toString();
      expect(headers.endsWith(stay.join(''))).toBe(true);
      const added = headers.slice(0, headers.length - stay.join('').length);
      const has = fields.some(({ name }) => name === 'Date');
      const hasName = (wanted: string) => fields.some(({ name }) => name.toLowerCase() === wanted);
      const lacksVersion = hasName('content-type') && !hasName('mime-version');
      expect(added.match(/^[\w-]+/gm)).toEqual([
        'Message-ID',
        ...(has ? [] : ['Date']),
        'Feedback-ID',
        'CFBL-Address',
        ...(lacksVersion ? ['MIME-Version'] : []),
      ]);
    }),
    { numRuns: 500 },
  );
});

const HTML = '<p>Grüße: <a href="https://shop.example/">Shop</a></p>\n';
const part = (encoding: string, body: string, type = 'text/html; charset=utf-8', more = '') =>
  `Content-Type: ${type}\n${more}${encoding && `Content-Transfer-Encoding: ${encoding}\n`}\n${body}`;
const multipart = (type: string, boundary: string, ...parts: string[]) =>
  `Content-Type: multipart/${type}; boundary="${boundary}"\n\nPreamble\n` +
  `${parts.map((one) => `--${boundary}\n${one}\n`).join('')}--${boundary}--\nEpilogue\n`;
const base64 = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n')).toString('base64');
const QP = '<p>Gr=C3=BC=C3=9Fe: <a href=3D"https://shop=\n.example/">Shop</a></p>\n';
const rewrite = (raw: Buffer) =>
  rewriteHtml(raw, sectionOf(raw), (html, isFirst) =>
    html.replace('https://shop', isFirst ? 'https://t' : 'https://u'),
  );

describe('its HTML, where it is to be changed', () => {
  test.each([
    ['8bit', mail(`From: a@b\n${part('8bit', HTML)}`)],
    ['no encoding', mail(`From: a@b\n${part('', HTML)}`)],
    ['quoted-printable', mail(`From: a@b\n${part('Quoted-Printable', QP)}`)],
    ['base64', mail(`From: a@b\n${part('base64', base64(HTML))}`)],
    ['Latin-1', mail(`From: a@b\n${part('8bit', HTML, 'text/HTML; charset=iso-8859-1')}`, 'latin1')],
    [
      'UTF-16',
      mail(
        `From: a@b\n${part('base64', Buffer.from(HTML.replaceAll('\n', '\r\n'), 'utf16le').toString('base64'), 'text/html; charset=utf-16le')}`,
      ),
    ],
    [
      'in parts',
      mail(
        `From: a@b\n${multipart('alternative', 'x', part('', 'Hello', 'text/plain'), part('quoted-printable', QP))}`,
      ),
    ],
  ])('is found in %s, and reads the same but for the change', async (_name, raw) => {
    const changed = rewrite(raw);
    const parsed = await simpleParser(changed);
    const before = await simpleParser(raw);
    expect(parsed.html).toBe((before.html || '').replace('https://shop', 'https://t'));
    expect(parsed.text).toBe(before.text?.replace('https://shop', 'https://t'));
    expect(
      changed
        .toString('latin1')
        .split('\r\n')
        .every((one) => one.length <= 998),
    ).toBe(true);
  });

  test('leaves every octet around it as it is', () => {
    const before = part('', 'Hello\n--y is no delimiter', 'text/plain');
    const after = part('base64', base64('%PDF'), 'application/pdf; name=a.pdf');
    const source = (html: string) =>
      `From: a@b\nX-A:  b \n${multipart('mixed', 'x', multipart('related', 'xy', before, html), after)}`;
    const encoded = QP.replace('shop=\n', 't');
    expect(rewrite(mail(source(part('7bit', HTML.replace('ü', 'u').replace('ß', 's'))))).toString()).toBe(
      mail(
        source(part('quoted-printable', '<p>Gruse: <a href=3D"https://t.example/">Shop</a></p>\n')),
      ).toString(),
    );
    expect(rewrite(mail(source(part('quoted-printable', QP)))).toString()).toBe(
      mail(source(part('quoted-printable', encoded))).toString(),
    );
  });

  test('counts its first part', () => {
    const changed = rewrite(
      mail(
        `From: a@b\n${multipart('mixed', 'x', part('base64', base64(HTML)), part('quoted-printable', QP))}`,
      ),
    );
    expect(readWords(changed, sectionOf(changed)).html.match(/https:\/\/./g)).toEqual([
      'https://t',
      'https://u',
    ]);
  });

  test.each([
    ['a file', multipart('mixed', 'x', part('', HTML, 'text/html', 'Content-Disposition: attachment\n'))],
    ['a named part', multipart('mixed', 'x', part('', HTML, 'text/html; name="a.html"'))],
    ['signed', multipart('signed', 'x', part('7bit', HTML), part('', 'sig', 'application/pgp-signature'))],
    [
      'in parts that are signed',
      multipart('mixed', 'x', multipart('signed', 'y', multipart('mixed', 'z', part('', HTML)))),
    ],
    [
      'in a message that is passed on',
      multipart('mixed', 'x', `Content-Type: message/rfc822\n\nFrom: c@d\n${part('', HTML)}`),
    ],
    [
      'octets that are no text of the charset',
      part('base64', Buffer.from(`${HTML}ü`, 'latin1').toString('base64')),
    ],
    ['an unknown encoding', part('x-uuencode', HTML)],
    ['an unknown charset', part('7bit', HTML, 'text/html; charset=x-klingon')],
    ['no HTML', part('7bit', HTML, 'text/plain')],
    ['a multipart without a boundary', `Content-Type: multipart/mixed\n\n--x\n${part('', HTML)}\n--x--`],
  ])('%s stays as it is', (_name, source) => {
    const raw = mail(`From: a@b\n${source}`);
    expect(rewrite(raw)).toBe(raw);
  });
});

test('what is in it is read: texts in any charset, files with names of any kind', () => {
  const raw = mail(
    `From: a@b\n${multipart(
      'mixed',
      'x',
      multipart(
        'signed',
        'y',
        multipart(
          'alternative',
          'z:1',
          part('8bit', 'Grüße', 'text/plain; charset=utf-8'),
          part('base64', base64(HTML)),
        ),
      ),
      part(
        'base64',
        base64('12345'),
        'application/pdf',
        'Content-Disposition: attachment; filename*0*=utf-8\'\'Rech%6eung%20;\n filename*1="M\\"ärz.pdf"\n',
      ),
      part('', 'x', 'image/png; name="=?utf-8?Q?B=C3=A4r.png?="'),
      `Content-Type: message/rfc822\n\nFrom: c@d\n\nHello`,
    )}`,
  );
  expect(readWords(raw, sectionOf(raw))).toEqual({
    html: HTML.replaceAll('\n', '\r\n'),
    text: 'Grüße',
    attachments: [
      { filename: 'Rechnung M"ärz.pdf', contentType: 'application/pdf', sizeBytes: 5 },
      { filename: 'Bär.png', contentType: 'image/png', sizeBytes: 1 },
      { filename: 'attachment', contentType: 'application/octet-stream', sizeBytes: 18 },
    ],
  });
});

test('of many parts of HTML the first ten are changed', () => {
  const parts = '--b\nContent-Type: text/html\n\n<p>x</p>\n'.repeat(12);
  const raw = mail(`From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n${parts}--b--\n`);
  let changed = 0;
  rewriteHtml(raw, sectionOf(raw), (html) => `${html}${(changed += 1)}`);
  expect(changed).toBe(10);
});

test('mail made to hurt is walked in linear time, and nothing throws', () => {
  const size = 4 * 1024 * 1024;
  const nested = (depth: number): string =>
    Array.from(
      { length: depth },
      (_, n) => `Content-Type: multipart/mixed; boundary=${'b'.repeat(60)}${n}\n\n--${'b'.repeat(60)}${n}\n`,
    ).join('');
  const cases = [
    `From: a@b\n${nested(100)}${`--${'b'.repeat(60)}\n`.repeat(size / 63)}`,
    `From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n${'--b\n\n'.repeat(size / 5)}`,
    `From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n${'--b\nX'.repeat(900)}${'x\n'.repeat(size / 2)}`,
    `From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n${'--\n'.repeat(size / 3)}`,
    `From: a@b\nContent-Type: text/html;${' ;'.repeat(400)}${'a="'.repeat(100)}\nContent-Transfer-Encoding: quoted-printable\n\n${`${' '.repeat(990)}x\n`.repeat(size / 992)}`,
  ];
  for (const source of cases) {
    const raw = mail(source);
    const took = countThreadMs();
    rewriteHtml(raw, sectionOf(raw), (html) => `${html}!`);
    readWords(raw, sectionOf(raw));
    expect(took()).toBeLessThan(3_000);
  }
  const large = 25 * 1024 * 1024 - 2_000;
  const wide = '-'.repeat(900);
  const lines = (head: string, line: string) => mail(`From: a@b\n${head}${line.repeat(large / line.length)}`);
  const type = (value: string, more = '') => `Content-Type: ${value}\n${more}\n`;
  const boundaries = Array.from({ length: 10 }, (_, n) =>
    type(`multipart/mixed; boundary="${wide}${n}"`, `\n--${wide}${n}`),
  );
  for (const raw of [
    lines(type('text/plain; charset=utf-7'), `${'+AGE-'.repeat(15)}\n`),
    lines(type('text/html; charset=U-T-F-7'), `${'+AGE-'.repeat(15)}\n`),
    lines(type('text/plain', 'Content-Transfer-Encoding: quoted-printable\n'), `${'=3D'.repeat(25)}\n`),
    lines(boundaries.join(''), `${'-'.repeat(950)}\n`),
  ]) {
    const section = sectionOf(raw);
    expect(threadMs(() => readWords(raw, section))).toBeLessThan(1_500);
    expect(threadMs(() => rewriteHtml(raw, section, (html) => `${html}!`))).toBeLessThan(1_500);
  }
  fc.assert(
    fc.property(octets, (body) => {
      const raw = Buffer.concat([
        mail('From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n'),
        body,
      ]);
      rewriteHtml(raw, sectionOf(raw), (html) => `${html}!`);
      readWords(raw, sectionOf(raw));
    }),
    { numRuns: 300 },
  );
});
