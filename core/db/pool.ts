// PostgreSQL connections. Only a main.ts (or a test) opens a pool; stores get it inside `deps`.

import pg from 'pg';

import type { Config } from '../base/config.ts';
import type { Logger } from '../base/log.ts';
import { CONNECTION_MS, STATEMENT_MS } from '../base/time-limits.ts';

/** The database as stores see it; core/db/orm.ts builds statements for it. */
export interface Database {
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Whatever runs statements: a pool, or the one connection of a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

const SILENCE_MS = STATEMENT_MS + 5_000; // a server that does not even report its own time-out is gone

/**
 * Opens a pool. Commits are durable (`synchronous_commit` on) whatever the server's default says. `answerMs` bounds the
 * wait for any answer, for processes with a caller that waits. `byIndex` is for processes whose statements all look rows up
 * by an index: the plan of a prepared statement is kept, and one that was made while a table was empty reads all of it at
 * each call when it has thousands of rows (4 ms for each claim of webhook deliveries), until autovacuum comes by.
 */
export function openDatabase(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'>,
  log: Logger,
  { answerMs = SILENCE_MS, byIndex = false }: { answerMs?: number; byIndex?: boolean } = {},
): Database {
  const pool = new pg.Pool({
    connectionString: config.DATABASE_URL,
    max: config.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: CONNECTION_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: answerMs,
    options: `-c synchronous_commit=on -c timezone=UTC${byIndex ? ' -c enable_seqscan=off' : ''}`,
    keepAlive: true,
    pipeline: true,
  });
  // The pool listens to idle connections only. One that breaks while it is being closed would otherwise end the process.
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'a connection broke')),
  );
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke; it is replaced'));
  return { pool, close: () => pool.end() };
}

/** Whether PostgreSQL answers now: for /readyz. */
export async function isDatabaseUp(db: Database): Promise<boolean> {
  await db.pool.query('select 1');
  return true;
}
