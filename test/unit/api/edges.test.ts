// The small parts at the edge of the api: JSON, cursors, client addresses, rolling windows.

import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createReadClient } from '../../../api/client-address.ts';
import {
  decodeCursor,
  EMAIL_KEY,
  encodeCursor,
  keyTime,
  TIME_KEY,
  timeKey,
  UUID_KEY,
} from '../../../api/cursor.ts';
import { httpsLocation } from '../../../api/https-redirect.ts';
import { createLocalWindows } from '../../../api/rate-window.ts';
import { parseJson } from '../../../api/parse-json.ts';
import { newUuid } from '../../../core/base/ids.ts';
import { threadMs } from '../../harness/thread-time.ts';

describe('JSON', () => {
  test('reads whatever JSON.stringify writes, if it is not too deep', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJson(Buffer.from(text))).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  test('the limit of depth is 32, strings and closed brackets do not count', () => {
    const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
    expect(parseJson(nested(32)).ok).toBe(true);
    expect(parseJson(nested(33))).toMatchObject({ message: expect.stringContaining('deeper than 32') });
    const flat = JSON.stringify({
      a: '[[['.repeat(100),
      b: Array.from({ length: 100 }, () => [[]]),
      c: '\\"[{',
    });
    expect(parseJson(Buffer.from(flat)).ok).toBe(true);
  });

  test('an object has at most 10,000 names: to say of a million that they are unknown takes seconds', () => {
    const object = (count: number) => `{${Array.from({ length: count }, (_, n) => `"n${n}":1`).join()}}`;
    expect(parseJson(Buffer.from(object(10_000))).ok).toBe(true);
    expect(parseJson(Buffer.from(`[${object(10_000)},${object(10_000)}]`)).ok).toBe(true);
    expect(parseJson(Buffer.from(object(10_001)))).toMatchObject({
      message: expect.stringContaining('more than 10000 names'),
    });
  });

  test('a name twice in one object is refused, in two objects it is not', () => {
    for (const text of [
      '{"a":1,"a":2}',
      '{"a":1,"\\u0061":2}',
      '[{"x":{"b":1,"c":[],"b":2}}]',
      '{"__proto__":1,"__proto__":2}',
    ]) {
      expect(parseJson(Buffer.from(text)), text).toMatchObject({
        ok: false,
        message: expect.stringContaining('twice'),
      });
    }
    for (const text of [
      '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
      '{"a":"a","b":"a"}',
      '["a","a"]',
      '{"a\\\\":1,"a":2}',
    ]) {
      expect(parseJson(Buffer.from(text)).ok, text).toBe(true);
    }
  });

  test('megabytes of text take milliseconds', () => {
    const body = Buffer.from(
      JSON.stringify({ content: 'a'.repeat(14_000_000), quotes: '"\\'.repeat(100_000) }),
    );
    expect(parseJson(body).ok).toBe(true);
    expect(threadMs(() => parseJson(body))).toBeLessThan(2_000); // 60 ms were measured
  });
});

test('cursors read back, and nothing else is one', () => {
  const id = newUuid();
  expect(decodeCursor(encodeCursor([id]), [UUID_KEY])).toEqual([id]);
  const older = Buffer.from(JSON.stringify(['17', id])).toString('base64url');
  expect(decodeCursor(older, ['[0-9]{1,15}', UUID_KEY])).toEqual(['17', id]);
  const now = new Date();
  const [time, email] = decodeCursor(encodeCursor([timeKey(now), 'a_b@c.d']), [TIME_KEY, EMAIL_KEY]);
  expect([keyTime(time!), email]).toEqual([now, 'a_b@c.d']);
  for (const bad of [
    '',
    'x',
    '%',
    'WyJ4Il0',
    'WyJ',
    `${newUuid()}\n`,
    encodeCursor([]),
    encodeCursor([id, id]),
    encodeCursor(["'; --"]),
    'A'.repeat(2_000),
  ]) {
    expect(() => decodeCursor(bad, [UUID_KEY]), bad).toThrow('after is not a cursor');
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => decodeCursor(text, [UUID_KEY])).toThrow();
    }),
  );
});

