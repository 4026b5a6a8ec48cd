// Records outcomes in batches: what gathers while one batch is being written forms the next, so that an idle sender
// waits for nothing and a busy one writes a hundred outcomes in one transaction.
//
// Guarantee: an outcome is kept until PostgreSQL has it, or says that another sender has claimed the message. It is kept
// even when the lease was lost meanwhile: as long as nobody claimed the message, recording that it was delivered is what
// keeps it from being sent twice, and once somebody did, the claim's version fences the write off.

import { sleep } from '../../core/base/clock.ts';
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
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500; // well under any lease: after an outage outcomes are recorded before a sweep may come
const REFUSED_PAUSE_MS = 30_000; // for an outcome that PostgreSQL refuses by itself: a bug, but not the others' trouble

/** Makes a recorder. */
export function createRecorder(deps: RecorderDeps): Recorder {
  let queue: Outcome[] = [];
  let inFlight = 0;
  let refused = 0;
  let running = false;
  const idle: (() => void)[] = [];

  const run = async () => {
    running = true;
    while (queue.length > 0) {
      const batch = queue.slice(0, MAX_BATCH);
      queue = queue.slice(MAX_BATCH);
      inFlight = batch.length;
      for (const outcome of await recordBatch(deps, batch)) tryLater(outcome);
      inFlight = 0;
    }
    running = false;
    for (const resolve of idle.splice(0)) resolve();
  };
  const push = (outcome: Outcome) => {
    queue.push(outcome);
    if (!running) void run();
  };
  const tryLater = (outcome: Outcome) => {
    refused += 1;
    const again = () => {
      refused -= 1;
      push(outcome);
    };
    setTimeout(again, REFUSED_PAUSE_MS).unref();
  };
  return {
    push,
    pending: () => queue.length + inFlight + refused,
    drained: () => (running ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  };
}

// Resolves when every outcome of the batch is recorded or fenced off, but for those that PostgreSQL refuses, which
// it returns. While the database is unavailable it waits for it.
async function recordBatch(deps: RecorderDeps, batch: Outcome[]): Promise<Outcome[]> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      await recordOnce(deps, batch);
      return [];
    } catch (error) {
      const away = isDatabaseAway(error);
      deps.log.warn({ err: error, outcomes: batch.length, away }, 'recording outcomes failed; they are kept');
      if (!away) return batch.length === 1 ? batch : recordHalves(deps, batch);
      await sleep(pauseMs);
    }
  }
}

async function recordOnce(deps: RecorderDeps, batch: Outcome[]): Promise<void> {
  deps.fail('deliver.before-record');
  const written = await deps.record(batch);
  deps.fail('deliver.after-record');
  const fenced = batch.filter((outcome) => !written.has(outcome.claim.id));
  if (fenced.length > 0)
    deps.log.warn({ messages: fenced.length }, 'fenced off: other senders have claimed these messages');
  deps.onRecorded(fenced.length === 0 ? batch : batch.filter(({ claim }) => written.has(claim.id)), fenced);
}

async function recordHalves(deps: RecorderDeps, batch: Outcome[]): Promise<Outcome[]> {
  const middle = Math.ceil(batch.length / 2);
  const first = await recordBatch(deps, batch.slice(0, middle));
  return [...first, ...(await recordBatch(deps, batch.slice(middle)))];
}
