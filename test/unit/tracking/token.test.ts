// Tokens of tracking links: nobody else can make, change or re-use one.

import fc from 'fast-check';
import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';

import { newUuid } from '../../../core/base/ids.ts';
import { makeToken, MAX_TOKEN_TEXT_OCTETS, readToken, type TokenKind } from '../../../core/tracking/token.ts';

const newKey = () => createSecretKey(randomBytes(32));
const key = newKey();
const ids = () => ({ messageId: newUuid(), tenantId: newUuid() });

test('a token says what it was made from, also after the signing key was rotated', () => {
  const said = { ...ids(), text: 'https://example.com/ä?a=1' };
  const token = makeToken('c', said, key);
  expect(readToken('c', token, [key])).toEqual(said);
  expect(readToken('c', token, [newKey(), key])).toEqual(said);
  expect(readToken('c', token, [newKey()])).toBeNull();
  expect(makeToken('o', { ...ids(), text: '' }, key)).toHaveLength(64);
  expect(makeToken('c', said, key)).toBe(token);
});

test('no single changed bit or character gives another token that counts', () => {
  const token = makeToken('c', { ...ids(), text: 'https://example.com/1' }, key);
  const octets = Buffer.from(token, 'base64url');
  for (let bit = 0; bit < octets.length * 8; bit++) {
    const changed = Buffer.from(octets);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(readToken('c', changed.toString('base64url'), [key])).toBeNull();
  }
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (let at = 0; at < token.length; at++) {
    for (const digit of digits) {
      if (digit === token[at]) continue;
      expect(readToken('c', token.slice(0, at) + digit + token.slice(at + 1), [key])).toBeNull();
    }
  }
});

test('a token of one kind is none of another', () => {
  const kinds: TokenKind[] = ['o', 'c', 'u'];
  for (const kind of kinds) {
    const token = makeToken(kind, { ...ids(), text: '' }, key);
    expect(kinds.filter((other) => readToken(other, token, [key]) !== null)).toEqual([kind]);
  }
});

test('anything else is refused, and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String({ maxLength: 200 })), (text) => {
      expect(readToken('o', text, [key])).toBeNull();
    }),
  );
  expect(readToken('o', 'A'.repeat(1_000_000), [key])).toBeNull();
  expect(() => makeToken('c', { ...ids(), text: 'x'.repeat(MAX_TOKEN_TEXT_OCTETS + 1) }, key)).toThrow(
    RangeError,
  );
});
