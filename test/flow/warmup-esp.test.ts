// Per-route sub-caps: advisory they count, enforced they defer, at acceptance and at release.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { nextUtcMidnight, utcDay } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import type { Accepted } from '../../core/message/submission.ts';
import { readReconciliation } from '../../core/warmup/reconcile.ts';
import type { EspPolicy } from '../../sender/accept/esp-shares.ts';
import { createAccept, type Accept } from '../../sender/accept/accept.ts';
import { createGate } from '../../sender/accept/gate/gate.ts';
import { releaseDue, type ReleaseDeps } from '../../sender/release/release.ts';
import { createContext, type Context } from '../harness/context.ts';
import {
  makeAccount,
  makeMessage,
  makeSubmission,
  markDelivered,
  type Account,
} from '../harness/factories.ts';

const routes = [
  { name: 'direct', weight: 1 },
  { name: 'relay', url: 'smtp://relay.test', weight: 0, sub_cap_share: 0.2 },
];

let context: Context;
let redis: RedisConnection;
beforeAll(async () => {
  context = await createContext();
  redis = await openRedis(context.config, context.log);
});
afterAll(async () => {
  await redis.close();
  await context.close();
});

function sender(esp: EspPolicy): { accept: Accept; release: ReleaseDeps } {
  const gate = createGate(redis, context.config.KEY_PREFIX, context.log);
  const common = { pool: context.db.pool, gate, fail: () => {}, maxAgeMs: 3_600_000, wake: () => {}, esp };
  const accept = createAccept({
    ...common,
    workerId: newUuid,
    capacity: () => 0,
    deliver: () => {},
    log: context.log,
  });
  return { accept, release: common };
}

// Every message asks alone, so that they meet in many transactions.
async function send(
  accept: Accept,
  account: Account,
  count: number,
  esp: string | null,
): Promise<Accepted[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      accept.submit(makeSubmission(account, [makeMessage(account, { esp })])),
    ),
  );
  return answers.flatMap((one) => (one.ok ? (one.items as Accepted[]) : []));
}

const report = (account: Account, enforced: boolean, day: string | null = null) =>
  readReconciliation(context.db.pool, account.tenantId, day, { routes, enforced });
const statuses = (items: Accepted[], status: string) => items.filter((one) => one.status === status).length;

test('enforced, what is over the sub-cap of its route is deferred; other routes go on', async () => {
  const account = await makeAccount(context.db);
  const { accept, release } = sender({ routes, enforced: true });
  const pinned = await send(accept, account, 14, 'relay');
  expect(statuses(pinned, 'queued')).toBe(10);
  const over = pinned.find((one) => one.status === 'deferred')!;
  expect(over).toMatchObject({ reason: 'esp_cap', warmup: { cap: 50 } });
  expect(over.deferredUntil).toMatch(/T00:00:00\.000Z$/);
  expect(statuses(await send(accept, account, 45, null), 'queued')).toBe(40);
  expect((await report(account, true)).items).toMatchObject([
    { esp: 'direct', subCap: 50, used: 40, remaining: 10, overBy: 0 },
    { esp: 'relay', subCap: 10, used: 10, remaining: 0, overBy: 0 },
  ]);
  await markDelivered(context.db, account);
  const tomorrow = nextUtcMidnight(new Date());
  expect(await releaseDue(release, { now: tomorrow, tenantId: account.tenantId })).toMatchObject({
    released: 9,
  });
  expect((await report(account, true, utcDay(tomorrow))).items).toMatchObject([{ used: 5 }, { used: 4 }]);
});

test('enforced at the release too: the rest of the route waits another day', async () => {
  const account = await makeAccount(context.db);
  const { accept, release } = sender({ routes, enforced: true });
  await send(accept, account, 25, 'relay');
  await markDelivered(context.db, account);
  const tomorrow = nextUtcMidnight(new Date());
  expect(await releaseDue(release, { now: tomorrow, tenantId: account.tenantId })).toMatchObject({
    released: 10,
  });
  const { rows } = await context.db.pool.query(
    "select defer_reason, count(*)::int as n from messages where tenant_id = $1 and state = 'deferred' group by 1",
    [account.tenantId],
  );
  expect(rows).toEqual([{ defer_reason: 'esp_cap', n: 5 }]);
});

test('advisory, nothing is deferred and the report shows by how much', async () => {
  const account = await makeAccount(context.db);
  const { accept } = sender({ routes, enforced: false });
  expect(statuses(await send(accept, account, 14, 'relay'), 'queued')).toBe(14);
  expect((await report(account, false)).items[1]).toMatchObject({
    subCap: 10,
    used: 14,
    remaining: 0,
    overBy: 4,
  });
});

test('with one route and no share nothing is counted by route, and the report has the tenant’s admissions', async () => {
  const account = await makeAccount(context.db);
  const { accept } = sender(null);
  await send(accept, account, 7, null);
  const single = { routes: [{ name: 'direct', weight: 1 }], enforced: true };
  const { items } = await readReconciliation(context.db.pool, account.tenantId, null, single);
  expect(items).toMatchObject([{ esp: 'direct', subCap: 50, used: 7, overBy: 0 }]);
});
