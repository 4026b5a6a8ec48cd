// Alerts, kind by kind: each opens at its threshold once, tells the owners, the chat and event webhooks, is not repeated, and
// says when it is well again.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { sendDueChat } from '../../core/alert/send-chat.ts';
import { watchOnce } from '../../core/alert/watch.ts';
import type { AlertKind } from '../../core/alert/alert-kinds.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { createGuardedHttp } from '../../core/clients/guarded-http.ts';
import { createUser } from '../../core/people/users.ts';
import { MONTHLY_CAP } from '../../core/tenant/plan.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { startEndpoint, type Endpoint } from '../harness/inbound-world.ts';
import { makeMessageRow } from '../harness/message-row.ts';

let world: ApiWorld;
let chat: Endpoint;
let chatStatus = 200;
beforeAll(async () => {
  world = await createApiWorld();
  chat = await startEndpoint(() => ({ status: chatStatus }));
});
afterAll(async () => {
  await chat?.close();
  await world?.close();
});

const query = async (text: string, values: unknown[] = []) =>
  (await world.context.db.pool.query(text, values)).rows;
const watch = () => watchOnce({ db: world.context.db, fail: () => {} }, new AbortController().signal);
/** Posts what is due; the answer is what went wrong. */
const post = async () => {
  const http = createGuardedHttp(world.context.config);
  const problems: string[] = [];
  const log = { info: ({ problem }: { problem: string }) => void problems.push(problem) };
  const deps = { ...world.context, http, fail: () => {}, log };
  while (await sendDueChat(deps));
  await http.close();
  return problems;
};
const said = () =>
  chat.hits.splice(0).map(({ body }) => (JSON.parse(body.toString()) as { text: string }).text);

interface Watcher extends Account {
  key: string;
  rest(method: string, path: string, body?: unknown): ReturnType<ApiWorld['call']>;
}

/** An account with an owner, an event webhook and a chat. */
async function makeWatcher(): Promise<Watcher> {
  const account = await makeAccount(world.context.db);
  const { tenantId } = account;
  await createUser(world.context, TESTER, { tenantId, email: `${newUuid()}@sink.test`, role: 'owner' });
  const scopes = ['settings:read', 'settings:write', 'webhooks:write', 'domains:read'];
  const { key } = await world.makeKey({ tenantId, scopes });
  const rest = (method: string, path: string, body?: unknown) => world.call(method, path, { key, body });
  await rest('POST', '/webhooks', {
    url: 'http://127.0.0.1:9/',
    event_types: ['alert.opened', 'alert.resolved'],
  });
  const { status } = await rest('PATCH', '/settings/alerts', { chat_webhook_url: chat.url });
  expect(status).toBe(200);
  return { ...account, key, rest };
}

const addRule = async (watcher: Watcher, rule: Record<string, unknown>) => {
  const { status, json } = await watcher.rest('POST', '/alert-rules', rule);
  expect([status, json]).toMatchObject([201, expect.anything()]);
  return json.data.id as string;
};
const alertsOf = async (watcher: Watcher, more = '') =>
  (await watcher.rest('GET', `/alerts${more}`)).json.data.items as Record<string, unknown>[];

/** What reaches the threshold, what makes it well again, and what the chat is told. */
const CASES: Record<
  AlertKind,
  { threshold: number; worse: string; well: string; text: (watcher: Watcher) => string }
