// The order in which followers read: every event gets one position, in the order of commit, whatever the clocks that made
// the ids, transactions that stay open or roll back, and dispatchers that are killed.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { FAILPOINTS } from '../../core/base/failpoint.ts';
import { newUuid } from '../../core/base/ids.ts';
import { dropOldPartitions } from '../../core/job/retention-store.ts';
import { createContext, type Context } from '../harness/context.ts';
import { addEvents } from '../harness/event-rows.ts';
import { makeAccount } from '../harness/factories.ts';
import { startService, type Service } from '../harness/service.ts';
import { waitUntil } from '../harness/wait.ts';

let context: Context;
beforeAll(async () => {
  context = await createContext({ LOG_LEVEL: 'warn' });
});
afterAll(() => context.close());

const query = async (text: string, values: unknown[] = []) =>
  (await context.db.pool.query(text, values)).rows;
const start = (): Promise<Service> => startService('inbound', context.env);
const dispatched = () => waitUntil(async () => (await query('select from event_outbox')).length === 0);
const logOf = async (tenantId: string): Promise<string[]> => {
  const rows = await query(
    'select position, event_id from event_log where tenant_id = $1 order by position',
    [tenantId],
  );
  expect(rows.map((row) => Number(row.position))).toEqual(rows.map((_, i) => i + 1));
  return rows.map((row) => row.event_id);
};

test.each(FAILPOINTS.filter((step) => step.startsWith('dispatch.')))(
  'killed at %s: each event has one position, in the order of commit; what is announced has none',
  async (step) => {
    const [one, other] = [await makeAccount(context.db), await makeAccount(context.db)];
    const { pool } = context.db;
    // `cancelled` is not counted: what is counted waits for others of its domain and day.
    const late = await pool.connect();
    await late.query('begin');
    const [lateId] = await addEvents(late, one, [{ type: 'cancelled' }]);
    const ids = await addEvents(pool, one, [{ type: 'deferred', clockMs: 60_000 }, { type: 'delivered' }]);
    const others = await addEvents(pool, other, [{ type: 'bounced', clockMs: -60_000 }]);
    const lost = await pool.connect();
    await lost.query('begin');
    await addEvents(lost, one, [{ type: 'cancelled' }]);
    await lost.query('rollback');
    lost.release();
    await query(
      `insert into event_outbox (id, tenant_id, type, payload) values ($1, $2, 'domain.verified', '{}')`,
      [newUuid(), one.tenantId],
    );

    // It may dispatch, and so die, before anybody has seen it ready.
    const doomed = await startService(
      'inbound',
      { ...context.env, TEST_FAILPOINTS: step },
      { until: 'started' },
    );
    expect(await doomed.ended).toBe('SIGKILL');
    const survivors = await Promise.all([start(), start()]);
    await dispatched();
    expect(await logOf(one.tenantId)).toEqual(ids);
    // An id that is older by its clock, and a transaction that was open all the time: both come after.
    const older = await addEvents(pool, one, [{ type: 'click', clockMs: -60_000 }]);
    await dispatched();
    await late.query('commit');
    late.release();
    await dispatched();
    expect(await logOf(one.tenantId)).toEqual([...ids, ...older, lateId]);
    expect(await logOf(other.tenantId)).toEqual(others);
    await Promise.all(survivors.map((one) => one.stop()));
  },
);

test('what retention removes of the log is remembered', async () => {
  const account = await makeAccount(context.db);
  const old = new Date('2025-03-12T12:00:00Z');
  await context.db.pool.query('select ensure_partitions($1, 0)', [old]);
  const clockMs = old.getTime() - Date.now();
  await addEvents(context.db.pool, account, [
    { type: 'open', clockMs },
    { type: 'click' },
    { type: 'open', clockMs },
  ]);
  const inbound = await start();
  await dispatched();
  expect(await dropOldPartitions(context.db.pool, 'event_log', new Date('2025-06-01T00:00:00Z'))).toEqual([
    'event_log_2025w11',
  ]);
  expect(
    await query('select position, removed_to from event_log_heads where tenant_id = $1', [account.tenantId]),
  ).toEqual([{ position: '3', removed_to: '3' }]);
  await inbound.stop();
});
