// SendStream: many submissions over one stream, answered as they are decided.

import type { ServerDuplexStream } from '@grpc/grpc-js';

import { AppError } from '../../core/base/errors.ts';
import type { Logger } from '../../core/base/log.ts';
import { databaseAway, isDatabaseAway } from '../../core/db/transaction.ts';
import type { Failure, SendRequest, SendStreamResponse } from '../../core/gen/sender/v1/sender.ts';
import type { Accept } from '../accept/accept.ts';
import { refusal } from '../accept/answers.ts';
import type { Refused } from '../../core/message/submission.ts';
import { toFailure, toSingleAnswer } from './answers.ts';
import { readSend, type RouteNames } from './requests.ts';

/** What a stream needs. */
interface StreamDeps {
  ofTenant(tenantId: string): Promise<{ accept: Accept }>;
  routes: RouteNames;
  stopping: AbortSignal;
  log: Logger;
}

type Call = ServerDuplexStream<SendRequest, SendStreamResponse>;

// With so many submissions in flight a stream is not read: the client is slowed by HTTP/2 flow control, and nothing is refused.
// Two batches' worth keeps the transaction busy while answers are written.
const MAX_IN_FLIGHT = 1000;
const RESUME_BELOW = 500;

/**
 * Serves one stream until the client ends it, or this process stops. What was read by then is still answered, and nothing
 * else is read: a client_ref that has no answer when the stream ends was not stored.
 */
export function serveSendStream(deps: StreamDeps, call: Call): void {
  let inFlight = 0;
  let ended = false;
  const closed = new AbortController();

  const finish = () => {
    if (ended && inFlight === 0) call.end();
  };
  const answered = () => {
    inFlight -= 1;
    if (inFlight < RESUME_BELOW && call.isPaused() && !ended) call.resume();
    finish();
  };

  call.on('data', (request: SendRequest) => {
    inFlight += 1;
    if (inFlight >= MAX_IN_FLIGHT) call.pause();
    void answerOne(deps, request, closed.signal).then((answer) => {
      if (!closed.signal.aborted) call.write(answer);
      answered();
    });
  });
  call.on('end', () => {
    ended = true;
    finish();
  });
  const stop = () => {
    call.pause();
    ended = true;
    finish();
  };
  if (deps.stopping.aborted) stop();
  deps.stopping.addEventListener('abort', stop, { once: true });
  call.on('close', () => deps.stopping.removeEventListener('abort', stop));
  // A client that is gone gets no answers; what is in no batch yet is not stored for it.
  call.on('cancelled', () => closed.abort());
  call.on('error', () => closed.abort());
}

async function answerOne(
  { ofTenant, routes, log }: StreamDeps,
  request: SendRequest,
  signal: AbortSignal,
): Promise<SendStreamResponse> {
  const { clientRef } = request;
  const failed = (failure: Failure): SendStreamResponse => ({
    clientRef,
    outcome: { $case: 'failure', value: failure },
  });
  try {
    const submission = readSend(request, routes);
    if ('code' in submission) return failed(toFailure(submission));
    const { accept } = await ofTenant(submission.tenantId);
    const answer = toSingleAnswer(await accept.submit(submission, signal), clientRef);
    if ('failure' in answer) return failed(answer.failure);
    return { clientRef, outcome: { $case: 'sent', value: answer.sent } };
  } catch (thrown) {
    const error = isDatabaseAway(thrown) ? databaseAway(thrown) : thrown;
    if (error instanceof AppError)
      return failed(toFailure({ ...refusal(error.code, error.message), ...more(error) }));
    if (!signal.aborted) log.error({ err: error }, 'a streamed submission failed');
    return failed(
      toFailure(refusal('internal_error', 'This message could not be stored; nothing was sent.')),
    );
  }
}

function more({ details, retryAfterSeconds }: AppError): Pick<Refused, 'details' | 'retryAfterSeconds'> {
  return { ...(details && { details }), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}
