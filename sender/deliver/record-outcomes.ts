// Records outcomes in batches (core/base/batcher.ts): a busy sender writes a hundred outcomes in one transaction.
//
// Guarantee: an outcome is kept until PostgreSQL has it, or says that another sender has claimed the message. It is kept
// even when the lease was lost meanwhile: as long as nobody claimed the message, recording that it was delivered is what
// keeps it from being sent twice, and once somebody did, the claim's version fences the write off.

import { createBatcher } from '../../core/base/batcher.ts';
import { monotonicMs } from '../../core/base/clock.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import type { Logger } from '../../core/base/log.ts';
import { isDatabaseAway } from '../../core/db/transaction.ts';
import type { Outcome } from '../../core/message/outcome.ts';

/** Records outcomes, and keeps each until it is recorded. */
export interface Recorder {
  push(outcome: Outcome): void;
  /**
   * Whether outcomes are recorded as they come. When they are not, nothing may be sent: what is sent and not recorded is sent
   * again when this process dies.
   */
  keepsUp(): boolean;
  /** Outcomes that are not recorded yet. */
  pending(): number;
  /** Resolves when nothing is pending. */
  drained(): Promise<void>;
}

/** What the recorder needs. */
export interface RecorderDeps {
  /** Writes a batch and returns the ids that were written; the others were fenced off. */
  record: (outcomes: Outcome[]) => Promise<Set<string>>;
  /** Called after the commit. */
  onRecorded: (written: Outcome[], fenced: Outcome[]) => void;
  fail: Fail;
  log: Logger;
}

const MAX_BATCH = 400; // about 400 KB of parameters; larger batches gain nothing and hold locks longer
const LATE_MS = 100; // a batch takes 10 to 30 ms; one that takes longer waits for a lock, a disk, or a server that is gone
const LONGEST_PAUSE_MS = 500; // well under any lease: after an outage outcomes are recorded before a sweep may come
const REFUSED_PAUSE_MS = 30_000; // for an outcome that PostgreSQL refuses by itself: a bug, but not the others' trouble

/** Makes a recorder. */
export function createRecorder(deps: RecorderDeps): Recorder {
  let refused = 0;
  let storeFails = false; // since the last batch that was recorded
  let startedAt: number | null = null; // of the batch under way
  const batcher = createBatcher<Outcome>({
    async run(batch) {
      startedAt = monotonicMs();
      await record(deps, batch).finally(() => (startedAt = null));
      storeFails = false;
    },
    failed: (outcome) => tryLater(outcome),
    onTrouble: (error, outcomes, storeDown) => {
      storeFails = storeDown; // a refusal of one outcome is an answer of the store
      deps.log.warn(
        { err: error, outcomes, storeDown },
        'recording outcomes failed; they are kept and tried again',
      );
    },
    isStoreDown: isDatabaseAway,
    whenDown: 'keep',
    longestPauseMs: LONGEST_PAUSE_MS,
    maxItems: MAX_BATCH,
    maxWaiting: Infinity, // what is in flight is bounded, and each has one outcome
  });
  const tryLater = (outcome: Outcome) => {
    refused += 1;
    const again = () => {
      refused -= 1;
      batcher.push(outcome);
    };
    setTimeout(again, REFUSED_PAUSE_MS).unref();
  };
  return {
    push: (outcome) => void batcher.push(outcome),
    keepsUp: () => !storeFails && (startedAt === null || monotonicMs() - startedAt < LATE_MS),
    pending: () => batcher.pending() + refused,
    drained: () => batcher.drained(),
  };
}

async function record(deps: RecorderDeps, batch: Outcome[]): Promise<void> {
  deps.fail('deliver.before-record');
  const written = await deps.record(batch);
  deps.fail('deliver.after-record');
  const fenced = batch.filter((outcome) => !written.has(outcome.claim.id));
  if (fenced.length > 0)
    deps.log.warn(
      { messages: fenced.length },
      'outcomes were discarded: other senders have claimed these messages',
    );
  deps.onRecorded(fenced.length === 0 ? batch : batch.filter(({ claim }) => written.has(claim.id)), fenced);
}
