// The warm-up through its days: rates of yesterday move tiers, pause and reset; operations are notified of it once.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { utcDay } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { createGuardedHttp } from '../../core/clients/guarded-http.ts';
import { sendDueNotice } from '../../core/operations/send-notices.ts';
import { correctDay } from '../../core/warmup/counted-days.ts';
import { rampTiers } from '../../core/warmup/ramp.ts';
import { resetIdleDomains } from '../../core/warmup/idle-store.ts';
import { service } from '../../core/audit/actor.ts';
import { overrideTier, resumeDomain } from '../../core/warmup/change-tier.ts';
import type { TierAction } from '../../core/warmup/tier-input.ts';
import { readWarmup } from '../../core/warmup/tier-store.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount, setDay, type Account } from '../harness/factories.ts';

let context: Context;
const YESTERDAY = '2026-06-09';
const RAMP_AT = new Date('2026-06-10T02:00:00Z');
const ann = service('ann');
const unheard = { publish: () => false }; // no live view looks on
const target = ({ tenantId, domainId }: Account) => ({ tenantId, domain: { id: domainId } });
const override = (account: Account, action: TierAction) =>
  overrideTier({ db: context.db, nats: unheard }, ann, target(account), { action, reason: 'test' });

beforeAll(async () => {
  context = await createContext();
});
afterAll(() => context.close());

interface Mail {
  delivered?: number;
  bounced?: number;
  deferred?: number;
  complained?: number;
  /** Delivered, then bounced by a report. */
  reported?: number;
  day?: string;
}

// Rows as delivery writes them, at noon of the day.
async function mail(account: Account, sent: Mail): Promise<void> {
  const at = new Date(`${sent.day ?? YESTERDAY}T12:00:00Z`);
  const insert = async (count: number, outcome: string, event?: string) => {
    for (let i = 0; i < count; i++) {
      const id = idAt(at);
      await context.db.pool.query(
        `insert into messages (id, tenant_id, domain_id, stream, state, admitted_day, header_from, rcpt_to, subject, tags)
         values ($1, $2, $3, 'transactional', $4, $5, 'a', 'b', 's', '[]')`,
        [id, account.tenantId, account.domainId, outcome, at],
      );
      await context.db.pool.query(
        `insert into message_attempts (message_id, attempt, tenant_id, at, duration_ms, esp, reply, outcome)
         values ($1, 1, $2, $3, 1, 'direct', '', $4)`,
        [id, account.tenantId, at, outcome],
      );
      if (event)
        await context.db.pool.query(
          `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
           values ($1, $2, $3, $4, $5, 'b', $6, '{}')`,
          [idAt(at), account.tenantId, event, id, account.domainId, at],
        );
    }
  };
  await insert((sent.delivered ?? 0) - (sent.complained ?? 0), 'delivered');
  await insert(sent.complained ?? 0, 'delivered', 'complaint');
  await insert(sent.reported ?? 0, 'delivered', 'bounced');
  await insert(sent.bounced ?? 0, 'bounced', 'bounced');
  await insert(sent.deferred ?? 0, 'deferred');
  await correctDay(context.db.pool, utcDay(at)); // delivery counts as it writes
}

function idAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${newUuid().slice(15)}`;
}

const ramp = (now = RAMP_AT) => rampTiers(context.db.pool, { now, late: false });
const state = (account: Account) => readWarmup(context.db.pool, account.tenantId, { id: account.domainId });
const history = async (account: Account) => {
  const { rows } = await context.db.pool.query(
    'select * from warmup_history where domain_id = $1 order by id',
    [account.domainId],
  );
  return rows;
};
const audited = async (account: Account) => {
  const { rows } = await context.db.pool.query<{
    actor: string;
    action: string;
    data: Record<string, unknown>;
  }>('select actor, action, data from audit_log where tenant_id = $1 order by id', [account.tenantId]);
  return rows;
};
const notices = async (account: Account) => {
  const { rows } = await context.db.pool.query<{ text: string }>(
    'select text from operations_notices where text like $1',
    [`%${account.domain}%`],
  );
  return rows.map((row) => row.text);
};

test('healthy, borderline, complained, bounced, bounced badly and idle domains, in one run; a second run does nothing', async () => {
  const healthy = await makeAccount(context.db, { tier: 3 });
  const borderline = await makeAccount(context.db, { tier: 3 });
  const complained = await makeAccount(context.db, { tier: 3 });
  const bounced = await makeAccount(context.db, { tier: 3 });
  const badly = await makeAccount(context.db, { tier: 3 });
  const reported = await makeAccount(context.db, { tier: 3 });
  const idle = await makeAccount(context.db, { tier: 3 });
  await Promise.all([
    mail(healthy, { delivered: 49, bounced: 1 }),
    mail(borderline, { delivered: 19, deferred: 1 }),
    mail(complained, { delivered: 40, complained: 1 }),
    mail(bounced, { delivered: 29, bounced: 1 }),
    mail(badly, { delivered: 9, bounced: 1 }),
    mail(reported, { delivered: 29, reported: 1 }),
  ]);
  expect(await ramp()).toMatchObject({
    day: YESTERDAY,
    domains: 6,
    advance: 1,
    hold: 1,
    demote: 1,
    pause: 3,
    skipped: 0,
  });
  expect(await state(healthy)).toMatchObject({ tier: 4, cap: 1000, state: 'active' });
  expect(await state(borderline)).toMatchObject({ tier: 3, state: 'active' });
  expect(await state(complained)).toMatchObject({ tier: 2, state: 'active' });
  expect(await state(bounced)).toMatchObject({ tier: 3, state: 'paused' });
  expect(await state(badly)).toMatchObject({ tier: 2, state: 'paused' });
  expect(await state(reported)).toMatchObject({ tier: 3, state: 'paused' });
  expect(await state(idle)).toMatchObject({ tier: 3, state: 'active' });
  expect(await history(healthy)).toMatchObject([
    {
      actor: 'auto-ramp',
      action: 'advance',
      from_tier: 3,
      to_tier: 4,
      reason: 'healthy: bounces 2 %, complaints 0 %, delivered 98 %',
      rates: { bounce_rate: 0.02, complaint_rate: 0, delivery_rate: 0.98 },
    },
  ]);
  expect(await history(idle)).toEqual([]);
  const { domain } = healthy;
  expect(await audited(healthy)).toEqual([
    {
      actor: 'auto-ramp',
      action: 'warmup.advance',
      data: { domain, from_tier: 3, to_tier: 4, reason: expect.stringContaining('healthy') },
    },
  ]);
  const actions = async (account: Account) => (await audited(account)).map(({ action }) => action);
  expect(await actions(borderline)).toEqual([]);
  expect(await actions(complained)).toEqual(['warmup.demote']);
  expect(await actions(badly)).toEqual(['warmup.pause']);
  expect(await notices(badly)).toEqual([expect.stringContaining('paused and demoted from tier 3 to 2')]);
  expect(await notices(complained)).toHaveLength(1);
  expect(await notices(healthy)).toEqual([]);

  expect(await ramp()).toMatchObject({ domains: 6, advance: 0, demote: 0, pause: 0, skipped: 6 });
  expect(await history(healthy)).toHaveLength(1);
  expect(await audited(healthy)).toHaveLength(1);
  expect(await notices(badly)).toHaveLength(1);
});

test('ten runs at the same time decide once', async () => {
  const account = await makeAccount(context.db, { tier: 1 });
  await mail(account, { delivered: 10, day: '2026-06-11' });
  const now = new Date('2026-06-12T02:00:00Z');
  const runs = await Promise.all(Array.from({ length: 10 }, () => ramp(now)));
  expect(runs.reduce((sum, run) => sum + run.advance, 0)).toBe(1);
  expect(await state(account)).toMatchObject({ tier: 2 });
});

test('a change of the tier changes the cap of a day that is open', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  await setDay(context.db, account, { cap: 50, used: 20 });
  await mail(account, { delivered: 20, day: '2026-06-12' });
  await ramp(new Date('2026-06-13T02:00:00Z'));
  expect(await state(account)).toMatchObject({ tier: 1, cap: 100, used: 20 });
});

test('a held tier is frozen, also when bounces pause it and nothing is sent for 14 days; after the resume it is held again', async () => {
  const account = await makeAccount(context.db, { tier: 5 });
  await override(account, 'hold');
  await mail(account, { delivered: 10, day: '2026-06-13' });
  await ramp(new Date('2026-06-14T02:00:00Z'));
  expect(await state(account)).toMatchObject({ tier: 5, state: 'held' });
  await mail(account, { delivered: 8, bounced: 2, day: '2026-06-14' });
  await ramp(new Date('2026-06-15T02:00:00Z'));
  expect(await state(account)).toMatchObject({ tier: 5, state: 'paused' });
  await resetIdleDomains(context.db.pool, new Date(Date.now() + 15 * 86_400_000), 100);
  expect(await state(account)).toMatchObject({ tier: 5, state: 'paused' });
  await resumeDomain({ db: context.db, nats: unheard }, ann, target(account), { reason: 'test' });
  expect(await state(account)).toMatchObject({ tier: 5, state: 'held', pausedReason: null });
});

test('an override says who and why in the history and the audit log, and a demotion is reported to operations', async () => {
  const account = await makeAccount(context.db, { tier: 5 });
  const { pool } = context.db;
  await override(account, 'demote');
  expect(await history(account)).toMatchObject([
    { actor: 'ann', action: 'demote', reason: 'test', to_tier: 4 },
  ]);
  const { rows } = await pool.query('select * from audit_log where tenant_id = $1', [account.tenantId]);
  expect(rows).toMatchObject([{ actor: 'ann', action: 'warmup.demote', data: { reason: 'test' } }]);
  expect(await notices(account)).toEqual([expect.stringContaining('demoted from tier 5 to 4 by ann')]);
});

test('14 days without a send reset the tier, 13 do not; a change by hand counts like a send', async () => {
  const account = await makeAccount(context.db, { tier: 5 });
  const touched = await makeAccount(context.db, { tier: 5 });
  const { pool } = context.db;
  await pool.query("update domains set verified_at = '2026-01-01', tier = 0 where tier > 0");
  await pool.query('update domains set tier = 5 where id = any($1)', [[account.domainId, touched.domainId]]);
  await setDay(context.db, account, { cap: 2500, used: 7, day: '2026-07-01' });
  const message = idAt(new Date('2026-07-01T10:00:00Z'));
  await pool.query(
    `insert into messages (id, tenant_id, domain_id, stream, state, admitted_day, header_from, rcpt_to, subject, tags)
     values ($1, $2, $3, 'transactional', 'delivered', '2026-07-01', 'a', 'b', 's', '[]')`,
    [message, account.tenantId, account.domainId],
  );
  await pool.query(
    `insert into warmup_history (id, tenant_id, domain_id, at, actor, action, from_tier, to_tier, reason)
     values ($1, $2, $3, '2026-07-08', 'ann', 'set', 0, 5, '')`,
    [newUuid(), touched.tenantId, touched.domainId],
  );
  expect(await resetIdleDomains(pool, new Date('2026-07-14T23:59:00Z'), 100)).toEqual([]);
  expect(await resetIdleDomains(pool, new Date('2026-07-15T09:59:00Z'), 100)).toEqual([]);
  expect(await resetIdleDomains(pool, new Date('2026-07-15T10:01:00Z'), 100)).toMatchObject([
    { domainId: account.domainId },
  ]);
  expect(await state(account)).toMatchObject({ tier: 0, state: 'active' });
  expect(await history(account)).toMatchObject([
    { actor: 'tier-reset', action: 'reset', from_tier: 5, to_tier: 0 },
  ]);
  expect(await audited(account)).toMatchObject([
    {
      actor: 'tier-reset',
      action: 'warmup.reset',
      data: { domain: account.domain, from_tier: 5, to_tier: 0 },
    },
  ]);
  expect(await resetIdleDomains(pool, new Date('2026-07-22T00:30:00Z'), 100)).toMatchObject([
    { domainId: touched.domainId },
  ]);
});

test('a notice is sent once however many senders there are, and again after a failure', async () => {
  const { pool } = context.db;
  await pool.query('delete from operations_notices');
  const got: { text: string; key: string | undefined }[] = [];
  let failing = 2;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      if (failing-- > 0) return response.writeHead(500).end();
      got.push({ text: JSON.parse(body).text, key: request.headers['idempotency-key'] as string });
      return response.end('ok');
    });
  });
  const url = await listen(server);
  const http = createGuardedHttp(context.config);
  const account = await makeAccount(context.db, { tier: 5 });
  for (const _ of [1, 2, 3]) await override(account, 'demote');
  const deps = { pool, url, http, log: context.log };
  const round = () => Promise.all(Array.from({ length: 6 }, () => sendDueNotice(deps)));
  await round();
  expect(got).toHaveLength(1);
  await pool.query('update operations_notices set next_attempt_at = now() where sent_at is null');
  await round();
  await round();
  expect(got).toHaveLength(3);
  expect(new Set(got.map((one) => one.key)).size).toBe(3);
  await http.close();
  server.close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}