describe('client addresses', () => {
  const from = (peer: string, headers: Record<string, string> = {}) =>
    ({ socket: { remoteAddress: peer }, headers }) as unknown as IncomingMessage;
  const read = createReadClient(['10.0.0.0/8', 'fd00::/8', '192.0.2.1']);

  test.each([
    ['198.51.100.1', {}, '198.51.100.1', true],
    ['198.51.100.1', { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'http' }, '198.51.100.1', true],
    ['10.1.2.3', { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https' }, '1.2.3.4', true],
    ['::ffff:10.1.2.3', { 'x-forwarded-for': 'spoofed, 1.2.3.4, 192.0.2.1' }, '1.2.3.4', true],
    ['10.1.2.3', { 'x-forwarded-for': '9.9.9.9, not-an-address' }, '10.1.2.3', true],
    ['10.1.2.3', { 'x-forwarded-for': '1.2.3.4:5678' }, '1.2.3.4', true],
    [
      'fd00::1',
      { 'x-forwarded-for': '[2001:db8:1:2:3::4]:99', 'x-forwarded-proto': 'HTTP' },
      '2001:db8:1:2::/64',
      false,
    ],
    ['10.1.2.3', { 'x-forwarded-for': '10.0.0.9' }, '10.0.0.9', true],
    ['', {}, 'unknown', true],
  ])('%s %j is %s', (peer, headers, address, secure) => {
    expect(read(from(peer, headers))).toMatchObject({ address, secure });
  });

  test('allow lists get the address in full, counting gets the subscriber', () => {
    const hop = { 'x-forwarded-for': '2001:db8:1:2:3::4' };
    expect(read(from('fd00::1', hop))).toMatchObject({
      address: '2001:db8:1:2::/64',
      exact: '2001:db8:1:2:3::4',
    });
    expect(read(from('::ffff:198.51.100.1')).exact).toBe('198.51.100.1');
    expect(read(from('fe80::1%eth0')).exact).toBe('fe80::1');
  });

  test('a CIDR that is none stops the start', () => {
    expect(() => createReadClient(['10.0.0.0/99'])).toThrow();
  });
});

test.each([
  ['localhost:8080', '/a?b', 8443, 'https://localhost:8443/a?b'],
  ['mail.example.com', '/a', null, 'https://mail.example.com/a'],
  ['api.test:80', '/', 8443, 'https://api.test/'],
  ['[::1]:80', '/', 8443, 'https://[::1]:8443/'],
  ['evil.test/@x', '/', 443, 'https://api.test/'],
  [undefined, 'http://x/y', 443, 'https://api.test/'],
])('plain HTTP of %s goes to the same place', (host, url, port, location) => {
  const incoming = { headers: { host }, url } as unknown as IncomingMessage;
  expect(httpsLocation(incoming, 'https://api.test', port)).toBe(location);
});

test('a window never lets more than the limit into 60 s, nor refuses while 61 s hold fewer', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 1, max: 4 })), {
        maxLength: 200,
      }),
      (steps) => {
        let now = 1_000_000;
        const limit = { most: 10, seconds: 60 };
        const windows = createLocalWindows({ nowMs: () => now, maxSubjects: 10 });
        const allowed: { at: number; n: number }[] = [];
        const within = (ms: number) =>
          allowed.filter(({ at }) => at > now - ms).reduce((sum, { n }) => sum + n, 0);
        for (const [wait, n] of steps) {
          now += wait;
          const verdict = windows.peek('a', limit, n);
          if (verdict.allowed) {
            windows.count('a', limit, n);
            allowed.push({ at: now, n });
            expect(within(60_000)).toBeLessThanOrEqual(limit.most);
          } else {
            expect(within(61_000) + n).toBeGreaterThan(limit.most);
            expect(verdict.capacityInSeconds).toBeGreaterThan(0);
          }
        }
      },
    ),
  );
});
