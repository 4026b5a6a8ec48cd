// What happens reaches the endpoints that want it: signed as the official libraries verify it, once for each event and
// endpoint, logged, replayed, and turned off where nobody listens any more.

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createGuardedHttp } from '../../core/clients/guarded-http.ts';
import { SCAN_OFF } from '../../core/db/schema/inbound.ts';
import { endpointChange, newEndpoint } from '../../core/webhook/endpoint-input.ts';
import { changeEndpoint, createEndpoint, getEndpoint } from '../../core/webhook/endpoints.ts';
import { selectDeliveryLog, type LoggedDelivery } from '../../core/webhook/delivery-log-store.ts';
import { replayDelivery, replayRange } from '../../core/webhook/replays.ts';
import { TESTER } from '../harness/actor.ts';
import { acceptClaims } from '../harness/attempt-history.ts';
import { addEvents } from '../harness/event-rows.ts';
import type { Account } from '../harness/factories.ts';
import {
  makeAccount,
  makeSent,
  openWorld,
  sendMail,
  startEndpoint,
  until,
  type Answer,
  type Endpoint,
  type Hit,
  type InboundWorld,
} from '../harness/inbound-world.ts';

let world: InboundWorld;
const receivers: Endpoint[] = [];

beforeAll(async () => {
  world = await openWorld({ TEST_RETRY_SCALE: '0.001' });
});
afterAll(async () => {
  await Promise.all(receivers.map((one) => one.close()));
  await world?.close();
});

const query = async (text: string, values: unknown[] = []) =>
  (await world.context.db.pool.query(text, values)).rows;
const deps = () => ({ ...world.context, http: createGuardedHttp(world.context.config) });

interface Listener {
  id: string;
  secret: string;
  hits: Hit[];
  /** What came, verified. */
  events(): { type: string; timestamp: string; data: Record<string, unknown> }[];
}

/** An endpoint of an account, and what listens there. */
async function listen(
  account: Account,
  more: Record<string, unknown> = {},
  answer: () => Answer = () => ({ status: 200, body: 'thanks' }),
): Promise<Listener> {
  const receiver = await startEndpoint(answer);
  receivers.push(receiver);
  const input = newEndpoint.parse({ url: receiver.url, event_types: ['*'], ...more });
  const { endpoint, secret } = await createEndpoint(deps(), TESTER, account.tenantId, input);
  const { hits } = receiver;
  const read = ({ headers, body }: Hit) =>
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>) as never;
  return { id: endpoint.id, secret, hits, events: () => hits.map(read) };
}

const logOf = (account: Account, listener: Listener): Promise<LoggedDelivery[]> =>
  selectDeliveryLog(world.context.db.pool, account.tenantId, listener.id, { limit: 100 });
const settled = (account: Account, listener: Listener, count: number) =>
  until(async () => {
    const log = await logOf(account, listener);
    return log.length === count && log.every(({ status }) => status === 'succeeded' || status === 'dead')
      ? log
      : null;
  });

