// The same-day brake: a bad list stops within a few hundred bounces, over any number of senders; what waits says why; by hand
// and by recovery it goes on.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { BOUNCE_CLASSES } from '../../core/mail/bounce/bounce-classes.ts';
import { newUuid } from '../../core/base/ids.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { createFailpoints } from '../../core/base/failpoint.ts';
import { seeded } from '../../local/simulate/behaviour.ts';
import { acceptBatch } from '../../sender/accept/batch.ts';
import { createGate } from '../../sender/accept/gate/gate.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { insertEvents } from '../../core/message/event-store.ts';
import { patchDomain } from '../../core/domain/domains.ts';
import { releaseBrake } from '../../core/warmup/release-brake.ts';
import { service } from '../../core/audit/actor.ts';
import { releaseDue, resumeAfterBrakes } from '../../sender/release/release.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { makeMessage, makeSubmission } from '../harness/factories.ts';
import { longForm } from '../harness/form.ts';
import { waitUntil } from '../harness/wait.ts';

const RECIPIENTS = longForm(2_000, 100_000);
const BAD = 0.2;
const MOST_BOUNCES = 400;
const LIMIT_MS = 60_000 + 10 * RECIPIENTS;

let world: DeliveryWorld;
let redis: RedisConnection;

beforeAll(async () => {
  world = await createDeliveryWorld();
  redis = await openRedis(world.context.config, world.context.log);
});

afterAll(async () => {
  await redis.close();
  await world.close();
});

const domainRow = async () =>
  (
    await world.rows<{
      brake_state: string;
      brake_since: Date;
      brake_reason: string;
      brake_numbers: { measure: string; bounced: number; attempted: number };
    }>('select * from domains where id = $1', [world.account.domainId])
  )[0]!;
const countOf = async (condition: string) =>
  Number(
    (
      await world.rows<{ n: string }>(
        `select count(*) as n from messages where domain_id = $1 and ${condition}`,
        [world.account.domainId],
      )
    )[0]!.n,
  );
// What a message that waits for the brake notes of it.
const causeNow = async () => {
  const { brake_since: since, brake_state: brake, brake_numbers: numbers } = await domainRow();
  const { measure, bounced: bad, attempted: of } = numbers;
  return { brake, measure, bad, of, since: expect.stringContaining(since.toISOString().slice(0, 19)) };
};
const release = () => ({
  pool: world.context.db.pool,
  gate: createGate(redis, world.context.config.KEY_PREFIX, world.context.log),
  fail: createFailpoints([]),
  maxAgeMs: 3_600_000,
  wake: () => {},
});

test(
  `of ${RECIPIENTS} recipients, 20 % of them bad, at most ${MOST_BOUNCES} bounce, with two senders`,
  { timeout: 2 * LIMIT_MS },
  async () => {
    const random = seeded(14);
    await world.rows('update domains set tier = 10 where id = $1', [world.account.domainId]);
    const script = {
      rcpt: (to: string) => (to.startsWith('bad') ? '550 5.1.1 no such user' : '250 ok'),
    };
    const peers = [];
    for (const name of ['one.test', 'two.test', 'three.test'])
      peers.push(await world.startPeer(name, script));
    const to = Array.from({ length: RECIPIENTS }, (_, i) => {
      const host = ['one', 'two', 'three'][i % 3]!;
      return `${random() < BAD ? 'bad' : 'good'}${i}@${host}.test`;
    });
    for (let at = 0; at < to.length; at += 1000)
      await world.queueAll(to.slice(at, at + 1000), { stream: 'bulk' });
    await world.open();
    await world.open();
    let states: unknown;
    await waitUntil(
      async () => {
        states = await world.rows(
          `select state, defer_reason, count(*), (select brake_state from domains limit 1) as brake
           from messages group by 1, 2`,
        );
        return (
          (await countOf(`state in ('queued', 'sending')`)) === 0 &&
          (await countOf(`defer_reason = 'brake'`)) > 0
        );
      },
      { limitMs: LIMIT_MS, everyMs: 200, what: () => JSON.stringify(states) },
    );
    const bounced = await countOf(`state = 'bounced'`);
    const seen = peers.reduce((sum, { messages }) => sum + messages.length, 0);
    console.log(`brake: ${RECIPIENTS} recipients, ${bounced} bounced, ${seen} delivered`);
    expect(bounced).toBeGreaterThanOrEqual(15);
    expect(bounced).toBeLessThanOrEqual(MOST_BOUNCES);
    const row = await domainRow();
    expect(row).toMatchObject({ brake_state: 'bulk', tier: 10 });
    expect(row.brake_numbers.attempted).toBeGreaterThanOrEqual(100);
    expect(row.brake_reason).toMatch(/tried today bounced \(.*Campaign mail waits until 00:00 UTC/);
    const [waiting] = await world.rows<{ next_attempt_at: Date; attempts: number; decisions: object[] }>(
      `select * from messages where domain_id = $1 and defer_reason = 'brake' limit 1`,
      [world.account.domainId],
    );
    const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0));
    expect(Math.abs(waiting!.next_attempt_at.getTime() - midnight.getTime())).toBeLessThan(5_000);
    expect(waiting!.attempts).toBe(0);
    expect(waiting!.decisions.at(-1)).toMatchObject({ rule: 'brake', inputs: await causeNow() });
    expect(
      await world.rows('select text from operations_notices where text like $1', ['Brake:%']),
    ).toHaveLength(1);
  },
);

