import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeText, MAX_ENCODED_LINE, toCrlf } from '../../../../core/mail/compose/transfer-encoding.ts';
import { anyText } from '../../../harness/any-text.ts';

function decode(encoding: string, content: string): string {
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString('utf8');
  if (encoding === '7bit') return content;
  const octets = content
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(octets, 'latin1').toString('utf8');
}

const LINE_PIECES = fc.constantFrom(
  'a',
  'word ',
  ' ',
  '\t',
  '\r\n',
  '\n',
  '\r',
  '.',
  '=',
  '=_',
  'From ',
  'é',
  '日',
  '🚀',
  '\0',
  '\x7f',
  '<p>',
);

test('decodes to the text with CRLF line ends, in lines of 76 printable characters that start and end harmlessly', () => {
  const text = fc.oneof(
    fc.array(LINE_PIECES, { maxLength: 200 }).map((pieces) => pieces.join('')),
    anyText({ maxLength: 300 }),
  );
  fc.assert(
    fc.property(text, (input) => {
      const { encoding, content } = encodeText(input);
      expect(decode(encoding, content)).toBe(toCrlf(input).toWellFormed());
      expect(content).not.toContain('=_');
      for (const line of content.split('\r\n')) {
        expect(line).toMatch(/^[\t\x20-\x7e]*$/);
        expect(line).not.toMatch(/[ \t]$|^From |^\./);
        expect(line.length).toBeLessThanOrEqual(MAX_ENCODED_LINE);
      }
    }),
    { numRuns: 500 },
  );
});

test('a soft break never splits a character', () => {
  const { content } = encodeText(`${'x'.repeat(200)} ${'é🚀x'.repeat(60)}${'plain '.repeat(100)}`);
  for (const line of content.split('=\r\n')) {
    const octets = line.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    );
    expect(Buffer.from(octets, 'latin1').toString('utf8')).not.toContain('\ufffd');
  }
});

test.each([
  ['short ASCII lines', 'Hello\nAnn', '7bit'],
  ['nothing', '', '7bit'],
  ['a line of 76', 'x'.repeat(76), '7bit'],
  ['a line of 77', 'x'.repeat(77), 'quoted-printable'],
  ['German', 'Größe und Maß, und dazu noch ein Wort', 'quoted-printable'],
  ['Japanese', 'こんにちは', 'base64'],
  ['a signature mark', '-- \nAnn', 'quoted-printable'],
  ['a mailbox separator', 'From here on', 'quoted-printable'],
  ['what a boundary could start with', 'a =_ b', 'quoted-printable'],
])('%s travels as %s', (_what, text, encoding) => {
  expect(encodeText(text).encoding).toBe(encoding);
});
