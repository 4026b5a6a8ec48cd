// Which addresses a CIDR block holds, and what is no block.

import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { isInRanges, networkOf, parseAddress, parseRange } from '../../../core/base/address-range.ts';

const isIn = (address: string, ...texts: string[]) => {
  const ranges = texts.map(parseRange).map((parsed) => {
    if (!parsed.ok) throw new Error(parsed.reason);
    return parsed.range;
  });
  return isInRanges(parseAddress(address)!, ranges);
};

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['203.0.113.0/24', '203.0.113.0/24'],
  ['2001:DB8:0::/32', '2001:db8::/32'],
  ['2001:db8::1/128', '2001:db8::1'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['0.0.0.0/0', '0.0.0.0/0'],
])('%s is %s', (given, text) => {
  expect(parseRange(given)).toMatchObject({ ok: true, text });
});

test.each([
  ['203.0.113.7/24', 'has bits behind its prefix; the block is 203.0.113.0/24'],
  ['2001:db8::1/32', 'has bits behind its prefix; the block is 2001:db8::/32'],
  ['203.0.113.0/33', 'must have a prefix of at most 32 bits'],
  ['127.1', expect.stringContaining('must be an IP address')],
  ['0x7f.0.0.1', expect.stringContaining('must be an IP address')],
  ['fe80::1%eth0', expect.stringContaining('must be an IP address')],
  ['203.0.113.0/', expect.stringContaining('must be an IP address')],
  ['203.0.113.0/24/8', expect.stringContaining('must be an IP address')],
  ['mail.example.com', expect.stringContaining('must be an IP address')],
  ['', expect.stringContaining('must be an IP address')],
])('%s is refused', (given, reason) => {
  expect(parseRange(given)).toEqual({ ok: false, reason });
});

test('a block holds its addresses and no others; the families never mix', () => {
  expect(isIn('203.0.113.255', '198.51.100.1', '203.0.113.0/24')).toBe(true);
  expect(isIn('203.0.114.0', '203.0.113.0/24')).toBe(false);
  expect(isIn('::ffff:203.0.113.9', '203.0.113.0/24')).toBe(true);
  expect(isIn('2001:db8:ffff::1', '2001:db8::/32')).toBe(true);
  expect(isIn('2001:db9::', '2001:db8::/32')).toBe(false);
  expect(isIn('1.2.3.4', '::/0')).toBe(false);
  expect(isIn('::1', '0.0.0.0/0')).toBe(false);
  expect(isIn('1.2.3.4')).toBe(false);
});

test('one client is an IPv4 address, also one mapped into IPv6, or the /64 of an IPv6 address', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(networkOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
  expect(networkOf('fe80::1%eth0')).toBe('fe80::/64');
  expect(networkOf('no address')).toBe('no address');
});

test('whatever is read as a range is read again from its own text', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const v4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
  fc.assert(
    fc.property(v4, fc.integer({ min: 0, max: 32 }), (address, bits) => {
      const parsed = parseRange(`${address}/${bits}`);
      const text = parsed.ok ? parsed.text : parsed.reason.split(' ').at(-1)!;
      expect(parseRange(text)).toMatchObject({ ok: true, text: text.replace(/\/32$/, '') });
      expect(isIn(address, text)).toBe(true);
      expect(isIP(address)).toBe(4);
    }),
  );
});
