// The errors of Postmark's API: https://postmarkapp.com/developer/api/overview#error-codes. Its clients choose the class
// of the error by status and number.

import type { AppError, ErrorCode, FieldProblem } from '../../../core/base/errors.ts';
import type { ServiceError } from '../service.ts';

/** An error as it is answered, for a whole request or for one email of a batch. */
export interface PostmarkError {
  ErrorCode: number;
  Message: string;
}

const THEIRS: Readonly<Record<ErrorCode, { status: number; number: number }>> = {
  invalid_json: { status: 422, number: 402 },
  unauthorized: { status: 401, number: 10 },
  quota_exceeded: { status: 422, number: 405 },
  second_factor_required: { status: 401, number: 10 },
  second_factor_missing: { status: 401, number: 10 },
  confirmation_required: { status: 401, number: 10 },
  invalid_scope: { status: 401, number: 10 },
  forbidden: { status: 401, number: 10 },
  tenant_suspended: { status: 422, number: 413 },
  not_found: { status: 404, number: 701 },
  method_not_allowed: { status: 405, number: 300 },
  conflict: { status: 422, number: 300 },
  domain_paused: { status: 422, number: 413 },
  idempotency_conflict: { status: 409, number: 300 },
  idempotency_in_progress: { status: 409, number: 300 },
  gone: { status: 404, number: 701 },
  payload_too_large: { status: 413, number: 300 },
  unsupported_media_type: { status: 415, number: 409 },
  validation_failed: { status: 422, number: 300 },
  domain_not_verified: { status: 422, number: 400 },
  rate_limited: { status: 429, number: 429 },
  internal_error: { status: 500, number: 100 },
  unavailable: { status: 503, number: 100 },
};

/** Fields whose problems have a number of their own. */
const OF_FIELD: Readonly<Record<string, number>> = {
  TemplateId: 1101,
  TemplateAlias: 1101,
  template_id: 1101,
  MessageStream: 1235,
  Messages: 410,
};

/** A refusal in Postmark's shape. */
export function toPostmarkError(refusal: AppError): ServiceError {
  return { status: THEIRS[refusal.code].status, body: toErrorBody(refusal) };
}

/** The body alone. */
export function toErrorBody(refusal: {
  code: ErrorCode;
  message: string;
  details?: FieldProblem[] | undefined;
}): PostmarkError {
  const [first] = refusal.code === 'validation_failed' ? (refusal.details ?? []) : [];
  const isSentence = first?.path === '' && /^[A-Z]/.test(first.message); // in Postmark's words: read-email.ts
  return {
    ErrorCode: OF_FIELD[first?.path ?? ''] ?? THEIRS[refusal.code].number,
    Message: isSentence ? `${first.message}.` : refusal.message,
  };
}
