// Who works at a bucket: two of three senders, the next one when one dies, and for a while whoever was asked. Each sender says
// in its log which buckets it opens and closes, and its name to the mail server.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { hashOf, ownersOf } from '../../core/base/rendezvous.ts';
import { openSender, type SenderClient } from '../../core/clients/sender.ts';
import { addBucket } from '../../core/db/migrate.ts';
import { openBuckets } from '../../core/db/open-buckets.ts';
import { HOME } from '../../core/db/service-tables.ts';
import { SendRequest, Stream, type OutgoingMessage } from '../../core/gen/sender/v1/sender.ts';
import { ownedBy } from '../../sender/needed-buckets.ts';
import { accepted } from '../harness/accepted.ts';
import { makeSignedAccount, type Account } from '../harness/factories.ts';
import type { Service } from '../harness/service.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const BUCKETS = ['b1', 'b2', 'b3'];
const CALLS = 10;
const SCALE = 0.01; // a bucket that nobody needs is closed after 3 s
const SLOW_MS = 5_000; // the answer to some mail comes later than that

/** A sender process with what its log says. */
interface Named extends Service {
  name: string;
}

let stack: Stack;
let senders: Named[] = [];
let holds = false; // the mail server keeps everybody waiting after the final dot
let refuses = false; // it puts every message off
const accounts = new Map<string, Account>();
const clients: SenderClient[] = [];

beforeAll(async () => {
  stack = await createStack({
    senders: 0,
    env: { WORKER_LEASE_MS: '3000', TEST_RETRY_SCALE: String(SCALE) },
    sink: {
      dot: ({ rcptTo }) => {
        if (holds) return { hang: true };
        if (refuses) return '451 4.3.0 later';
        return { reply: '250 2.0.0 taken', afterMs: rcptTo.startsWith('slow') ? SLOW_MS : 0 };
      },
    },
  });
  for (const bucket of BUCKETS) {
    await addBucket(stack.context.config.DATABASE_URL, bucket);
    const context = { ...stack.context, db: stack.context.buckets.database(bucket) };
    accounts.set(bucket, await makeSignedAccount(context, { tier: 10 }));
  }
  await Promise.all(['one', 'two', 'three'].map((name) => start(name)));
}, 240_000);

afterAll(async () => {
  for (const client of clients) client.close();
  await stack?.close();
});

async function start(name: string, env: Record<string, string> = {}): Promise<Named> {
  const sender = await stack.addSender({ LOG_LEVEL: 'info', OUTBOUND_HOSTNAME: `${name}.test`, ...env });
  const named = { ...sender, name: `${name}.test` };
  senders.push(named);
  return named;
}

async function killAll(these: Named[]): Promise<void> {
  senders = senders.filter((one) => !these.includes(one));
  await Promise.all(these.map((one) => one.kill()));
}

type Line = { msg: string; bucket?: string; worker?: string };

const logOf = ({ output }: Service) =>
  output()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));

function openAt(sender: Service): string[] {
  const open = new Set<string>();
  for (const { msg, bucket } of logOf(sender)) {
    if (msg === 'a bucket is open') open.add(bucket!);
    if (msg === 'a bucket is closed') open.delete(bucket!);
  }
  return [...open].toSorted();
}

const idOf = (sender: Service) => logOf(sender).find(({ msg }) => msg === 'sender is ready')!.worker!;

// By what they should own, the first bucket aside; `among` are all of a kind.
function ownersAmong(among: Named[], bucket: string): Named[] {
  const ids = among.map(idOf).toSorted();
  return among.filter((one) => ownedBy(idOf(one), [bucket], ids).length > 0);
}

async function rowsIn<T extends object>(bucket: string, text: string, values: unknown[] = []): Promise<T[]> {
  return (await stack.context.buckets.database(bucket).pool.query<T>(text, values)).rows;
}

const leasesIn = async (bucket: string) => (await rowsIn(bucket, 'select from workers')).length;

const listed = (names: string[]) => names.join(' ') || 'none';

// Every sender of a kind has what it owns open, and nothing else.
async function settled(among = senders): Promise<void> {
  const wanted = (one: Named) => listed(BUCKETS.filter((bucket) => ownersAmong(among, bucket).includes(one)));
  const shown = () =>
    among.map((one) => `${one.name}: ${listed(openAt(one))}, wants ${wanted(one)}`).join('; ');
  const isRight = () => among.every((one) => listed(openAt(one)) === wanted(one));
  await waitUntil(isRight, { what: () => `senders to have what they own: ${shown()}` });
}

function clientOf(...these: Service[]): SenderClient {
  const SENDER_ADDRESSES = these.map(({ env }) => `127.0.0.1:${env['SENDER_GRPC_PORT']}`);
  const client = openSender({ ...stack.context.config, SENDER_ADDRESSES }, stack.context.log);
  clients.push(client);
  return client;
}