> = {
  bounce_rate: {
    threshold: 3,
    worse: `insert into domain_days (tenant_id, domain_id, day, simulated, sent, delivered, bounced)
      values ($1, $2, (now() at time zone 'UTC')::date, false, 200, 190, 7)`,
    well: `update domain_days set sent = 1000 where tenant_id = $1 and domain_id = $2`,
    text: ({ domain }) => `The bounce rate of ${domain} is 3.5 % (alert at 3 %).`,
  },
  complaint_rate: {
    threshold: 0.5,
    worse: `insert into domain_days (tenant_id, domain_id, day, simulated, sent, delivered, complained)
      values ($1, $2, (now() at time zone 'UTC')::date, false, 200, 200, 1)`,
    well: `update domain_days set delivered = 1000 where tenant_id = $1 and domain_id = $2`,
    text: ({ domain }) => `The complaint rate of ${domain} is 0.5 % (alert at 0.5 %).`,
  },
  block_rate: {
    threshold: 10,
    worse: `insert into domain_days (tenant_id, domain_id, day, simulated, sent, blocked)
      values ($1, $2, (now() at time zone 'UTC')::date - 1, false, 100, 25)`,
    well: `delete from domain_days where tenant_id = $1 and domain_id = $2`,
    text: ({ domain }) => `25 % of the mail of ${domain} is blocked (alert at 10 %).`,
  },
  waiting_age: {
    threshold: 60,
    worse: `update messages set state = 'deferred', defer_reason = 'warmup_cap', admitted_day = null, next_attempt_at = null,
      created_at = now() - interval '3 hours' where tenant_id = $1 and domain_id = $2`,
    well: `update messages set state = 'delivered', defer_reason = null where tenant_id = $1 and domain_id = $2`,
    text: ({ domain }) =>
      `The oldest waiting mail of ${domain} has waited for 3 hours (alert at 60 minutes).`,
  },
  webhook_failing: {
    threshold: 30,
    worse: `update webhook_endpoints set failing_since = now() - interval '31 minutes' where tenant_id = $1 and $2::uuid is not null`,
    well: `update webhook_endpoints set failing_since = null where tenant_id = $1 and $2::uuid is not null`,
    text: () => 'The webhook http://127.0.0.1:9/ has failed for 31 minutes (alert at 30 minutes).',
  },
  dns_broken: {
    threshold: 0,
    worse: `update domains set failing_since = now() - interval '1 minute', verified_at = now() where tenant_id = $1 and id = $2`,
    well: 'update domains set failing_since = null where tenant_id = $1 and id = $2',
    text: ({ domain }) => `DNS records of ${domain} have been missing or wrong for 1 minute.`,
  },
  key_unused: {
    threshold: 90,
    worse: `update api_keys set last_used_at = now() - interval '91 days 1 hour', name = 'old' where tenant_id = $1 and $2::uuid is not null`,
    well: 'update api_keys set revoked_at = now() where tenant_id = $1 and $2::uuid is not null',
    text: () => 'The API key old was not used for 91 days (alert at 90 days).',
  },
  key_refused: {
    threshold: 1,
    worse: `update api_keys set refused_at = now(), refused_count = 2, name = '<!channel>' where tenant_id = $1 and $2::uuid is not null`,
    well: `update api_keys set refused_at = now() - interval '25 hours' where tenant_id = $1 and $2::uuid is not null`,
    text: () => 'The API key &lt;!channel&gt; was refused: 2 requests from addresses that it does not allow.',
  },
  quota: {
    threshold: 80,
    worse: `insert into tenant_usage (tenant_id, month, used)
      values ($1, date_trunc('month', now() at time zone 'UTC')::date, case when $2::uuid is not null then ${0.81 * MONTHLY_CAP.scale} end)`,
    well: `delete from tenant_usage where tenant_id = $1 and $2::uuid is not null`,
    text: () => 'of the monthly quota of',
  },
};

