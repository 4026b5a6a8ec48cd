// PostgreSQL connections. Only a main.ts (or a test) opens a pool; stores get it inside `deps`.

import pg from 'pg';

import type { Config } from '../base/config.ts';
import { serverUrls } from '../base/database-url.ts';
import type { Logger } from '../base/log.ts';
import { CONNECTION_MS, STATEMENT_MS } from '../base/time-limits.ts';
import { connectionsToPrimary, isSame, watchPrimary, type ServerAddress } from './primary.ts';

/** The database as stores see it; core/db/orm.ts builds statements for it. */
export interface Database {
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Whatever runs statements: a pool, or the one connection of a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

const SILENCE_MS = STATEMENT_MS + 5_000; // a server that does not even report its own time-out is gone

/**
 * Opens a pool; of several servers, to the one that accepts writes (primary.ts). Commits are durable (`synchronous_commit`
 * on) whatever the server's default says. `answerMs` bounds the wait for any answer, for processes with a caller that waits. `byIndex` is for processes whose statements all look rows up
 * by an index: the plan of a prepared statement is kept, and one that was made while a table was empty reads all of it at
 * each call when it has thousands of rows (4 ms for each claim of webhook deliveries), until autovacuum comes by.
 */
export function openDatabase(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'>,
  log: Logger,
  { answerMs = SILENCE_MS, byIndex = false }: { answerMs?: number; byIndex?: boolean } = {},
): Database {
  const urls = serverUrls(config.DATABASE_URL);
  const connections = new Set<pg.PoolClient>();
  const watch = urls.length > 1 ? watchPrimary(urls, log, (to) => cutOthers(connections, to)) : null;
  const pool = new pg.Pool({
    connectionString: urls[0],
    ...(watch && { Client: connectionsToPrimary(watch) }),
    max: config.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: CONNECTION_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: answerMs,
    options: `-c synchronous_commit=on -c timezone=UTC${byIndex ? ' -c enable_seqscan=off' : ''}`,
    keepAlive: true,
    pipeline: true,
  });
  // The pool listens to idle connections only. One that breaks while it is being closed would otherwise end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a connection broke'));
    connections.add(client);
  });
  pool.on('remove', (client) => connections.delete(client));
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke; it is replaced'));
  const close = async () => {
    await pool.end();
    await watch?.close();
  };
  return { pool, close };
}

// Those to a server that was the primary: it may hang, or answer with what was true before.
function cutOthers(connections: Iterable<pg.PoolClient>, primary: ServerAddress): void {
  for (const client of connections) {
    if (client instanceof pg.Client && !isSame(client, primary)) client.connection.stream.destroy();
  }
}
