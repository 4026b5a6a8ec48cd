import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeEncodedWords,
  encodeWords,
  MAX_ENCODED_WORD_OCTETS,
} from '../../../../core/mail/compose/encoded-word.ts';
import { anyText } from '../../../harness/any-text.ts';

test('what is encoded decodes to itself, in words of at most 75 printable octets', () => {
  const wellFormed = anyText({ minLength: 1, maxLength: 120 }).map((text) => text.toWellFormed());
  fc.assert(
    fc.property(wellFormed, (text) => {
      const words = encodeWords(text);
      for (const word of words) expect(word).toMatch(/^=\?UTF-8\?[QB]\?[!-><-~]+\?=$/);
      expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(MAX_ENCODED_WORD_OCTETS);
      expect(decodeEncodedWords(words.join(' '))).toBe(text);
    }),
  );
});

test('picks Q for Latin text and B for others', () => {
  expect(encodeWords('Grüße aus Berlin')).toEqual(['=?UTF-8?Q?Gr=C3=BC=C3=9Fe_aus_Berlin?=']);
  expect(encodeWords('日本語')).toEqual(['=?UTF-8?B?5pel5pys6Kqe?=']);
});
