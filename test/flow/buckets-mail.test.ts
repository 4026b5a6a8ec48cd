// Mail of tenants in two buckets, through one sender and one inbound: each has its own, and nothing of the other's.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { openSender } from '../../core/clients/sender.ts';
import { addBucket } from '../../core/db/migrate.ts';
import { OutgoingMessage, SendRequest } from '../../core/gen/sender/v1/sender.ts';
import type { Context } from '../harness/context.ts';
import { makeSignedAccount, type Account } from '../harness/factories.ts';
import {
  hook,
  makeSent,
  openWorld,
  sendMail,
  startEndpoint,
  storedRaws,
  until,
  type InboundWorld,
} from '../harness/inbound-world.ts';
import { dsnReport } from '../harness/report-mail.ts';
import type { Service } from '../harness/service.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const CAP = 50; // of tier 0
const TO_BOTH = ['b1', 'b2'];

let stack: Stack;
let sender: Service;
let dotMs = 0;

beforeAll(async () => {
  stack = await createStack({
    senders: 0,
    env: { WORKER_LEASE_MS: '1000', TEST_RETRY_SCALE: '0.02' },
    sink: { dot: () => ({ reply: '250 2.0.0 taken', afterMs: dotMs }) },
  });
  for (const bucket of TO_BOTH) await addBucket(stack.context.config.DATABASE_URL, bucket);
  sender = await stack.addSender();
});
afterAll(() => stack.close());

// The world as it looks from a bucket.
function inBucket(bucket: string): Context {
  return { ...stack.context, db: stack.context.buckets.database(bucket) };
}

const accountIn = (bucket: string, tier: number) => makeSignedAccount(inBucket(bucket), { tier });

async function rowsIn<T extends object>(bucket: string, text: string, values: unknown[] = []): Promise<T[]> {
  return (await inBucket(bucket).db.pool.query<T>(text, values)).rows;
}

const deliveredIn = async (bucket: string, { domainId }: Account) => {
  const counted = `select count(*)::int as n from messages where domain_id = $1 and state = 'delivered'`;
  return (await rowsIn<{ n: number }>(bucket, counted, [domainId]))[0]!.n;
};

// Submits to all accounts in turns over one connection; returns how often each got each status.
async function submit(accounts: Account[], each: number): Promise<Record<string, number>[]> {
  const address = `127.0.0.1:${sender.env['SENDER_GRPC_PORT']}`;
  const client = openSender({ ...stack.context.config, SENDER_ADDRESSES: [address] }, stack.context.log);
  const counts: Record<string, number>[] = accounts.map(() => ({}));
  const sendOne = async (account: Account, at: number, n: number) => {
    const message = OutgoingMessage.fromPartial({
      from: `a@${account.domain}`,
      to: [`${n}.${account.domain}@sink.test`],
      subject: 'Hello',
      text: 'x',
    });
    const request = SendRequest.fromPartial({ tenantId: toId('tnt', account.tenantId), message });
    const { outcome } = await client.send(request);
    const status = outcome!.$case === 'sent' ? outcome!.value.status : outcome!.value.code;
    counts[at]![status] = (counts[at]![status] ?? 0) + 1;
  };
  try {
    const rounds = Array.from({ length: each }, (_, n) => accounts.map((one, at) => sendOne(one, at, n)));
    await Promise.all(rounds.flat());
    return counts;
  } finally {
    client.close();
  }
}

const copiesFor = ({ domain }: Account) => {
  const own = stack.sink.messages.filter(({ rcptTo }) => rcptTo.endsWith(`.${domain}@sink.test`));
  return [...Map.groupBy(own, ({ rcptTo }) => rcptTo).values()].map(({ length }) => length);
};

