// The author of ready-made mail by the grammar of RFC 5322 section 3.4, and in the illegal forms that peers take.

import { describe, expect, test } from 'vitest';

import { composeRaw } from '../../../../core/mail/raw/compose-raw.ts';
import { readHeaderSection } from '../../../../core/mail/raw/header-section.ts';
import { readRaw } from '../../../../core/mail/raw/read-raw.ts';

const mail = (from: string) => Buffer.from(`From: ${from}\r\nSubject: x\r\n\r\nHi\r\n`);
const authorOf = (from: string) => {
  const read = readRaw(mail(from));
  if (!read.ok) return read.problem;
  const { email, display } = read.mail.from.address;
  return [email, display];
};
const fromOnWire = (from: string) => {
  const raw = mail(from);
  const read = readHeaderSection(raw);
  if (!read.ok) throw new Error(read.problem);
  const composed = composeRaw(raw, read.section, { messageId: '<1@example.com>', date: new Date(0) });
  return /^From: ((?:.|\r\n[ \t])*)\r\n/m.exec(composed.headers.toString())![1];
};

describe('legal forms are read, and leave as they came', () => {
  test.each([
    ['"Ann Lee"\r\n\t<a@d.example>', 'Ann Lee'],
    ['Ann\r\n\tLee\r\n <a@d.example>', 'Ann Lee'],
    ['Ann (the boss) Lee <a@d.example>', 'Ann Lee'],
    ['a@d.example (Ann Lee)', 'Ann Lee'],
    ['a@d.example(Ann)', 'Ann'],
    ['Ann <a@d.example> (work)', 'Ann'],
    ['Ann <(c)a@d.example>', 'Ann'],
    ['(home) a@d.example', 'home'],
    ['Team: a@d.example;', undefined],
    ['Team: Ann <a@d.example>;, Ops: ;', 'Ann'],
    ['<@relay.example:a@d.example>', undefined],
    ['"Lee, Ann" <a@d.example>', 'Lee, Ann'],
    ['"b@e.example" <a@d.example> (work)', 'b@e.example'],
    ['=?koi8-r?B?wc4=?= <a@d.example>', 'ан'],
  ])('%j', (from, display) => {
    expect(authorOf(from)).toEqual(['a@d.example', display]);
    expect(fromOnWire(from)).toBe(from);
  });
});

describe('illegal forms are read, and leave with the name quoted', () => {
  test.each([
    ['a@d.example <a@d.example>', undefined, 'a@d.example'],
    ['ACME, Inc. <a@d.example>', 'ACME, Inc.', '"ACME, Inc." <a@d.example>'],
    ['Ann @ Work <a@d.example>', 'Ann @ Work', '"Ann @ Work" <a@d.example>'],
    ['[Ann] <a@d.example>', '[Ann]', '"[Ann]" <a@d.example>'],
    ['<a@d.example> Ann', 'Ann', 'Ann <a@d.example>'],
    ['Ann Lee a@d.example', 'Ann Lee', 'Ann Lee <a@d.example>'],
    ['Lee, Dr.\r\n\tAnn <a@d.example>', 'Lee, Dr. Ann', '"Lee, Dr. Ann" <a@d.example>'],
  ])('%j', (from, display, expected) => {
    expect(authorOf(from)).toEqual(['a@d.example', display]);
    expect(fromOnWire(from)).toBe(expected);
  });
});

test.each([
  ['a@d.example, b@d.example', 'has a From that cannot be used: it has several addresses'],
  ['a@d.example; b@d.example', 'has a From that cannot be used: it has several addresses'],
  ['Team: a@d.example;, Ops: b@d.example;', 'has a From that cannot be used: it has several addresses'],
  ['x@y.example, Ann <a@d.example>', 'has a From that cannot be used: it has several addresses'],
  [
    'b@e.example <a@d.example>',
    'has a From that cannot be used: it names another address, which must be quoted',
  ],
  [
    'a@d.example (b@e.example)',
    'has a From that cannot be used: it names another address, which must be quoted',
  ],
  ['undisclosed-recipients:;', expect.stringContaining('cannot be used')],
  ['"unclosed <a@d.example>', expect.stringContaining('cannot be used')],
  ['Ann', expect.stringContaining('cannot be used')],
  ['', expect.stringContaining('cannot be used')],
])('%j is refused', (from, problem) => {
  expect(authorOf(from)).toEqual(problem);
});
