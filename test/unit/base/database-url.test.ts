// Several servers in DATABASE_URL, in libpq's form.

import { expect, test } from 'vitest';

import { serverUrls } from '../../../core/base/database-url.ts';

test('one server is left as it is', () => {
  const url = 'postgres://u:p%40,s@db:5432/postrider?sslmode=verify-full';
  expect(serverUrls(url)).toEqual([url]);
});

test('several servers share user, password, database and options', () => {
  expect(
    serverUrls('postgresql://u:p@one:5432,two:5433,[::1]:5434/mail?target_session_attrs=read-write&x=1'),
  ).toEqual([
    'postgresql://u:p@one:5432/mail?x=1',
    'postgresql://u:p@two:5433/mail?x=1',
    'postgresql://u:p@[::1]:5434/mail?x=1',
  ]);
});

test.each([
  ['mysql://h/db', 'postgres://'],
  ['postgres://u:p@h:port/db', 'not the URL'],
  ['postgres://a,b/db?target_session_attrs=standby', 'read-write'],
])('%s is refused', (url, reason) => {
  expect(() => serverUrls(url)).toThrow(reason);
});
