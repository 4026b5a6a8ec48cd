// Sends one message through a destination: a connection, the last check, the transaction.

import type { Connection } from './connection.ts';
import type { Destination } from './destination.ts';
import { transact, type Envelope, type Transaction } from './transact.ts';

/** How sending ended, and through whom. */
export interface Sent {
  transaction: Transaction;
  mx: string | null;
  tls: string | null;
}

/** The last checks before a message is sent. */
export interface SendChecks {
  /** Right before MAIL FROM. */
  mayStart(): Promise<boolean>;
  /** Right before the message itself. */
  maySend(): Promise<boolean>;
}

/** Sends over an idle connection where there is one. One that turns out dead is no attempt: a new one is opened. */
export async function sendEnvelope(
  destination: Destination,
  envelope: Envelope,
  checks: SendChecks,
): Promise<Sent> {
  for (const fresh of [false, true]) {
    const acquired = await destination.pool.acquire(fresh);
    if (!acquired.ok) return { transaction: acquired.failure, mx: acquired.host, tls: null };
    const { connection } = acquired;
    const transaction = await over(connection, envelope, checks, () => destination.pool.release(connection));
    const stale = !acquired.fresh && isStale(transaction);
    if (!stale) return { transaction, mx: connection.host, tls: connection.tls };
  }
  throw new Error('unreachable: a fresh connection is never stale');
}

async function over(
  connection: Connection,
  envelope: Envelope,
  checks: SendChecks,
  release: () => void,
): Promise<Sent['transaction']> {
  try {
    if (!(await checks.mayStart())) return { kind: 'abandoned' };
    return await transact(connection, envelope, checks.maySend);
  } finally {
    release();
  }
}

// The peer closed the connection while it was idle, with or without saying so (421), before it saw the message.
function isStale(transaction: Sent['transaction']): boolean {
  if (transaction.kind === 'failed') return transaction.command !== 'DOT';
  return (
    transaction.kind === 'refused' && transaction.reply.code === 421 && transaction.reply.command === 'MAIL'
  );
}
