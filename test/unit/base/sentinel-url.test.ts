// Redis behind Sentinel, as one URL.

import { expect, test } from 'vitest';

import { parseSentinelUrl } from '../../../core/base/sentinel-url.ts';

test('sentinels, name and login', () => {
  expect(parseSentinelUrl('redis+sentinel://ann:p%40ss@one:1,two/main')).toEqual({
    name: 'main',
    sentinels: [
      { host: 'one', port: 1 },
      { host: 'two', port: 26_379 },
    ],
    username: 'ann',
    password: 'p@ss',
  });
});

test.each(['redis://one:6379', 'redis+sentinel://one:26379', 'redis+sentinel://one:port/main'])(
  '%s is none',
  (url) => expect(parseSentinelUrl(url)).toBeNull(),
);
