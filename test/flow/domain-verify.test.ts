// Sending domains against a real DNS server and a real database: published, verified, looked at every day, lost.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { createDomainDns } from '../../core/domain/dns-lookup.ts';
import { domainChange } from '../../core/domain/domain-input.ts';
import { getDomain, patchDomain } from '../../core/domain/domains.ts';
import { recheckDomains } from '../../core/domain/recheck-domains.ts';
import { startRefusingDns } from '../harness/refusing-dns.ts';
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

const { create, verifyIt, recordOf, add, remove, publish, unpublish, verified } = domainSteps(() => world);

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
    dmarcAddress: 'dmarc@bounces.shop.example.com',
    tlsReportAddress: 'tlsrpt@bounces.shop.example.com',
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
    ['tls_rpt', 'TXT', '_smtp._tls.shop.example.com', null, false, 'pending'],
  ]);
  expect(recordOf(view, 'spf').value).toBe('v=spf1 a:out.postrider.example ~all');
  expect(recordOf(view, 'tracking').value).toBe('mail.postrider.example');
  expect(recordOf(view, 'dmarc').value).toBe('v=DMARC1; p=none; rua=mailto:dmarc@bounces.shop.example.com');
  expect(recordOf(view, 'tls_rpt').value).toBe('v=TLSRPTv1; rua=mailto:tlsrpt@bounces.shop.example.com');
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
    'missing',
  ]);
  await publish(view, 'spf', 'dmarc', 'mx', 'tracking', 'tls_rpt');
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

test('a DMARC record counts at any domain above, also the one that we propose', async () => {
  const view = await create({ name: 'eu.mail.firm.example' });
  expect(recordOf(await verifyIt(view), 'dmarc')).toMatchObject({ status: 'missing' });
  await add({ type: 'TXT', name: '_dmarc.firm.example', value: recordOf(view, 'dmarc').value });
  expect(recordOf(await verifyIt(view), 'dmarc')).toMatchObject({ status: 'found', problem: null });
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
    cfblEnabled: false,
  });
  expect(await patch({ cfbl_enabled: true })).toMatchObject({ inboundEnabled: false, cfblEnabled: true });
  for (const bad of [-1, 91, 1.5, Number.NaN])
    expect(domainChange.safeParse({ transactional_reserve: bad }).success).toBe(false);
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
