// "Is this address suppressed?", asked right before every MAIL FROM: a thousand deliveries a second cost a few dozen
// queries.

import type pg from 'pg';

import { createBatchedLookup } from '../base/batched-lookup.ts';
import { isDatabaseAway } from '../db/transaction.ts';
import { findSuppressed } from './suppression-store.ts';

/** Answers from the record itself, never from a cache: a suppression counts from its commit on. */
export interface SuppressionCheck {
  /** `email` is normalized. Throws when the database is unavailable. */
  isSuppressed(tenantId: string, email: string): Promise<boolean>;
}

interface Question {
  tenantId: string;
  email: string;
}

const MAX_BATCH = 500;

/** The check of one process. */
export function createSuppressionCheck(pool: pg.Pool): SuppressionCheck {
  const ask = createBatchedLookup<Question, boolean>({
    async read(questions) {
      const suppressed = await findSuppressed(pool, questions);
      return ({ tenantId, email }) => suppressed.has(`${tenantId} ${email}`);
    },
    isStoreDown: isDatabaseAway,
    maxItems: MAX_BATCH,
  });
  return { isSuppressed: (tenantId, email) => ask({ tenantId, email }) };
}
