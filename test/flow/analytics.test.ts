// What mail came to by day: counted once, whatever order outcomes come in and whoever is killed meanwhile; bounded however many
// tags there are; each tenant's own.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { v7 } from 'uuid';

import {
  addCounts,
  COUNTS,
  MAX_VALUES,
  noCounts,
  OTHER,
  type Counts,
} from '../../core/analytics/analytics.ts';
import { analyticsQuery } from '../../core/analytics/analytics-input.ts';
import { readAnalytics } from '../../core/analytics/read-analytics.ts';
import { countLateMessages, rollUp } from '../../core/analytics/roll-up.ts';
import { toId } from '../../core/base/ids.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { noteLateMessages } from '../../core/message/search/segments.ts';
import { appendToLog, lockOutbox, takeOutbox } from '../../core/outbox/outbox-store.ts';
import { createContext, type Context } from '../harness/context.ts';
import { addEvents, type EventRow } from '../harness/event-rows.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { startService } from '../harness/service.ts';
import { startStubSender } from '../harness/stub-sender.ts';
import { waitUntil } from '../harness/wait.ts';

let context: Context;
beforeAll(async () => {
  context = await createContext({ LOG_LEVEL: 'warn' });
});
afterAll(() => context.close());

const HOUR_MS = 3_600_000;

interface Made {
  id: string;
  account: Account;
  day: string;
  tags: string[];
  provider: string | null;
}

/** A message that was accepted so long ago. */
async function accept(
  account: Account,
  more: { agoMs?: number; tags?: string[]; provider?: string; campaignId?: string; origin?: string } = {},
): Promise<Made> {
  const at = new Date(Date.now() - (more.agoMs ?? HOUR_MS));
  const id = v7({ msecs: at.getTime() });
  const { pool } = context.db;
  const tags = (more.tags ?? []).map((tag) => ({ name: tag.split('=')[0], value: tag.split('=')[1] }));
  await pool.query(
    `insert into messages (id, tenant_id, domain_id, stream, state, header_from, rcpt_to, subject, tags, campaign_id, created_at, origin)
     values ($1, $2, $3, 'bulk', 'sending', 'a@example.com', 'ann@example.net', 's', $4, $5, $6, $7)`,
    [
      id,
      account.tenantId,
      account.domainId,
      JSON.stringify(tags),
      more.campaignId ?? null,
      at,
      more.origin ?? null,
    ],
  );
  if (more.provider !== undefined)
    await pool.query(
      `insert into message_attempts (message_id, attempt, tenant_id, at, duration_ms, esp, provider, reply, outcome)
       values ($1, 1, $2, now(), 5, 'direct', $3, '250 ok', 'delivered')`,
      [id, account.tenantId, more.provider],
    );
  return {
    ...{ id, account, day: at.toISOString().slice(0, 10), tags: more.tags ?? [] },
    provider: more.provider ?? null,
  };
}

const happen = (message: Made, ...events: Omit<EventRow, 'messageId'>[]) =>
  addEvents(
    context.db.pool,
    message.account,
    events.map((event) => ({ ...event, messageId: message.id })),
  );

async function dispatch(): Promise<void> {
  await inTransaction(context.db.pool, async (client) => {
    expect(await lockOutbox(client)).toBe(true);
    await appendToLog(
      client,
      (await takeOutbox(client, 10_000)).filter(({ payload }) => payload === null),
    );
  });
}

async function count(): Promise<void> {
  while (await rollUp(context.db.pool, new AbortController().signal, () => {}));
}

const ask = (tenantId: string, query: object) =>
  readAnalytics(context.db.pool, tenantId, analyticsQuery.parse({ days: 5, ...query }));
const totals = async (account: Account, query: object = {}) =>
  (await ask(account.tenantId, query)).period.totals;
const counts = (some: Partial<Counts>): Counts => ({ ...noCounts(), ...some });

