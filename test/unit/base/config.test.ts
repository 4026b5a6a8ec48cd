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
