// Mail of 8 bits for a server without 8BITMIME (RFC 6152 section 3): it says the same in 7 bits, or is not converted.

import { isAscii } from 'node:buffer';

import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';

import { toSevenBit } from '../../../../core/mail/raw/seven-bit.ts';
import { threadMs } from '../../../harness/thread-time.ts';

const FROM = 'From: a@example.com\nSubject: x\n';
const split = (text: string, encoding: BufferEncoding = 'utf8') => {
  const raw = Buffer.from(text.replaceAll('\n', '\r\n'), encoding);
  const end = raw.indexOf('\r\n\r\n') + 2;
  return { headers: raw.subarray(0, end), body: raw.subarray(end + 2), smtputf8: false };
};
const convert = (text: string, encoding?: BufferEncoding) => {
  const made = toSevenBit(split(text, encoding));
  return made && Buffer.concat([Buffer.from(made.headers), Buffer.from('\r\n'), made.body]);
};
const part = (fields: string, body: string) => `--b\n${fields}\n${body}\n`;

describe('says the same in 7 bits', () => {
  const utf8 =
    'MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n';

  test.each([
    ['one text', `${FROM}${utf8}\nGröße: 10 €\n`],
    ['nothing but text', `${FROM}\nGröße: 10 €\n`],
    ['a wrong label', `${FROM}${utf8.replace('8bit', '7bit')}\nGröße: 10 €\n`],
    ['no label', `${FROM}Content-Type: text/plain; charset=utf-8\n\nGröße: 10 €\n`],
    ['a label that does not hold', `${FROM}${utf8.replace('8bit', 'quoted-printable')}\nGr=C3=B6ße: 10 €\n`],
    [
      'parts, where the outer says 8bit',
      `${FROM}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: 8bit\n\n` +
        `${part('Content-Type: text/plain\n', 'plain')}${part('Content-Type: text/plain; charset=utf-8\n', 'Größe: 10 €')}--b--\n`,
    ],
    [
      'parts in parts',
      `${FROM}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=a\nContent-Transfer-Encoding: 8bit\n\n` +
        '--a\nContent-Type: multipart/alternative; boundary=b\nContent-Transfer-Encoding: 8bit\n\n' +
        `${part('Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n', 'Größe: 10 €')}--b--\n\n--a--\n`,
    ],
  ])('%s', async (_, text) => {
    const made = convert(text)!;
    expect(isAscii(made)).toBe(true);
    expect(made.toString()).not.toMatch(/8bit/i);
    expect(made.toString()).toMatch(/^MIME-Version: 1\.0/im);
    expect((await simpleParser(made)).text).toContain('Größe: 10 €');
  });

  test('text in Latin-1 and octets stay octet for octet', async () => {
    const latin1 = convert(
      `${FROM}Content-Type: text/plain; charset=iso-8859-1\n\nSizes are Gr\xf6\xdfe\n`,
      'latin1',
    )!;
    expect(latin1.toString()).toContain('Sizes are Gr=F6=DFe');
    const octets = Buffer.from(Array.from({ length: 256 }, (_, octet) => octet)).toString('latin1');
    const file = octets.replace(/[\r\n\0]/g, '');
    const text = `${FROM}Content-Type: multipart/mixed; boundary=b\n\n${part('Content-Type: application/x-a\nContent-Disposition: attachment\n', file)}--b--\n`;
    const mail = await simpleParser(convert(text, 'latin1')!);
    expect(mail.attachments[0]!.content.toString('latin1')).toBe(file);
  });

  test('text without a type has the charset that its octets have (RFC 1428)', () => {
    expect(convert(`${FROM}\nGröße\n`)!.toString()).toContain('Content-Type: text/plain; charset=utf-8\r\n');
    expect(convert(`${FROM}\nGr\xf6\xdfe\n`, 'latin1')!.toString()).toContain('charset=unknown-8bit\r\n');
  });

  test('a message within the message is converted, not encoded (RFC 2046 section 5.2.1)', async () => {
    const inner = `${FROM}${utf8}\nGröße: 10 €`;
    const made = convert(
      `${FROM}Content-Type: multipart/mixed; boundary=b\n\n${part('Content-Type: message/rfc822\nContent-Transfer-Encoding: 8bit\n', inner)}--b--\n`,
    )!;
    const text = made.toString();
    expect(isAscii(made)).toBe(true);
    expect(text).toContain('Content-Type: message/rfc822\r\nContent-Transfer-Encoding: 7bit\r\n\r\nFrom: a@');
    const [returned] = (await simpleParser(made)).attachments;
    expect((await simpleParser(returned!.content)).text).toContain('Größe: 10 €');
  });

  test('other parts stay as they are', () => {
    const plain = part('Content-Type: text/plain; format=flowed\nX-A: 1\n', 'a  \n b');
    const text = `${FROM}Content-Type: multipart/mixed;\n boundary=b\n\npreamble\n${plain}${part('Content-Type: text/plain; charset=utf-8\n', 'ü')}--b--\nepilogue\n`;
    const made = convert(text)!.toString();
    expect(made).toContain(plain.replaceAll('\n', '\r\n'));
    expect(made).toContain('\r\nepilogue\r\n');
    expect(made.endsWith('\r\nepilogue\r\n')).toBe(true);
  });
});

test.each([
  [
    'what is signed',
    `${FROM}Content-Type: multipart/signed; boundary=b\n\n${part('Content-Type: text/plain; charset=utf-8\n', 'Größe')}--b--\n`,
  ],
  [
    'what is signed within',
    `${FROM}Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/signed; boundary=b\n\n${part('', 'Größe')}--b--\n\n--a--\n`,
  ],
  [
    'octets between parts',
    `${FROM}Content-Type: multipart/mixed; boundary=b\n\nGröße\n${part('Content-Type: text/plain\n', 'x')}--b--\n`,
  ],
  [
    'octets in the header of a part',
    `${FROM}Content-Type: multipart/mixed; boundary=b\n\n${part('Content-Disposition: attachment; filename="Größe"\n', 'x')}--b--\n`,
  ],
  [
    'a delivery report in UTF-8',
    `${FROM}Content-Type: multipart/report; boundary=b\n\n${part('Content-Type: message/global\n', 'Größe')}--b--\n`,
  ],
])('%s is not converted', (_, text) => {
  expect(convert(text)).toBeNull();
});

test('large mail, and messages deep in each other, take little processor time', () => {
  const large = split(`${FROM}\n${'é'.repeat(400)}\n`.padEnd(20, 'x') + `${'é'.repeat(400)}\n`.repeat(6_000));
  expect(threadMs(() => toSevenBit(large))).toBeLessThan(3_000);
  const deep = split(`${`${FROM}Content-Type: message/rfc822\n\n`.repeat(1_000)}é\n`);
  expect(threadMs(() => expect(toSevenBit(deep)).toBeNull())).toBeLessThan(1_000);
});