async function send(client: SenderClient, bucket: string, more: Partial<OutgoingMessage> = {}) {
  const { tenantId, domain } = accounts.get(bucket)!;
  const [to = `${newUuid()}@sink.test`] = more.to ?? [];
  const { outcome } = await client.send(
    SendRequest.fromPartial({
      tenantId: toId('tnt', tenantId),
      messageId: toId('msg', newUuid()),
      message: { from: `a@${domain}`, subject: 'Hello', text: 'x', ...more, to: [to] },
    }),
  );
  expect(outcome).toMatchObject({ $case: 'sent' });
  return to;
}

// The names of the senders that it came from.
const cameFrom = (to: string) =>
  stack.sink.messages.filter(({ rcptTo }) => rcptTo === to).map(({ helo }) => helo);

test('each bucket has the leases of two of three senders, the first bucket those of all', async () => {
  await settled();
  for (const bucket of BUCKETS) {
    await waitUntil(async () => (await leasesIn(bucket)) === 2);
    const open = senders.filter((one) => openAt(one).includes(bucket));
    expect(open).toEqual(ownersAmong(senders, bucket));
    expect(open).toHaveLength(2);
  }
  expect(await leasesIn(HOME)).toBe(3);
});

test('a call opens a bucket at a sender that does not own it; it delivers, and closes it later, again and again', async () => {
  const bucket = 'b1';
  const other = senders.find((one) => !ownersAmong(senders, bucket).includes(one))!;
  const client = clientOf(other);
  for (let n = 0; n < 2; n++) {
    const to = await send(client, bucket);
    await waitUntil(() => cameFrom(to).length === 1);
    expect(cameFrom(to)).toEqual([other.name]);
    expect(await leasesIn(bucket)).toBe(3);
    await settled();
    await waitUntil(async () => (await leasesIn(bucket)) === 2);
  }
});

test('a bucket with mail under way is not closed', async () => {
  const bucket = 'b1';
  const other = senders.find((one) => !ownersAmong(senders, bucket).includes(one))!;
  const to = await send(clientOf(other), bucket, { to: [`slow-${newUuid()}@sink.test`] });
  await waitUntil(() => cameFrom(to).length === 1);
  expect(openAt(other)).toContain(bucket);
  await settled();
  const { attempts, state } = (
    await rowsIn<{ attempts: number; state: string }>(
      bucket,
      'select attempts, state from messages where rcpt_to = $1',
      [to],
    )
  )[0]!;
  expect({ attempts, state }).toEqual({ attempts: 1, state: 'delivered' });
  expect(cameFrom(to)).toEqual([other.name]);
});

test('a release that one sender is asked for reaches all buckets, and opens none', async () => {
  await settled();
  const asked = senders.find((one) => !ownersAmong(senders, BUCKETS[0]!).includes(one));
  const at = new Date(Date.now() + 3_600_000);
  for (const bucket of BUCKETS)
    await send(clientOf(...ownersAmong(senders, bucket)), bucket, { scheduledAt: at });
  await settled();
  const opened = () => logOf(asked!).filter(({ msg }) => msg === 'a bucket is open').length;
  const before = opened();
  expect(openAt(asked!).length).toBeLessThan(BUCKETS.length);
  const client = clientOf(asked!);
  expect(await client.releaseDeferred({ now: at, tenantId: '' })).toMatchObject({
    released: BigInt(BUCKETS.length),
    done: true,
  });
  expect(opened()).toBe(before);
});

test('calls about a bucket go to the two that rank highest for it', async () => {
  const bucket = 'b2';
  const client = clientOf(...senders).inBucket(bucket);
  const peers = senders.map((one) => {
    const address = `127.0.0.1:${one.env['SENDER_GRPC_PORT']}`;
    return { name: one.name, seed: hashOf(address) };
  });
  const names = ownersOf(hashOf(bucket), peers).map(({ name }) => name);
  // On a busy machine one is silent for 0.4 s now and then, and another gets the same message too: then once more.
  let shares: [string, number][] = [];
  await waitUntil(
    async () => {
      const before = await Promise.all(senders.map(accepted));
      await Promise.all(Array.from({ length: CALLS }, () => send(client, bucket)));
      const after = await Promise.all(senders.map(accepted));
      shares = senders.map(({ name }, n) => [name, after[n]! - before[n]!]);
      const own = shares.filter(([name]) => names.includes(name));
      return (
        own.reduce((sum, [, count]) => sum + count, 0) === CALLS &&
        shares.every((one) => one[1] === 0 || own.includes(one))
      );
    },
    { what: () => `${names.join(' and ')} to have all calls, not ${shares.join('; ')}` },
  );
});

test('senders for bulk mail own buckets of their own: one alone has all, beside the two for the rest', async () => {
  await settled();
  const bulk = await start('bulk', { SENDER_BULK_ONLY: 'true' });
  await settled([bulk]);
  senders = senders.filter((one) => one !== bulk);
  await settled();
  expect(openAt(bulk)).toEqual(BUCKETS);
  for (const bucket of BUCKETS) {
    await waitUntil(async () => (await leasesIn(bucket)) === 3);
    const owners = ownersAmong(senders, bucket);
    const client = clientOf(...owners);
    // They hear of the other with their next heartbeat in the bucket.
    await waitUntil(async () => {
      const to = await send(client, bucket, { stream: Stream.STREAM_BULK });
      await waitUntil(() => cameFrom(to).length === 1);
      return cameFrom(to)[0] === bulk.name;
    });
  }
  await bulk.kill();
});

