// Repeats a request that was not answered, or answered with "later". Safe for every request: a POST carries the same
// Idempotency-Key each time, and the other methods have the same effect twice as once.

import { readRetryAfter } from './errors.ts';

/** How often, and how long. */
export interface RetryOptions {
  /** Requests after the first one. */
  maxRetries: number;
  /** Milliseconds after which one attempt, its body included, is aborted; null for a stream. */
  timeoutMs: number | null;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 61_000; // the most that the rate limit asks for; who is told to wait longer is told at once

/** Sends until there is an answer that is final, or no retry left. */
export async function fetchWithRetries(request: Request, options: RetryOptions): Promise<Response> {
  for (let retry = 0; ; retry++) {
    const isLast = retry >= options.maxRetries;
    const attempt = await send(request.clone(), options.timeoutMs);
    if (isLast || request.signal.aborted || !(await isTemporary(attempt))) return settle(attempt);
    const retryAfter = attempt instanceof Response ? readRetryAfter(attempt) : null;
    const delay = retryAfter === null ? backoff(retry) : retryAfter * 1000;
    if (delay > MAX_DELAY_MS) return settle(attempt);
    if (attempt instanceof Response) await attempt.body?.cancel();
    await wait(delay, request.signal);
  }
}

interface Failure {
  failure: unknown;
}

async function send(request: Request, timeoutMs: number | null): Promise<Response | Failure> {
  const timeout = timeoutMs === null ? [] : [AbortSignal.timeout(timeoutMs)];
  try {
    const answer = await fetch(request, { signal: AbortSignal.any([request.signal, ...timeout]) });
    return timeoutMs === null ? answer : await whole(answer);
  } catch (failure) {
    return { failure };
  }
}

// An answer that breaks off is a lost one.
async function whole(answer: Response): Promise<Response> {
  const body = await answer.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, answer);
}

function settle(attempt: Response | Failure): Response {
  if (attempt instanceof Response) return attempt;
  throw attempt.failure;
}

// 409 only while the first attempt, whose answer was lost, is still being worked on.
async function isTemporary(attempt: Response | Failure): Promise<boolean> {
  if (!(attempt instanceof Response)) return true;
  if (attempt.status !== 409) return [429, 502, 503, 504].includes(attempt.status);
  const body = (await attempt
    .clone()
    .json()
    .catch(() => ({}))) as { error?: string };
  return body.error === 'idempotency_in_progress';
}

// Between half and all of 0.5 s, 1 s, 2 s and so on, so that clients that failed together do not come back together.
function backoff(retry: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** retry, MAX_DELAY_MS) * (0.5 + Math.random() / 2);
}

/** Waits, and throws the signal's reason when that aborts. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
