// DKIM keys of a domain: what delivery gets, how they lie in the database, how they are rotated.

import { createHook } from 'node:async_hooks';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { AppError } from '../../core/base/errors.ts';
import { MAX_WAITING_KEYS_OF_TENANT } from '../../core/domain/dkim-key.ts';
import { createDomain } from '../../core/domain/domains.ts';
import { cancelDkimRotation, startDkimRotation } from '../../core/domain/rotate-dkim.ts';
import { createSigningDomains } from '../../core/domain/signing-domains.ts';
import { createTenant } from '../../core/new-tenant/create-tenant.ts';
import { waitUntil } from '../harness/wait.ts';
import { TESTER } from '../harness/actor.ts';
import { createDomainWorld, domainSteps, type DomainWorld } from '../harness/domain-world.ts';

let world: DomainWorld;
let context: DomainWorld['context'];
let deps: DomainWorld['deps'];
let tenantId: string;
beforeAll(async () => {
  world = await createDomainWorld();
  ({ context, deps, tenantId } = world);
});
afterAll(() => world.close());

const { create, verifyIt, add, remove, publish, verified } = domainSteps(() => world);

test('delivery gets keys that fit the published record; state is at most a second old', async () => {
  const { db, config, log } = context;
  const view = await createDomain(
    { ...deps, config: { ...config, DKIM_ED25519: true } },
    TESTER,
    tenantId,
    'keys.example',
  );
  const signing = createSigningDomains({ db, config, log });
  expect(await signing.get(tenantId, view.id)).toMatchObject({
    status: 'pending',
    trackingDomain: null,
    dkimKeys: [{ algorithm: 'rsa-sha256' }],
  });
  await publish(view);
  await verifyIt(view);
  const all = await Promise.all(
    Array.from({ length: 100 }, () => createSigningDomains(deps).get(tenantId, view.id)),
  );
  const domain = all[0]!;
  expect(domain).toMatchObject({
    name: 'keys.example',
    status: 'verified',
    paused: false,
    returnPathDomain: 'bounces.keys.example',
    trackingDomain: null, // its record is there, but no certificate: test/flow/tracking-host.test.ts
  });
  expect(domain.dkimKeys.map((key) => key.algorithm)).toEqual(['rsa-sha256', 'ed25519-sha256']);
  for (const { selector, algorithm, privateKey } of domain.dkimKeys) {
    const published = view.records.find((one) => one.name.startsWith(`${selector}._domainkey`))!.value;
    const p = /p=(.*)$/.exec(published)![1]!;
    const publicKey =
      algorithm === 'rsa-sha256'
        ? createPublicKey({ key: Buffer.from(p, 'base64'), format: 'der', type: 'spki' })
        : createPublicKey({
            key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(p, 'base64').toString('base64url') },
            format: 'jwk',
          });
    const hash = algorithm === 'rsa-sha256' ? 'sha256' : null;
    expect(verify(hash, Buffer.from('x'), publicKey, sign(hash, Buffer.from('x'), privateKey))).toBe(true);
  }
  const watching = createSigningDomains(deps);
  await watching.get(tenantId, view.id);
  await context.db.pool.query("update domains set warmup_state = 'paused' where id = $1", [view.id]);
  // It keeps a domain for a second; the limit is ten times as long.
  await waitUntil(async () => (await watching.get(tenantId, view.id))!.paused, { limitMs: 10_000 });
});

test('private keys are sealed at rest, and with a wrong MASTER_KEY nothing goes out unsigned', async () => {
  const view = await create();
  const { rows } = await context.db.pool.query(
    'select sealed_private_key as sealed from dkim_keys where domain_id = $1',
    [view.id],
  );
  expect(() => createPrivateKey({ key: rows[0].sealed, format: 'der', type: 'pkcs8' })).toThrow();
  const config = { ...context.config, MASTER_KEY: Buffer.alloc(32, 1) };
  const wrong = createSigningDomains({ ...deps, config });
  await expect(wrong.get(tenantId, view.id)).rejects.toThrow(/not readable/);
});

test('rotation: both keys are published, the new one signs once it is seen, the old record may go', async () => {
  const view = await verified();
  const rotating = await startDkimRotation(deps, TESTER, tenantId, view.id);
  await expect(startDkimRotation(deps, TESTER, tenantId, view.id)).rejects.toMatchObject({
    code: 'conflict',
  });
  const [current, next] = rotating.records.filter((one) => one.purpose === 'dkim');
  expect(current).toMatchObject({ required: true, status: 'found' });
  expect(next).toMatchObject({ required: false, status: 'pending' });
  const selectors = async () =>
    (await createSigningDomains(deps).get(tenantId, view.id))!.dkimKeys.map((key) => key.selector);
  expect((await verifyIt(view)).dkim!.selector).toBe(view.dkim!.selector);
  expect(await selectors()).toEqual([view.dkim!.selector]);
  await add({ type: 'TXT', name: next!.name, value: next!.value });
  const switched = await verifyIt(view);
  expect(switched).toMatchObject({ status: 'verified', dkim: { status: 'found' } });
  expect(await selectors()).toEqual([switched.dkim!.selector]);
  expect(next!.name).toContain(switched.dkim!.selector);
  await remove(current!.name);
  expect(await verifyIt(view)).toMatchObject({ status: 'verified' });
  await startDkimRotation(deps, TESTER, tenantId, view.id);
  const cancelled = await cancelDkimRotation(deps, TESTER, tenantId, view.id);
  expect(cancelled.records.filter((one) => one.purpose === 'dkim')).toHaveLength(1);
  const { rows: changes } = await context.db.pool.query<{ action: string }>(
    'select action from audit_log where tenant_id = $1 order by id desc limit 1',
    [tenantId],
  );
  expect(changes).toEqual([{ action: 'domain.dkim_rotation_cancelled' }]);
});

test('of many domains at once one key is generated at a time, and tenants take turns', async () => {
  const other = await createTenant(context, TESTER, { name: 'Other', plan: 'free' });
  const generations = watchGenerations();
  const order: string[] = [];
  const add = async (owner: string, name: string) => {
    await createDomain(deps, TESTER, owner, name);
    order.push(owner);
  };
  const all = Array.from({ length: 8 }, (_, i) => add(tenantId, `many-${i}.example`));
  await add(other.id, 'single.example');
  await Promise.all(all);
  expect(generations.stop()).toEqual({ total: 9, mostAtOnce: 1 });
  expect(order.indexOf(other.id)).toBeLessThan(4);
});

test('a tenant with too many new keys at once is refused with the time of the next try', async () => {
  const all = Array.from({ length: 40 }, (_, i) =>
    createDomain(deps, TESTER, tenantId, `more-${i}.example`).then(
      () => 'created',
      (error: AppError) => [error.code, error.retryAfterSeconds],
    ),
  );
  const results = await Promise.all(all);
  expect(results.filter((one) => one === 'created')).toHaveLength(MAX_WAITING_KEYS_OF_TENANT + 1);
  expect(results.filter((one) => one !== 'created')).toEqual(
    Array.from({ length: 9 }, () => ['rate_limited', 3]),
  );
});

/** Counts the key pairs that the thread pool generates. */
function watchGenerations() {
  const running = new Set<number>();
  let total = 0;
  let mostAtOnce = 0;
  const hook = createHook({
    init(id, type) {
      if (type !== 'KEYPAIRGENREQUEST') return;
      total++;
      mostAtOnce = Math.max(mostAtOnce, running.add(id).size);
    },
    before: (id) => void running.delete(id),
  }).enable();
  return {
    stop: () => {
      hook.disable();
      return { total, mostAtOnce };
    },
  };
}
