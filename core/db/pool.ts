// PostgreSQL connections. Only a main.ts (or a test) opens a pool; stores get it inside `deps`.

import pg from 'pg';

import type { Config } from '../base/config.ts';
import { serverUrls } from '../base/database-url.ts';
import type { Logger } from '../base/log.ts';
import { DATABASE_LIMITS, type DatabaseLimits, type Work } from '../base/time-limits.ts';
import { boundPool } from './bounded-pool.ts';
import { BucketClient } from './bucket-client.ts';
import { inBucket } from './bucket-pool.ts';
import { connectionsToPrimary, isSame, watchPrimary, type ServerAddress } from './primary.ts';
import { HOME } from './service-tables.ts';
import { keepSteady } from './steady-pool.ts';

/** Connections of a service that stay open, so that it works while others hold all other connections of the server. */
export const WARM_CONNECTIONS = 2; // a statement that waits for a lock does not hold up the others

const ASKING_GIVES_UP_MS = 2_000; // then it asks over a new connection: a line that swallowed packets may never bring them
const ASKING_LIVES_S = 60;
const BEAT_CONNECTS_MS = 1_200; // with the pulse's own interval, a frozen server that it cannot connect to is known in 1.5 s

/**
 * The database as stores see it: that of one bucket (core/db/buckets.ts), the first unless it says which. core/db/orm.ts builds
 * statements for it.
 */
export interface Database {
  pool: pg.Pool;
  /** The same connections for statements about another bucket; it is closed with this one. */
  inBucket(bucket: string): Database;
  /** For questions about the server itself, over a separate connection. They are answered within 4 s or fail. */
  asking: Queryable;
  close(): Promise<void>;
}

/** Whatever runs statements: a pool, or the one connection of a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

/**
 * Opens a pool; of several servers, to the one that accepts writes (primary.ts). Commits are durable (`synchronous_commit`
 * on) whatever the server's default says. `work` says for how long anything waits (core/base/time-limits.ts), `connections`
 * how many there are at most, `warm` how many stay open. `byIndex` is for processes whose statements all look rows up by an
 * index: the plan of a prepared statement is kept, and one that was made while a table was empty reads all of it at each call
 * when it has thousands of rows (4 ms for each claim of webhook deliveries), until autovacuum comes by.
 */
export function openDatabase(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'>,
  log: Logger,
  {
    work = 'job',
    connections = config.DATABASE_POOL_SIZE,
    warm = 0,
    byIndex = false,
  }: { work?: Work; connections?: number; warm?: number; byIndex?: boolean } = {},
): Database {
  const limits = DATABASE_LIMITS[work];
  const urls = serverUrls(config.DATABASE_URL);
  const open = new Set<pg.PoolClient>();
  const primary = urls.length > 1 ? watchPrimary(urls, log, (to) => cutOthers(open, to)) : null;
  const target: pg.PoolConfig = {
    connectionString: urls[0],
    Client: primary ? connectionsToPrimary(primary) : BucketClient,
    options: `-c synchronous_commit=on -c timezone=UTC${byIndex ? ' -c enable_seqscan=off' : ''}`,
  };
  const pools: pg.Pool[] = [];
  const watches: { stop(): unknown }[] = [];
  const add = (more: pg.PoolConfig, own: DatabaseLimits) => {
    const made = openPool({ ...target, ...more }, own, open, log);
    pools.push(made);
    if (more.min) watches.push(keepSteady(made, more.min, log));
    return made;
  };
  const pool = add({ max: connections, min: Math.min(warm, connections) }, limits);
  // Renewed: whether a session may write is settled when it begins (ALTER DATABASE … SET).
  const questions = { ...limits, connectMs: ASKING_GIVES_UP_MS, answerMs: ASKING_GIVES_UP_MS };
  const asking = add({ max: 1, maxLifetimeSeconds: ASKING_LIVES_S }, questions);
  if (limits.queue !== null) {
    // A question that gets no answer holds its connection, so the beat has another one. It stays open: a new one may take seconds.
    const beating = add({ max: 1, min: 1 }, { ...questions, connectMs: BEAT_CONNECTS_MS });
    watches.push(boundPool(pool, limits.queue, beating, log));
  }
  return asBucket(HOME, pool, asking, async () => {
    await Promise.all([...watches.map((watch) => watch.stop()), ...pools.map((one) => one.end())]);
    await primary?.close();
  });
}

function asBucket(bucket: string, pool: pg.Pool, asking: Queryable, close: () => Promise<void>): Database {
  return {
    pool: inBucket(pool, bucket),
    inBucket: (other) => asBucket(other, pool, asking, () => Promise.resolve()),
    asking,
    close,
  };
}

function openPool(
  target: pg.PoolConfig,
  { connectMs, lockMs, statementMs, idleMs, answerMs }: DatabaseLimits,
  open: Set<pg.PoolClient>,
  log: Logger,
): pg.Pool {
  const pool = new pg.Pool({
    ...target,
    connectionTimeoutMillis: connectMs,
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    ...(idleMs < Infinity && { idle_in_transaction_session_timeout: idleMs }),
    query_timeout: answerMs,
    keepAlive: true,
    pipeline: true,
  });
  // The pool listens to idle connections only. One that breaks while it is being closed would otherwise end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a connection broke'));
    open.add(client);
  });
  pool.on('remove', (client) => open.delete(client));
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke; it is replaced'));
  return pool;
}

// Those to a server that was the primary: it may hang, or answer with what was true before.
function cutOthers(connections: Iterable<pg.PoolClient>, primary: ServerAddress): void {
  for (const client of connections) {
    if (client instanceof pg.Client && !isSame(client, primary)) client.connection.stream.destroy();
  }
}
