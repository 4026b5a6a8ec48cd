// Forms batches: what is submitted while one batch is in flight forms the next, so that an idle sender answers at
// once and a busy one pays one commit for many. Each stream has a batch of its own in flight: transactional mail does not
// wait for the commit of a campaign.

import { AppError } from '../../core/base/errors.ts';
import type { Logger } from '../../core/base/log.ts';
import { isDatabaseAway } from '../../core/db/transaction.ts';
import type { Stream } from '../../core/base/stream.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { Submission, SubmissionAnswer } from '../../core/message/submission.ts';
import { refusal } from './answers.ts';
import { acceptBatch, type AcceptDeps } from './batch.ts';

/** The accepting half of a sender. */
export interface Accept {
  /** Resolves after the commit. Rejects only when `signal` aborts before its batch begins: then nothing is stored. */
  submit(submission: Submission, signal?: AbortSignal): Promise<SubmissionAnswer>;
  /** Refuses new submissions and resolves when all that wait are answered. */
  drain(): Promise<void>;
}

/** What becomes of accepted mail. */
export interface AcceptSink {
  /** Delivers messages that are claimed under this worker id. */
  deliver(claims: Claim[], workerId: string): void;
  /** Admitted messages wait for any sender. */
  wake(count: number): void;
}

interface Waiting {
  submission: Submission;
  signal: AbortSignal | undefined;
  bytes: number;
  resolve(answer: SubmissionAnswer): void;
  reject(error: unknown): void;
}

// Messages of one batch. Transactional: beyond this a batch gains nothing (16 µs a row) and delays the next one by its
// length. Bulk: transactional mail of the same tenant waits for its row locks, and all of it for this thread.
const BATCH_MESSAGES: Record<Stream, number> = { transactional: 500, bulk: 125 };
const BATCH_BYTES = 16 * 1024 * 1024; // one statement's parameters; keeps a batch of large messages under 0.5 s
const QUEUE_MESSAGES = 20_000; // about 10 s of work: beyond that a caller had better hear "try again"
const QUEUE_BYTES = 256 * 1024 * 1024; // memory that waiting submissions may hold
const RETRY_AFTER_SECONDS = 2;

interface StreamQueue {
  waiting: Waiting[];
  running: Promise<void> | null;
}

/** Starts accepting. */
export function createAccept(deps: AcceptDeps & AcceptSink & { log: Logger }): Accept {
  const queues: Record<Stream, StreamQueue> = {
    transactional: { waiting: [], running: null },
    bulk: { waiting: [], running: null },
  };
  let messages = 0;
  let bytes = 0;
  let draining = false;

  function submit(submission: Submission, signal?: AbortSignal): Promise<SubmissionAnswer> {
    const size = submission.messages.reduce((sum, message) => sum + message.content.length, 0);
    if (draining) return Promise.resolve(busy('This sender is stopping; another will answer.'));
    if (messages + submission.messages.length > QUEUE_MESSAGES || bytes + size > QUEUE_BYTES) {
      return Promise.resolve(busy('Too many submissions are waiting.'));
    }
    messages += submission.messages.length;
    bytes += size;
    return new Promise((resolve, reject) => {
      const stream = submission.messages[0]?.stream === 'bulk' ? 'bulk' : 'transactional';
      const queue = queues[stream];
      queue.waiting.push({ submission, signal, bytes: size, resolve, reject });
      queue.running ??= Promise.resolve().then(() => run(stream));
    });
  }

  async function run(stream: Stream): Promise<void> {
    const queue = queues[stream];
    while (queue.waiting.length > 0) {
      const batch = nextBatch(queue.waiting, BATCH_MESSAGES[stream]);
      await answer(batch);
      for (const one of batch) {
        messages -= one.submission.messages.length;
        bytes -= one.bytes;
      }
    }
    queue.running = null;
  }

  async function answer(batch: Waiting[]): Promise<void> {
    const live = batch.filter((one) => !one.signal?.aborted);
    for (const one of batch) if (one.signal?.aborted) one.reject(one.signal.reason);
    if (live.length === 0) return;
    try {
      const result = await acceptBatch(
        deps,
        live.map((one) => one.submission),
      );
      for (const [i, one] of live.entries()) one.resolve(result.answers[i]!);
      if (result.claims.length > 0) deps.deliver(result.claims, result.workerId);
      if (result.unclaimed > 0) deps.wake(result.unclaimed);
    } catch (error) {
      await recover(live, error);
    }
  }

  // One submission that PostgreSQL refuses must not take its neighbours down: each is tried alone. Ids that a broken
  // COMMIT may have stored are found again by the next try, and what such a COMMIT claimed for this worker by the sweep.
  async function recover(live: Waiting[], error: unknown): Promise<void> {
    const refused = error instanceof AppError ? error : null;
    if (isDatabaseAway(error) || refused?.code === 'unavailable') {
      deps.log.warn(
        { err: error, submissions: live.length },
        'a batch was not accepted: the database is unavailable',
      );
      for (const one of live)
        one.resolve(busy('The database is unavailable; nothing was stored. Try again.'));
      return;
    }
    if (live.length > 1) {
      deps.log.warn(
        { err: error, submissions: live.length },
        'a batch failed; trying its submissions one by one',
      );
      for (const one of live) await answer([one]);
      return;
    }
    if (refused) return live[0]!.resolve(refusal(refused.code, refused.message));
    deps.log.error({ err: error }, 'a submission failed');
    live[0]!.resolve(refusal('internal_error', 'This message could not be stored; nothing was sent.'));
  }

  return {
    submit,
    drain: async () => {
      draining = true;
      await Promise.all([queues.transactional.running, queues.bulk.running]);
    },
  };
}

// Removes the next batch from a queue: one submission at least, however large.
function nextBatch(queue: Waiting[], most: number): Waiting[] {
  let count = 0;
  let messages = 0;
  let bytes = 0;
  for (const one of queue) {
    messages += one.submission.messages.length;
    bytes += one.bytes;
    if (count > 0 && (messages > most || bytes > BATCH_BYTES)) break;
    count += 1;
  }
  return queue.splice(0, count);
}

function busy(message: string): SubmissionAnswer {
  return { ...refusal('unavailable', message), retryAfterSeconds: RETRY_AFTER_SECONDS };
}
