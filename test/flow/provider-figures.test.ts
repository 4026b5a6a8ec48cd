// What mail to each mailbox provider came to, from real deliveries and reports, over REST and GraphQL.

import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { inTransaction } from '../../core/db/transaction.ts';
import { addReportEvent, bounceDelivered, lockReportedMessage } from '../../core/message/report-store.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { makeAccount } from '../harness/factories.ts';
import { login, makePerson } from '../harness/sign-in.ts';
import { startSmtpPeer } from '../harness/smtp-peer.ts';
import { waitUntil } from '../harness/wait.ts';

const GMAIL = { name: 'gmail', mx: ['mx.gmail.test'], connections: 5, per_minute: 60_000 };
const YAHOO = { name: 'yahoo', mx: ['mx.yahoo.test'], connections: 5, per_minute: 60_000 };
const TSS04 = '421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred due to user complaints';
const UNUSUAL =
  '421-4.7.28 Gmail has detected an unusual rate of unsolicited mail originating\r\n421 4.7.28 from [192.0.2.25]. - gsmtp';

let delivery: DeliveryWorld;
let world: ApiWorld;

beforeAll(async () => {
  const relay = await startSmtpPeer();
  delivery = await createDeliveryWorld({
    MAILBOX_PROVIDERS: JSON.stringify([GMAIL, YAHOO]),
    OUTBOUND_ROUTES: JSON.stringify([
      { name: 'direct' },
      { name: 'relay', url: `smtp://127.0.0.1:${relay.port}`, weight: 0 },
    ]),
  });
  world = await createApiWorld(delivery.context.env);
  afterAll(() => relay.close());
});
afterAll(async () => {
  await world.close();
  await delivery.close();
});

// Over REST and GraphQL: read until nothing was counted in between, as retries go on.
const figuresOf = async (tenantId: string) => {
  const { key } = await world.makeKey({ tenantId, scopes: ['reputation:read'] });
  const { token } = await login(world, await makePerson(world, 'viewer', { tenantId }));
  const query = `{ mailboxProviders { provider sent delivered deferred bounced complained
    limits { connections per_minute: perMinute learned_from: learnedFrom suspended_until: suspendedUntil } top_replies: topReplies { reply count } } }`;
  const read = async () => {
    const answer = await world.call('GET', '/reputation/providers', { key });
    expect(answer.status).toBe(200);
    return answer.json.data.items;
  };
  for (;;) {
    const before = await read();
    const graphql = await world.graphql(query, {}, { key: token });
    const items = await read();
    if (!isDeepStrictEqual(before, items)) continue;
    expect(graphql.json.data.mailboxProviders).toEqual(items);
    return items;
  }
};

