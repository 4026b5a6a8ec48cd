import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { requestHash, runOnce } from '../../core/idempotency/run-once.ts';
import { createContext, type Context } from '../harness/context.ts';

let context: Context;
beforeAll(async () => {
  context = await createContext();
});
afterAll(() => context.close());

const request = (key: string = newUuid(), body: unknown = { a: 1 }, path = '/things') => ({
  scopeId: SCOPE,
  key,
  bodyHash: requestHash('POST', path, body),
});
const SCOPE = newUuid();
const answer = { status: 201, body: { id: 'x' } };

test('of many at once one runs; the others wait or get the first answer', async () => {
  const one = request();
  let runs = 0;
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const work = async () => {
    runs++;
    begun.resolve();
    await finish.promise;
    return answer;
  };
  const results = Promise.allSettled(Array.from({ length: 8 }, () => runOnce(context.db, one, work)));
  await begun.promise;
  const others = await Promise.allSettled([runOnce(context.db, one, work)]);
  expect(others[0]).toMatchObject({ reason: { code: 'idempotency_in_progress' } });
  finish.resolve();
  const settled = await results;
  expect(runs).toBe(1);
  const answered = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(answered.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(await runOnce(context.db, one, work)).toEqual({ ...answer, replayed: true });
  expect(runs).toBe(1);
});

test('another body, and another route, with the key is a conflict', async () => {
  const one = request();
  await runOnce(context.db, one, async () => answer);
  for (const other of [request(one.key, { a: 2 }), request(one.key, { a: 1 }, '/others')]) {
    await expect(runOnce(context.db, other, async () => answer)).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
  }
  expect(requestHash('POST', '/x', { a: 1, b: { d: 1, c: [1, 2] } })).toEqual(
    requestHash('POST', '/x', { b: { c: [1, 2], d: 1 }, a: 1 }),
  );
  expect(requestHash('POST', '/x', [1, 2])).not.toEqual(requestHash('POST', '/x', [2, 1]));
});

test('a failure frees the key', async () => {
  const one = request();
  await expect(runOnce(context.db, one, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await runOnce(context.db, one, async () => answer)).toMatchObject({ replayed: false });
});

test('a request whose process died holds the key for a minute, and its retry makes the same thing', async () => {
  const one = request();
  const changeIds: string[] = [];
  void runOnce(context.db, one, (changeId) => {
    changeIds.push(changeId);
    return new Promise(() => {}); // as if killed: it never ends and never frees
  });
  await expect.poll(() => changeIds.length).toBe(1);
  const retry = () =>
    runOnce(context.db, one, async (changeId) => {
      changeIds.push(changeId);
      return answer;
    });
  await expect(retry()).rejects.toMatchObject({ code: 'idempotency_in_progress' });
  await age(one.key, '61 seconds');
  expect(await retry()).toMatchObject({ replayed: false });
  expect(changeIds[1]).toBe(changeIds[0]);
  await age(one.key, '25 hours');
  expect(await retry()).toMatchObject({ replayed: false });
  expect(changeIds[2]).not.toBe(changeIds[0]);
});

function age(key: string, by: string): Promise<unknown> {
  return context.db.pool.query(
    'update idempotency_keys set created_at = now() - $3::interval where tenant_id = $1 and key = $2',
    [SCOPE, key, by],
  );
}

test('work that was done, and whose answer cannot be kept, may have been stored; the repeat is the same change', async () => {
  const one = request();
  const changes: string[] = [];
  const work = async (changeId: string) => {
    changes.push(changeId);
    return answer;
  };
  await context.db.pool.query(
    `create function full_disk() returns trigger language plpgsql as
       $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
  );
  await context.db.pool.query(
    `create trigger full_disk before update on idempotency_keys for each row when (new.status <> 0)
       execute function full_disk()`,
  );
  await expect(runOnce(context.db, one, work)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('may have been stored'),
  });
  await context.db.pool.query('drop trigger full_disk on idempotency_keys');
  expect(await runOnce(context.db, one, work)).toEqual({ ...answer, replayed: false });
  expect(changes).toHaveLength(2);
  expect(changes[0]).toBe(changes[1]);
});