test.each(Object.entries(CASES))('%s', async (kind, { threshold, worse, well, text }) => {
  const watcher = await makeWatcher();
  const { tenantId, domainId } = watcher;
  await query(`update domains set verified_at = now() where id = $1 and verified_at is null`, [domainId]);
  if (kind === 'waiting_age')
    await makeMessageRow(world.context.db, tenantId, { state: 'deferred', domainId });
  const mails = () =>
    query(`select data from system_mails where tenant_id = $1 and kind = 'alert' order by id`, [tenantId]);
  const announced = async () =>
    (
      await query('select type, payload from event_outbox where tenant_id = $1 order by seq', [tenantId])
    ).filter(({ type }) => type.startsWith('alert.'));
  const rule = await addRule(watcher, { kind, threshold });
  expect(await watch()).toBe(0);

  await query(worse, [tenantId, domainId]);
  const before = kind.startsWith('key_') ? await alertsDirect(tenantId) : [];
  expect(before).toEqual([]);
  await watch();
  await watch();
  await post();
  const told = said();
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(text(watcher));
  expect(told[0]).toMatch(/^Alert: /);
  expect(await mails()).toMatchObject([{ data: { resolved: false } }]);
  expect(await announced()).toMatchObject([{ type: 'alert.opened', payload: { kind, threshold } }]);
  if (!kind.startsWith('key_'))
    expect(await alertsOf(watcher, '?status=open')).toMatchObject([
      { kind, rule_id: rule, resolved_at: null },
    ]);

  await query(well, [tenantId, domainId]);
  await watch();
  await watch();
  await post();
  expect(said()).toEqual([expect.stringMatching(/^Resolved: /)]);
  expect(await mails()).toHaveLength(2);
  expect((await announced()).map(({ type }) => type)).toEqual(['alert.opened', 'alert.resolved']);
  const { rows } = { rows: await alertsDirect(tenantId) };
  expect(rows).toMatchObject([{ kind, resolved_at: expect.any(Date) }]);
});

const alertsDirect = (tenantId: string) => query('select * from alerts where tenant_id = $1', [tenantId]);

test('a rate that swings around its threshold is one alert; many lookers open it once; a rule of a domain stands for it', async () => {
  const watcher = await makeWatcher();
  const { tenantId, domainId } = watcher;
  const all = await addRule(watcher, { kind: 'bounce_rate', threshold: 3 });
  await query(CASES.bounce_rate.worse, [tenantId, domainId]);
  await Promise.all(Array.from({ length: 8 }, watch));
  expect(await alertsDirect(tenantId)).toHaveLength(1);
  await query('update domain_days set bounced = 5 where tenant_id = $1', [tenantId]); // 2.5 %: not yet well
  await watch();
  await query('update domain_days set bounced = 7 where tenant_id = $1', [tenantId]);
  await watch();
  expect(await alertsOf(watcher)).toMatchObject([{ resolved_at: null }]);

  const own = await addRule(watcher, {
    ...{ kind: 'bounce_rate', threshold: 50, domain_id: toId('dom', domainId) },
  });
  await watch();
  expect(await alertsOf(watcher)).toMatchObject([{ rule_id: all, resolved_at: expect.any(String) }]);
  await watcher.rest('PATCH', `/alert-rules/${own}`, { threshold: 1 });
  await watch();
  expect(await alertsOf(watcher, '?status=open')).toMatchObject([{ rule_id: own, threshold: 1 }]);
  await watcher.rest('PATCH', `/alert-rules/${own}`, { enabled: false });
  expect(await alertsOf(watcher, '?status=open')).toEqual([]);
  await watch();
  expect(await alertsOf(watcher, '?status=open')).toEqual([]); // off: the domain is left out
  await watcher.rest('DELETE', `/alert-rules/${own}`);
  await watch();
  expect(await alertsOf(watcher, '?status=open')).toMatchObject([{ rule_id: all }]);
  await post();
  said();
});

test('with little mail no rate is an alert; scheduled mail does not wait', async () => {
  const watcher = await makeWatcher();
  const { tenantId, domainId } = watcher;
  await addRule(watcher, { kind: 'bounce_rate', threshold: 3 });
  await addRule(watcher, { kind: 'waiting_age', threshold: 60 });
  await query(
    `insert into domain_days (tenant_id, domain_id, day, simulated, sent, bounced)
     values ($1, $2, (now() at time zone 'UTC')::date, false, 99, 99)`,
    [tenantId, domainId],
  );
  await makeMessageRow(world.context.db, tenantId, { state: 'deferred', domainId });
  await query(
    `update messages set defer_reason = 'scheduled', admitted_day = null, next_attempt_at = null,
       created_at = now() - interval '9 days' where tenant_id = $1`,
    [tenantId],
  );
  expect(await watch()).toBe(0);
});

