// What happened, inbound mail and operations over GraphQL; and who may see what.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type Answer, type ApiWorld } from '../harness/api-world.ts';
import { makeEventDelivery } from '../harness/event-delivery.ts';
import { addEvents } from '../harness/event-rows.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { makeMessageRow } from '../harness/message-row.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => world.close());

interface Person extends Account {
  ask(query: string, variables?: unknown): Promise<any>; // oxlint-disable-line typescript/no-explicit-any
  raw(query: string, variables?: unknown): Promise<Answer>;
}

let addresses = 0;
async function person(role: Role = 'owner'): Promise<Person> {
  const account = await makeAccount(world.context.db, { tier: 3 });
  const email = `p${newUuid()}@example.com`;
  const { password } = await createUser(world.context, TESTER, { tenantId: account.tenantId, email, role });
  const signIn = await world.graphql(
    'mutation($input: LoginInput!) { login(input: $input) { accessToken } }',
    { input: { email, password } },
    { headers: { 'x-forwarded-for': `198.51.100.${++addresses}` } },
  );
  const key = signIn.json.data.login.accessToken as string;
  const raw = (query: string, variables: unknown = {}) => world.graphql(query, variables, { key });
  return {
    ...account,
    raw,
    ask: async (query, variables) => {
      const answer = await raw(query, variables);
      if (answer.json.errors) throw new Error(JSON.stringify(answer.json.errors));
      return answer.json.data;
    },
  };
}
const codeOf = (answer: Answer) => answer.json.errors?.[0]?.extensions.code as string;
const sql = (text: string, values: unknown[]) => world.context.db.pool.query(text, values);

const OVERVIEW = `{ overview(days: 7) {
  days { date sent delivered bounced complained deferred opened clicked unsubscribed }
  hours { hour delivered bounced complained opened clicked }
  waiting { reason count until }
  totals { sent delivered deliveryRate bounceRate complaintRate openRate }
} }`;

test('the overview counts days, hours and what waits, of this tenant alone', async () => {
  const [me, other] = [await person(), await person()];
  const empty = await me.ask(OVERVIEW);
  expect(empty.overview.days).toHaveLength(7);
  expect(empty.overview.hours).toHaveLength(48);
  expect(empty.overview).toMatchObject({ waiting: [], totals: { sent: 0, deliveryRate: null } });
  for (const who of [me, other]) {
    await sql(
      `insert into domain_days (tenant_id, domain_id, day, simulated, sent, delivered, bounced, opened)
       values ($1, $2, (now() at time zone 'UTC')::date, false, 10, 8, 2, 4)`,
      [who.tenantId, who.domainId],
    );
    const id = await makeMessageRow(world.context.db, who.tenantId, {
      state: 'deferred',
      domainId: who.domainId,
    });
    await sql(
      `update messages set defer_reason = 'warmup_cap', admitted_day = null,
         deferred_until = (date_trunc('day', now() at time zone 'UTC') + interval '1 day') at time zone 'UTC'
       where id = $1`,
      [id],
    );
    await addEvents(world.context.db.pool, who, [
      { type: 'delivered', messageId: id },
      { type: 'open', messageId: id, data: { machine_open: true } },
      { type: 'deferred', messageId: id, data: { reason: 'warmup_cap' } },
    ]);
  }
  const { overview } = await me.ask(OVERVIEW);
  expect(overview.days[6]).toMatchObject({ sent: 10, delivered: 9, bounced: 2, opened: 4, deferred: 1 });
  expect(overview.hours[47]).toMatchObject({ delivered: 1, opened: 0 });
  expect(overview.waiting).toEqual([
    { reason: 'warmup_cap', count: 1, until: expect.stringContaining('T00:00:00') },
  ]);
  expect(overview.totals).toEqual({
    sent: 10,
    delivered: 9,
    deliveryRate: 0.9,
    bounceRate: 0.2,
    complaintRate: 0,
    openRate: 4 / 9,
  });
  const page = await me.ask(`{ messages(status: deferred) { edges { node { status waiting deferReason } } }
    events(types: ["delivered"]) { edges { node { type recipient domain data } } }
    reputation { domain trustScore hasEnoughMail parts { part points maxPoints value advice } metrics { sent bounceRate } daily { date metrics { sent } } warmup { tier cap } windowDays } }`);
  expect(page.messages.edges).toHaveLength(1);
  expect(page.messages.edges[0].node.waiting).toMatch(/warm-up cap .* next attempt \d{4}-/);
  expect(page.events.edges).toHaveLength(1);
  expect(page.reputation[0]).toMatchObject({ domain: me.domain, metrics: { sent: 10 }, windowDays: 30 });
  expect(page.reputation[0].daily).toHaveLength(30);
  expect(codeOf(await me.raw('{ events(types: ["nothing"]) { edges { cursor } } }'))).toBe(
    'validation_failed',
  );
});

