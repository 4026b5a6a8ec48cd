// Work that is done one by one: tenants take turns, and a bounded number waits.

import { expect, test } from 'vitest';

import { createTenantTurns } from '../../../core/base/tenant-turns.ts';

const LIMITS = { maxWaiting: 5, maxWaitingOfTenant: 3, retryAfterSeconds: 2, what: 'things' };

/** Work that ends when the test says so. */
function open() {
  const turns = createTenantTurns(LIMITS);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const run = (tenantId: string) =>
    turns.run(tenantId, async () => {
      started.push(tenantId);
      await new Promise<void>((end) => ends.push(end));
      return tenantId;
    });
  const finish = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
  };
  return { turns, run, started, ends, finish };
}

test('one piece of work is done at a time, and tenants take turns', async () => {
  const { run, started, ends, finish } = open();
  const all = ['a', 'a', 'a', 'b', 'c'].map(run);
  await new Promise(setImmediate);
  expect([started, ends.length]).toEqual([['a'], 1]);
  await finish();
  expect(await Promise.all(all)).toEqual(['a', 'a', 'a', 'b', 'c']);
  expect(started.join('')).toBe('aabca');
});

test('a tenant that waits with too much is refused, and so is everybody when too much waits in total', async () => {
  const { run, finish } = open();
  const accepted = ['a', 'a', 'a', 'a'].map(run); // one at work, three waiting
  const refused = { retryAfterSeconds: 2 };
  await expect(run('a')).rejects.toMatchObject({ code: 'rate_limited', ...refused });
  accepted.push(run('b'), run('b'));
  await expect(run('c')).rejects.toMatchObject({ code: 'unavailable', ...refused });
  await new Promise(setImmediate);
  await finish();
  expect(await Promise.all(accepted)).toHaveLength(6);
});

test('work that fails ends its turn and nothing else', async () => {
  const { turns, run, finish } = open();
  const failed = turns.run('a', () => Promise.reject(new Error('as asked')));
  const next = run('b');
  await expect(failed).rejects.toThrow('as asked');
  await new Promise(setImmediate);
  await finish();
  expect(await next).toBe('b');
});
