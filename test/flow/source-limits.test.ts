// New addresses keep to their cap of the day over all senders, also when one is killed; an address that a provider refuses
// rests there, and the others of its pool go on.

import { afterEach, expect, test } from 'vitest';

import { nextUtcMidnight } from '../../core/base/clock.ts';
import { readSources } from '../../core/source/sources.ts';
import { TIER_CAPS } from '../../core/warmup/tiers.ts';
import { rankSources } from '../../sender/source/rank-sources.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { readExplanation } from '../harness/explained.ts';
import { makeSignedAccount, type Account } from '../harness/factories.ts';
import { startService } from '../harness/service.ts';
import { untilDayIsLongEnough, waitUntil } from '../harness/wait.ts';

const CAP = TIER_CAPS[0];
const NEW = { address: '127.0.1.2', hostname: 'new.pools.test', warmup: true };
const OLD = { address: '127.0.1.3', hostname: 'old.pools.test', warmup: false };
const ICLOUD = { name: 'icloud', mx: ['mx.icloud.test'], connections: 5, per_minute: 60_000 };
const REFUSAL = '451 [BS02] Temporary server error. Please try again later.'; // 15 minutes: sender/provider/reply-rules.ts

const DAY_MS = 86_400_000;

let world: DeliveryWorld;
afterEach(() => world.close());

const start = async (...sources: object[]) => {
  await untilDayIsLongEnough(60_000);
  world = await createDeliveryWorld({
    EGRESS_POOLS: JSON.stringify([{ name: 'main', sources }]),
    OUTBOUND_ROUTES: JSON.stringify([{ name: 'direct', pool: 'main' }]),
    MAILBOX_PROVIDERS: JSON.stringify([ICLOUD]),
  });
};
const to = (domain: string, count: number) => Array.from({ length: count }, (_, n) => `r${n}@${domain}`);
const states = async (ids: string[]) =>
  Object.fromEntries(
    (
      await world.rows<{ why: string; count: number }>(
        `select coalesce(defer_reason, state) as why, count(*)::int as count from messages
         where id = any($1) group by 1`,
        [ids],
      )
    ).map(({ why, count }) => [why, count]),
  );

// An account whose mail to a place leaves from an address when it may.
async function bestAt(place: string, address: string, sources: (typeof NEW)[]): Promise<Account> {
  for (;;) {
    const account = await makeSignedAccount(world.context);
    if (rankSources(sources, account.domainId, place)[0]!.address === address) return account;
  }
}

test('three senders, one of them killed: never more than the cap on the wire, and the rest waits for 00:00 UTC', async () => {
  await start(NEW);
  const peer = await world.startPeer('there.test', {
    dot: () => ({ reply: '250 2.0.0 taken', afterMs: 20 }),
  });
  const senders = await Promise.all([1, 2, 3].map(() => startService('sender', world.context.env)));
  const ids = await world.queueAll(to('there.test', 4 * CAP), { stream: 'bulk', expiresInMs: 2 * DAY_MS });
  await waitUntil(() => peer.messages.length > CAP / 5);
  await senders[0]!.kill();
  await waitUntil(async () => {
    const { delivered = 0, source_cap: waiting = 0 } = await states(ids);
    return delivered + waiting === ids.length;
  });
  expect(peer.messages.length).toBeLessThanOrEqual(CAP);
  expect(peer.messages.length).toBeGreaterThan(CAP / 5); // what the dead one had taken is lost for the day, at worst all
  const [row] = await world.rows<{ id: string; next_attempt_at: Date }>(
    `select id, next_attempt_at from messages where defer_reason = 'source_cap' order by next_attempt_at limit 1`,
  );
  const late = Math.abs(row!.next_attempt_at.getTime() - nextUtcMidnight(new Date()).getTime());
  expect(late).toBeLessThan(2_000);
  const told = await readExplanation(world.context, world.account.tenantId, row!.id);
  expect(told.at(-1)).toMatchObject({
    rule: 'source_cap',
    inputs: { pool: 'main', addresses: 1 },
    outcome: {
      until: row!.next_attempt_at.toISOString(),
      text: expect.stringMatching(/: all addresses of the pool main \(1\) have used their caps of today\.$/),
    },
  });
  for (const sender of senders.slice(1)) await sender.stop();
  const [day] = await world.rows<{ used: number }>('select used from source_days');
  expect(day!.used).toBeGreaterThanOrEqual(peer.messages.length);
  expect(day!.used).toBeLessThanOrEqual(CAP);
});

