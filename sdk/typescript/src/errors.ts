// What is thrown when the API refuses a request. Failures to reach it are thrown as `fetch` throws them.

import type { components } from './gen/api.ts';

/** A code of `docs/` and the OpenAPI document, such as `validation_failed`; new ones may be added at any time. */
export type ErrorCode = components['schemas']['Error']['error'];

/** One field of a request that is wrong. */
export type FieldProblem = NonNullable<components['schemas']['Error']['details']>[number];

/** An answer of the API that is an error. */
export class PostriderError extends Error {
  override readonly name = 'PostriderError';
  readonly status: number;
  /** `unknown` when the answer is not the API's own, such as a proxy's page. */
  readonly code: ErrorCode | 'unknown';
  /** What is wrong with which field; empty unless the code is `validation_failed`. */
  readonly details: readonly FieldProblem[];
  /** Names the request in the service's logs. */
  readonly requestId: string | null;
  /** Seconds after which it makes sense to try again, where the answer says so. */
  readonly retryAfter: number | null;

  constructor(response: Response, body: unknown) {
    const { error, message, details, request_id } = readBody(body);
    super(message ?? `HTTP ${response.status}`);
    this.status = response.status;
    this.code = error ?? 'unknown';
    this.details = details ?? [];
    this.requestId = request_id ?? response.headers.get('x-request-id');
    this.retryAfter = readRetryAfter(response);
  }
}

function readBody(body: unknown): Partial<components['schemas']['Error']> {
  return typeof body === 'object' && body !== null ? body : {};
}

/** The seconds of Retry-After, or null. The API never sends a date there. */
export function readRetryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