test('mail counts at the provider of its MX, once, where it ended; relays and nobody known do not', async () => {
  await delivery.startPeer('gmail.test', {
    rcpt: (to) => {
      if (to.startsWith('nobody')) return `550 5.1.1 <${to}> does not exist`;
      return to.startsWith('later') ? `452 4.2.2 The mailbox of ${to} is over quota` : '250 ok';
    },
  });
  delivery.dns.zone['shop.test'] = { mx: [[10, 'MX.gmail.test']] };
  await delivery.startPeer('elsewhere.test');
  await delivery.open();
  const { tenantId } = delivery.account;
  const ids = await delivery.queueAll([
    'a@gmail.test',
    'b@shop.test',
    'c@gmail.test',
    'nobody1@gmail.test',
    'nobody2@shop.test',
    'x@elsewhere.test',
  ]);
  const relayed = await delivery.queue('d@gmail.test', { esp: 'relay' });
  const later = await delivery.queue('later@gmail.test');
  for (const id of [...ids, relayed]) await delivery.untilState(id, 'delivered', 'bounced');
  await waitUntil(async () => {
    const [row] = await delivery.rows<{ attempts: number }>('select attempts from messages where id = $1', [
      later,
    ]);
    return row!.attempts >= 2;
  });
  const { pool } = world.context.db;
  await inTransaction(pool, async (client) => {
    const back = (await lockReportedMessage(client, tenantId, ids[0]!))!;
    await bounceDelivered(client, back);
    await addReportEvent(client, back, { type: 'bounced', data: { kind: 'hard', source: 'dsn' } });
    const complaint = (await lockReportedMessage(client, tenantId, ids[1]!))!;
    await addReportEvent(client, complaint, { type: 'complaint', data: { source: 'arf' } });
    const away = (await lockReportedMessage(client, tenantId, relayed))!;
    await addReportEvent(client, away, { type: 'complaint', data: { source: 'arf' } });
  });
  const [gmail, ...others] = await figuresOf(tenantId);
  expect(others).toEqual([]);
  expect(gmail).toMatchObject({ provider: 'gmail', sent: 6, delivered: 2, bounced: 3, complained: 1 });
  expect(gmail.limits).toEqual({
    connections: 5,
    per_minute: 60_000,
    learned_from: null,
    suspended_until: null,
  });
  expect(gmail.deferred).toBeGreaterThanOrEqual(2);
  expect(gmail.top_replies).toContainEqual({ reply: '550 5.1.1 <address> does not exist', count: 2 });
  expect(gmail.top_replies).toContainEqual({
    reply: '452 4.2.2 The mailbox of <address> is over quota',
    count: gmail.deferred,
  });
  const stranger = await makeAccount(world.context.db);
  expect(await figuresOf(stranger.tenantId)).toEqual([]);
});

test('what was learned is shown with the reply that it is from', async () => {
  const peer = await delivery.startPeer('unusual.test', { mail: () => UNUSUAL });
  delivery.dns.zone['unusual.test'] = { mx: [[10, 'two.mx.gmail.test']] };
  delivery.dns.zone['two.mx.gmail.test'] = delivery.dns.zone['mx.unusual.test']!;
  await delivery.queue('u@unusual.test');
  await waitUntil(() => peer.commands.some((line) => line.startsWith('MAIL')));
  await waitUntil(
    async () => {
      const [gmail] = await figuresOf(delivery.account.tenantId);
      return gmail.limits.learned_from?.startsWith('421-4.7.28 Gmail has detected an unusual rate') === true;
    },
    { everyMs: 250 },
  );
  const [gmail] = await figuresOf(delivery.account.tenantId);
  expect(gmail.limits.per_minute).toBeLessThan(60_000);
  expect(gmail.limits.learned_from).toContain('from <ip>.');
  expect(gmail.limits.suspended_until).toBeNull();
});

test('a pause that a provider asked for is shown with its end and its reply', async () => {
  await delivery.startPeer('yahoo.test', { mail: () => TSS04 });
  await delivery.queue('p@yahoo.test');
  const yahoo = async () =>
    (await figuresOf(delivery.account.tenantId)).find(
      (one: { provider: string }) => one.provider === 'yahoo',
    );
  await waitUntil(async () => ((await yahoo())?.limits.suspended_until ?? null) !== null, { everyMs: 250 });
  const { limits } = await yahoo();
  expect(new Date(limits.suspended_until).getTime()).toBeGreaterThan(Date.now());
  expect(limits.learned_from).toContain('[TSS04]');
});

test('whoever says something else each time fills 20 places', async () => {
  const replies = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`reply ${n}`, n + 1]));
  const merge = async (a: object, b: object) =>
    (await delivery.rows<{ all: Record<string, number> }>('select merge_replies($1, $2) as all', [a, b]))[0]!
      .all;
  const once = await merge({}, replies);
  expect(Object.keys(once)).toHaveLength(21);
  expect(once).toMatchObject({ 'reply 49': 50, 'reply 30': 31, other: (30 * 31) / 2 });
  const twice = await merge(once, { 'reply 49': 2, 'reply 0': 40, new: 1 });
  expect(Object.keys(twice)).toHaveLength(21);
  expect(twice).toMatchObject({ 'reply 49': 52, 'reply 0': 40, other: (30 * 31) / 2 + 31 + 1 });
});
