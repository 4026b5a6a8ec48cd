// Records the results of webhook attempts in batches (core/base/batcher.ts).
//
// Guarantee: a result is kept until the record has it, refuses it, or says that the claim is lost: forgetting a 2xx
// means posting the same mail twice.

import type pg from 'pg';

import { createBatcher } from '../../core/base/batcher.ts';
import { isDatabaseAway } from '../../core/db/transaction.ts';
import { finishDeliveries, type DeliveryResult } from '../../core/webhook/delivery-store.ts';

/** Takes results and sees that they are recorded. */
export interface ResultRecorder {
  /** Resolves true once it is in the record, false when the claim was lost or the record refuses it. */
  record(result: DeliveryResult): Promise<boolean>;
}

interface Waiting {
  result: DeliveryResult;
  resolve: (written: boolean) => void;
}

const MAX_BATCH = 200;

/** The recorder of one process. `onTrouble` is called when the database is unavailable. */
export function createResultRecorder(
  pool: pg.Pool,
  onTrouble: (error: unknown, what: string) => void,
): ResultRecorder {
  const batcher = createBatcher<Waiting>({
    async run(batch) {
      const results = batch.map(({ result }) => result);
      const written = await finishDeliveries(pool, results);
      for (const { result, resolve } of batch) resolve(written.has(result.claim.id));
    },
    failed: ({ resolve }) => resolve(false),
    onTrouble: (error) => onTrouble(error, 'the results of webhook attempts could not be recorded yet'),
    isStoreDown: isDatabaseAway,
    whenDown: 'keep',
    maxItems: MAX_BATCH,
    maxWaiting: Infinity, // requests in flight are bounded, and each has one result
  });
  return {
    record: (result) => new Promise((resolve) => batcher.push({ result, resolve })),
  };
}
