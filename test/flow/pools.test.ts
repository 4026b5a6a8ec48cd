// Pools of addresses: mail leaves from the pool of its domain or route, a domain's mail to one provider always from the same
// address. Peers see where connections come from; all of 127.0.0.0/8 is this machine's.

import { afterEach, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { readExplanation } from '../harness/explained.ts';
import { makeSignedAccount, type Account } from '../harness/factories.ts';
import { waitUntil } from '../harness/wait.ts';

const SOURCES = [2, 3, 4, 5].map((n) => ({ address: `127.0.1.${n}`, hostname: `out${n}.pools.test` }));
const MISSING = { address: '192.0.2.9', hostname: 'gone.pools.test' }; // no machine has it (RFC 5737)
const OURS = { from: '127.0.0.1', helo: 'out.postrider.test' };
const { from: NONE } = OURS;

let world: DeliveryWorld;
afterEach(() => world.close());

async function start(pools: object[], more: Record<string, string> = {}): Promise<void> {
  world = await createDeliveryWorld({ EGRESS_POOLS: JSON.stringify(pools), ...more });
}

// An account whose domain names a pool.
async function inPool(pool: string | null): Promise<Account> {
  const account = await makeSignedAccount(world.context);
  await world.rows('update domains set pool = $2 where id = $1', [account.domainId, pool]);
  return account;
}

const attemptOf = async (id: string) =>
  (
    await world.rows<{ source: string | null; source_name: string | null }>(
      'select source, source_name from message_attempts where message_id = $1 order by attempt desc limit 1',
      [id],
    )
  )[0];

test('a domain’s mail to one place leaves from one address of its pool, under its name, from every sender', async () => {
  await start([{ name: 'main', sources: SOURCES }]);
  const peer = await world.startPeer('there.test');
  await world.open();
  await world.open();
  const accounts = await Promise.all(Array.from({ length: 8 }, () => inPool('main')));
  const to = Array.from({ length: 10 }, (_, n) => `r${n}@there.test`);
  for (const account of accounts) await world.queueAll(to, { account });
  await waitUntil(() => peer.messages.length === accounts.length * to.length);

  const used = new Map<string, Set<string>>();
  for (const { mailFrom, from, helo } of peer.messages) {
    const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
    used.set(domain, (used.get(domain) ?? new Set()).add(`${from} ${helo}`));
  }
  expect(used.size).toBe(accounts.length);
  for (const ways of used.values()) expect(ways.size).toBe(1);
  const names = SOURCES.map(({ address, hostname }) => `${address} ${hostname}`);
  const all = new Set([...used.values()].flatMap((ways) => [...ways]));
  expect(all.size).toBeGreaterThan(1);
  expect(names).toEqual(expect.arrayContaining([...all]));
});

test('the attempt says which address it was; a domain without a pool has the system’s own', async () => {
  await start([{ name: 'main', sources: SOURCES.slice(0, 1) }]);
  const peer = await world.startPeer('there.test');
  await world.open();
  const pooled = await world.queue('a@there.test', { account: await inPool('main') });
  await world.untilState(pooled, 'delivered');
  const own = await world.queue('b@there.test', { account: await inPool(null) });
  await world.untilState(own, 'delivered');
  expect(await attemptOf(pooled)).toEqual({ source: '127.0.1.2', source_name: 'out2.pools.test' });
  expect(await attemptOf(own)).toEqual({ source: null, source_name: null });
  expect(peer.messages).toMatchObject([{ from: '127.0.1.2', helo: 'out2.pools.test' }, OURS]);
});

test('addresses that this machine does not have are passed over; without any the mail waits', async () => {
  await start([
    { name: 'part', sources: [MISSING, SOURCES[0]] },
    { name: 'elsewhere', sources: [{ ...MISSING, address: '2001:db8::9' }] },
  ]);
  const peer = await world.startPeer('there.test');
  await world.open();
  for (let n = 0; n < 4; n++) {
    const id = await world.queue(`r${n}@there.test`, { account: await inPool('part') });
    await world.untilState(id, 'delivered');
  }
  expect(new Set(peer.messages.map(({ from }) => from))).toEqual(new Set(['127.0.1.2']));
  const account = await inPool('elsewhere');
  const id = await world.queue('x@there.test', { account });
  expect(await world.untilState(id, 'deferred')).toMatchObject({ defer_reason: 'network', attempts: 0 });
  const told = await readExplanation(world.context, account.tenantId, id);
  expect(told.map(({ rule }) => rule).slice(0, 2)).toEqual(['accepted', 'source_away']);
  expect(told[1]!.outcome.text).toMatch(
    /: the sender that had it has none of the addresses of the pool elsewhere\.$/,
  );
});

test('a route that names a pool is for domains that name none', async () => {
  await start(
    [
      { name: 'main', sources: [SOURCES[0]] },
      { name: 'own', sources: [SOURCES[1]] },
    ],
    { OUTBOUND_ROUTES: JSON.stringify([{ name: 'direct', pool: 'main' }]) },
  );
  const peer = await world.startPeer('there.test');
  await world.open();
  for (const pool of [null, 'own', 'taken-out'])
    await world.untilState(await world.queue('a@there.test', { account: await inPool(pool) }), 'delivered');
  expect(peer.messages.map(({ from }) => from)).toEqual(['127.0.1.2', '127.0.1.3', '127.0.1.2']);
});

test('a pool that is kept for others is not used, whatever the domain’s row says', async () => {
  await start([{ name: 'vip', tenants: [toId('tnt', newUuid())], sources: [SOURCES[0]] }]);
  const peer = await world.startPeer('there.test');
  await world.open();
  await world.untilState(await world.queue('a@there.test', { account: await inPool('vip') }), 'delivered');
  expect(peer.messages.map(({ from }) => from)).toEqual([NONE]);
});

test('an address goes to hosts of its own family, another of the pool to those of the other', async () => {
  await start([{ name: 'both', sources: [{ address: '::1', hostname: 'six.pools.test' }, SOURCES[0]] }]);
  const peer = await world.startPeer('there.test');
  await world.open();
  for (let n = 0; n < 4; n++)
    await world.untilState(await world.queue('a@there.test', { account: await inPool('both') }), 'delivered');
  expect(new Set(peer.messages.map(({ from }) => from))).toEqual(new Set(['127.0.1.2']));
});
