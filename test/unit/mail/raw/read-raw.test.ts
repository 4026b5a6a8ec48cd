// Which ready-made mail can be sent as it is, and whose it is.

import { expect, test } from 'vitest';

import { readRaw } from '../../../../core/mail/raw/read-raw.ts';

const mail = (header: string[], body = 'Hello.\r\n', encoding: BufferEncoding = 'utf8') =>
  Buffer.from(`${header.join('\r\n')}\r\n\r\n${body}`, encoding);
const FROM = 'From: shop@example.com';

test.each([
  ['nothing', Buffer.alloc(0), 'must not be empty'],
  ['more than 25 MiB', Buffer.alloc(25 * 1024 * 1024 + 1, 0x41), /^must be at most 25 MiB/],
  [
    'line ends of Unix',
    Buffer.from('From: a@b.example\nSubject: x\n\nHi\n'),
    /^has a bare LF in line 1: end every/,
  ],
  ['a bare LF in the body', mail([FROM], 'a\r\nb\nc'), /^has a bare LF in line 4:/],
  ['a bare CR', mail([FROM], 'a\rb'), /^has a bare CR in line 3:/],
  ['a CR at the end', mail([FROM], 'a\r'), /^has a bare CR in line 3:/],
  ['CR CR LF', mail([FROM], 'a\r\r\nb'), /^has a bare CR in line 3:/],
  ['NUL', mail([FROM], 'a\0b'), 'has a NUL octet in line 3'],
  ['a line of 999 octets', mail([FROM], `${'x'.repeat(999)}\r\n`), /^has more than 998 octets in line 3:/],
  ['a last line of 999 octets', mail([FROM], 'x'.repeat(999)), /^has more than 998 octets in line 3:/],
  ['no header', Buffer.from('\r\nHello\r\n'), 'has no From'],
  ['no mail at all', Buffer.from('%PDF-1.7\r\n'), 'has a line that is no header field, after 0 that are'],
  ['a line of mbox', mail(['From ann@example.com Thu Jan  1', FROM]), /^has a line that is no header field/],
  [
    'a blank before a colon',
    mail([FROM, 'X: y', 'From : x@y.example']),
    /^has a line that is no header field, after 2/,
  ],
  ['a folded first line', mail([' x', FROM]), /^has a line that is no header field, after 0/],
  [
    'a line of blanks in the header',
    mail([FROM, 'X-A: b', ' \t', 'Bcc: c@d.example']),
    /^has a line of nothing but/,
  ],
  [
    'Latin-1 in the header',
    mail([FROM, 'Subject: Grüße'], '', 'latin1'),
    /^has octets in its header that are neither/,
  ],
  [
    'too large a header',
    mail([FROM, ...Array(300).fill(`X-A: ${'a'.repeat(990)}`)]),
    /^has a header larger than 256/,
  ],
  ['too many fields', mail([FROM, ...Array(1000).fill('X-A: a')]), 'has more than 1000 header fields'],
  ['no From', mail(['Sender: shop@example.com']), 'has no From'],
  ['two', mail([FROM, 'X: y', 'from: other@example.com']), 'has more than one From'],
  [
    'several authors',
    mail(['From: a@b.example, C <c@d.example>']),
    /cannot be used: it has several addresses$/,
  ],
  ['an empty From', mail(['From:']), /cannot be used: it is empty$/],
  ['a From without a domain', mail(['From: root']), /cannot be used: it has no @$/],
  ['a From of two readings', mail(['From: a@b.example <c@d.example>', 'Subject: x']), /cannot be used/],
  ['an address hidden in a comment', mail(['From: a@b.example (c@d.example)']), /cannot be used/],
])('%s is refused', (_what, raw, expected) => {
  const read = readRaw(raw);
  if (read.ok) throw new Error('was read');
  if (typeof expected === 'string') expect(read.problem).toBe(expected);
  else expect(read.problem).toMatch(expected);
});

test.each([
  ['shop@Example.COM', 'shop@example.com'],
  ['Shop <shop@example.com>', 'Shop <shop@example.com>'],
  ['"Shop, the" <shop@example.com>', '"Shop, the" <shop@example.com>'],
  ['=?utf-8?Q?J=C3=BCrgen?=\r\n <shop@example.com>', 'Jürgen <shop@example.com>'],
  ['=?koi8-r?B?7MXO?= <shop@example.com>', 'Лен <shop@example.com>'],
  ['Jürgen <jürgen@example.com>', 'Jürgen <jürgen@example.com>'],
  ['root@example.com (Cron Daemon)', 'Cron Daemon <root@example.com>'],
])('From: %s', (field, expected) => {
  const read = readRaw(mail([`From: ${field}`]));
  expect(read.ok && read.mail.from.text).toBe(expected);
});

test.each([
  ['Subject: Hello', 'Hello'],
  ['SUBJECT: a\r\n b', 'a b'],
  ['Subject: =?iso-8859-1?Q?Gr=FC=DFe?= =?iso-8859-1?Q?_an_alle?=', 'Grüße an alle'],
  ['Subject: Grüße', 'Grüße'],
  ['X-Subject: no', ''],
])('%s', (field, expected) => {
  const read = readRaw(mail([FROM, field]));
  expect(read.ok && read.mail.subject).toBe(expected);
});

test('a message without a body, and lines of 998 octets, are read', () => {
  expect(readRaw(Buffer.from('From: a@b.example\r\nSubject: x\r\n')).ok).toBe(true);
  expect(readRaw(mail([FROM], `${'x'.repeat(998)}\r\n${'x'.repeat(998)}`)).ok).toBe(true);
});
