// Mail that waits while its tenant is suspended: it stays, says why, expires as usual, and goes on after reactivation, each
// message once and within the cap.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { nowDate } from '../../core/base/clock.ts';
import { fromId, newUuid } from '../../core/base/ids.ts';
import { explainMessage } from '../../core/message/explain.ts';
import { reactivateTenant, suspendTenant } from '../../core/suspension/suspend-tenant.ts';
import { TESTER } from '../harness/actor.ts';
import { shareCampaignWorld, type CampaignWorld, type Tenant } from '../harness/campaign-world.ts';
import { waitUntil, WITHIN_READS } from '../harness/wait.ts';

let world: CampaignWorld;
let prefix: string;
beforeAll(async () => {
  world = await shareCampaignWorld();
});
afterAll(() => world?.close());
beforeEach(() => {
  prefix = `r${newUuid().slice(-8)}-`;
});

const pool = () => world.stack.context.db.pool;
const rows = async (text: string, values: unknown[]) => (await pool().query(text, values)).rows;
const suspend = ({ tenantId }: Tenant) => suspendTenant(world.stack.context, TESTER, tenantId);
const reactivate = ({ tenantId }: Tenant) => reactivateTenant(world.stack.context, TESTER, tenantId);
const received = () => world.received(prefix).map(({ rcptTo }) => rcptTo);
const states = async ({ tenantId }: Tenant) => {
  const found = await rows(
    'select state, defer_reason, count(*)::int as n from messages where tenant_id = $1 group by 1, 2 order by 1, 2',
    [tenantId],
  );
  return Object.fromEntries(
    found.map(({ state, defer_reason: why, n }) => [`${state} ${why ?? ''}`.trim(), n]),
  );
};
const until = (tenant: Tenant, wanted: Record<string, number>) => {
  let now = {};
  return waitUntil(
    async () => {
      now = await states(tenant);
      return JSON.stringify(now) === JSON.stringify(wanted);
    },
    { what: () => `${JSON.stringify(wanted)}, not ${JSON.stringify(now)}`, ...WITHIN_READS },
  );
};

async function send(tenant: Tenant, count: number, more = {}): Promise<string[]> {
  const messages = Array.from({ length: count }, (_, n) => ({
    from: `shop@${tenant.domain}`,
    to: `${prefix}${n}@sink.test`,
    subject: 'Hello',
    text: 'Hello',
    ...more,
  }));
  const { items } = await tenant.ask('POST', '/transactional/batch', { messages });
  return items.map(({ id }: { id: string }) => id);
}

test('what waits for a retry, its time or the cap shows the suspension, and goes on afterwards within the cap', async () => {
  const tenant = await world.makeTenant({ tier: 0 }); // 50 a day
  refuseAll();
  const ids = await send(tenant, 53);
  const [soon] = await send(tenant, 1, { scheduled_at: later(5_000) });
  const [tomorrow] = await send(tenant, 1, { scheduled_at: later(86_400_000) });
  await waitUntil(async () => (await triedOf(tenant)) === 50);
  await suspend(tenant);
  await untilHeld(tenant);
  await waitUntil(async () => (await waitsFor(soon!)) === 'tenant_suspended'); // its time has come meanwhile
  acceptAll();
  for (const id of [ids[0]!, ids[52]!, soon!, tomorrow!]) {
    // Every few seconds a sender looks at it, and has it for that moment.
    const message = await untilWaits(() => tenant.ask('GET', `/transactional/${id}`), 'status');
    expect(message).toMatchObject({ defer_reason: 'tenant_suspended', deferred_until: null });
    const lastDecision = async () =>
      (await explainMessage(pool(), tenant.tenantId, fromId('msg', id)!))!.at(-1)!;
    const decision = await untilWaits(async () => {
      const { rule, outcome } = await lastDecision();
      return { rule, ...outcome };
    }, 'state');
    expect(decision).toMatchObject({
      rule: 'tenant_suspended',
      until: null,
      text: 'Waits: the account is suspended.',
    });
  }
  const refused = await tenant.call('POST', `/transactional/${ids[0]}/retry`);
  expect(refused).toMatchObject({ status: 409, json: { message: expect.stringContaining('suspended') } });
  const looks = await looksOf(tenant);
  await waitUntil(async () => (await looksOf(tenant)) >= looks + 50); // senders have looked at all once more
  expect(received()).toEqual([]);

  await reactivate(tenant);
  await until(tenant, { 'deferred scheduled': 1, 'deferred warmup_cap': 4, delivered: 50 });
  expect(new Set(received()).size).toBe(50);
  expect(received()).toHaveLength(50);
  expect(await usedOf(tenant)).toEqual([{ used: 50, cap: 50 }]);
  const waiting = await tenant.ask('GET', `/transactional/${tomorrow}`);
  expect(waiting).toMatchObject({ defer_reason: 'scheduled', deferred_until: expect.any(String) });
});

