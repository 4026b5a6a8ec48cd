// What a key's value looks like, and that a mistyped one is distinguished from an unknown one.

import { expect, test } from 'vitest';

import { mintToken, tokenPrefix } from '../../../core/key/token-value.ts';

test('key values have their shape and are never the same', () => {
  const values = Array.from({ length: 200 }, () => mintToken('sk_live_'));
  for (const value of values) expect(value).toMatch(/^sk_live_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
  expect(new Set(values).size).toBe(200);
  expect(tokenPrefix(mintToken('sa_live_'))).toBe('sa_live_');
});

test('key values with any one character changed, or two swapped, fail the checksum', () => {
  const value = mintToken('sk_live_');
  for (let at = 8; at < value.length; at++) {
    const other = value[at] === 'x' ? 'y' : 'x';
    expect(tokenPrefix(value.slice(0, at) + other + value.slice(at + 1)), `at ${at}`).toBeNull();
    if (value[at] === value[at - 1] || at < 9) continue;
    expect(
      tokenPrefix(value.slice(0, at - 1) + value[at]! + value[at - 1]! + value.slice(at + 1)),
    ).toBeNull();
  }
  for (const bad of [
    '',
    'sk_live_',
    `${value}0`,
    value.replace('sk_', 'sa_'),
    value.replace('live', 'test'),
  ]) {
    expect(tokenPrefix(bad)).toBeNull();
  }
});
