// PostgreSQL connections. Only a main.ts (or a test) opens a pool; stores get it inside `deps`.

import pg from 'pg';

import type { Config } from '../base/config.ts';
import type { Logger } from '../base/log.ts';

/** The database as stores see it; core/db/orm.ts builds statements for it. */
export interface Database {
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Whatever runs statements: a pool, or the one connection of a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

const CONNECT_TIMEOUT_MS = 5_000; // a store that is unavailable must give 503 within seconds, not hang the caller
const STATEMENT_TIMEOUT_MS = 30_000; // longer than any statement of ours; a lock that hangs must end some time
const SILENCE_MS = STATEMENT_TIMEOUT_MS + 5_000; // a server that does not even report its own time-out is gone

/**
 * Opens a pool. Commits are durable (`synchronous_commit` on) whatever the server's default says. `answerMs` bounds the
 * wait for any answer, for processes with a caller that waits.
 */
export function openDatabase(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'>,
  log: Logger,
  limits: { answerMs?: number } = {},
): Database {
  const pool = new pg.Pool({
    connectionString: config.DATABASE_URL,
    max: config.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: limits.answerMs ?? SILENCE_MS,
    options: '-c synchronous_commit=on -c timezone=UTC',
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
