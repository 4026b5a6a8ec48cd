// "Is this address suppressed?", asked right before every MAIL FROM: a thousand deliveries a second cost a few dozen
// queries.

import type pg from 'pg';

import { createBatchedLookup } from '../base/batched-lookup.ts';
import { isDatabaseAway } from '../db/transaction.ts';
import { findSuppressed, type SuppressionStream } from './suppression-store.ts';

/** Answers from the record itself, never from a cache: a suppression counts from its commit on. */
export interface SuppressionCheck {
  /** The stream of the entry of an address, which is normalized; null without one. Throws when the database is unavailable. */
  streamOf(tenantId: string, email: string): Promise<SuppressionStream | null>;
}

/** Whether an entry of this stream stops a message. */
export function stopsMail(stream: SuppressionStream, offersUnsubscribe: boolean): boolean {
  return stream === 'all' || offersUnsubscribe;
}

interface Question {
  tenantId: string;
  email: string;
}

const MAX_BATCH = 500;

/** The check of one process. */
export function createSuppressionCheck(pool: pg.Pool): SuppressionCheck {
  const ask = createBatchedLookup<Question, SuppressionStream | null>({
    async read(questions) {
      const suppressed = await findSuppressed(pool, questions);
      return ({ tenantId, email }) => suppressed.get(`${tenantId} ${email}`) ?? null;
    },
    isStoreDown: isDatabaseAway,
    maxItems: MAX_BATCH,
  });
  return { streamOf: (tenantId, email) => ask({ tenantId, email }) };
}