test('transactional mail still goes, and new campaign mail is deferred until midnight without an admission', async () => {
  await world.untilState(await world.queue('good@one.test'), 'delivered');
  const deps = { ...release(), workerId: newUuid, capacity: () => 0 };
  const submission = makeSubmission(world.account, [
    makeMessage(world.account, { stream: 'bulk', rcptTo: 'a@one.test' }),
    makeMessage(world.account, { rcptTo: 'b@one.test' }),
  ]);
  const { answers } = await acceptBatch(deps, [submission]);
  const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0)).toISOString();
  expect(answers[0]).toMatchObject({
    items: [
      { status: 'deferred', reason: 'brake', deferredUntil: midnight },
      { status: 'queued', warmup: { used: 1 } },
    ],
  });
  const [row] = await world.rows(`select decisions from messages where rcpt_to = 'a@one.test'`);
  expect(row).toMatchObject({ decisions: [{ rule: 'brake', inputs: await causeNow() }] });
});

test('released by hand it all goes on, and the test begins again', async () => {
  const { tenantId, domainId } = world.account;
  const waitingBefore = await countOf(`defer_reason = 'brake'`);
  await releaseBrake({ db: world.context.db, nats: world.nats }, service('test'), tenantId, domainId);
  expect(await domainRow()).toMatchObject({ brake_state: 'off' });
  await world.rows(
    `update messages set state = 'cancelled', next_attempt_at = null, defer_reason = null
    where domain_id = $1 and defer_reason = 'brake' and rcpt_to like 'bad%'`,
    [domainId],
  );
  await resumeAfterBrakes(release());
  await releaseDue(release(), { now: null, tenantId });
  await waitUntil(async () => (await countOf(`state in ('queued', 'sending', 'deferred')`)) === 0, {
    limitMs: 120_000,
  });
  expect(waitingBefore).toBeGreaterThan(0);
  expect(await domainRow()).toMatchObject({ brake_state: 'off' });
  const history = await world.rows<{ action: string }>(
    'select action from warmup_history where domain_id = $1 order by id',
    [domainId],
  );
  expect(history.map(({ action }) => action)).toEqual(['brake_bulk', 'brake_release']);
  const audited = await world.rows(
    "select actor, action, data ->> 'brake' as brake from audit_log where tenant_id = $1 and action like 'domain.%' order by id",
    [tenantId],
  );
  expect(audited).toEqual([
    { actor: 'brake', action: 'domain.braked', brake: 'bulk' },
    { actor: 'test', action: 'domain.brake_released', brake: 'bulk' },
  ]);
});

test(
  'bad transactional mail alone stops all but a trickle, and the setting ends it',
  { timeout: 120_000 },
  async () => {
    const { tenantId, domainId } = world.account;
    await world.queueAll(Array.from({ length: 400 }, (_, i) => `bad-tx${i}@two.test`));
    await waitUntil(async () => (await domainRow()).brake_state === 'all', { limitMs: 60_000 });
    expect(await countOf(`rcpt_to like 'bad-tx%' and state = 'bounced'`)).toBeLessThan(400);
    await waitUntil(async () => (await countOf(`rcpt_to like 'bad-tx%' and defer_reason = 'brake'`)) > 0);
    const deps = { db: world.context.db, nats: world.nats, config: world.context.config };
    const view = await patchDomain(deps, service('test'), tenantId, domainId, { brake_enabled: false });
    expect(view).toMatchObject({ brakeEnabled: false, brakeState: 'off' });
    await resumeAfterBrakes(release());
    await waitUntil(async () => (await countOf(`state in ('queued', 'sending', 'deferred')`)) === 0, {
      limitMs: 60_000,
    });
    expect(await domainRow()).toMatchObject({ brake_state: 'off' });
  },
);

test('bounces count by their class as the table of classes says', async () => {
  const { tenantId } = world.account;
  const blocked = ['reputation_block', 'spam_block', 'policy'];
  const unknown = ['invalid_recipient', 'inactive_mailbox', 'invalid_domain', 'null_mx'];
  for (const [name, { infrastructure }] of Object.entries(BOUNCE_CLASSES)) {
    const domainId = newUuid();
    const id = await world.queue('x@nowhere.invalid', { domainId, expiresInMs: 1 });
    await world.rows(`update messages set attempts = 1 where id = $1`, [id]);
    const event = {
      ...{ id: newUuid(), tenantId, type: 'bounced' as const, messageId: id, domainId, campaignId: null },
      ...{ recipient: 'x@nowhere.invalid', data: { mx: 'mx', class: name } },
    };
    await inTransaction(world.context.db.pool, (client) => insertEvents(client, [event]));
    const [day] = await world.rows('select * from domain_days where domain_id = $1', [domainId]);
    expect({ name, ...(day as object) }).toMatchObject({
      name,
      sent: 1,
      tx_sent: 1,
      refused: infrastructure ? 0 : 1,
      tx_refused: infrastructure ? 0 : 1,
      unknown: unknown.includes(name) ? 1 : 0,
      blocked: blocked.includes(name) ? 1 : 0,
    });
  }
});
