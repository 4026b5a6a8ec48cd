import { describe, expect, test } from 'vitest';
import {
  checkHeader,
  checkHeaders,
  MAX_CUSTOM_HEADER_OCTETS,
  MAX_CUSTOM_HEADERS,
  MAX_LINE_OCTETS,
} from '../../../core/mail/header.ts';
import { HEADER_FIELDS, whyReserved } from '../../../core/mail/header-fields.ts';

describe('names', () => {
  test.each([
    'X-Order-Id',
    'References',
    'In-Reply-To',
    'Auto-Submitted',
    'Precedence',
    'Importance',
    'List-Id',
    'X_y',
  ])('%s is the customer’s', (name) => expect(checkHeader(name, 'value')).toEqual({ ok: true }));

  test.each(HEADER_FIELDS.filter(({ json }) => json === 'refused').map(({ name }) => name))(
    '%s is reserved in any letter case',
    (row) => {
      const name = row.endsWith('-') ? `${row}anything` : row;
      for (const spelling of [name, name.toUpperCase()]) {
        expect(checkHeader(spelling, 'value')).toEqual({
          ok: false,
          reason: expect.stringContaining('cannot be set'),
        });
      }
    },
  );

  test('Sender is one address', () => {
    expect(checkHeader('Sender', 'Shop <shop@example.com>')).toEqual({ ok: true });
    for (const value of ['shop', 'a@example.com, b@example.com', 'group: a@example.com;'])
      expect(checkHeader('sender', value)).toEqual({
        ok: false,
        reason: 'header sender must be one address',
      });
  });

  test('a family reserves what starts with it and nothing beside it', () => {
    expect(whyReserved('Content-Type')).not.toBeNull();
    expect(whyReserved('Contents')).toBeNull();
    expect(whyReserved('X-Subject')).toBeNull();
  });

  test.each([
    '',
    'X Order',
    'X:Order',
    'X-Order:',
    'X-Order\r\nBcc',
    'X-Ördér',
    '-X',
    '1X',
    'X\0',
    'X\t',
    ' X',
    'X '.repeat(9),
  ])('refuses the name %j', (name) => expect(checkHeader(name, 'value').ok).toBe(false));

  test('a name has 76 octets at most', () => {
    expect(checkHeader('X'.repeat(76), 'v').ok).toBe(true);
    expect(checkHeader('X'.repeat(77), 'v').ok).toBe(false);
  });
});

describe('values', () => {
  test.each(['a', 'two words', 'Grüße, 你好', 'a: b; c="d"'])('carries %j', (value) => {
    expect(checkHeader('X-Note', value)).toEqual({ ok: true });
  });

  test.each([
    '',
    '   ',
    'a\r\nBcc: b',
    'a\nb',
    'a\rb',
    'a\0b',
    'a\tb',
    'a\x7fb',
    'a\u0085b',
    'a\u2028b',
    'a\u202eb',
    'a\ud800b',
  ])('refuses %j', (value) => expect(checkHeader('X-Note', value).ok).toBe(false));

  test('a value of any length passes, since it is folded', () => {
    const ids = Array.from({ length: 60 }, (_, n) => `<${n}.${'a'.repeat(50)}@mail.example.com>`).join(' ');
    for (const name of ['References', 'X-Note', 'List-Archive']) expect(checkHeader(name, ids).ok).toBe(true);
    expect(checkHeader('X-Note', 'a'.repeat(2_000)).ok).toBe(true);
    expect(checkHeader('X-Note', 'é'.repeat(2_000)).ok).toBe(true);
  });

  test('a word of what is read as it stands has one line at most (998 octets)', () => {
    for (const name of ['References', 'in-reply-to', 'List-Archive']) {
      const room = MAX_LINE_OCTETS - `${name}: `.length;
      expect(checkHeader(name, `<a@b.example> ${'a'.repeat(room)}`).ok).toBe(true);
      expect(checkHeader(name, `<a@b.example> ${'a'.repeat(room + 1)}`).ok).toBe(false);
    }
  });
});

describe('all of a message', () => {
  test('has a limit of count', () => {
    const headers = Array.from({ length: MAX_CUSTOM_HEADERS + 1 }, (_, n) => ({
      name: `X-${n}a`,
      value: 'v',
    }));
    expect(checkHeaders(headers.slice(1))).toEqual({ ok: true });
    expect(checkHeaders(headers).ok).toBe(false);
  });

  test('has a limit of size', () => {
    const headers = Array.from({ length: 20 }, (_, n) => ({ name: `X-${n}`, value: 'v'.repeat(900) }));
    expect(20 * 900).toBeGreaterThan(MAX_CUSTOM_HEADER_OCTETS);
    expect(checkHeaders(headers).ok).toBe(false);
    expect(checkHeaders(headers.slice(0, 10))).toEqual({ ok: true });
  });

  test('names nothing twice, whatever the letter case', () => {
    expect(
      checkHeaders([
        { name: 'X-A', value: '1' },
        { name: 'x-a', value: '2' },
      ]).ok,
    ).toBe(false);
  });

  test('reports the first bad one', () => {
    expect(checkHeaders([{ name: 'Bcc', value: 'x@example.com' }])).toEqual({
      ok: false,
      reason: 'header Bcc cannot be set: set from its own field of the request',
    });
  });
});
