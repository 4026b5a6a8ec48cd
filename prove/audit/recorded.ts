// Whether a sender could record what it was told.

import type { Evidence } from './evidence.ts';
import { meetsPostgres, overlaps, stops } from './fault.ts';
import type { Transaction } from './transactions.ts';

const RECORDED_MS = 3_000; // a verdict is recorded with the next batch: 10 ms when idle, up to this under load

/** Whether a fault of the sender or of PostgreSQL may have eaten the record of a transaction. */
export function mayBeUnrecorded({ faults }: Evidence, transaction: Transaction): boolean {
  const from = transaction.dataAt ?? transaction.rcpt?.t ?? 0;
  const to = endOf(transaction) + RECORDED_MS;
  return faults.some(
    (fault) =>
      overlaps(fault, from, to) && (meetsPostgres(fault) || stops(fault, 'sender', transaction.sender)),
  );
}

/** Whether the sender was stopped between the "go ahead" and the final dot: it had no more reason to ask whether it still may. */
export function stoodStillInData({ faults }: Evidence, { goAheadAt, dot, sender }: Transaction): boolean {
  if (goAheadAt === null || dot === null) return false;
  return faults.some(
    (fault) => fault.from >= goAheadAt && fault.from <= dot.t && stops(fault, 'sender', sender),
  );
}

/** When it was over. A sender that is gone by the time of the verdict hears none. */
export function endOf({ rcpt, dot, verdict, broke }: Transaction): number {
  return Math.min(verdict?.t ?? broke?.t ?? dot?.t ?? rcpt?.t ?? 0, broke?.t ?? Infinity);
}
