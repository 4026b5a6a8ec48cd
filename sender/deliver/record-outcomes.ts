// Records outcomes in batches (core/base/batcher.ts): a busy sender writes a hundred outcomes in one transaction.
//
// Guarantee: an outcome is kept until PostgreSQL has it, or says that another sender has claimed the message. It is kept
// even when the lease was lost meanwhile: as long as nobody claimed the message, recording that it was delivered is what
// keeps it from being sent twice, and once somebody did, the claim's version fences the write off.

import { createBatcher } from '../../core/base/batcher.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import type { Logger } from '../../core/base/log.ts';
import { isDatabaseAway } from '../../core/db/transaction.ts';
import type { Outcome } from '../../core/message/outcome.ts';

/** Records outcomes, and keeps each until it is recorded. */
export interface Recorder {
  push(outcome: Outcome): void;
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
const LONGEST_PAUSE_MS = 500; // well under any lease: after an outage outcomes are recorded before a sweep may come
const REFUSED_PAUSE_MS = 30_000; // for an outcome that PostgreSQL refuses by itself: a bug, but not the others' trouble

/** Makes a recorder. */
export function createRecorder(deps: RecorderDeps): Recorder {
  let refused = 0;
  const batcher = createBatcher<Outcome>({
    run: (batch) => record(deps, batch),
    failed: (outcome) => tryLater(outcome),
    onTrouble: (error, outcomes, storeDown) =>
      deps.log.warn(
        { err: error, outcomes, storeDown },
        'recording outcomes failed; they are kept and tried again',
      ),
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
