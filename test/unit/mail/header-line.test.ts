import { execFileSync, spawnSync } from 'node:child_process';

import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { expect, test } from 'vitest';
import { decodeEncodedWords } from '../../../core/mail/compose/encoded-word.ts';
import { foldLine, headerLine, mailboxLine, protocolLine, rawLine } from '../../../core/mail/header-line.ts';
import { anyText } from '../../harness/any-text.ts';
import { skips } from '../../harness/needs.ts';

const ANY = anyText({ maxLength: 400 });

/**
 * The field as octets must be one field: every later line starts with white space, none is only white space.
 */
function expectOneField(field: string, name: string): void {
  expect(field.endsWith('\r\n')).toBe(true);
  const lines = field.slice(0, -2).split('\r\n');
  expect(lines[0]).toMatch(new RegExp(`^${name}:( |$)`));
  for (const line of lines) {
    expect(line).not.toMatch(/\p{Cc}/u);
    expect(line.trim()).not.toBe('');
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998);
  }
  for (const line of lines.slice(1)) expect(line).toMatch(/^ /);
}

test('any text becomes one field or none', () => {
  fc.assert(
    fc.property(ANY, (text) => {
      const field = headerLine('Subject', text);
      if (field !== '') expectOneField(field, 'Subject');
    }),
  );
});

test('any name becomes one field with the address whole', () => {
  fc.assert(
    fc.property(ANY, (name) => {
      const field = mailboxLine('From', { name, address: 'ann@example.com' });
      expectOneField(field, 'From');
      expect(field).toMatch(/(?:^From: ann@example\.com|<ann@example\.com>)\r\n$/);
    }),
  );
});

test('plain text comes back by unfolding', () => {
  const printable = fc.stringMatching(/^[!-~]([ -~]{0,500}[!-~])?$/).filter((text) => !text.includes('=?'));
  fc.assert(
    fc.property(printable, (text) => {
      const field = headerLine('X-A', text);
      expectOneField(field, 'X-A');
      if (!field.includes('=?')) expect(field.replaceAll('\r\n', '')).toBe(`X-A: ${text}`);
    }),
  );
});

test('an attempt to add a header stays inside the value', () => {
  expect(headerLine('Subject', 'Hi\r\nBcc: evil@example.com')).toBe('Subject: Hi Bcc: evil@example.com\r\n');
  expect(mailboxLine('From', { name: 'Hi\r\nBcc: x', address: 'a@b.example' })).toBe(
    'From: "Hi Bcc: x" <a@b.example>\r\n',
  );
  expect(() => mailboxLine('From', { address: 'a@b.example\r\nBcc: x' })).toThrow(RangeError);
  expect(() => mailboxLine('From', { address: 'a@b.example> <c@d.example' })).toThrow(RangeError);
  expect(() => rawLine('Date', 'now\r\nBcc: x')).toThrow(RangeError);
});

// RFC 5322 section 3.6.4: message ids are compared as they stand.
test.each([
  Array.from({ length: 60 }, (_, n) => `<${n}.${'a'.repeat(50)}@mail.example.com>`),
  [`<${'a'.repeat(900)}@mail.example.com>`, '<b@example.com>'],
  ['<=?utf-8?q?a?=@mail.example.com>', '<b=?c@example.com>'],
  Array.from({ length: 200 }, (_, n) => `<${n}@x>`),
  ['<a@x>', '', '', '<b@x>'],
])('ids stay as they are, in lines that fit: %s', (...ids) => {
  const field = protocolLine('References', ids.join(' '));
  expectOneField(field, 'References');
  expect(field.replace(/\s+/g, ' ').trim()).toBe(`References: ${ids.filter((id) => id !== '').join(' ')}`);
});

test('what cannot be a line of ids is encoded as other text is', () => {
  for (const value of ['é <a@x>', 'a'.repeat(2_000), ' '.repeat(2_000)]) {
    const field = protocolLine('References', value);
    if (value.trim() === '') expect(field).toBe('');
    else expectOneField(field, 'References');
  }
});

test('text that looks encoded is encoded, so that it reads as it was written', () => {
  const field = headerLine('Subject', '=?UTF-8?Q?hi?=');
  expect(decodeEncodedWords(field.slice('Subject: '.length).trim())).toBe('=?UTF-8?Q?hi?=');
});