test('each message counts once where it ended, on the day it was accepted; people’s opens only, and once', async () => {
  const account = await makeAccount(context.db);
  const campaignId = v7();
  const tagged = { tags: ['kind=receipt', 'kind=receipt', 'shop=one'], provider: 'gmail', campaignId };
  const [read, back, yesterday, waits, gone, cut, old] = await Promise.all([
    accept(account, tagged),
    accept(account, { provider: 'gmail' }),
    accept(account, { agoMs: 25 * HOUR_MS, tags: ['kind=receipt'], provider: 'yahoo' }),
    accept(account),
    accept(account),
    accept(account),
    accept(account, { provider: 'yahoo' }),
  ]);
  await happen(read, { type: 'delivered', data: { mx: 'a' } });
  await happen(back, { type: 'delivered', data: { mx: 'a' } });
  await happen(
    yesterday,
    { type: 'deferred', data: { mx: 'a' } },
    { type: 'bounced', data: { source: 'smtp' } },
  );
  await happen(waits, { type: 'deferred', data: { reason: 'warmup_cap' } });
  await happen(gone, { type: 'dropped' });
  await happen(cut, { type: 'cancelled' });
  await happen(old, { type: 'expired', data: { mx: 'a' } });
  const open = { type: 'open', data: { machine_open: false } };
  await happen(read, { type: 'open', data: { machine_open: true } }, open, open);
  await dispatch();
  await count();
  await happen(
    read,
    open,
    { type: 'click', data: { machine_click: false } },
    { type: 'complaint' },
    { type: 'complaint' },
  );
  await happen(read, { type: 'unsubscribe' });
  await happen(back, { type: 'bounced', data: { source: 'dsn' } });
  await dispatch();
  await count();
  await count();

  const all = counts({
    ...{ accepted: 7, delivered: 1, bounced: 2, expired: 1, dropped: 1, cancelled: 1 },
    ...{ complained: 1, opened: 1, clicked: 1, unsubscribed: 1 },
  });
  expect(await totals(account)).toEqual(all);
  const { days } = (await ask(account.tenantId, {})).period;
  expect(addCounts(days)).toEqual(all);
  expect(days.find(({ date }) => date === yesterday.day)).toMatchObject({ accepted: 1, bounced: 1 });
  const engaged = { complained: 1, opened: 1, clicked: 1, unsubscribed: 1 };
  const one = counts({ accepted: 1, delivered: 1, ...engaged });
  expect(await totals(account, { tag: 'shop=one' })).toEqual(one);
  expect(await totals(account, { tag: 'kind=receipt' })).toEqual({ ...one, accepted: 2, bounced: 1 });
  const { groups } = await ask(account.tenantId, { group_by: 'campaign' });
  expect(groups).toHaveLength(1);
  const campaign_id = toId('cmp', campaignId);
  expect(groups![0]).toMatchObject({ ...one, value: campaign_id, label: null });
  expect(await totals(account, { campaign_id })).toEqual(one);
  // At a provider counts what it answered.
  expect(await totals(account, { provider: 'Gmail' })).toEqual(
    counts({ accepted: 2, delivered: 1, bounced: 1, ...engaged }),
  );
  expect(await totals(account, { provider: 'yahoo' })).toEqual(
    counts({ accepted: 2, bounced: 1, expired: 1 }),
  );
  const byDomain = (await ask(account.tenantId, { group_by: 'domain' })).groups;
  expect(byDomain).toEqual([expect.objectContaining({ value: account.domain, ...all })]);
  expect(await totals(account, { domain: account.domain.toUpperCase() })).toEqual(all);
  expect(await totals(account, { domain: 'elsewhere.test' })).toEqual(noCounts());
  // The same question of another tenant.
  const stranger = await makeAccount(context.db);
  for (const query of [{}, { tag: 'shop=one' }, { domain: account.domain }, { provider: 'gmail' }])
    expect(await totals(stranger, query)).toEqual(noCounts());
  expect((await ask(stranger.tenantId, { group_by: 'tag' })).groups).toEqual([]);
});

test('tests and mail of the service are not counted; mail that an older version accepted is', async () => {
  const account = await makeAccount(context.db);
  for (const origin of [undefined, 'api', 'test', 'reset'])
    await happen(await accept(account, { ...(origin && { origin }) }), {
      type: 'bounced',
      data: { source: 'smtp' },
    });
  await dispatch();
  await count();
  expect(await totals(account)).toEqual(counts({ accepted: 2, bounced: 2 }));
});

test('an outcome is counted after its message, which is old enough that none before it comes later', async () => {
  const account = await makeAccount(context.db);
  const [old, young] = [await accept(account, { agoMs: 60_000 }), await accept(account, { agoMs: 0 })];
  await happen(young, { type: 'delivered', data: { mx: 'a' } });
  await happen(old, { type: 'delivered', data: { mx: 'a' } });
  await dispatch();
  await count();
  // The log is read in order: what comes after the young one waits with it.
  expect(await totals(account)).toEqual(counts({ accepted: 1 }));
  const late = await accept(account, { agoMs: 50_000 });
  await inTransaction(context.db.pool, async (client) => {
    const rows = await noteLateMessages(client, [{ tenantId: account.tenantId, id: late.id }], new Date());
    expect(rows).toHaveLength(1);
    await countLateMessages(client, rows);
  });
  expect(await totals(account)).toEqual(counts({ accepted: 2 }));
  await count();
  expect(await totals(account)).toEqual(counts({ accepted: 2 }));
});

