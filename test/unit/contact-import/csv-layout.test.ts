import { expect, test } from 'vitest';

import { readCsvLayout, type CsvLayout } from '../../../core/contact-import/csv-layout.ts';

function layoutOf(text: string | Buffer, ended = true): CsvLayout {
  const read = readCsvLayout(Buffer.from(text), ended);
  if (read === 'more' || !read.ok) throw new Error(`not read: ${JSON.stringify(read)}`);
  return read.layout;
}

function reasonOf(text: string | Buffer): string {
  const read = readCsvLayout(Buffer.from(text), true);
  return read === 'more' || read.ok ? '' : read.reason;
}

test('finds the delimiter, known columns in any spelling, and where the rows begin', () => {
  expect(layoutOf('email,First Name,city\nx').columns).toEqual([
    { field: 'email' },
    { field: 'first_name' },
    { attribute: 'city' },
  ]);
  expect(layoutOf('E-Mail;LASTNAME;Tags\r\n')).toMatchObject({ delimiter: ';', headerBytes: 22 });
  expect(layoutOf('email\tcity\n').delimiter).toBe('\t');
  expect(layoutOf('\ufeffemail,city\n').headerBytes).toBe(14);
  expect(layoutOf('"a, b";"email";"c;d"\n').columns).toHaveLength(3);
  expect(layoutOf('email').headerBytes).toBe(5);
});

test('waits for a header that has not ended', () => {
  expect(readCsvLayout(Buffer.from('email,ci'), false)).toBe('more');
  expect(readCsvLayout(Buffer.from('email,"ci\nty'), false)).toBe('more');
});

test.each([
  ['no email column', 'name,city\n', /no column named email/],
  ['the same column twice', 'email,City,CITY\n', /two columns named CITY/],
  ['email in two spellings', 'email,e-mail\n', /two columns named e-mail/],
  ['__proto__', 'email,__proto__\n', /reserved/],
  ['constructor', 'email,constructor\n', /reserved/],
  ['NUL', 'email,ci\0ty\n', /NUL/],
  ['not UTF-8', Buffer.from([0x65, 0x6d, 0xff, 0x0a]), /UTF-8/],
  ['a quote that is not closed', 'email,"city\n', /quote/],
  ['a million columns', `email,${'c,'.repeat(1_000_000)}\n`, /longer than 64 KiB/],
  ['201 columns', `email,${Array.from({ length: 200 }, (_, i) => `c${i}`).join(',')}\n`, /more than 200/],
  ['nothing', '', /no header/],
])('refuses %s', (_, text, reason) => {
  expect(reasonOf(text)).toMatch(reason);
});