test('two tenants submit over one stream: each in its own bucket, each with its own cap', async () => {
  const accounts = await Promise.all(TO_BOTH.map((bucket) => accountIn(bucket, 0)));
  expect(await submit(accounts, CAP + 10)).toEqual(TO_BOTH.map(() => ({ queued: CAP, deferred: 10 })));
  for (const [at, bucket] of TO_BOTH.entries()) {
    const account = accounts[at]!;
    await waitUntil(async () => (await deliveredIn(bucket, account)) === CAP);
    expect(copiesFor(account)).toEqual(Array.from({ length: CAP }, () => 1));
    const day = await rowsIn(bucket, 'select used from warmup_days where domain_id = $1', [account.domainId]);
    expect(day).toEqual([{ used: CAP }]);
    const other = TO_BOTH[1 - at]!;
    expect(await deliveredIn(other, account)).toBe(0);
    const workers = await rowsIn(bucket, `select from workers where service = 'sender'`);
    expect(workers).toHaveLength(1);
    const metrics = await (await fetch(`${sender.metricsUrl}/metrics`)).text();
    const labels = `bucket="${bucket}",outcome="delivered",stream="transactional"`;
    expect(metrics).toContain(`postrider_delivery_outcomes_total{${labels}`);
    expect(metrics).toMatch(new RegExp(`^postrider_delivery_unclaimed\\{.*bucket="${bucket}".*\\} 0$`, 'm'));
  }
});

test('a bucket that is added while the sender runs has its mail delivered', async () => {
  await addBucket(stack.context.config.DATABASE_URL, 'b3');
  const account = await accountIn('b3', 0);
  expect(await submit([account], 3)).toEqual([{ queued: 3 }]);
  await waitUntil(async () => (await deliveredIn('b3', account)) === 3);
});

test('kill -9 with mail of both buckets under way loses none', async () => {
  const each = 40;
  const accounts = await Promise.all(TO_BOTH.map((bucket) => accountIn(bucket, 10)));
  dotMs = 100;
  expect(await submit(accounts, each)).toEqual(TO_BOTH.map(() => ({ queued: each })));
  await waitUntil(() => accounts.every((account) => copiesFor(account).length > 0));
  await sender.kill();
  dotMs = 0;
  for (const account of accounts) expect(copiesFor(account).length).toBeLessThan(each);
  sender = await stack.addSender();
  for (const [at, bucket] of TO_BOTH.entries()) {
    await waitUntil(async () => (await deliveredIn(bucket, accounts[at]!)) === each);
    const copies = copiesFor(accounts[at]!);
    expect(copies).toHaveLength(each);
    expect(Math.max(...copies)).toBeLessThanOrEqual(2);
  }
});

test('a sender that stops leaves no lease in any bucket', async () => {
  await sender.stop();
  for (const bucket of [...TO_BOTH, 'b3']) expect(await rowsIn(bucket, 'select from workers')).toEqual([]);
  sender = await stack.addSender();
});

test('mail with a recipient in each bucket is stored, routed and delivered to a webhook in each', async () => {
  await using world = await inboundWorld();
  const accounts = await Promise.all(TO_BOTH.map((bucket) => accountIn(bucket, 0)));
  const endpoint = await startEndpoint(() => ({ status: 200 }));
  try {
    for (const [at, bucket] of TO_BOTH.entries())
      await hook({ ...world, context: inBucket(bucket) }, accounts[at]!, endpoint.url);
    const large = 'x'.repeat(70) + '\r\n';
    for (const text of ['short\r\n', large.repeat(10_000)]) {
      const data = Buffer.from(`Subject: Hello\r\nFrom: ann@sender.test\r\n\r\n${text}`);
      const to = accounts.map(({ domain }) => `info@${domain}`);
      expect(await sendMail(world.port, { to, data })).toMatch(/^250/);
      for (const bucket of TO_BOTH)
        expect((await storedRaws(inBucket(bucket))).at(-1)!.equals(data)).toBe(true);
    }
    await until(() => endpoint.hits.length === 2 * TO_BOTH.length);
    for (const [at, bucket] of TO_BOTH.entries()) {
      const stored = await rowsIn(bucket, `select distinct tenant_id, recipient from inbound_messages`);
      const { tenantId, domain } = accounts[at]!;
      expect(stored).toEqual([{ tenant_id: tenantId, recipient: `info@${domain}` }]);
    }
    expect(await rowsIn(TO_BOTH[0]!, 'select from inbound_uploads')).toEqual([]);
    expect(await rowsIn(TO_BOTH[1]!, 'select from inbound_uploads')).toEqual([]);
  } finally {
    await endpoint.close();
  }
});

