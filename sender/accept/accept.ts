// Accepts submissions in batches (core/base/batcher.ts): a busy sender pays one commit for many. Each stream has a batch
// of its own in flight: transactional mail does not wait for the commit of a campaign.

import { createBatcher, type Batcher, type BatcherLoad } from '../../core/base/batcher.ts';
import { monotonicMs } from '../../core/base/clock.ts';
import { AppError } from '../../core/base/errors.ts';
import type { Logger } from '../../core/base/log.ts';
import { endAfter, type Span } from '../../core/base/trace.ts';
import { isDatabaseAway } from '../../core/db/transaction.ts';
import type { Stream } from '../../core/base/stream.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { Submission, SubmissionAnswer } from '../../core/message/submission.ts';
import { refusal } from './answers.ts';
import { acceptBatch, type AcceptDeps } from './batch.ts';
import { answerAttributes, startAccepting } from './trace-accept.ts';
import type { WriteSubjects } from './write-subjects.ts';

/** The accepting half of a sender. */
export interface Accept {
  /** Resolves after the commit. Rejects only when `signal` aborts before its batch begins: then nothing is stored. */
  submit(submission: Submission, signal?: AbortSignal): Promise<SubmissionAnswer>;
  /** Messages that wait for their batch or are in one. */
  pending(): number;
  /** Refuses new submissions and resolves when all that wait are answered. */
  drain(): Promise<void>;
}

/** What becomes of accepted mail. */
export interface AcceptSink {
  /** Delivers messages that are claimed under this worker id. */
  deliver(claims: Claim[], workerId: string): void;
  /** Admitted messages wait for any sender. */
  wake(count: number): void;
  /** A batch of so many messages was answered. */
  committed?(messages: number, stream: Stream): void;
}

/** What waits to be accepted in a process, of all buckets together. */
export type AcceptLoad = Record<Stream, BatcherLoad>;

interface Waiting {
  submission: Submission;
  signal: AbortSignal | undefined;
  span: Span | undefined;
  pushedAt: number;
  bytes: number;
  resolve(answer: SubmissionAnswer): void;
  reject(error: unknown): void;
}

// Messages of one batch. Transactional: beyond this a batch gains nothing (16 µs a row) and delays the next one by its
// length. Bulk: transactional mail of the same tenant waits for its row locks, and all of it for this thread.
const BATCH_MESSAGES: Record<Stream, number> = { transactional: 500, bulk: 125 };
const BATCH_BYTES = 16 * 1024 * 1024; // one statement's parameters; keeps a batch of large messages under 0.5 s
const QUEUE_MESSAGES = 10_000; // of each stream; about 5 s of work: beyond that a caller had better get "try again"
const QUEUE_BYTES = 128 * 1024 * 1024; // of each stream; memory that waiting submissions may hold
const RETRY_AFTER_SECONDS = 2;

type Deps = AcceptDeps &
  AcceptSink & {
    log: Logger;
    load?: AcceptLoad;
    /** Without it, messages show the subject as the author of the template wrote it. */
    writeSubjects?: WriteSubjects;
  };

/** Nothing waits. */
export function createAcceptLoad(): AcceptLoad {
  return { transactional: { items: 0, bytes: 0 }, bulk: { items: 0, bytes: 0 } };
}

/** Starts accepting the mail of one bucket. */
export function createAccept(deps: Deps): Accept {
  const batchers = {
    transactional: createStreamBatcher(deps, 'transactional'),
    bulk: createStreamBatcher(deps, 'bulk'),
  };
  let draining = false;
  let preparing = 0; // submissions that wait for their subjects
  const submit = (submission: Submission, signal?: AbortSignal): Promise<SubmissionAnswer> => {
    if (draining) return Promise.resolve(busy('This sender is stopping; another will answer.'));
    const bytes = submission.messages.reduce((sum, message) => sum + message.content.length, 0);
    const batcher = submission.messages[0]?.stream === 'bulk' ? batchers.bulk : batchers.transactional;
    const span = startAccepting(submission);
    const answer = new Promise<SubmissionAnswer>((resolve, reject) => {
      if (batcher.push({ submission, signal, span, pushedAt: monotonicMs(), bytes, resolve, reject })) return;
      resolve(busy('Too many submissions are waiting.'));
    });
    return endAfter(span, answer, answerAttributes);
  };
  const prepare = async (write: WriteSubjects, submission: Submission) => {
    preparing += 1;
    await write(submission);
    preparing -= 1;
  };
  return {
    submit(submission, signal) {
      const { writeSubjects: write } = deps;
      if (!write || draining || submission.messages.every(({ templateId }) => templateId === null))
        return submit(submission, signal);
      return prepare(write, submission).then(() => submit(submission, signal));
    },
    pending: () => preparing + batchers.transactional.pending() + batchers.bulk.pending(),
    async drain() {
      draining = true;
      await Promise.all([batchers.transactional.drained(), batchers.bulk.drained()]);
    },
  };
}

// Ids that a broken COMMIT may have stored are found again by the next try, and what such a COMMIT claimed for this
// worker by the sweep.
function createStreamBatcher(deps: Deps, stream: Stream): Batcher<Waiting> {
  let refusedAt = -Infinity;
  return createBatcher<Waiting>({
    async run(batch) {
      // Who waited while the store failed has waited long enough: the next try is for those who come after.
      const live = batch.filter((one) => !one.signal?.aborted && one.pushedAt > refusedAt);
      for (const one of batch) {
        if (one.signal?.aborted) one.reject(one.signal.reason);
        else if (one.pushedAt <= refusedAt) one.resolve(notStored());
      }
      if (live.length === 0) return;
      const result = await acceptBatch(
        deps,
        live.map((one) => one.submission),
        live.flatMap(({ span }) => span ?? []),
      );
      for (const [i, one] of live.entries()) one.resolve(result.answers[i]!);
      deps.committed?.(
        live.reduce((sum, { submission }) => sum + countRecipients(submission), 0),
        stream,
      );
      if (result.claims.length > 0) deps.deliver(result.claims, result.workerId);
      if (result.unclaimed > 0) deps.wake(result.unclaimed);
    },
    failed: (one, error, blamed) => one.resolve(failure(error, blamed)),
    onTrouble: (error, submissions, storeDown) => {
      if (storeDown) refusedAt = monotonicMs();
      deps.log.warn({ err: error, submissions, storeDown }, 'a batch was not accepted');
    },
    isStoreDown: isDatabaseAway,
    whenDown: 'fail',
    maxItems: BATCH_MESSAGES[stream],
    maxBytes: BATCH_BYTES,
    maxWaiting: QUEUE_MESSAGES,
    maxWaitingBytes: QUEUE_BYTES,
    ...(deps.load && { load: deps.load[stream] }),
    countOf: (one) => countRecipients(one.submission),
    bytesOf: (one) => one.bytes,
  });
}

function countRecipients({ messages }: Submission): number {
  return messages.reduce((sum, { recipients }) => sum + recipients.length, 0);
}

function failure(error: unknown, blamed: boolean): SubmissionAnswer {
  if (error instanceof AppError) {
    const { code, message, retryAfterSeconds } = error;
    return { ...refusal(code, message), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  }
  if (!blamed) return notStored();
  return refusal('internal_error', 'This message could not be stored; nothing was sent.');
}

function notStored(): SubmissionAnswer {
  return busy('The database is unavailable; nothing was stored. Try again.');
}

function busy(message: string): SubmissionAnswer {
  return { ...refusal('unavailable', message), retryAfterSeconds: RETRY_AFTER_SECONDS };
}
