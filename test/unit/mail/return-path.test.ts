import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeReturnPath, readReturnPath } from '../../../core/mail/return-path.ts';

const key = Buffer.alloc(32, 1);
const oldKey = Buffer.alloc(32, 2);
const domain = 'bounce.example.com';
const messageId = '018f4f5e-1111-7222-8333-444455556666';
const address = makeReturnPath({ messageId, key, domain });

test('any uuid under any key comes back, from upper case too, and fits in 64 octets', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (id, octets) => {
      const made = makeReturnPath({ messageId: id, key: Buffer.from(octets), domain });
      expect(made).toMatch(/^b\+[a-z2-7]{48}@bounce\.example\.com$/);
      expect(made.indexOf('@')).toBeLessThanOrEqual(64);
      expect(readReturnPath(made.toUpperCase(), [Buffer.from(octets)])).toEqual({ messageId: id });
    }),
  );
});

test('after a key rotation the old key still reads, and a forgotten one does not', () => {
  const before = makeReturnPath({ messageId, key: oldKey, domain });
  expect(readReturnPath(before, [key, oldKey])).toEqual({ messageId });
  expect(readReturnPath(before, [key])).toBeNull();
  expect(readReturnPath(before, [])).toBeNull();
});

test('no single changed character is accepted', () => {
  const local = address.indexOf('@');
  for (let at = 2; at < local; at += 1) {
    for (const other of 'a7') {
      if (address[at] === other) continue;
      expect(readReturnPath(address.slice(0, at) + other + address.slice(at + 1), [key])).toBeNull();
    }
  }
});

test('is bound to its domain', () => {
  expect(readReturnPath(address.replace('bounce.', 'other.'), [key])).toBeNull();
});

test.each([
  '',
  'b+@x.example',
  address.replace('b+', 'c+'),
  'ann@example.com',
  `b+${'a'.repeat(47)}@${domain}`,
  `b+${'1'.repeat(48)}@${domain}`,
  `${address}x y`,
  `<${address}>`,
])('reads nothing from %j', (text) => expect(readReturnPath(text, [key])).toBeNull());

test('random tokens are refused', () => {
  for (let n = 0; n < 1000; n += 1) {
    const token = randomBytes(48)
      .toString('hex')
      .replace(/[0189]/g, 'z')
      .slice(0, 48);
    expect(readReturnPath(`b+${token}@${domain}`, [key, oldKey])).toBeNull();
  }
});

test('refuses to make an address of what is no uuid', () => {
  expect(() => makeReturnPath({ messageId: 'x', key, domain })).toThrow(RangeError);
});
