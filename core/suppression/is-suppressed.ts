// "Is this address suppressed?", asked right before every MAIL FROM. Checks that arrive while a query is under way
// form the next one, so a thousand deliveries a second cost a few dozen queries, and an idle check does not wait.

import type pg from 'pg';

import { findSuppressed } from './suppression-store.ts';

/** Answers from the record itself, never from a cache: a suppression counts from its commit on. */
export interface SuppressionCheck {
  /** `email` is normalized. Throws when the database is away. */
  isSuppressed(tenantId: string, email: string): Promise<boolean>;
}

interface Question {
  tenantId: string;
  email: string;
  resolve: (suppressed: boolean) => void;
  reject: (error: unknown) => void;
}

const MAX_BATCH = 500;

/** The check of one process. */
export function createSuppressionCheck(pool: pg.Pool): SuppressionCheck {
  let waiting: Question[] = [];
  let asking = false;
  const ask = async () => {
    asking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await answer(pool, batch);
    }
    asking = false;
  };
  return {
    isSuppressed: (tenantId, email) =>
      new Promise((resolve, reject) => {
        waiting.push({ tenantId, email, resolve, reject });
        if (!asking) void ask();
      }),
  };
}

async function answer(pool: pg.Pool, batch: Question[]): Promise<void> {
  try {
    const suppressed = await findSuppressed(pool, batch);
    for (const one of batch) one.resolve(suppressed.has(`${one.tenantId} ${one.email}`));
  } catch (error) {
    for (const one of batch) one.reject(error);
  }
}
