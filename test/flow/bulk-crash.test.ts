// kill -9 of the scheduler at every step of a bulk change: another one goes on, and each row is done and counted once.
// docs/crashes-audience.md has a row for each step.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { FAILPOINTS } from '../../core/base/failpoint.ts';
import { newUuid } from '../../core/base/ids.ts';
import { createBulkChange, getBulkChange } from '../../core/bulk/bulk-changes.ts';
import { TESTER } from '../harness/actor.ts';
import { createCampaignWorld, type CampaignWorld } from '../harness/campaign-world.ts';
import { waitUntil } from '../harness/wait.ts';

const STEPS = FAILPOINTS.filter((step) => step.startsWith('bulk.'));
const CONTACTS = 1_700;

let world: CampaignWorld;
beforeAll(async () => {
  world = await createCampaignWorld({ schedulers: 0, env: { WORKER_LEASE_MS: '1000' } });
});
afterAll(() => world?.close());

test.each(STEPS)('killed at %s', async (step) => {
  const { db } = world.stack.context;
  const { tenantId } = await world.makeTenant();
  const ids = Array.from({ length: CONTACTS }, () => newUuid());
  await db.pool.query(
    `insert into contacts (id, tenant_id, email, email_key)
     select id, $1, id || '@sink.test', id || '@sink.test' from unnest($2::uuid[]) as id`,
    [tenantId, ids],
  );
  const doomed = await world.addScheduler({ TEST_FAILPOINTS: step });
  const wanted = { action: 'delete_contacts' as const, chosen: null, filter: {}, listId: null };
  const { id } = await createBulkChange({ db }, TESTER, tenantId, wanted);
  expect(await doomed.ended).toBe('SIGKILL');
  const left = async () => {
    const sql = 'select count(*)::int as n from contacts where tenant_id = $1';
    return (await db.pool.query<{ n: number }>(sql, [tenantId])).rows[0]!.n;
  };
  const { done } = await getBulkChange(db, tenantId, id);
  expect([done, await left()]).toEqual(
    step.endsWith('before-commit') ? [0, CONTACTS] : [500, CONTACTS - 500],
  );
  const survivor = await world.addScheduler();
  let now = await getBulkChange(db, tenantId, id);
  await waitUntil(
    async () => {
      now = await getBulkChange(db, tenantId, id);
      return now.finishedAt !== null;
    },
    { what: () => `the change to end: ${JSON.stringify(now)}` },
  );
  await survivor.kill();
  expect(now).toMatchObject({ status: 'completed', done: CONTACTS, refused: {} });
  expect(await left()).toBe(0);
});