test('when one bucket does not take mail for both the client is told to come again, and nothing is half there', async () => {
  await using world = await inboundWorld();
  const accounts = await Promise.all(TO_BOTH.map((bucket) => accountIn(bucket, 0)));
  const to = accounts.map(({ domain }) => `info@${domain}`);
  const storedIn = async (bucket: string) => {
    const { tenantId } = accounts[TO_BOTH.indexOf(bucket)]!;
    return (await rowsIn(bucket, 'select from inbound_raws where tenant_id = $1', [tenantId])).length;
  };
  const [first, second] = TO_BOTH as [string, string];
  for (const [n, size] of [10, 700_000].entries()) {
    const data = `Subject: Hello\r\nFrom: ann@sender.test\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(Math.ceil(size / 72))}`;
    await rowsIn(second, 'alter table inbound_raws add constraint full_disk check (false) not valid');
    expect(await sendMail(world.port, { to, data })).toMatch(/^451/);
    expect([await storedIn(first), await storedIn(second)]).toEqual([2 * n + 1, n]);
    await rowsIn(second, 'alter table inbound_raws drop constraint full_disk');
    expect(await sendMail(world.port, { to, data })).toMatch(/^250/);
    expect([await storedIn(first), await storedIn(second)]).toEqual([2 * n + 2, n + 1]);
    for (const bucket of TO_BOTH) {
      expect(await rowsIn(bucket, 'select from inbound_uploads')).toEqual([]);
      const orphans = 'select from inbound_chunks where raw_id not in (select id from inbound_raws)';
      expect(await rowsIn(bucket, orphans)).toEqual([]);
      const raws = await storedRaws(inBucket(bucket));
      expect(raws.slice(-1).map((raw) => raw.toString('latin1'))).toEqual([data]);
    }
  }
});

test('a bounce finds its message, also when the domain has moved to a tenant of another bucket', async () => {
  await using world = await inboundWorld();
  const before = await accountIn('b2', 0);
  const sent = await makeSent(inBucket('b2'), before);
  const later = await makeSent(inBucket('b2'), before);
  const bounceOf = (message: typeof sent) =>
    sendMail(world.port, {
      from: '',
      to: message.returnPath,
      data: dsnReport(message.rcptTo, '5.1.1', '550 no'),
    });
  const stateOf = async ({ id }: typeof sent) =>
    (await rowsIn<{ state: string }>('b2', 'select state from messages where id = $1', [id]))[0]!.state;
  expect(await bounceOf(sent)).toMatch(/^250/);
  await waitUntil(async () => (await stateOf(sent)) === 'bounced');

  await rowsIn('b2', `update domains set status = 'failed' where id = $1`, [before.domainId]);
  await makeSignedAccount(inBucket('b1'), { domain: before.domain });
  await until(async () => (await bounceOf(later)).startsWith('250'));
  await waitUntil(async () => (await stateOf(later)) === 'bounced');
  expect(await sendMail(world.port, { to: 'info@nobody.test', data: 'Subject: x\r\n\r\nx' })).toMatch(/^550/);
});

async function inboundWorld(): Promise<InboundWorld & AsyncDisposable> {
  const world = await openWorld({}, stack.context);
  return { ...world, [Symbol.asyncDispose]: world.close };
}
