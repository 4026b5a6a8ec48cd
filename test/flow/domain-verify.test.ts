// Sending domains against a real DNS server and a real database: claimed, published, verified, contested, lost.

import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { createDomainDns } from '../../core/domain/dns-lookup.ts';
import type { DomainView } from '../../core/domain/domain.ts';
import { domainChange } from '../../core/domain/domain-input.ts';
import {
  createDomain,
  deleteDomain,
  getDomain,
  listDomains,
  patchDomain,
} from '../../core/domain/domains.ts';
import { recheckDomains } from '../../core/domain/recheck-domains.ts';
import { cancelDkimRotation, startDkimRotation } from '../../core/domain/rotate-dkim.ts';
import { createSigningDomains } from '../../core/domain/signing-domains.ts';
import { verifyDomain, type VerifyDeps } from '../../core/domain/verify-domain.ts';
import type { DomainDeps } from '../../core/domain/domains.ts';
import { createTenant } from '../../core/tenant/tenants.ts';
import { capOfTier } from '../../core/warmup/tiers.ts';
import { startDnsServer, type DnsListener } from '../../local/simulator/dns-server.ts';
import { Zone, type DnsRecord } from '../../local/simulator/zone.ts';
import { startRefusingDns } from '../harness/refusing-dns.ts';
import { TESTER } from '../harness/actor.ts';
import { createContext, type Context } from '../harness/context.ts';
import { waitUntil } from '../harness/wait.ts';

let context: Context;
let dns: DnsListener;
const zone = new Zone();
let deps: VerifyDeps & DomainDeps;
let tenantId: string;

beforeAll(async () => {
  dns = await startDnsServer(zone, 0);
  context = await createContext({
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    INBOUND_HOSTNAME: 'mx.postrider.example',
    OUTBOUND_HOSTNAME: 'out.postrider.example',
    PUBLIC_URL: 'https://mail.postrider.example',
  });
  const { db, config, log } = context;
  deps = { db, config, log, dns: createDomainDns(config) };
  tenantId = await makeTenant();
});
afterAll(async () => {
  await dns.stop();
  await context.close();
});

const makeTenant = async () => (await createTenant(context, TESTER, { name: 'T', plan: 'pro' })).id;
let count = 0;
const create = (more: { name?: string; tenantId?: string } = {}) =>
  createDomain(deps, TESTER, more.tenantId ?? tenantId, more.name ?? `shop${++count}.example.com`);
const verifyIt = (view: DomainView) => verifyDomain(deps, TESTER, view.tenantId, view.id);
const recordOf = (view: DomainView, purpose: string) => view.records.find((one) => one.purpose === purpose)!;
const add = (record: Pick<DnsRecord, 'type' | 'name' | 'value'>) => zone.add([{ priority: 10, ...record }]);
const remove = async (name: string) => zone.remove(zone.find(name) ?? []);
const publish = async (view: DomainView, ...purposes: string[]) => {
  for (const record of view.records)
    if (purposes.length === 0 || purposes.includes(record.purpose)) await add(record);
};
const unpublish = (view: DomainView, purpose: string) => remove(recordOf(view, purpose).name);
async function verified(more: Parameters<typeof create>[0] = {}): Promise<DomainView> {
  const view = await create(more);
  await publish(view);
  return verifyIt(view);
}

test('a new domain shows every record to publish, and is verified once they are there', async () => {
  const view = await create({ name: 'Shop.Example.COM' });
  expect(view).toMatchObject({
    name: 'shop.example.com',
    status: 'pending',
    tier: 0,
    warmupState: 'active',
    inboundEnabled: true,
    transactionalReserve: 0,
    used: 0,
    verifiedAt: null,
    returnPathDomain: 'bounces.shop.example.com',
    complaintAddress: 'complaints@bounces.shop.example.com',
  });
  const { selector } = view.dkim!;
  expect(
    view.records.map(({ purpose, type, name, priority, required, status }) => [
      purpose,
      type,
      name,
      priority,
      required,
      status,
    ]),
  ).toEqual([
    ['dkim', 'TXT', `${selector}._domainkey.shop.example.com`, null, true, 'pending'],
    ['return_path', 'MX', 'bounces.shop.example.com', 10, true, 'pending'],
    ['spf', 'TXT', 'bounces.shop.example.com', null, false, 'pending'],
    ['dmarc', 'TXT', '_dmarc.shop.example.com', null, false, 'pending'],
    ['mx', 'MX', 'shop.example.com', 10, false, 'pending'],
    ['tracking', 'CNAME', 'track.shop.example.com', null, false, 'pending'],
  ]);
  expect(recordOf(view, 'spf').value).toBe('v=spf1 a:out.postrider.example ~all');
  expect(recordOf(view, 'tracking').value).toBe('mail.postrider.example');
  const before = await verifyIt(view);
  expect(before).toMatchObject({ status: 'pending', dkim: { status: 'missing' } });
  await publish(view, 'dkim', 'return_path');
  const after = await verifyIt(view);
  expect(after).toMatchObject({
    status: 'verified',
    tier: 0,
    warmupState: 'active',
    verifiedAt: expect.any(Date),
  });
  expect(after.records.map((one) => one.status)).toEqual([
    'found',
    'found',
    'missing',
    'missing',
    'missing',
    'missing',
  ]);
  await publish(view, 'spf', 'dmarc', 'mx', 'tracking');
  expect((await verifyIt(view)).records.every((one) => one.status === 'found' && one.problem === null)).toBe(
    true,
  );
});