test('an event of a message reaches each endpoint that wants it, with the message, and is logged', async () => {
  const account = await makeAccount(world.context.db);
  const all = await listen(account);
  const bounces = await listen(account, { event_types: ['message.bounced'] });
  const elsewhere = await listen(account, { domain_ids: null });
  await query('update webhook_endpoints set domain_ids = $2 where id = $1', [elsewhere.id, [newUuid()]]);
  const stranger = await makeAccount(world.context.db);
  const strangers = await listen(stranger);
  const [delivered, bounced] = await addEvents(world.context.db.pool, account, [
    { type: 'delivered' },
    { type: 'bounced' },
  ]);
  const log = await settled(account, all, 2);
  await settled(account, bounces, 1);
  expect(
    all
      .events()
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(['message.bounced', 'message.delivered']);
  expect(bounces.events()).toMatchObject([
    { type: 'message.bounced', data: { id: toId('evt', bounced!), type: 'bounce', domain: account.domain } },
  ]);
  expect(bounces.hits[0]!.headers['webhook-id']).toBe(toId('evt', bounced!));
  expect(log.find(({ eventId }) => eventId === delivered)).toMatchObject({
    eventType: 'message.delivered',
    status: 'succeeded',
    nextAttemptAt: null,
    attempts: [{ statusCode: 200, error: null, responseBody: 'thanks', durationMs: expect.any(Number) }],
  });
  expect(elsewhere.hits).toEqual([]);
  expect(strangers.hits).toEqual([]);
});

test('an endpoint with the format sendgrid gets what SendGrid has an event for, in its shape', async () => {
  const account = await makeAccount(world.context.db);
  const listener = await listen(account, { format: 'sendgrid' });
  const all = await listen(account);
  await query(`update domains set tier = tier + 1 where id = $1`, [account.domainId]);
  const [delivered] = await addEvents(world.context.db.pool, account, [{ type: 'delivered' }]);
  await settled(account, all, 2);
  await settled(account, listener, 1);
  expect(listener.events()).toEqual([
    [expect.objectContaining({ event: 'delivered', sg_event_id: toId('evt', delivered!) })],
  ]);
});

test('domains, campaigns, contacts and accepted and inbound mail are announced in the words of the API', async () => {
  const account = await makeAccount(world.context.db);
  const { tenantId, domainId } = account;
  const listener = await listen(account);
  await query(`update domains set tier = tier + 1 where id = $1`, [domainId]);
  await query(`update domains set warmup_state = 'paused', paused_reason = 'bounces' where id = $1`, [
    domainId,
  ]);
  await query(`update domains set warmup_state = 'active' where id = $1`, [domainId]);
  await query(`update domains set status = 'failed' where id = $1`, [domainId]);
  await query(`update domains set status = 'verified' where id = $1`, [domainId]);
  await query(
    `insert into contacts (id, tenant_id, email, email_key, status)
     values ($1, $2, 'ann@example.net', 'ann@example.net', 'subscribed')`,
    [newUuid(), tenantId],
  );
  await query(`update contacts set status = 'unsubscribed' where tenant_id = $1`, [tenantId]);
  const [campaign] = await query(
    `insert into campaigns (id, tenant_id, name, header_from, audience, state)
     values ($1, $2, 'News', $3, '{}', 'sending') returning id`,
    [newUuid(), tenantId, `a@${account.domain}`],
  );
  await query(`update campaigns set state = 'sent' where id = $1`, [campaign.id]);
  const [accepted] = await acceptClaims(world.context.db.pool, [account]);
  await sendMail(world.port, {
    to: `bob@${account.domain}`,
    data: 'From: Eve <eve@sender.test>\r\nSubject: Hello\r\n\r\nBody\r\n',
  });
  await settled(account, listener, 9);
  const domain = { domain_id: toId('dom', domainId), domain: account.domain };
  const byType = new Map(listener.events().map(({ type, data }) => [type, data]));
  expect(Object.fromEntries(byType)).toMatchObject({
    'domain.tier_changed': { ...domain, from_tier: expect.any(Number), to_tier: expect.any(Number) },
    'domain.paused': { ...domain, reason: 'bounces' },
    'domain.resumed': domain,
    'domain.failed': domain,
    'domain.verified': domain,
    'contact.unsubscribed': { contact_id: expect.stringMatching(/^con_/), email: 'ann@example.net' },
    'campaign.sent': { campaign_id: toId('cmp', campaign.id), name: 'News' },
    'message.accepted': {
      id: expect.stringMatching(/^evt_/),
      type: 'accepted',
      message_id: toId('msg', accepted!.id),
      recipient: accepted!.rcptTo,
      domain: account.domain,
      subject: 'Hello',
      tags: [],
    },
    'inbound.received': {
      message_id: expect.stringMatching(/^inm_/),
      recipient: `bob@${account.domain}`,
      from: expect.stringContaining('eve@sender.test'),
      subject: 'Hello',
      junk: false,
      scan: SCAN_OFF,
    },
  });
  for (const hit of listener.hits) {
    const { data } = JSON.parse(hit.body.toString()) as { data: Record<string, unknown> };
    if (data['type'] === 'accepted') expect(data['id']).toBe(hit.headers['webhook-id']);
    expect(data['at']).toBeUndefined();
  }
});

test('an event of which no body can be made stops nobody else, and large ones are inserted in parts', async () => {
  const account = await makeAccount(world.context.db);
  const listeners = await Promise.all([listen(account), listen(account), listen(account)]);
  const stranger = await makeAccount(world.context.db);
  const strangers = await listen(stranger);
  const bad = [newUuid(), newUuid()];
  await query(
    `insert into event_outbox (id, tenant_id, type, payload)
     select id, $2, 'domain.verified', '{}' from unnest($1::uuid[]) as id`,
    [bad, account.tenantId],
  );
  await addEvents(world.context.db.pool, stranger, [{ type: 'delivered' }]);
  const data = { reply: 'x'.repeat(1_500_000) };
  const ids = await addEvents(
    world.context.db.pool,
    account,
    Array.from({ length: 3 }, () => ({ type: 'delivered', data })),
  );
  for (const listener of listeners) {
    const log = await settled(account, listener, 3);
    expect(new Set(log.map(({ eventId }) => eventId))).toEqual(new Set(ids));
  }
  await settled(stranger, strangers, 1);
  expect(await query('select from event_outbox where tenant_id = $1', [account.tenantId])).toEqual([]);
});

test('nothing is announced where nobody wants it', async () => {
  const account = await makeAccount(world.context.db);
  const listener = await listen(account, { event_types: ['domain.paused'] });
  await query(`update domains set tier = tier + 1 where id = $1`, [account.domainId]);
  await makeSent(world.context, account);
  await query(`update domains set warmup_state = 'paused' where id = $1`, [account.domainId]);
  await settled(account, listener, 1);
  const rows = await query('select type from event_outbox where tenant_id = $1', [account.tenantId]);
  expect(rows).toEqual([]);
});

test('a replay of one and of a range keeps the event’s id; what fails is tried again, then dead', async () => {
  let status = 500;
  const account = await makeAccount(world.context.db);
  const listener = await listen(account, {}, () => ({ status }));
  await addEvents(world.context.db.pool, account, [{ type: 'delivered' }, { type: 'cancelled' }]);
  const failing = await until(async () => {
    const log = await logOf(account, listener);
    return log.length === 2 && log.every((one) => one.status === 'failed') ? log : null;
  });
  expect(failing[0]!.nextAttemptAt).not.toBeNull();
  expect((await getEndpoint(world.context.db, account.tenantId, listener.id)).failingSince).not.toBeNull();
  status = 404;
  await settled(account, listener, 2);
  status = 200;
  const before = listener.hits.length;
  await replayDelivery(world.context, TESTER, account.tenantId, listener.id, failing[0]!.id);
  await until(async () => (await logOf(account, listener)).some((one) => one.status === 'succeeded'));
  expect(listener.hits[before]!.headers['webhook-id']).toBe(toId('evt', failing[0]!.eventId));
  expect((await getEndpoint(world.context.db, account.tenantId, listener.id)).failingSince).toBeNull();

  const of = (status: LoggedDelivery['status']) =>
    selectDeliveryLog(world.context.db.pool, account.tenantId, listener.id, { status, limit: 100 });
  expect([await of('succeeded'), await of('dead'), await of('failed')]).toMatchObject([
    [{ id: failing[0]!.id }],
    [{ id: failing[1]!.id }],
    [],
  ]);
  const since = new Date(Date.now() - 3_600_000);
  const replay = (range: object) =>
    replayRange(world.context, TESTER, account.tenantId, listener.id, { since, ...range });
  await replay({ status: 'dead' });
  await until(async () => (await logOf(account, listener)).every((one) => one.status === 'succeeded'));
  const all = listener.hits.length;
  await replay({});
  await until(() => listener.hits.length === all + 2);
  const ids = listener.hits.slice(all).map((hit) => hit.headers['webhook-id']);
  expect(new Set(ids)).toEqual(new Set(failing.map((one) => toId('evt', one.eventId))));
  expect(await query('select from webhook_replays')).toEqual([]);
  await expect(
    replayDelivery(world.context, TESTER, account.tenantId, listener.id, newUuid()),
  ).rejects.toMatchObject({ code: 'not_found' });
});

test('410 turns an endpoint off at once; what waited comes when it is on again', async () => {
  let status = 410;
  const account = await makeAccount(world.context.db);
  const listener = await listen(account, {}, () => ({ status }));
  await addEvents(world.context.db.pool, account, [{ type: 'delivered' }]);
  const off = await until(async () => {
    const endpoint = await getEndpoint(world.context.db, account.tenantId, listener.id);
    return endpoint.enabled ? null : endpoint;
  });
  expect(off).toMatchObject({ disabledReason: 'gone' });
  const [dead] = await settled(account, listener, 1);
  expect(dead!.status).toBe('dead');
  await replayDelivery(world.context, TESTER, account.tenantId, listener.id, dead!.id);
  await addEvents(world.context.db.pool, account, [{ type: 'cancelled' }]);
  await until(async () => (await query('select from event_outbox')).length === 0);
  expect(await logOf(account, listener)).toHaveLength(1); // nothing new is kept for one that is off
  status = 200;
  const on = await changeEndpoint(
    deps(),
    TESTER,
    account.tenantId,
    listener.id,
    endpointChange.parse({ enabled: true }),
  );
  expect(on).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
  await until(async () => (await logOf(account, listener))[0]!.status === 'succeeded');
});

test('one endpoint that hangs slows no other of the same tenant', async () => {
  const account = await makeAccount(world.context.db);
  const hanging = await listen(account, {}, () => 'hang');
  const well = await listen(account);
  await addEvents(
    world.context.db.pool,
    account,
    Array.from({ length: 300 }, () => ({ type: 'cancelled' as const })),
  );
  await until(() => well.hits.length === 300);
  expect(hanging.hits.length).toBeLessThan(100);
});