test.each([
  ['a word', (length: number) => `a ${'x'.repeat(length)} b`],
  ['spaces', (length: number) => `a${' '.repeat(length)}b`],
])('a run of 400 (%s) is encoded, since it cannot be folded; one of 399 is not', (_, withRun) => {
  const [short, long] = [headerLine('Subject', withRun(399)), headerLine('Subject', withRun(400))];
  expectOneField(short, 'Subject');
  expect(short).not.toContain('=?');
  expectOneField(long, 'Subject');
  expect(long).toContain('=?UTF-8?');
});

test('folds before 76 characters where there is a space, never after the name', () => {
  const lines = foldLine(`Subject: ${'word '.repeat(40)}end`).split('\r\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76);
  expect(foldLine(`Subject: ${'x'.repeat(100)} y`)).toBe(`Subject: ${'x'.repeat(100)}\r\n y\r\n`);
});

// Scripts of one, two, three and four octets a character; what is shorter as Q and what is shorter as B.
const SCRIPTS = [
  'Größe und Preis für ',
  'Žluťoučký kůň ',
  'Привет, как дела? ',
  'ありがとうございます。',
  'שלום עולם ',
  '🎉👩‍👩‍👧 ',
  '"Müller, Ann" <x> =?UTF-8?Q?no?= ',
];
const ADDRESS = 'ann@example.com';
const FIELDS = SCRIPTS.flatMap((script, nth) =>
  Array.from({ length: 40 }, (_, size) => {
    const length = 1 + size * 4 + nth;
    const text = script.repeat(20).slice(0, length).toWellFormed().trim();
    const name = `X-${'Long-Name-'.repeat(8).slice(0, size * 2)}${nth}`;
    return [
      { name, text, field: headerLine(name, text) },
      { name: 'Subject', text, field: headerLine('Subject', text) },
      ...['From', 'To', 'Reply-To'].map((name) => ({
        name,
        text,
        field: mailboxLine(name, { name: text, address: ADDRESS }),
      })),
    ];
  }).flat(),
).filter(({ field }) => field.includes('=?'));

test('no line that holds an encoded word is longer than 76 characters, whatever the name of the field', () => {
  expect(FIELDS.length).toBeGreaterThan(1000);
  for (const { field, name } of FIELDS) {
    expectOneField(field, name);
    for (const line of field.split('\r\n'))
      if (line.includes('=?')) expect(line.length, line).toBeLessThanOrEqual(76);
  }
  for (const { text } of FIELDS) {
    const mailbox = { name: text, address: ADDRESS };
    for (const line of mailboxLine('Cc', mailbox, { address: 'bob@example.com' }, mailbox).split('\r\n'))
      expect(line.length, line).toBeLessThanOrEqual(76);
  }
  const first = FIELDS.map(({ field }) => field.split('\r\n')[0]!.length);
  expect(Math.max(...first.filter((length) => length <= 76))).toBeGreaterThan(70); // the first line is used
});

test('mailparser reads the text back', async () => {
  for (const { name, text, field } of FIELDS) {
    if (name.startsWith('X-')) continue; // which it leaves as they are
    const mail = await simpleParser(Buffer.from(`${field}\r\n`));
    const value = mail.headers?.get(name.toLowerCase());
    const read = typeof value === 'string' ? value : (value as typeof mail.from)?.value[0]?.name;
    expect(read, field).toBe(text);
  }
});

const PYTHON = `
import json, sys
from email.header import decode_header, make_header
from email.parser import Parser
out = []
for field in json.load(sys.stdin):
    value = Parser().parsestr(field).values()[0]
    out.append(str(make_header(decode_header(value))).replace("<${ADDRESS}>", "").strip())
json.dump(out, sys.stdout)
`;

const python = spawnSync('python3', ['--version']).status === 0 ? null : 'python3 is not installed';

test.skipIf(skips(python))('so does the email package of Python', () => {
  const input = JSON.stringify(FIELDS.map(({ field }) => field));
  const read = JSON.parse(execFileSync('python3', ['-c', PYTHON], { input }).toString());
  expect(read).toEqual(FIELDS.map(({ text }) => text));
});