test('inbound: webhook with a secret shown once, mailboxes, no messages of others', async () => {
  const me = await person();
  expect((await me.ask('{ inboundWebhook { webhookUrl enabled createdAt } }')).inboundWebhook).toEqual({
    webhookUrl: null,
    enabled: false,
    createdAt: null,
  });
  const CHANGE = `mutation($input: UpdateInboundWebhookInput!) {
    updateInboundWebhook(input: $input) { secret inboundWebhook { webhookUrl enabled } } }`;
  const first = await me.ask(CHANGE, { input: { webhookUrl: 'https://127.0.0.1:1/in', enabled: true } });
  expect(first.updateInboundWebhook.secret).toMatch(/^whsec_/);
  expect((await me.ask(CHANGE, { input: { enabled: true } })).updateInboundWebhook.secret).toBeNull();
  const rotated = await me.ask(CHANGE, { input: { rotateSecret: true } });
  expect(rotated.updateInboundWebhook.secret).not.toBe(first.updateInboundWebhook.secret);
  const bad = await me.raw(CHANGE, { input: { webhookUrl: 'ftp://x' } });
  expect(codeOf(bad)).toBe('validation_failed');
  const tried = await me.ask('mutation { testInboundWebhook { passed statusCode error } }');
  expect(tried.testInboundWebhook).toMatchObject({ passed: false, statusCode: null });

  const made = await me.ask(
    `mutation { createMailbox(input: { address: "help@${me.domain}", name: "Help" }) { mailbox { id address name unread } } }`,
  );
  const { mailbox } = made.createMailbox;
  expect(mailbox).toMatchObject({ address: `help@${me.domain}`, name: 'Help', unread: 0 });
  const renamed = await me.ask(
    `mutation { renameMailbox(input: { id: "${mailbox.id}", name: "Desk" }) { mailbox { name } } }`,
  );
  expect(renamed.renameMailbox.mailbox.name).toBe('Desk');
  const other = await person();
  expect(codeOf(await other.raw(`mutation { deleteMailbox(input: { id: "${mailbox.id}" }) { id } }`))).toBe(
    'not_found',
  );
  expect(
    (await me.ask('{ inboundMessages(q: "hello") { edges { cursor } } }')).inboundMessages.edges,
  ).toEqual([]);
  await me.ask(`mutation { deleteMailbox(input: { id: "${mailbox.id}" }) { id } }`);
});

const WEBHOOK = `query($id: ID!, $delivery: ID!, $status: WebhookDeliveryStatus, $eventType: String, $since: DateTime) {
  webhook(id: $id) { url replays { until } recentDeliveries { pending succeeded failed dead }
    delivery(id: $delivery) { id eventId status requestBody attempts { statusCode responseBody } }
    deliveries(status: $status, eventType: $eventType, since: $since) { edges { node { id eventType } } } } }`;