test('mail that becomes too old expires; what a late sender puts off after the reactivation goes on', async () => {
  const tenant = await world.makeTenant({ tier: 1 });
  refuseAll();
  await send(tenant, 3);
  await waitUntil(async () => (await triedOf(tenant)) === 3);
  await suspend(tenant);
  await untilHeld(tenant);
  acceptAll();
  await rows(
    `update messages set expires_at = now() - interval '2 hours' where tenant_id = $1 and rcpt_to = $2`,
    [tenant.tenantId, `${prefix}0@sink.test`],
  );
  await waitUntil(async () => (await states(tenant))['expired'] === 1);
  await reactivate(tenant);
  await until(tenant, { delivered: 2, expired: 1 });

  // As a sender does that read the suspension before it ended.
  const [late] = await send(tenant, 1, { scheduled_at: later(3_600_000) });
  await rows(
    `update messages set defer_reason = 'tenant_suspended', deferred_until = now() + interval '5 hours' where id = $1`,
    [fromId('msg', late!)],
  );
  await until(tenant, { delivered: 3, expired: 1 });
});

test('campaigns keep their status: one is not expanded, one is not launched, and both are sent once afterwards', async () => {
  const tenant = await world.makeTenant({ tier: 4 }); // 1,000 a day
  const contacts = Array.from({ length: 400 }, (_, n) => `${prefix}${n}@sink.test`);
  await tenant.importCsv(`email\n${contacts.join('\n')}\n`);
  refuseAll();
  const draft = async () => {
    const from = `shop@${tenant.domain}`;
    const words = { name: `C ${newUuid()}`, from, subject: 'News', text: 'News', audience: { all: true } };
    return (await tenant.ask('POST', '/campaigns', words)).id as string;
  };
  const [running, planned] = [await draft(), await draft()];
  await tenant.ask('POST', `/campaigns/${planned}/launch`, { scheduled_at: later(4_000) });
  await tenant.ask('POST', `/campaigns/${running}/launch`);
  await waitUntil(async () => (await countOf(running)) > 0);
  await suspend(tenant);
  await untilHeld(tenant);
  acceptAll();
  const stored = await countOf(running);
  await waitUntil(async () => (await overdueOf(planned)) > 1); // seconds: its scheduler looks four times in one
  expect(await tenant.ask('GET', `/campaigns/${running}`)).toMatchObject({
    status: 'sending',
    pause_reason: null,
  });
  expect(await tenant.ask('GET', `/campaigns/${planned}`)).toMatchObject({ status: 'scheduled' });
  expect([received(), await countOf(running)]).toEqual([[], stored]);

  await reactivate(tenant);
  for (const id of [running, planned]) await tenant.untilStatus(id, 'sent');
  expect(received()).toHaveLength(800);
  expect(new Set(received()).size).toBe(400);
  const [day] = await usedOf(tenant);
  expect(day.used).toBeLessThanOrEqual(day.cap);
});

const refuseAll = () => {
  world.stack.sink.script = {
    rcpt: (to) => (to.startsWith(prefix) ? '451 4.3.2 come back later' : '250 ok'),
  };
};
const acceptAll = () => {
  world.stack.sink.script = {};
};
// What is read, once it says `deferred`.
async function untilWaits<K extends string, T extends { [key in K]: string }>(
  read: () => Promise<T>,
  key: K,
): Promise<T> {
  let seen = await read();
  await waitUntil(async () => (seen = await read())[key] === 'deferred');
  return seen;
}
const one = async (text: string, value: string | null) => (await rows(text, [value]))[0];

// No sender has any of it, and all that is due waits for the suspension.
const untilHeld = ({ tenantId }: Tenant) =>
  waitUntil(async () => {
    const { n } = await one(
      `select count(*)::int as n from messages where tenant_id = $1 and (state in ('queued', 'sending')
         or (state = 'deferred' and admitted_day is not null and defer_reason <> 'tenant_suspended'))`,
      tenantId,
    );
    return n === 0;
  });
const triedOf = async ({ tenantId }: Tenant) =>
  (await one('select count(*)::int as n from messages where tenant_id = $1 and attempts > 0', tenantId)).n;
const looksOf = async ({ tenantId }: Tenant) =>
  (await one('select sum(claim_version)::int as n from messages where tenant_id = $1', tenantId)).n;
const overdueOf = async (campaign: string) =>
  (
    await one(
      'select extract(epoch from now() - scheduled_at)::float8 as n from campaigns where id = $1',
      fromId('cmp', campaign),
    )
  ).n;
const later = (ms: number) => new Date(nowDate().getTime() + ms).toISOString();
const waitsFor = async (id: string) =>
  (await rows('select defer_reason from messages where id = $1', [fromId('msg', id)]))[0].defer_reason;
const countOf = async (campaign: string) =>
  (await rows('select count(*)::int as n from messages where campaign_id = $1', [fromId('cmp', campaign)]))[0]
    .n;
const usedOf = ({ domainId }: Tenant) =>
  rows(`select used, cap from warmup_days where domain_id = $1 and day = (now() at time zone 'UTC')::date`, [
    domainId,
  ]);
