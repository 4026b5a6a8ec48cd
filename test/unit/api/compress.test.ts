// Which content coding an Accept-Encoding allows (RFC 9110 section 12.5.3), from fields of any length.

import { expect, test } from 'vitest';

import { acceptsEncoding } from '../../../api/compress.ts';
import { threadMs } from '../../harness/thread-time.ts';

test.each([
  ['gzip', true],
  ['deflate, GZIP ;q=0.5, br', true],
  ['br;q=1.0, gzip; q = 0', false],
  ['gzip;q=0.000', false],
  ['gzip;q=nothing', false],
  ['gzip;level=1;q=0', false],
  ['x-gzip', false],
  ['*', false],
  ['', false],
  [undefined, false],
])('%s', (header, accepts) => {
  expect(acceptsEncoding(header, 'gzip')).toBe(accepts);
});

test('a field longer than 256 characters is ignored, whatever it costs to read', () => {
  expect(acceptsEncoding(`gzip${' '.repeat(252)}`, 'gzip')).toBe(true);
  expect(acceptsEncoding(`gzip${' '.repeat(253)}`, 'gzip')).toBe(false);
  const header = `gzip${' '.repeat(150_000)}x`;
  expect(threadMs(() => acceptsEncoding(header, 'gzip'))).toBeLessThan(1_000); // reading all of it takes 16 s
});
