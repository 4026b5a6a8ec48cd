// Reputation from real deliveries: what is counted when, what is left out, and whose it is.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { addReportEvent, bounceDelivered, lockReportedMessage } from '../../core/message/report-store.ts';
import { recordHits, type Hit } from '../../core/tracking/engagement-store.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { addEvents } from '../harness/event-rows.ts';
import { makeAccount } from '../harness/factories.ts';

let delivery: DeliveryWorld;
let world: ApiWorld;
beforeAll(async () => {
  delivery = await createDeliveryWorld();
  world = await createApiWorld(delivery.context.env);
});
afterAll(async () => {
  await world.close();
  await delivery.close();
});

const reputationOf = async (tenantId: string, query = '') => {
  const { key } = await world.makeKey({ tenantId, scopes: ['reputation:read'] });
  const answer = await world.call('GET', `/reputation${query}`, { key });
  expect(answer.status).toBe(200);
  return answer.json.data;
};
const hit = (tenantId: string, messageId: string, type: Hit['type'], machine: boolean): Hit => ({
  id: newUuid(),
  type,
  tenantId,
  messageId,
  at: new Date(Date.now() + 60_000),
  machine,
  data: { user_agent: 'x', ip: '192.0.2.1' },
});

test('each message counts once, where it ended', async () => {
  const tried = new Set<string>();
  const rcpt = (to: string) => {
    if (to.startsWith('bounced')) return '550 5.1.1 no such user';
    if (to.startsWith('deferred')) return '451 4.7.1 later';
    if (!to.startsWith('retried') || tried.has(to)) return '250 ok';
    tried.add(to);
    return '452 4.2.2 full';
  };
  await delivery.startPeer('world.test', { rcpt });
  await delivery.open();
  const names = ['a', 'b', 'c', 'd', 'e', 'retried', 'bounced1', 'bounced2', 'deferred'];
  const ids = await delivery.queueAll(names.map((name) => `${name}@world.test`));
  for (const id of ids.slice(0, 8)) await delivery.untilState(id, 'delivered', 'bounced');
  await delivery.untilState(ids[8]!, 'deferred');

  // A report says that one of the delivered ones came back; somebody complains; one message is opened and clicked.
  const { pool } = world.context.db;
  const { tenantId } = delivery.account;
  await inTransaction(pool, async (client) => {
    const back = (await lockReportedMessage(client, tenantId, ids[0]!))!;
    await bounceDelivered(client, back);
    await addReportEvent(client, back, { type: 'bounced', data: { kind: 'hard', source: 'dsn' } });
    const complaint = (await lockReportedMessage(client, tenantId, ids[1]!))!;
    await addReportEvent(client, complaint, {
      type: 'complaint',
      data: { feedback_type: 'abuse', source: 'arf' },
    });
  });
  await recordHits(pool, [
    hit(tenantId, ids[2]!, 'open', false),
    hit(tenantId, ids[2]!, 'open', false),
    hit(tenantId, ids[2]!, 'click', false),
    hit(tenantId, ids[3]!, 'open', true),
  ]);
  await recordHits(pool, [hit(tenantId, ids[2]!, 'open', false)]);

  const { items } = await reputationOf(tenantId);
  expect(items).toHaveLength(1);
  const [{ metrics, daily, parts, ...rest }] = items;
  expect(metrics).toEqual({
    sent: 9,
    delivered: 5,
    bounced: 3,
    hard_bounced: 3,
    complained: 1,
    opened: 1,
    clicked: 1,
    machine_opened: 1,
    machine_clicked: 0,
    unsubscribed: 0,
    delivery_rate: 5 / 9,
    bounce_rate: 3 / 9,
    complaint_rate: 0.2,
    open_rate: 0.2,
    click_rate: 0.2,
  });
  expect(rest).toMatchObject({
    domain: delivery.account.domain,
    window_days: 30,
    warmup: { tier: 0, cap: 50 },
    trust_score: expect.any(Number),
  });
  expect(daily).toHaveLength(30);
  expect(daily.at(-1)).toMatchObject({ ...metrics, date: new Date().toISOString().slice(0, 10) });
  expect(daily[0]).toMatchObject({ sent: 0, delivery_rate: 0 });
  const sum = parts.reduce((total: number, one: { points: number }) => total + one.points, 0);
  expect(rest.trust_score).toBe(Math.round(sum));
  expect(parts.find((one: { part: string }) => one.part === 'bounces').advice).toMatch(/33 %/);
});

test('what the built-in domain sends to the simulator is left out; another domain’s is not', async () => {
  const { pool } = world.context.db;
  for (const builtIn of [true, false]) {
    const account = await makeAccount(world.context.db);
    await pool.query('update domains set built_in = $2 where id = $1', [account.domainId, builtIn]);
    const bounced = { type: 'bounced', data: { kind: 'hard' } };
    await addEvents(pool, account, [
      { ...bounced, recipient: 'Bounced+1@Simulator.test' },
      { ...bounced, recipient: 'ann@example.net' },
    ]);
    const { items } = await reputationOf(account.tenantId);
    expect(items[0].metrics.bounced).toBe(builtIn ? 1 : 2);
  }
});

test('pages over domains, one by name, never another tenant’s', async () => {
  const { pool } = world.context.db;
  const account = await makeAccount(world.context.db, { domain: 'first.example' });
  for (const name of ['second.example', 'third.example']) {
    await pool.query(`insert into domains (id, tenant_id, name, status) values ($1, $2, $3, 'pending')`, [
      newUuid(),
      account.tenantId,
      name,
    ]);
  }
  const first = await reputationOf(account.tenantId, '?limit=2');
  const rest = await reputationOf(account.tenantId, `?after=${first.next_cursor}`);
  const names = [...first.items, ...rest.items].map((one: { domain: string }) => one.domain);
  expect(names).toEqual(['third.example', 'second.example', 'first.example']);
  const one = await reputationOf(account.tenantId, '?domain=Second.example');
  expect(one.items.map((item: { domain: string }) => item.domain)).toEqual(['second.example']);
  const stranger = await makeAccount(world.context.db);
  expect((await reputationOf(stranger.tenantId, '?domain=second.example')).items).toEqual([]);
});
