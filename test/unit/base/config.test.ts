import { expect, test, vi } from 'vitest';

import { loadConfig } from '../../../core/base/config.ts';

const REQUIRED = {
  DATABASE_URL: 'postgres://localhost/postrider',
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  INTERNAL_TOKEN: 'sixteen-characters-or-more',
};

test('a setting under its old name is read, with a warning; the new name wins', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  expect(loadConfig({ ...REQUIRED, SENDER_IN_HAND: '7' }).SENDER_MAX_IN_FLIGHT).toBe(7);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining('SENDER_IN_HAND is now called SENDER_MAX_IN_FLIGHT'),
    'DeprecationWarning',
  );
  const both = { ...REQUIRED, SENDER_IN_HAND: '7', SENDER_MAX_IN_FLIGHT: '9' };
  expect(loadConfig(both).SENDER_MAX_IN_FLIGHT).toBe(9);
  expect(() => loadConfig({ ...REQUIRED, SENDER_IN_HAND: 'many' })).toThrow('SENDER_MAX_IN_FLIGHT');
  warn.mockRestore();
});

test('a misspelt setting stops the start and is named', () => {
  expect(() => loadConfig({ ...REQUIRED, SENDER_MAX_INFLIGHT: '7' })).toThrow('SENDER_MAX_INFLIGHT');
});

test.each([
  ['{', 'must be a JSON list of mailbox providers: SyntaxError'],
  ['{}', 'must be a JSON list of mailbox providers: Invalid input: expected array'],
  ['[{"name":"a","mx":["*.a.example"],"connections":1,"per_minute":1}]', '0.mx.0: must be a host name'],
  ['[{"name":"a","mx":["a.example"],"connections":0,"per_minute":1}]', '0.connections: Too small'],
  ['[{"name":"a","mx":["a.example"],"connections":1}]', '0.per_minute: Invalid input'],
  ['[{"name":"a","mx":["a.example"],"connections":1,"per_minute":1,"x":1}]', 'Unrecognized key: "x"'],
  [
    JSON.stringify([1, 2].map(() => ({ name: 'a', mx: ['a.example'], connections: 1, per_minute: 1 }))),
    'two have the same name',
  ],
])('MAILBOX_PROVIDERS=%s is refused with a reason', (value, why) => {
  expect(() => loadConfig({ ...REQUIRED, MAILBOX_PROVIDERS: value })).toThrow(why);
});

test.each([
  ['{', 'must be a JSON object of services and host names: SyntaxError'],
  ['{"mailgun":"m.example.com"}', 'Unrecognized key: "mailgun"'],
  ['{"postmark":"https://p.example.com"}', 'postmark: must be a host name in lower case'],
  ['{"postmark":"p.example.com","resend":"p.example.com"}', 'two services have the same host name'],
  ['{"postmark":"mail.example.com"}', 'postmark has the host of PUBLIC_URL, mail.example.com'],
])('COMPAT_HOSTS=%s is refused with a reason', (value, why) => {
  const env = { ...REQUIRED, PUBLIC_URL: 'https://mail.example.com', COMPAT_HOSTS: value };
  expect(() => loadConfig(env)).toThrow(why);
});

const poolOf = (...sources: object[]) => ({ name: 'main', sources });
const A = { address: '192.0.2.25', hostname: 'mail1.example.com' };

test.each([
  ['{', 'must be a JSON list of pools: SyntaxError'],
  ['[{"name":"main","sources":[]}]', '0.sources: Too small'],
  [
    JSON.stringify([poolOf({ ...A, address: '192.0.2' })]),
    '0.sources.0.address: must be one IPv4 or IPv6 address',
  ],
  [JSON.stringify([poolOf({ ...A, address: '::' })]), '0.sources.0.address: must be an address of a machine'],
  [
    JSON.stringify([poolOf({ ...A, hostname: 'mail1' })]),
    '0.sources.0.hostname: must be a host name in lower case',
  ],
  [JSON.stringify([poolOf({ ...A, warm: true })]), 'Unrecognized key: "warm"'],
  [JSON.stringify([poolOf(A), poolOf({ ...A, address: '192.0.2.26' })]), 'two have the same name'],
  [JSON.stringify([poolOf(A), { ...poolOf(A), name: 'other' }]), 'an address stands in it twice'],
  [JSON.stringify([{ ...poolOf(A), tenants: ['acme'] }]), '0.tenants.0: must be the id of a tenant'],
])('EGRESS_POOLS=%s is refused with a reason', (value, why) => {
  expect(() => loadConfig({ ...REQUIRED, EGRESS_POOLS: value })).toThrow(why);
});

test('an IPv6 address of a pool has the spelling of the operating system', () => {
  const pools = JSON.stringify([poolOf({ ...A, address: '2001:0DB8:0:0::0025' })]);
  expect(loadConfig({ ...REQUIRED, EGRESS_POOLS: pools }).EGRESS_POOLS[0]!.sources).toEqual([
    { address: '2001:db8::25', hostname: 'mail1.example.com', warmup: false },
  ]);
});

test('a route that names a pool which is not there stops the start', () => {
  const routes = JSON.stringify([{ name: 'direct', pool: 'main' }]);
  expect(() => loadConfig({ ...REQUIRED, OUTBOUND_ROUTES: routes })).toThrow(
    'direct names the pool main, which EGRESS_POOLS does not have',
  );
  const pools = JSON.stringify([poolOf(A)]);
  expect(
    loadConfig({ ...REQUIRED, OUTBOUND_ROUTES: routes, EGRESS_POOLS: pools }).OUTBOUND_ROUTES,
  ).toMatchObject([{ pool: 'main' }]);
});
