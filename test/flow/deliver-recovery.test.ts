// Workers that die, pause or are cut off, and stores that go away: every message still ends, and none goes out twice
// without need.

import { jetstreamManager } from '@nats-io/jetstream';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { openDatabase } from '../../core/db/pool.ts';
import { startSweep } from '../../core/worker/sweep.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { waitUntil } from '../harness/wait.ts';

const LEASE_MS = 1_000; // of the world

let world: DeliveryWorld;

beforeEach(async () => {
  world = await createDeliveryWorld();
});

afterEach(() => world.close());

const claimAs = (worker: string, id: string) =>
  world.rows(
    `update messages set state = 'sending', claimed_by = $1, claim_version = claim_version + 1 where id = $2`,
    [worker, id],
  );

test('a message that another worker claimed meanwhile: nothing of the late outcome is written', async () => {
  const peer = await world.startPeer('fence.test', {
    dot: () => ({ reply: '550 5.1.1 gone', afterMs: 300 }),
  });
  const sender = await world.open();
  const other = newUuid();
  await world.rows(
    `insert into workers (id, service, heartbeat_at) values ($1, 'sender', now() + interval '1 hour')`,
    [other],
  );
  const id = await world.queue('ann@fence.test');
  await waitUntil(() => peer.commands.includes('DATA'));
  await claimAs(other, id);
  await waitUntil(() => sender.stats().inFlight === 0);
  expect(
    await world.rows('select state, claimed_by, claim_version from messages where id = $1', [id]),
  ).toEqual([{ state: 'sending', claimed_by: other, claim_version: 2 }]);
  for (const table of ['message_attempts', 'events', 'suppressions']) {
    expect(await world.rows(`select 1 from ${table}`)).toHaveLength(0);
  }
});

test('a worker whose heartbeat stopped loses its messages to one that lives', async () => {
  const peer = await world.startPeer('crash.test');
  const dead = newUuid();
  await world.rows(
    `insert into workers (id, service, heartbeat_at) values ($1, 'sender', now() - interval '3 s')`,
    [dead],
  );
  const [ofDead, ofUnknown] = await world.queueAll(['a@crash.test', 'b@crash.test']);
  await claimAs(dead, ofDead!);
  await claimAs(newUuid(), ofUnknown!);
  await world.open();
  await world.untilState(ofDead!, 'delivered');
  await world.untilState(ofUnknown!, 'delivered');
  expect(peer.messages).toHaveLength(2);
  await waitUntil(async () => (await world.rows('select 1 from workers where id = $1', [dead])).length === 0);
});

test('a sender that has just lost the database claims from nobody: the others may have lost it too', async () => {
  const id = await world.queue('ann@steady.test');
  await claimAs(newUuid(), id);
  let steadyMs = 0;
  let looks = 0;
  const { db, log } = world.context;
  const sweep = startSweep({
    pool: db.pool,
    log,
    leaseMs: 100,
    lease: { workerId: newUuid, steadyMs: () => steadyMs, databaseNow: () => new Date() },
    inFlight: () => {
      looks += 1;
      return new Set();
    },
    onFreed: () => {},
  });
  try {
    await waitUntil(() => looks > 4);
    expect(await world.rows('select state from messages')).toEqual([{ state: 'sending' }]);
    steadyMs = 101;
    await world.untilState(id, 'queued');
  } finally {
    await sweep.stop();
  }
});

test('a sweep that fails and is tried again at once frees nothing that was claimed a moment ago', async () => {
  const worker = newUuid();
  await world.rows(`insert into workers (id, service) values ($1, 'sender')`, [worker]);
  await claimAs(worker, await world.queue('ann@moment.test'));
  const { db, log } = world.context;
  let failures = 0;
  let looks = 0;
  const query = (statement: pg.QueryConfig) => {
    if (statement.name !== 'message-reclaim-from-lost' || failures > 2) return db.pool.query(statement);
    failures += 1;
    return Promise.reject(new Error('as if a lock had timed out'));
  };
  const sweep = startSweep({
    pool: { query } as unknown as pg.Pool,
    log,
    leaseMs: 60_000,
    lease: { workerId: () => worker, steadyMs: () => Infinity, databaseNow: () => new Date() },
    inFlight: () => {
      looks += 1;
      return new Set();
    },
    onFreed: () => {},
  });
  try {
    await waitUntil(() => failures > 2 && looks > 0);
  } finally {
    await sweep.stop();
  }
  expect(await world.rows('select state from messages')).toEqual([{ state: 'sending' }]);
});

test('a worker that was taken for dead sends nothing more of what it held', async () => {
  const peer = await world.startPeer('zombie.test', { data: () => ({ reply: '354 go on', afterMs: 700 }) });
  const sender = await world.open();
  const before = sender.lease.workerId();
  const id = await world.queue('ann@zombie.test');
  await waitUntil(() => peer.commands.includes('DATA'));
  await world.rows('delete from workers'); // as the sweep of another process does
  await waitUntil(() => sender.lease.workerId() !== before);
  peer.script.data = () => '354 go on';
  const row = await world.untilState(id, 'delivered');
  expect(row.claim_version).toBeGreaterThan(1);
  expect(peer.messages).toHaveLength(1);
});

