// Whose a domain is: claimed by one tenant or several, contested, hidden from others, deleted and claimed again.

import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  createDomain,
  deleteDomain,
  getDomain,
  listDomains,
  patchDomain,
} from '../../core/domain/domains.ts';
import { settleClaims } from '../../core/domain/settle-claims.ts';
import { startDkimRotation } from '../../core/domain/rotate-dkim.ts';
import { createSigningDomains } from '../../core/domain/signing-domains.ts';
import { verifyDomain } from '../../core/domain/verify-domain.ts';
import { capOfTier } from '../../core/warmup/tiers.ts';
import { TESTER } from '../harness/actor.ts';
import { createDomainWorld, domainSteps, type DomainWorld } from '../harness/domain-world.ts';
import { setDay } from '../harness/factories.ts';

let world: DomainWorld;
let context: DomainWorld['context'];
let deps: DomainWorld['deps'];
let tenantId: string;
beforeAll(async () => {
  world = await createDomainWorld();
  ({ context, deps, tenantId } = world);
});
afterAll(() => world.close());

const { makeTenant, create, verifyIt, recordOf, add, publish, verified } = domainSteps(() => world);

test('a name is held once: by this tenant, or verified by another', async () => {
  const view = await verified();
  await expect(create({ name: view.name.toUpperCase() })).rejects.toMatchObject({ code: 'conflict' });
  const rival = await makeTenant();
  await expect(create({ name: view.name, tenantId: rival })).rejects.toMatchObject({ code: 'conflict' });
  await expect(create({ name: 'mx.postrider.example' })).rejects.toMatchObject({ code: 'validation_failed' });
});

test('of tenants who wait for one name, the first to verify has it and the others fail, however they race', async () => {
  const rivals = await Promise.all([1, 2, 3, 4].map(() => makeTenant()));
  const views = await Promise.all(rivals.map((one) => create({ name: 'contested.example', tenantId: one })));
  const bounces = recordOf(views[0]!, 'return_path');
  await add({ type: 'MX', name: bounces.name, value: bounces.value });
  for (const view of views) await publish(view, 'dkim');
  const idle = await create({ name: 'contested.example', tenantId: await makeTenant() });
  await Promise.all(views.map(verifyIt));
  expect(await getDomain(deps, idle.tenantId, idle.id)).toMatchObject({
    status: 'failed',
    problem: expect.stringMatching(/Another account/),
  });
  const after = await Promise.all(views.map((view) => getDomain(deps, view.tenantId, view.id)));
  expect(after.map((one) => one.status).toSorted()).toEqual(['failed', 'failed', 'failed', 'verified']);
  for (const loser of after.filter((one) => one.status === 'failed'))
    expect(loser.problem).toMatch(/Another account/);
  const winner = after.find((one) => one.status === 'verified')!;
  const second = after.find((one) => one.status === 'failed')!;
  expect(await verifyIt(second)).toMatchObject({ status: 'failed', problem: expect.any(String) });
  await deleteDomain(deps, TESTER, winner.tenantId, winner.id);
  expect(await verifyIt(second)).toMatchObject({ status: 'verified', problem: null });
});

test('tenants are isolated from each other', async () => {
  const view = await verified();
  const stranger = await makeTenant();
  for (const attempt of [
    () => getDomain(deps, stranger, view.id),
    () => verifyDomain(deps, TESTER, stranger, view.id),
    () => patchDomain(deps, TESTER, stranger, view.id, { inbound_enabled: false }),
    () => deleteDomain(deps, TESTER, stranger, view.id),
    () => startDkimRotation(deps, TESTER, stranger, view.id),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
  expect(await listDomains(deps, stranger, { before: null, limit: 10 })).toEqual([]);
  expect(await createSigningDomains(deps).get(stranger, view.id)).toBeNull();
});

test('deleting a domain and claiming it again brings no second cap and lifts no pause', async () => {
  const view = await verified();
  const { pool } = context.db;
  await setDay(context.db, { tenantId, domainId: view.id }, { cap: 1000, used: 40 });
  await pool.query(
    "update domains set tier = 4, warmup_state = 'paused', paused_reason = 'bounces' where id = $1",
    [view.id],
  );
  await deleteDomain(deps, TESTER, tenantId, view.id);
  await expect(getDomain(deps, tenantId, view.id)).rejects.toMatchObject({ code: 'not_found' });
  const again = await create({ name: view.name });
  expect(again).toMatchObject({
    status: 'pending',
    tier: 0,
    cap: capOfTier(0),
    used: 40,
    warmupState: 'paused',
    pausedReason: 'bounces',
  });
  expect(again.dkim!.selector).not.toBe(view.dkim!.selector);
  const fresh = await createDomain(deps, TESTER, await makeTenant(), view.name);
  expect(fresh).toMatchObject({ used: 0, warmupState: 'active' });
});

test('lists go from new to old, page by page', async () => {
  const owner = await makeTenant();
  for (let i = 0; i < 5; i++) await create({ tenantId: owner, name: `list${i}.example` });
  const first = await listDomains(deps, owner, { before: null, limit: 3 });
  const second = await listDomains(deps, owner, { before: first.at(-1)!.id, limit: 3 });
  expect([...first, ...second].map((one) => one.name)).toEqual(
    [4, 3, 2, 1, 0].map((i) => `list${i}.example`),
  );
  expect(second[0]!.dkim).not.toBeNull();
});

test('what a service without claims did beside this one is settled: a name that is gone is free, a new one is taken', async () => {
  const { pool } = context.db;
  const [gone, made] = [await verified(), await verified()];
  await pool.query('delete from domains where tenant_id = $1 and id = $2', [tenantId, gone.id]);
  await pool.query('delete from domain_claims where name = $1', [made.name]);
  const [first, second] = [await makeTenant(), await makeTenant()];
  await expect(create({ name: gone.name, tenantId: first })).rejects.toMatchObject({ code: 'conflict' });
  await settleClaims(pool);
  await create({ name: gone.name, tenantId: first });
  await expect(create({ name: made.name, tenantId: second })).rejects.toMatchObject({ code: 'conflict' });
});