test('webhooks: the log with its filters, replays, samples; nothing of it for other tenants', async () => {
  const [me, other] = [await person(), await person()];
  const make = `mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { secret webhook { id domainIds } } }`;
  const input = {
    url: 'http://127.0.0.1:9/',
    eventTypes: ['*'],
    domainIds: [toId('dom', me.domainId)],
  };
  const { webhook, secret } = (await me.ask(make, { input })).createWebhook;
  expect([secret.slice(0, 6), webhook.domainIds]).toEqual(['whsec_', input.domainIds]);
  expect(codeOf(await other.raw(make, { input }))).toBe('validation_failed');
  const { db } = world.context;
  const dead = await makeEventDelivery(db, me.tenantId, webhook.id, { type: 'message.bounced' });
  const pending = await makeEventDelivery(db, me.tenantId, webhook.id, { state: 'pending' });
  const read = async (filter: object = {}) =>
    (await me.ask(WEBHOOK, { id: webhook.id, delivery: dead, ...filter })).webhook;
  const listed = async (filter: object) =>
    (await read(filter)).deliveries.edges.map((edge: { node: { id: string } }) => edge.node.id);

  const seen = await read();
  expect(seen.recentDeliveries).toEqual({ pending: 1, succeeded: 0, failed: 0, dead: 1 });
  expect(seen.delivery).toMatchObject({ id: dead, status: 'dead', attempts: [] });
  expect(await listed({})).toEqual([pending, dead]);
  expect(await listed({ status: 'dead' })).toEqual([dead]);
  expect(await listed({ eventType: 'message.delivered' })).toEqual([pending]);
  expect(await listed({ since: '2100-01-01T00:00:00Z' })).toEqual([]);
  const bad = { id: webhook.id, delivery: dead, eventType: 'nothing' };
  expect(codeOf(await me.raw(WEBHOOK, bad))).toBe('validation_failed');

  expect((await other.ask(WEBHOOK, { id: webhook.id, delivery: dead })).webhook).toBeNull();
  expect((await other.ask(`{ node(id: "${webhook.id}") { id } }`)).node).toBeNull();
  expect((await other.ask('{ webhooks { edges { cursor } } }')).webhooks.edges).toEqual([]);
  const theirs = (await other.ask(make, { input: { ...input, domainIds: null } })).createWebhook.webhook.id;
  expect((await other.ask(WEBHOOK, { id: theirs, delivery: dead })).webhook.delivery).toBeNull();

  const replay = `mutation($input: ReplayWebhookInput!) { replayWebhook(input: $input) {
    deliveries atLeast webhook { replays { until } } } }`;
  const range = { id: webhook.id, since: '2020-01-01T00:00:00Z', status: 'dead' };
  expect((await me.ask(replay, { input: range })).replayWebhook).toMatchObject({
    deliveries: 1,
    atLeast: false,
    webhook: { replays: [{}] },
  });
  expect(codeOf(await other.raw(replay, { input: range }))).toBe('not_found');
  const { webhookEventTypes } = await me.ask('{ webhookEventTypes { name description sample } }');
  for (const { name, sample } of webhookEventTypes)
    expect(JSON.parse(sample)).toMatchObject({ type: name, data: {} });
  const dear = `{ webhooks(first: 100) { edges { node { deliveries(first: 100) { edges { node { requestBody attempts { responseBody } } } } } } } }`;
  expect(codeOf(await me.raw(dear))).toBe('validation_failed');
});

