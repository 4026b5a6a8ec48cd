// One way to run a transaction.

import type { EventEmitter } from 'node:events';
import type pg from 'pg';

import { AppError, maybeStored } from '../base/errors.ts';
import { isReadOnly, sqlState } from './sql-state.ts';

const IN_FAILED_TRANSACTION = '25P02';
const STOOD_STILL = '25P03'; // idle_in_transaction_session_timeout
const SUCCESS = '00000'; // of a notice; the word for its severity is in the language of the server
const RETRY_AFTER_SECONDS = 2; // a restart of PostgreSQL takes about that long

/**
 * Runs `work` in one transaction and commits, or rolls back and rethrows. The connection is then free again. It throws what
 * went wrong first; where a COMMIT got no answer, or not all nodes of a cluster heard of it, that is `unavailable`, maybe
 * stored. So what it resolves with can be read by everybody.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool);
  let broken: Error | undefined;
  // A connection that breaks between two statements says so as an event, which unheard ends the process. The next
  // statement rejects with it.
  const heard = () => {};
  client.on('error', heard);
  const refusals = watchRefusals(client);
  try {
    await client.query('begin');
    const result = await work(client);
    const warning = watchWarnings(client);
    const commit = await client
      .query('commit')
      .catch((error: unknown) => {
        throw isDatabaseAway(error) && !stoodStill(refusals.first()) ? maybeStored(error) : error;
      })
      .finally(warning.close);
    if (warning.first()) throw maybeStored(databaseAway(warning.first()));
    // A pipelined statement that failed unseen turns COMMIT into ROLLBACK without an error.
    if (commit.command !== 'COMMIT')
      throw refusals.first() ?? new Error('the transaction was rolled back by the server');
    return result;
  } catch (heardOf) {
    const first = refusals.first();
    const hasCause = sqlState(heardOf) === IN_FAILED_TRANSACTION || stoodStill(first);
    const error = hasCause ? (first ?? heardOf) : heardOf;
    // A server that became read-only gets no second transaction on this connection: another one is the primary.
    if (isReadOnly(error)) broken = error as Error;
    await client.query('rollback').catch((reason: Error) => {
      broken = reason;
    });
    throw error;
  } finally {
    refusals.close();
    client.off('error', heard);
    client.release(broken);
  }
}

// Of statements in a pipeline the first that fails has the cause. The server says 25P02 to all behind it, and the work may
// know any of them first. The driver's connection tells each refusal, in order.
function watchRefusals(client: pg.PoolClient) {
  const { connection } = client as unknown as { connection: EventEmitter };
  let first: Error | null = null;
  const hear = (refusal: Error) => void (first ??= refusal);
  connection.on('errorMessage', hear);
  return { first: () => first, close: () => connection.off('errorMessage', hear) };
}

// A Citus coordinator says by a warning, with success, that it has stored its decision to commit and could not tell a node
// that went away: its rows are prepared there and nobody sees them, nor who writes them, until the coordinator has told
// it (docs/citus.md). One PostgreSQL has no warning for a COMMIT.
function watchWarnings(client: pg.PoolClient) {
  let first: Error | undefined;
  const hear = ({ code, message }: { code?: string | undefined; message?: string | undefined }) => {
    if (code !== SUCCESS) first ??= new Error(message);
  };
  client.on('notice', hear);
  return { first: () => first, close: () => void client.off('notice', hear) };
}

/** Whether PostgreSQL rolled a transaction back because this process stood still in it: doing it again is all it takes. */
export function stoodStill(error: unknown): boolean {
  return sqlState(error) === STOOD_STILL;
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw databaseAway(error);
  }
}

// Of the driver.
const NO_CONNECTION =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/i;

// What a Citus coordinator says whose node went away in a statement or a COMMIT, as an internal error (XX000).
const NODE_AWAY = startsWithOneOf(
  'failure on connection',
  'could not commit transaction for shard',
  'could not find an available connection',
  'could not connect to any active placements',
  'could not establish connection',
  'could not establish any connections',
  'connection establishment for node',
  'failed to send \\d+ bytes',
  'failed to read result',
  'failed to complete COPY',
  'failed to COPY to shard',
  // Of libpq, whose connection breaks: fe-misc.c, fe-secure.c and fe-exec.c of PostgreSQL 15.
  'server closed the connection',
  'could not (receive|send) data',
  'no connection to the server',
  'connection not open',
  'lost synchronization with server',
  'SSL SYSCALL error',
  'SSL connection has been closed',
);

function startsWithOneOf(...texts: string[]): RegExp {
  return new RegExp(`^(${texts.join('|')})`);
}

class DatabaseAway extends AppError {}

/**
 * Whether an error means that PostgreSQL can do nothing now, whatever the statement: it is gone, or it answers and cannot
 * write. The one place that decides.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseAway) return true;
  if (error instanceof AppError) return isDatabaseAway(error.cause);
  const own = (error as { code?: string }).code ?? (error.cause as { code?: string } | undefined)?.code ?? '';
  const code = sqlState(error) ?? own;
  // Class 08 connection, 57P0x shutting down or starting, class 53 no disk, memory or connections left, class 58 the
  // system below, 25006 read-only (a standby, after a failover), 55P03 a lock not had in time, 57014 a statement not done in
  // time (a stalled disk: the next one is no faster), 25P03 this process stood still; else socket errors.
  if (/^(08|57P0|53|58|25006|55P03|57014|25P03)/.test(code)) return true;
  if (/^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT|ENOENT|EHOSTUNREACH)$/.test(code)) return true;
  return NO_CONNECTION.test(error.message) || NODE_AWAY.test(error.message);
}

/** The refusal that every API surface answers with 503 with Retry-After (or UNAVAILABLE). */
export function databaseAway(cause: unknown): AppError {
  return new DatabaseAway('unavailable', 'The database is temporarily unavailable. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}