test('a sender dies while it closes a bucket: its lease ends, and the owners go on', async () => {
  let doomed: Named;
  let asked: string | undefined;
  do {
    doomed = await start('doomed', { TEST_FAILPOINTS: 'bucket.before-close' });
    await settled();
    asked = BUCKETS.find((bucket) => !ownersAmong(senders, bucket).includes(doomed));
    if (asked === undefined) await killAll([doomed]);
  } while (asked === undefined);
  const bucket = asked;
  await waitUntil(async () => (await leasesIn(bucket)) === 2); // those of senders that were killed before end by themselves
  const to = await send(clientOf(doomed), bucket);
  await waitUntil(() => cameFrom(to).length === 1);
  expect(await leasesIn(bucket)).toBe(3);
  expect(await doomed.ended).toBe('SIGKILL');
  senders = senders.filter((one) => one !== doomed);
  await settled();
  for (const one of BUCKETS) await waitUntil(async () => (await leasesIn(one)) === 2);
  const after = await send(clientOf(...ownersAmong(senders, bucket)), bucket);
  await waitUntil(() => cameFrom(after).length === 1);
  expect(cameFrom(to)).toEqual([doomed.name]);
});

test('what is due is delivered by its owners, though nobody was told', async () => {
  const bucket = 'b2';
  refuses = true;
  const to = await send(clientOf(...ownersAmong(senders, bucket)), bucket);
  const moved = `update messages set next_attempt_at = now() + $2 * interval '1 second'
    where rcpt_to = $1 and state = 'deferred'`;
  const move = async (seconds: number) => {
    const { rowCount } = await stack.context.buckets.database(bucket).pool.query(moved, [to, seconds]);
    return rowCount === 1;
  };
  await waitUntil(() => move(3600), { everyMs: 5 });
  refuses = false;
  await sleep(2_000); // its own wake-up finds it not due
  expect(cameFrom(to)).toEqual([]);
  expect(await move(0)).toBe(true);
  await waitUntil(() => cameFrom(to).length === 1);
});

test('both owners are killed with mail under way: the third opens the bucket and delivers it', async () => {
  const bucket = 'b3';
  await settled();
  await waitUntil(async () => (await leasesIn(bucket)) === 2);
  const owners = ownersAmong(senders, bucket);
  const third = senders.find((one) => !owners.includes(one))!;
  holds = true;
  const client = clientOf(...owners);
  const waiting = await Promise.all(Array.from({ length: 5 }, () => send(client, bucket)));
  const isUnderWay = (to: string) => stack.sink.commands.some((line) => line.startsWith(`RCPT TO:<${to}>`));
  await waitUntil(() => waiting.every(isUnderWay));
  await killAll(owners);
  holds = false;
  await waitUntil(() => waiting.every((to) => cameFrom(to).length > 0));
  for (const to of waiting) expect(cameFrom(to)).toEqual([third.name]);
  await waitUntil(async () => (await leasesIn(bucket)) === 1);

  await Promise.all(['four', 'five'].map((name) => start(name)));
  await settled();
  for (const one of BUCKETS) await waitUntil(async () => (await leasesIn(one)) === 2);
});

test('retries find their bucket, whichever sender is woken', async () => {
  refuses = true;
  const waiting: string[] = [];
  for (const bucket of BUCKETS)
    for (const owner of ownersAmong(senders, bucket)) waiting.push(await send(clientOf(owner), bucket));
  const tried = async (bucket: string) =>
    (await rowsIn(bucket, `select from messages where attempts > 0 and state <> 'delivered'`)).length;
  for (const bucket of BUCKETS) await waitUntil(async () => (await tried(bucket)) === 2);
  refuses = false;
  await waitUntil(() => waiting.every((to) => cameFrom(to).length === 1));
});

test('who asks for a bucket that is being closed gets one that is open, or is told to come again', async () => {
  const { buckets, log } = stack.context;
  let opened = 0;
  const open = await openBuckets(buckets, log, () => Promise.resolve((opened += 1)));
  const first = await open.of('b1');
  const slowly = open.close('b1', () => sleep(200));
  expect(open.open().has('b1')).toBe(false);
  expect(await Promise.all([open.of('b1'), open.of('b1')])).toEqual([first + 1, first + 1]);
  await slowly;
  const never = new AbortController();
  const stuck = open.close('b1', () => sleep(60_000, never.signal));
  await expect(open.of('b1')).rejects.toMatchObject({ code: 'unavailable' });
  never.abort();
  await stuck;
  expect(await open.of('b1')).toBe(first + 2);
});
