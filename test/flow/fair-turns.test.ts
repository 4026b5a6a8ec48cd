// With more due than a sender can take, tenants take turns, and the domains of a tenant do: who has one message waits for
// one round, whatever the others have.

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { claimByDomain, findDueDomains } from '../../core/message/delivery-store.ts';
import { createTurns } from '../../sender/deliver/turns.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { makeSignedAccount, type Account } from '../harness/factories.ts';
import { longForm } from '../harness/form.ts';
import { waitUntil } from '../harness/wait.ts';

const IN_FLIGHT = 40;
const BACKLOG = longForm(2_000, 200_000);

let world: DeliveryWorld;
let heavy: Account;
let others: Account[];
beforeAll(async () => {
  world = await createDeliveryWorld({
    SENDER_MAX_IN_FLIGHT: String(IN_FLIGHT),
    OUTBOUND_MAX_CONNECTIONS: '4',
  });
  heavy = world.account;
  others = await Promise.all([1, 2, 3].map(() => makeSignedAccount(world.context)));
});
beforeEach(() => clear());
afterAll(() => world.close());

const due = async (count: number, account: Account, stream: 'transactional' | 'bulk' = 'transactional') => {
  const part = 5_000;
  for (let from = 0; from < count; from += part) {
    const to = Array.from({ length: Math.min(part, count - from) }, () => `r${newUuid()}@sink.test`);
    await world.queueAll(to, { account, stream });
  }
};
const clear = () => world.rows('delete from messages');

test(`a tenant with ${BACKLOG} due messages delays the receipts of others by one round`, async () => {
  const peer = await world.startPeer('sink.test', { dot: () => ({ reply: '250 2.0.0 ok', afterMs: 5 }) });
  await due(BACKLOG, heavy);
  const sender = await world.open();
  onTestFinished(() => sender.stop());
  await waitUntil(() => peer.messages.length > 3 * IN_FLIGHT);

  // How many messages were delivered between the moment that it was due and its own delivery.
  const passedBy = async (to: string, account: Account) => {
    const id = await world.queue(to, { account });
    const before = peer.messages.length;
    await world.untilState(id, 'delivered');
    return peer.messages.findIndex(({ rcptTo }) => rcptTo === to) - before;
  };
  // One round, which is 80 on a quiet machine: who has due mail is looked up for 5 % of the time only.
  const most = 500;
  for (const [n, account] of others.entries()) {
    expect(await passedBy(`receipt-${n}@sink.test`, account)).toBeLessThan(most);
  }
  const second = await makeSignedAccount(world.context, { tenantId: heavy.tenantId });
  expect(await passedBy('second@sink.test', second)).toBeLessThan(most);
  expect(peer.messages.length).toBeLessThan(BACKLOG); // all of that in the middle of it
});

test('each claim has equal parts of all tenants, and of the domains of a tenant, in turns', async () => {
  const { pool } = world.context.db;
  const second = await makeSignedAccount(world.context, { tenantId: heavy.tenantId });
  const accounts = [heavy, second, ...others];
  for (const account of accounts) await due(60, account);
  await due(60, others[0]!, 'bulk');
  const turns = createTurns({
    find: () => findDueDomains(pool),
    claim: (workerId, shares, octets) => claimByDomain(pool, workerId, shares, octets),
  });
  const claim = async (limits: { messages: number; bulk: number; octets?: number }) => {
    const { claims, left } = await turns.claim(newUuid(), {
      octets: 1e9,
      transactional: limits.messages,
      ...limits,
    });
    const counts = new Map<string, number>();
    for (const { stream, domainId } of claims) {
      const name = `${stream} ${accounts.findIndex((account) => account.domainId === domainId)}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return { counts: Object.fromEntries(counts), left };
  };
  const all = { transactional: true, bulk: true };
  expect(await claim({ messages: 80, bulk: 0 })).toEqual({
    counts: { 'transactional 0': 10, 'transactional 1': 10, ...rest(20) },
    left: all,
  });
  const few = [await claim({ messages: 3, bulk: 0 }), await claim({ messages: 3, bulk: 0 })];
  const served = few.flatMap(({ counts }) => Object.keys(counts));
  const tenants = served.map((name) => accounts[Number(name.split(' ')[1])]!.tenantId);
  expect(new Set(tenants).size).toBe(4); // three of four, then the fourth and two others
  expect((await claim({ messages: 40, bulk: 40 })).counts).toMatchObject({
    'transactional 2': 10,
    'bulk 2': 10,
  });
  const small = await claim({ messages: 40, bulk: 0, octets: 1 });
  expect(Object.values(small.counts)).toEqual([1]); // one always fits

  let claimed = 0;
  for (let more = true; more;) {
    const { counts, left } = await claim({ messages: 100, bulk: 100 });
    claimed += Object.values(counts).reduce((sum, count) => sum + count, 0);
    more = left.transactional || left.bulk;
  }
  expect(await world.rows('select 1 from messages where claimed_by is null')).toHaveLength(0);
  expect(claimed).toBe(360 - 80 - 6 - 50 - 1);
  await clear();
});

const rest = (count: number) => ({
  'transactional 2': count,
  'transactional 3': count,
  'transactional 4': count,
});