test('a chat that refuses is asked again; its URL is never shown; another tenant has another chat', async () => {
  const watcher = await makeWatcher();
  const stranger = await makeAccount(world.context.db);
  const { tenantId, domainId } = watcher;
  await addRule(watcher, { kind: 'bounce_rate', threshold: 3, mail: false });
  chatStatus = 503;
  await query(CASES.bounce_rate.worse, [tenantId, domainId]);
  await watch();
  expect(await post()).toEqual(['the chat answered 503']);
  const [first] = chat.hits.splice(0);
  chatStatus = 200;
  const [kept] = await query(
    'select attempts, extract(epoch from next_attempt_at - created_at)::float as seconds from alert_chats',
  );
  expect(kept).toEqual({ attempts: 1, seconds: expect.any(Number) });
  expect(kept.seconds).toBeGreaterThanOrEqual(5); // not at once
  await query(`update alert_chats set next_attempt_at = now() + interval '1 hour'`);
  await post();
  expect(chat.hits).toEqual([]);
  await query(`update alert_chats set next_attempt_at = now() - interval '1 minute'`); // the machine's clock may step back
  expect(await post()).toEqual([]);
  expect(chat.hits.splice(0).map(({ headers }) => headers['idempotency-key'])).toEqual([
    first!.headers['idempotency-key'],
  ]);
  const settings = await watcher.rest('GET', '/settings/alerts');
  expect(settings.json.data).toEqual({ chat_host: new URL(chat.url).host });
  const audit = await query(`select data from audit_log where tenant_id = $1 and action like 'alert.%'`, [
    tenantId,
  ]);
  expect(JSON.stringify(audit)).not.toContain(chat.url);
  expect(
    await query(`select 1 from system_mails where tenant_id = $1 and kind = 'alert'`, [tenantId]),
  ).toEqual([]);
  const other = await world.makeKey({ tenantId: stranger.tenantId, scopes: ['settings:read'] });
  const read = (path: string) => world.call('GET', path, { key: other.key });
  expect((await read('/settings/alerts')).json.data).toEqual({ chat_host: null });
  expect((await read('/alerts')).json.data.items).toEqual([]);
});

test('a key at an address that it does not allow is counted', async () => {
  const { tenantId } = await makeWatcher();
  const { key, keyId } = await world.makeKey({
    ...{ tenantId, scopes: ['settings:read'], allowed_addresses: ['192.0.2.1'] },
  });
  for (let n = 0; n < 3; n++) expect((await world.call('GET', '/alerts', { key })).status).toBe(403);
  await world.deps.authenticator.flush();
  expect(
    await query('select refused_count, refused_from from api_keys where id = $1', [keyId]),
  ).toMatchObject([{ refused_count: 3, refused_from: expect.stringContaining('127.0.0.1') }]);
});

test('what a rule may not be', async () => {
  const watcher = await makeWatcher();
  const refused = async (body: unknown) => {
    const { status, json } = await watcher.rest('POST', '/alert-rules', body);
    return [status, json.details?.[0]?.path];
  };
  expect(await refused({ kind: 'bounce_rate', threshold: 101 })).toEqual([422, 'threshold']);
  expect(await refused({ kind: 'nonsense', threshold: 1 })).toEqual([422, 'kind']);
  expect(await refused({ kind: 'quota', threshold: 80, domain_id: toId('dom', watcher.domainId) })).toEqual([
    422,
    'domain_id',
  ]);
  await addRule(watcher, { kind: 'quota', threshold: 80 });
  expect(await refused({ kind: 'quota', threshold: 90 })).toEqual([409, undefined]);
});
