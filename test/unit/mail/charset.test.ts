// What mail says in any charset, against Python's `email` package (3.11, policy.default). `python` in the fixture is what
// that read; `expected` stands where Python loses text that was meant, or does not know the name of the charset.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';

import { decodeText } from '../../../core/mail/charset.ts';
import { repairHeader } from '../../../core/mail/repair-header.ts';
import { readContent } from '../../../inbound/parse/read-content.ts';

interface Case {
  name: string;
  field: 'subject' | 'body' | 'from';
  raw: string;
  python: string;
  expected?: string;
}

const CASES = JSON.parse(
  readFileSync(new URL('../../fixtures/charsets.json', import.meta.url), 'utf8'),
) as Case[];

test.each(CASES)('$name', async ({ field, raw, python, expected }) => {
  const { content } = await readContent(Buffer.from(raw, 'base64'));
  const read = {
    subject: content.subject,
    from: content.headerFrom,
    body: (content.text ?? content.html)?.trimEnd(),
  };
  expect(read[field]).toBe(expected ?? python);
});

test('mail that has nothing to repair is not copied, and fields are shown as they stand', async () => {
  const mail = Buffer.from(
    'Subject: =?utf-8?Q?=C3=A4?= =?iso-2022-jp?B?GyRCJDMbKEI=?=\r\nX: ä\r\n\r\n=?x?Q?=ff?=\r\n',
  );
  expect(repairHeader(mail)).toBe(mail);
  const { content } = await readContent(mail);
  expect(content.headers[0]!.value).toBe('=?utf-8?Q?=C3=A4?= =?iso-2022-jp?B?GyRCJDMbKEI=?=');
});

test('no octets and no name of a charset are too much', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), fc.string({ maxLength: 12 }), async (octets, name) => {
      const bytes = Buffer.from(octets);
      expect(typeof decodeText(bytes, name)).toBe('string');
      const word = Buffer.concat([Buffer.from(`Subject: =?${name}?Q?`), bytes, Buffer.from('?=\r\n\r\nx')]);
      await readContent(word);
    }),
    { numRuns: 300 },
  );
});

const latin1 = (text: string) => iconv.encode(text, 'windows-1252');
const bodyOf = async (fields: string, body: Buffer) => {
  const { content } = await readContent(Buffer.concat([Buffer.from(`${fields}\r\n\r\n`), body]));
  return (content.text ?? content.html)?.trimEnd();
};

// Unlabeled text in Windows-1252 in which some pair of octets is valid UTF-8.
test.each([
  "Soldes d'été «TOUT L'ÉTÉ»",
  'Größe «GRÖSSE Ü» für 5 €',
  'Liberté, ÉGALITÉ» – été',
  'Señor “NIÑO Ñ”, año',
  'naïve café – 5 €',
  'ÃœÉ» déjà vu à la carte, été',
])('text that allows Windows-1252 is not destroyed by a pair that is UTF-8 by chance: %s', async (text) => {
  expect(decodeText(latin1(text), '')).toBe(text);
  for (const type of ['text/plain', 'text/plain; charset=utf-8', 'text/plain; charset=us-ascii'])
    expect(await bodyOf(`Content-Type: ${type}`, latin1(text))).toBe(text);
  expect(decodeText(Buffer.from(text), '')).toBe(text);
});

test.each([
  [
    'one octet too many',
    Buffer.concat([Buffer.from('Größe für Ännchen '), Buffer.from([0xfc])]),
    'Größe für Ännchen \ufffd',
  ],
  ['cut in a character', Buffer.from('Preis: 5 é €').subarray(0, -1), 'Preis: 5 é \ufffd'],
  [
    'Japanese with one octet that is wrong',
    Buffer.concat([Buffer.from('日本'), Buffer.from([0xff])]),
    '日本\ufffd',
  ],
])('UTF-8 that is damaged stays UTF-8: %s', (_, octets, expected) => {
  expect(decodeText(octets, '')).toBe(expected);
});

test.each([
  ['<meta charset="iso-8859-2"><p>Žluťoučký kůň</p>', 'iso-8859-2'],
  [
    '<meta http-equiv=Content-Type content="text/html; charset=windows-1251"><p>Привет, мир</p>',
    'windows-1251',
  ],
  ["<META CHARSET='koi8-r'><p>Привет, мир</p>", 'koi8-r'],
  ['<html><head><meta name=x><meta charset=iso-8859-7></head>Καλημέρα κόσμε', 'iso-8859-7'],
  ['<meta charset=utf-8><p>été à la plage</p>', 'windows-1252'],
])('an HTML without a label says what it is: %s', async (html, charset) => {
  expect(await bodyOf('Content-Type: text/html', iconv.encode(html, charset))).toBe(html);
});

test.each(['', 'us-ascii', 'utf-8', 'iso-8859-1', 'windows-1252'])(
  'the escapes of ISO-2022-JP say what they are, labeled %j (RFC 1468)',
  async (label) => {
    const octets = Buffer.from('\x1b$B$3$s$K$A$O\x1b(B, Ann', 'latin1');
    expect(decodeText(octets, label)).toBe('こんにちは, Ann');
    const type = label === '' ? 'text/plain' : `text/plain; charset=${label}`;
    expect(await bodyOf(`Content-Type: ${type}`, octets)).toBe('こんにちは, Ann');
  },
);

test.each([
  ['Content-Type: text/plain; charset=iso-8859-2', '', 'Žluťoučký kůň', 'iso-8859-2'],
  ['Content-Type: text/plain;\r\n charset="koi8-r"', '', 'Привет', 'koi8-r'],
  [
    'Content-Type: multipart/mixed; boundary=b',
    '--b\r\nContent-Type: text/plain; charset=windows-1251\r\n\r\nx\r\n--b--\r\n',
    'Привет',
    'windows-1251',
  ],
  ['Content-Type: text/plain; charset=utf-8', '', 'été', 'windows-1252'],
  ['X-A: b', '', "Soldes d'été «TOUT L'ÉTÉ»", 'windows-1252'],
])('octets in the header are in the charset of the text: %s', async (fields, body, subject, charset) => {
  const header = iconv.encode(`Subject: ${subject}\r\n`, charset);
  const { content } = await readContent(Buffer.concat([header, Buffer.from(`${fields}\r\n\r\n${body}`)]));
  expect(content.subject).toBe(subject);
});