test('past its cap a new address leaves the mail to another of the pool, to the last message', async () => {
  await start(NEW, OLD);
  const peer = await world.startPeer('there.test');
  await world.open();
  const account = await bestAt('site mx.there.test', NEW.address, [NEW, OLD]);
  const ids = await world.queueAll(to('there.test', 3 * CAP), { account });
  await waitUntil(async () => (await states(ids))['delivered'] === ids.length);
  expect(peer.messages.filter(({ from }) => from === NEW.address)).toHaveLength(CAP);
  expect(await readSources(world.context)).toEqual([
    {
      pool: 'main',
      address: NEW.address,
      hostname: NEW.hostname,
      warmup: { tier: 0, cap: CAP, used: CAP, day: new Date().toISOString().slice(0, 10) },
      rests: [],
    },
    { pool: 'main', address: OLD.address, hostname: OLD.hostname, warmup: null, rests: [] },
  ]);
});

test('what no receiver saw counts nothing, and what a sender did not use it gives back', async () => {
  await start(NEW);
  const peer = await world.startPeer('there.test', { greeting: () => ({ drop: true }) });
  const sender = await world.open();
  const id = await world.queue('a@there.test', { expiresInMs: 60_000 });
  await world.untilState(id, 'deferred');
  peer.script.greeting = () => '220 peer.test ESMTP';
  await world.untilState(id, 'delivered');
  await sender.stop();
  expect(await world.rows('select used from source_days')).toEqual([{ used: 1 }]);
});

test('an address that a provider refuses rests there for the time of the rule; another takes its mail', async () => {
  const sources = [{ ...NEW, warmup: false }, OLD];
  await start(...sources);
  const refused: string[] = [];
  let refuses = true;
  const peer = await world.startPeer('icloud.test', {
    dot: ({ from, rcptTo }) => {
      if (!refuses || from !== NEW.address) return '250 2.0.0 taken';
      refused.push(rcptTo);
      return REFUSAL;
    },
  });
  await world.open();
  await world.open();
  const account = await bestAt('icloud', NEW.address, sources);
  const first = await world.queue('first@icloud.test', { account });
  await world.untilState(first, 'delivered');
  const attempts = await world.rows('select source, outcome from message_attempts order by attempt');
  expect(attempts.pop()).toEqual({ source: OLD.address, outcome: 'delivered' });
  expect(attempts).toContainEqual({ source: NEW.address, outcome: 'deferred' });
  expect(attempts.length).toBeLessThanOrEqual(2); // the other sender may try once before it has read of the rest
  expect((await readSources(world.context))[0]!.rests).toMatchObject([
    { provider: 'icloud', reply: expect.stringContaining('Temporary server error') },
  ]);
  const ids = await world.queueAll(to('icloud.test', 20), { account });
  await waitUntil(async () => (await states(ids))['delivered'] === ids.length);
  expect(refused.length).toBeLessThan(8); // those under way, also the other sender, before it read of the rest
  refuses = false;
  await waitUntil(async () => {
    await world.untilState(await world.queue('later@icloud.test', { account }), 'delivered');
    return peer.messages.at(-1)!.from === NEW.address;
  });
});

test('with all of its addresses refused, mail waits for the provider', async () => {
  await start(OLD);
  let refuses = true;
  await world.startPeer('icloud.test', { dot: () => (refuses ? REFUSAL : '250 2.0.0 taken') });
  await world.open();
  const ids = await world.queueAll(to('icloud.test', 30));
  // Of those that waited in memory when the first was refused, each is given back, and then finds no other address.
  const rules = `select id from messages where id = any($1) and decisions @? '$[*] ? (@.rule == "source_rests")'
    and decisions @? '$[*] ? (@.rule == "sources_rest")' limit 1`;
  await waitUntil(async () => (await world.rows(rules, [ids])).length === 1);
  expect((await states(ids))['provider_limit']).toBeGreaterThan(0);
  refuses = false;
  await waitUntil(async () => (await states(ids))['delivered'] === ids.length);
  const [row] = await world.rows<{ id: string }>(rules, [ids]);
  const told = await readExplanation(world.context, world.account.tenantId, row!.id);
  expect(told.find(({ rule }) => rule === 'source_rests')).toMatchObject({
    outcome: { state: 'queued', text: 'Given back: the address that it was to leave from rests now.' },
  });
  expect(told.find(({ rule }) => rule === 'sources_rest')).toMatchObject({
    inputs: { pool: 'main', addresses: 1, resting: 1, provider: 'icloud' },
    outcome: {
      text: expect.stringMatching(/: 1 of 1 addresses of the pool main rest after refusals of icloud\.$/),
    },
    docs: 'docs/deliverability.md#pools-and-sources',
  });
});
