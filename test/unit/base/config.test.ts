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
