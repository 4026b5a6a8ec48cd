// New domains that wait for their records are looked up without being asked: at once, every five minutes, for three days.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { checkPending } from '../../core/domain/recheck-domains.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { createDomainWorld, domainSteps, type DomainWorld } from '../harness/domain-world.ts';

let world: DomainWorld;
beforeAll(async () => {
  world = await createDomainWorld();
});
afterAll(() => world.close());

const { create, publish, makeTenant } = domainSteps(() => world);
const pool = () => world.context.db.pool;

const due = async (id: string) => {
  const { rows } = await pool().query<{ seconds: number | null; checked: boolean; status: string }>(
    `select extract(epoch from next_check_at - now())::float8 as seconds, checked_at is not null as checked, status
     from domains where id = $1`,
    [id],
  );
  return rows[0]!;
};
const isDueAgain = (id: string) =>
  pool().query("update domains set next_check_at = now() - interval '1 second' where id = $1", [id]);
const mails = async (tenantId: string) =>
  (
    await pool().query(
      "select recipient, kind, data from system_mails where tenant_id = $1 and kind = 'domain_verified'",
      [tenantId],
    )
  ).rows;

test('it is looked up at once and again in five minutes, and its owners are told when its records are there', async () => {
  const tenantId = await makeTenant();
  await createUser(world.context, TESTER, { tenantId, email: 'owner@waits.test', role: 'owner' });
  await createUser(world.context, TESTER, { tenantId, email: 'member@waits.test', role: 'member' });
  const view = await create({ tenantId });
  await checkPending(world.deps);
  const first = await due(view.id);
  expect(first).toMatchObject({ checked: true, status: 'pending' });
  expect(first.seconds).toBeGreaterThan(290);
  expect(first.seconds).toBeLessThanOrEqual(300);

  await publish(view);
  await checkPending(world.deps); // not due yet
  expect((await due(view.id)).status).toBe('pending');
  await isDueAgain(view.id);
  await checkPending(world.deps);
  expect((await due(view.id)).status).toBe('verified');
  expect(await mails(tenantId)).toEqual([
    {
      recipient: 'owner@waits.test',
      kind: 'domain_verified',
      data: { id: expect.any(String), name: view.name },
    },
  ]);
  await isDueAgain(view.id);
  expect(await checkPending(world.deps)).toBe(false); // a verified one is looked up once a day only
  expect((await due(view.id)).seconds).toBeLessThan(0);
});

test('two schedulers share what is due; after three days nobody looks any more but the daily check', async () => {
  const views = await Promise.all(Array.from({ length: 5 }, () => create()));
  const old = await create();
  await pool().query("update domains set created_at = now() - interval '73 hours' where id = $1", [old.id]);
  const asked: string[] = [];
  const counting = {
    ...world.deps,
    dns: { ...world.deps.dns, mx: (name: string) => (asked.push(name), world.deps.dns.mx(name)) },
  };
  await Promise.all([checkPending(counting), checkPending(counting)]);
  for (const { name } of views)
    expect(
      asked.filter((one) => one === `bounces.${name}`),
      name,
    ).toHaveLength(1);
  expect(await due(old.id)).toMatchObject({ seconds: null, checked: true });
});