test('however many tags there are, a day has so many rows, and nothing is lost', async () => {
  const account = await makeAccount(context.db);
  const tags = Array.from({ length: MAX_VALUES + 20 }, (_, n) => `order=${n}`);
  const made = [];
  for (let n = 0; n < tags.length; n += 20) made.push(await accept(account, { tags: tags.slice(n, n + 20) }));
  await count();
  for (const message of made) await happen(message, { type: 'delivered', data: { mx: 'a' } });
  await dispatch();
  await count();
  const { rows } = await context.db.pool.query<{ rows: number; accepted: number; delivered: number }>(
    `select count(*)::int as rows, sum(accepted)::int as accepted, sum(delivered)::int as delivered
     from analytics_days where tenant_id = $1 and kind = 'tag'`,
    [account.tenantId],
  );
  expect(rows[0]).toEqual({ rows: MAX_VALUES + 1, accepted: tags.length, delivered: tags.length });
  expect(await totals(account, { tag: OTHER })).toEqual(counts({ accepted: 20, delivered: 20 }));
});

test('a scheduler that is killed before it commits loses nothing and doubles nothing', async () => {
  const account = await makeAccount(context.db);
  const made = await Promise.all(Array.from({ length: 30 }, () => accept(account)));
  for (const message of made)
    await happen(message, { type: 'delivered', data: { mx: 'a' } }, { type: 'open', data: {} });
  await dispatch();
  const stub = await startStubSender();
  const env = { ...context.env, LOG_LEVEL: 'error', SENDER_ADDRESSES: stub.address };
  const knobs = { TEST_KNOBS: 'true', TEST_FAILPOINTS: 'analytics.before-commit' };
  const doomed = await startService('scheduler', { ...env, ...knobs }, { until: 'started' });
  expect(await doomed.ended).toBe('SIGKILL');
  expect(await totals(account)).toEqual(noCounts());
  const [one, other] = await Promise.all([startService('scheduler', env), startService('scheduler', env)]);
  await waitUntil(async () => (await totals(account)).delivered > 0);
  await Promise.all([one.stop(), other.stop()]);
  await stub.close();
  expect(await totals(account)).toEqual(counts({ accepted: 30, delivered: 30, opened: 30 }));
});

test('what explains a change stands beside it; the days before are as many', async () => {
  const account = await makeAccount(context.db);
  const stranger = await makeAccount(context.db);
  const { pool } = context.db;
  for (const { tenantId, domainId } of [account, stranger])
    await pool.query(
      `insert into warmup_history (id, tenant_id, domain_id, actor, action, from_tier, to_tier, reason)
       values (gen_random_uuid(), $1, $2, 'auto-ramp', 'advance', 2, 3, 'good'),
         (gen_random_uuid(), $1, $2, 'auto-ramp', 'hold', 3, 3, 'little mail'),
         (gen_random_uuid(), $1, $2, 'brake', 'brake_bulk', 3, 3, 'bad')`,
      [tenantId, domainId],
    );
  await pool.query(
    `insert into campaigns (id, tenant_id, name, header_from, audience, launched_at) values ($1, $2, 'Autumn', $3, '{}', now())`,
    [v7(), account.tenantId, `a@${account.domain}`],
  );
  const { annotations, period, previous, limits } = await ask(account.tenantId, { days: 7 });
  expect(annotations.map(({ kind, subject }) => `${kind} ${subject}`).toSorted()).toEqual(
    [`brake ${account.domain}`, 'campaign Autumn', `tier ${account.domain}`].toSorted(),
  );
  expect([period.days.length, previous.days.length]).toEqual([7, 7]);
  const next = new Date(Date.parse(previous.to) + 86_400_000).toISOString().slice(0, 10);
  expect(next).toBe(period.from);
  expect(limits.filter(({ rate }) => rate === 'complaints').map(({ value }) => value)).toEqual([
    0.001, 0.003,
  ]);
  expect(Object.keys(noCounts())).toEqual([...COUNTS]);
});

test.each([
  [{ from: '2026-01-01' }, 'to'],
  [{ from: '2026-01-02', to: '2026-01-01' }, 'to'],
  [{ from: '2020-01-01', to: '2026-01-01' }, 'to'],
  [{ from: '0001-01-01', to: '0001-01-02' }, 'from'],
  [{ days: 3, from: '2026-01-01', to: '2026-01-02' }, 'days'],
  [{ days: 0 }, 'days'],
  [{ days: 367 }, 'days'],
  [{ tag: 'a=b', provider: 'gmail' }, 'tag'],
  [{ tag: 'a=b', group_by: 'provider' }, 'group_by'],
])('%j is refused at %s', (query, path) => {
  const { error } = analyticsQuery.safeParse(query);
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});
