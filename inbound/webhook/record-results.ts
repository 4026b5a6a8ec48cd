// Records the results of webhook attempts in batches: what gathers while one batch is being written forms the next.
//
// Guarantee: a result is kept until the record has it, or says that the claim is lost: forgetting a 2xx means posting
// the same mail twice.

import type pg from 'pg';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { finishDeliveries, type DeliveryResult } from '../../core/webhook/delivery-store.ts';

/** Takes results and sees that they are recorded. */
export interface ResultRecorder {
  /** Resolves true once it is in the record, false when the claim was lost. */
  record(result: DeliveryResult): Promise<boolean>;
}

interface Waiting {
  result: DeliveryResult;
  resolve: (written: boolean) => void;
}

const MAX_BATCH = 200;
const RETRY_MS = 500;
const GIVE_UP_MS = 10 * 60_000; // by then every claim has long run out

/** The recorder of one process. `onTrouble` hears of a database that is away. */
export function createResultRecorder(
  pool: pg.Pool,
  onTrouble: (error: unknown, what: string) => void,
): ResultRecorder {
  const waiting: Waiting[] = [];
  let writing = false;
  const write = async (): Promise<void> => {
    writing = true;
    while (waiting.length > 0) await settle(waiting.splice(0, MAX_BATCH));
    writing = false;
  };
  const settle = async (batch: Waiting[]): Promise<void> => {
    const giveUpAt = monotonicMs() + GIVE_UP_MS;
    while (monotonicMs() < giveUpAt) {
      try {
        const written = await finishDeliveries(
          pool,
          batch.map(({ result }) => result),
        );
        for (const { result, resolve } of batch) resolve(written.has(result.claim.id));
        return;
      } catch (error) {
        onTrouble(error, 'the results of webhook attempts could not be recorded yet');
        await sleep(RETRY_MS);
      }
    }
    for (const { resolve } of batch) resolve(false);
  };
  return {
    record: (result) =>
      new Promise((resolve) => {
        waiting.push({ result, resolve });
        if (!writing) void write();
      }),
  };
}