test('messages that the record says are ours, but that nobody delivers, are found', async () => {
  await world.startPeer('forgot.test');
  const sender = await world.open();
  const id = await world.queue('ann@forgot.test', { esp: null });
  await world.untilState(id, 'delivered');
  await world.rows(
    `update messages set state = 'sending', claimed_by = $1, finished_at = null where id = $2`,
    [sender.lease.workerId(), id],
  );
  const row = await world.untilState(id, 'delivered');
  expect(row.attempts).toBe(2);
});

test('PostgreSQL gone between the peer’s 250 and the record: recorded when it is back, and sent once', async () => {
  const url = new URL(world.context.config.DATABASE_URL);
  const wire = await startTcpProxy(url.hostname, Number(url.port));
  url.host = `127.0.0.1:${wire.port}`;
  const db = openDatabase({ DATABASE_URL: url.toString(), DATABASE_POOL_SIZE: 4 }, world.context.log);
  try {
    const peer = await world.startPeer('outage.test', {
      dot: () => {
        wire.cut();
        return '250 2.0.0 taken';
      },
    });
    const sender = await world.open({ home: db });
    const before = sender.lease.workerId();
    const id = await world.queue('ann@outage.test');
    await waitUntil(() => peer.messages.length === 1);
    // Longer than the lease, and than the pause between two tries to record: a sweep could come first.
    const cutAt = performance.now();
    await waitUntil(() => !sender.lease.holds(before) && performance.now() - cutAt > 2_000);
    wire.mend();
    const row = await world.untilState(id, 'delivered');
    expect(row).toMatchObject({ attempts: 1, claim_version: 1 });
    await sender.stop();
    expect(peer.messages).toHaveLength(1);
  } finally {
    await db.close();
    await wire.close();
  }
});

test('PostgreSQL frozen for longer than the lease: who comes back first takes nothing from who comes back next', async () => {
  const url = new URL(world.context.config.DATABASE_URL);
  const [one, other] = await Promise.all([1, 2].map(() => startTcpProxy(url.hostname, Number(url.port))));
  const through = ({ port }: TcpProxy) => {
    url.host = `127.0.0.1:${port}`;
    return openDatabase({ DATABASE_URL: url.toString(), DATABASE_POOL_SIZE: 4 }, world.context.log);
  };
  const dbs = [through(one!), through(other!)];
  try {
    let frozen = false;
    const peer = await world.startPeer('frozen.test', {
      dot: () => {
        frozen = true;
        for (const proxy of [one!, other!]) proxy.freeze();
        return '250 2.0.0 taken';
      },
    });
    const sender = await world.open({ home: dbs[0]! });
    const first = await world.open({ home: dbs[1]! });
    await waitUntil(() => first.lease.steadyMs() > LEASE_MS);
    await first.drain(); // it only sweeps
    const id = await world.queue('ann@frozen.test');
    await waitUntil(() => frozen);
    const since = performance.now();
    await waitUntil(() => performance.now() - since > 2 * LEASE_MS);
    other!.thaw(); // what it asked meanwhile is done now, before the heartbeat of the other
    await waitUntil(() => first.lease.holds(first.lease.workerId()));
    one!.thaw();
    const row = await world.untilState(id, 'delivered');
    expect(row).toMatchObject({ attempts: 1, claim_version: 1 });
    expect(peer.messages).toHaveLength(1);
    await Promise.all([sender, first].map((open) => open.stop()));
  } finally {
    await Promise.all(dbs.map((db) => db.close()));
    await Promise.all([one!, other!].map((proxy) => proxy.close()));
  }
});

test('a retry is woken by JetStream, and its wake-up is gone afterwards', async () => {
  let tries = 0;
  await world.startPeer('wake.test', { rcpt: () => (++tries === 1 ? '451 4.3.0 once more' : '250 ok') });
  const sender = await world.open();
  await waitUntil(() => world.nats.connection() !== null);
  const id = await world.queue('ann@wake.test');
  await world.untilState(id, 'delivered');
  const manager = await jetstreamManager(world.nats.connection()!);
  const stream = `${world.context.config.KEY_PREFIX}_retries`;
  await waitUntil(async () => {
    const { state } = await manager.streams.info(stream);
    return state.last_seq === 1 && state.messages === 0;
  });
  await sender.stop();
  await manager.streams.delete(stream);
});

test('all of JetStream erased between two attempts: the record knows the retry, and the stream is made again', async () => {
  let tries = 0;
  const peer = await world.startPeer('erased.test', {
    rcpt: () => (++tries === 1 ? '451 4.3.0 once more' : '250 ok'),
  });
  const sender = await world.open();
  const stream = `${world.context.config.KEY_PREFIX}_retries`;
  await waitUntil(() => world.nats.connection() !== null);
  const manager = await jetstreamManager(world.nats.connection()!);
  await waitUntil(async () => (await manager.streams.info(stream).catch(() => null)) !== null);
  const id = await world.queue('ann@erased.test');
  await world.untilState(id, 'deferred');
  await manager.streams.delete(stream);
  await world.untilState(id, 'delivered');
  expect(peer.messages).toHaveLength(1);
  await waitUntil(async () => (await manager.streams.info(stream).catch(() => null)) !== null);
  await sender.stop();
  await manager.streams.delete(stream);
});

test('without NATS everything is delivered all the same', async () => {
  await world.nats.close();
  let tries = 0;
  await world.startPeer('alone.test', { rcpt: () => (++tries === 1 ? '451 4.3.0 once more' : '250 ok') });
  await world.open();
  const row = await world.untilState(await world.queue('ann@alone.test'), 'delivered');
  expect(row.attempts).toBe(2);
});
