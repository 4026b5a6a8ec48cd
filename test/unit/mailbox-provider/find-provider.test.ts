// Which provider a mail host counts as, and what MAILBOX_PROVIDERS changes about it.

import { expect, test } from 'vitest';

import { allProviders, createFindProvider } from '../../../core/mailbox-provider/find-provider.ts';
import { PROVIDERS } from '../../../core/mailbox-provider/provider-table.ts';

const find = createFindProvider(allProviders({ MAILBOX_PROVIDERS: [] }));

test.each([
  ['gmail-smtp-in.l.google.com', 'gmail'],
  ['aspmx.l.google.com', 'gmail'], // Google Workspace
  ['ALT1.ASPMX.L.GOOGLE.COM.', 'gmail'],
  ['aspmx2.googlemail.com', 'gmail'],
  ['hotmail-com.olc.protection.outlook.com', 'outlook'],
  ['contoso-com.mail.protection.outlook.com', 'microsoft365'],
  ['contoso-com.j-v1.mx.microsoft', 'microsoft365'],
  ['mta5.am0.yahoodns.net', 'yahoo'],
  ['mx01.mail.icloud.com', 'icloud'],
  ['mx00.gmx.net', 'gmx'],
  ['mx-ha02.web.de', 'gmx'],
])('%s is %s', (host, name) => {
  expect(find(host)?.name).toBe(name);
});

test.each(['mx.example.com', 'notgoogle.com', 'google.com.example.org', 'com', '', 'mx.simulator.test'])(
  '%s is of nobody known',
  (host) => expect(find(host)).toBeNull(),
);

test('every row has its source, and no two have a name or a host', () => {
  for (const { source, mx } of PROVIDERS) {
    expect(source).toMatch(/^https:\/\//);
    expect(mx.length).toBeGreaterThan(0);
  }
  const hosts = PROVIDERS.flatMap(({ mx }) => [...mx]);
  expect(new Set(hosts).size).toBe(hosts.length);
  expect(new Set(PROVIDERS.map(({ name }) => name)).size).toBe(PROVIDERS.length);
});

test('a setting replaces the row of its name, adds others, and the longest name decides', () => {
  const own = [
    { name: 'gmail', mx: ['google.com'], connections: 50, per_minute: 9000 },
    { name: 'inside', mx: ['corp.google.com'], connections: 1, per_minute: 6 },
  ];
  const all = allProviders({ MAILBOX_PROVIDERS: own });
  expect(all).toHaveLength(PROVIDERS.length + 1);
  const findOwn = createFindProvider(all);
  expect(findOwn('aspmx.l.google.com')).toMatchObject({ name: 'gmail', connections: 50, perMinute: 9000 });
  expect(findOwn('mx.corp.google.com')?.name).toBe('inside');
  expect(findOwn('aspmx2.googlemail.com')).toBeNull();
});
