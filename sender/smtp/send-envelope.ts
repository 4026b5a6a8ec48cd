// Sends one message through a destination: a connection, the last check, the transaction.

import type { Envelope } from '../../core/message/compose-outgoing.ts';
import type { TlsPolicy } from '../../core/message/outcome.ts';
import type { Connection } from './connection.ts';
import type { Destination } from './destination.ts';
import type { Failed, Refused } from './failure.ts';
import type { TlsFacts } from './peer-certificate.ts';
import { transact, type Transaction } from './transact.ts';

/** How sending ended, and through whom. */
export interface Sent {
  transaction: Transaction;
  mx: string | null;
  tls: TlsFacts | null;
  /** The policy of the recipient's domain that was enforced. */
  policy: TlsPolicy | null;
  /** Domains for which its connection was counted (RFC 8460); null without a connection. */
  reported: Set<string> | null;
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
    if (!acquired.ok) return notSent(acquired.failure, acquired.host);
    const { connection } = acquired;
    const transaction = await over(connection, envelope, checks, () => destination.pool.release(connection));
    const stale = !acquired.fresh && isStale(transaction);
    if (!stale) {
      const { host, tls, policy, reported } = connection;
      return { transaction, mx: host, tls, policy, reported };
    }
  }
  throw new Error('unreachable: a fresh connection is never stale');
}

/** What is recorded when there was no connection to send over. */
export function notSent(failure: Refused | Failed, mx: string | null): Sent {
  const { tls, policy } = failure.kind === 'failed' ? failure : { tls: null, policy: null };
  return { transaction: failure, mx, tls, policy, reported: null };
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