test('a super-admin sees tenants, plans, reconciliation and dead letters; nobody else does', async () => {
  const [admin, me] = [await person('super_admin'), await person()];
  const tenantId = toId('tnt', me.tenantId);
  const TENANT = `{ tenant(id: "${tenantId}") { id name plan quota { cap }
    domains { edges { node { id name warmup { tier waiting } outlook(days: 2) { days { cap } } warmupHistory { edges { node { action } } } } } }
    warmupSchedule { startDate } reconciliation { date enforced items { esp used } }
    deadLetters { edges { node { id } } } } }`;
  const seen = (await admin.ask(TENANT)).tenant;
  expect(seen).toMatchObject({ id: tenantId, warmupSchedule: null, deadLetters: { edges: [] } });
  expect(seen.domains.edges[0].node).toMatchObject({
    name: me.domain,
    outlook: { days: [{ cap: 500 }, { cap: 1000 }] },
  });
  expect(codeOf(await me.raw(TENANT))).toBe('forbidden');
  for (const field of ['quota { cap }', 'domains { edges { cursor } }', 'deadLetters { edges { cursor } }']) {
    expect(codeOf(await me.raw(`{ viewer { tenant { ${field} } } }`)), field).toBe('forbidden');
  }
  const page = await admin.ask(
    `{ tenants(first: 2, name: "${seen.name.slice(0, 3)}") { edges { node { id name } } pageInfo { hasNextPage } } }`,
  );
  expect(page.tenants.edges.length).toBeGreaterThan(0);
  expect(codeOf(await me.raw('{ tenants { edges { cursor } } }'))).toBe('forbidden');

  const PLAN = `mutation($input: GenerateWarmupScheduleInput!) { generateWarmupSchedule(input: $input) {
    warmupSchedule { startDate rampStrategy totalTargetRecipients days { day plannedSends } forecast { domain assumption days { possibleOn } } } } }`;
  const input = { tenantId, startDate: '2030-01-01', totalTargetRecipients: 20_000 };
  const plan = (await admin.ask(PLAN, { input })).generateWarmupSchedule.warmupSchedule;
  expect(plan).toMatchObject({ startDate: '2030-01-01', rampStrategy: 'standard' });
  expect(plan.days).toHaveLength(30);
  expect(plan.forecast[0].domain).toBe(me.domain);
  expect(codeOf(await me.raw(PLAN, { input }))).toBe('forbidden');
  expect(codeOf(await admin.raw(PLAN, { input: { ...input, totalTargetRecipients: 0 } }))).toBe(
    'validation_failed',
  );

  const PREVIEW = `{ tenant(id: "${tenantId}") { warmupSchedule { startDate } warmupSchedulePreview(
    startDate: "2031-01-01", totalTargetRecipients: 20000, rampStrategy: conservative) { startDate days { day plannedSends } forecast { domain } } } }`;
  const previewed = (await admin.ask(PREVIEW)).tenant;
  expect(previewed.warmupSchedule.startDate, 'a preview stores nothing').toBe('2030-01-01');
  expect(previewed.warmupSchedulePreview).toMatchObject({ startDate: '2031-01-01', forecast: [{}] });
  expect(previewed.warmupSchedulePreview.days[3]).toEqual({ day: 3, plannedSends: 250 });
  const DELETE = `mutation { deleteWarmupSchedule(input: { tenantId: "${tenantId}" }) { id } }`;
  expect(codeOf(await me.raw(DELETE))).toBe('forbidden');
  expect((await admin.ask(DELETE)).deleteWarmupSchedule.id).toBe(tenantId);
  expect(codeOf(await admin.raw(DELETE))).toBe('not_found');
  expect((await admin.ask(PREVIEW)).tenant.warmupSchedule).toBeNull();

  const OVERRIDE = `mutation($input: OverrideTierInput!) { overrideTier(input: $input) { warmup { tier state } } }`;
  const domainId = toId('dom', me.domainId);
  const moved = await admin.ask(OVERRIDE, {
    input: { tenantId, domainId, action: 'advance', reason: 'asked' },
  });
  expect(moved.overrideTier.warmup.tier).toBe(4);
  const { domain } = await me.ask(
    `{ domain(id: "${domainId}") { warmupHistory { edges { node { action fromTier toTier reason } } } warmupDays(days: 1) { tier cap } } }`,
  );
  expect(domain.warmupHistory.edges[0].node).toMatchObject({
    action: 'advance',
    fromTier: 3,
    toTier: 4,
    reason: 'asked',
  });
  expect(domain.warmupDays).toEqual([{ tier: 4, cap: 1000 }]);
});
