// What a transaction that failed, or whose COMMIT got no answer, tells: its cause, and that it may have been stored. And
// what is no failure: a server that has no time for new connections.

import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { runOnce } from '../../core/idempotency/run-once.ts';
import { MAYBE_STORED, type AppError } from '../../core/base/errors.ts';
import { newUuid } from '../../core/base/ids.ts';
import { inTransaction, isDatabaseAway } from '../../core/db/transaction.ts';
import { openDatabase, type Database } from '../../core/db/pool.ts';
import { createWritableCheck } from '../../core/db/writable.ts';
import { createContext, type Context } from '../harness/context.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { waitUntil } from '../harness/wait.ts';

let context: Context;
let wire: TcpProxy;
let db: Database;

beforeAll(async () => {
  context = await createContext();
  const { hostname, port } = new URL(inject('databaseUrl'));
  wire = await startTcpProxy(hostname, Number(port));
  const url = new URL(context.config.DATABASE_URL);
  url.host = `127.0.0.1:${wire.port}`;
  db = openDatabase({ DATABASE_URL: url.toString(), DATABASE_POOL_SIZE: 2 }, context.log);
  await db.pool.query('create table notes (id uuid primary key)');
});
afterAll(async () => {
  await db.close();
  await wire.close();
  await context.close();
});

const note = (id: string) => (client: pg.PoolClient) =>
  client.query('insert into notes values ($1) on conflict do nothing', [id]);
const notes = async () => (await db.pool.query('select 1 from notes')).rowCount;

test('of a pipeline that failed the first refusal is told, whichever the work heard of', async () => {
  const failed = (work: (client: pg.PoolClient) => Promise<unknown>) =>
    inTransaction(db.pool, work).catch((error: unknown) => error);
  const full = `do $$ begin raise exception 'as if the disk were full' using errcode = '53100'; end $$`;
  const heardOfTheSecond = await failed(async (client) => {
    void client.query(full).catch(() => {});
    await client.query('select 1');
  });
  expect(heardOfTheSecond).toMatchObject({ code: '53100' });
  const heardOfNone = await failed(async (client) => {
    void client.query(full).catch(() => {});
  });
  expect(heardOfNone).toMatchObject({ code: '53100' });
});

test('a COMMIT without an answer may be stored; a repeat with the key finds it', async () => {
  const made: string[] = [];
  const once = () =>
    runOnce(db, { scopeId: SCOPE, key: 'k', bodyHash: Buffer.from('b') }, async (id) => {
      made.push(id);
      await inTransaction(db.pool, note(id));
      return { status: 201, body: id };
    });
  wire.loseAnswerTo('commit');
  const error = await once().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  expect((error as Error).message).toContain('Idempotency-Key');
  expect(isDatabaseAway(error)).toBe(true);
  // If the lost connection kept the key from being given up, its minute has to pass first.
  let again: unknown;
  const isAgain = async () => {
    again = await once().catch((reason: AppError) => reason);
    return (again as AppError).code !== 'idempotency_in_progress';
  };
  await waitUntil(isAgain, { limitMs: 120_000, everyMs: 500 });
  expect(again).toMatchObject({ replayed: false, body: made[0] });
  expect(await once()).toMatchObject({ replayed: true, body: made[0] });
  expect(await notes()).toBe(1);
});

// As a Citus coordinator says it that could not tell a node of its decision.
test('a COMMIT with a warning may be stored, and is not read by everybody yet', async () => {
  await db.pool.query(`
    create function warn() returns trigger language plpgsql as
      $$ begin raise warning 'failed to commit transaction on 10.0.0.2:5432'; return null; end $$;
    create table warned (id uuid);
    create constraint trigger at_commit after insert on warned deferrable initially deferred
      for each row execute function warn()`);
  const insert = (client: pg.PoolClient) => client.query('insert into warned values ($1)', [newUuid()]);
  const error = await inTransaction(db.pool, insert).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'unavailable', message: MAYBE_STORED });
  expect(isDatabaseAway(error)).toBe(true);
  expect((await db.pool.query('select from warned')).rowCount).toBe(1);
});

test('a notice in the COMMIT is no failure', async () => {
  await db.pool.query(`
    create function tell() returns trigger language plpgsql as $$ begin raise notice 'of no account'; return null; end $$;
    create table told (id uuid);
    create constraint trigger at_commit after insert on told deferrable initially deferred
      for each row execute function tell()`);
  const heard: (string | undefined)[] = [];
  await inTransaction(db.pool, (client) => {
    client.once('notice', ({ message }) => heard.push(message));
    return client.query('insert into told values ($1)', [newUuid()]);
  });
  expect(heard).toEqual(['of no account']);
});

test('a warning before the COMMIT is no failure', async () => {
  await inTransaction(db.pool, (client) => client.query(`do $$ begin raise warning 'of no account'; end $$`));
});

const SCOPE = newUuid();

test('while every connection is at work and nobody gets a new one, the work goes on and readiness says yes', async () => {
  const url = new URL(context.config.DATABASE_URL);
  url.host = `127.0.0.1:${wire.port}`;
  const waited = openDatabase({ DATABASE_URL: url.toString(), DATABASE_POOL_SIZE: 1 }, context.log, {
    work: 'request',
  });
  try {
    await waited.pool.query('select 1');
    expect(await createWritableCheck(waited)()).toBe(true);
    wire.acceptNone();
    const atWork = waited.pool.query('select pg_sleep(1.5)'); // longer than a beat and silenceMs, and than freeMs
    expect(await createWritableCheck(waited)()).toBe(true);
    await atWork;
  } finally {
    await waited.close();
  }
});