test('records at wrong places are found there and named', async () => {
  const view = await create({ name: 'mail.brand.example' });
  const dkim = recordOf(view, 'dkim');
  const returnPath = recordOf(view, 'return_path');
  await add({ type: 'TXT', name: `${dkim.name}.mail.brand.example`, value: dkim.value });
  await add({ type: 'MX', name: 'bounces.brand.example', value: returnPath.value });
  const looked = await verifyIt(view);
  expect(recordOf(looked, 'dkim')).toMatchObject({
    status: 'wrong',
    problem: expect.stringMatching(/is at .*mail\.brand\.example\.mail\.brand\.example .*appends the domain/),
  });
  expect(recordOf(looked, 'return_path')).toMatchObject({
    status: 'wrong',
    problem: expect.stringMatching(/bounces\.brand\.example .*one level too high/),
  });
  expect(recordOf(looked, 'dmarc')).toMatchObject({ status: 'missing' });
  await add({ type: 'TXT', name: '_dmarc.brand.example', value: 'v=DMARC1; p=reject' });
  expect(recordOf(await verifyIt(view), 'dmarc')).toMatchObject({ status: 'found' });
});

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

test('settings change one by one, within their bounds', async () => {
  const view = await create();
  const patch = (change: Parameters<typeof patchDomain>[4]) =>
    patchDomain(deps, TESTER, tenantId, view.id, change);
  expect(await patch({ transactional_reserve: 90 })).toMatchObject({
    transactionalReserve: 90,
    inboundEnabled: true,
  });
  expect(await patch({ inbound_enabled: false })).toMatchObject({
    transactionalReserve: 90,
    inboundEnabled: false,
  });
  for (const bad of [-1, 91, 1.5, Number.NaN])
    expect(domainChange.safeParse({ transactional_reserve: bad }).success).toBe(false);
});

test('deleting a domain and claiming it again brings no second cap and lifts no pause', async () => {
  const view = await verified();
  const { pool } = context.db;
  await pool.query(
    `insert into warmup_days (tenant_id, domain_id, day, cap, used)
     values ($1, $2, (now() at time zone 'UTC')::date, 1000, 40)`,
    [tenantId, view.id],
  );
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
    trackingDomain: 'track.keys.example',
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

test('the daily look: a lost DKIM key stops sending, a lost return path has three days, silence changes nothing', async () => {
  const [lostKey, lostPath, fine, pending] = [
    await verified(),
    await verified(),
    await verified(),
    await create(),
  ];
  await unpublish(lostKey, 'dkim');
  await remove(recordOf(lostPath, 'return_path').name);
  await publish(pending);
  const statuses = async () =>
    Promise.all(
      [lostKey, lostPath, fine, pending].map(
        async (view) => (await getDomain(deps, tenantId, view.id)).status,
      ),
    );
  const refusing = await startRefusingDns();
  const inTrouble = { ...deps, dns: createDomainDns({ DNS_SERVERS: [refusing.address] }) };
  const silence = await recheckDomains(inTrouble, { now: new Date() });
  expect(silence).toMatchObject({ failed: 0, verified: 0, unreachable: silence.checked });
  await refusing.close();
  expect(await statuses()).toEqual(['verified', 'verified', 'verified', 'pending']);
  const summary = await recheckDomains(deps, { now: new Date() });
  expect(summary).toMatchObject({ failed: 1, verified: 1, unreachable: 0 });
  expect(await statuses()).toEqual(['failed', 'verified', 'verified', 'verified']);
  expect(recordOf(await getDomain(deps, tenantId, lostPath.id), 'return_path')).toMatchObject({
    status: 'missing',
  });
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  expect(await recheckDomains(deps, { now: inDays(2) })).toMatchObject({ failed: 0 });
  expect(await recheckDomains(deps, { now: inDays(4) })).toMatchObject({ failed: 1 });
  expect(await statuses()).toEqual(['failed', 'failed', 'verified', 'verified']);
  await context.db.pool.query('update domains set tier = 5 where id = $1', [lostKey.id]);
  await publish(lostKey, 'dkim');
  expect(await verifyIt(lostKey)).toMatchObject({
    status: 'verified',
    tier: 5,
    verifiedAt: lostKey.verifiedAt,
  });
  const { rows } = await context.db.pool.query(
    'select action from audit_log where subject = $1 order by id',
    [toId('dom', lostKey.id)],
  );
  expect(rows.map((row) => row.action)).toEqual([
    'domain.created',
    'domain.verified',
    'domain.failed',
    'domain.verified',
  ]);
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
