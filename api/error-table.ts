// The one table of error codes and HTTP statuses, and how any error becomes a code.

import { AppError, type ErrorCode } from '../core/base/errors.ts';
import { NOT_STORABLE } from '../core/base/storable-text.ts';
import { isDeadlock, sqlState } from '../core/db/sql-state.ts';
import { databaseAway, isDatabaseAway } from '../core/db/transaction.ts';

/** The status of each code. */
export const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_json: 400,
  unauthorized: 401,
  quota_exceeded: 402,
  second_factor_required: 401,
  second_factor_missing: 403,
  confirmation_required: 403,
  invalid_scope: 403,
  forbidden: 403,
  tenant_suspended: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  domain_paused: 409,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  domain_not_verified: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
};

/** What each code means, for the documentation. */
export const ERROR_MEANING: Readonly<Record<ErrorCode, string>> = {
  invalid_json: 'The body is not JSON, names a field twice, or is nested too deep.',
  unauthorized: 'The API key is missing, not valid, revoked, or has expired.',
  quota_exceeded: 'The monthly quota of the plan is used up.',
  second_factor_required: 'The password is right, and the code of the second factor is needed too.',
  second_factor_missing:
    'The account or the operator requires a second factor, and this person has not set one up.',
  confirmation_required: 'A sensitive change needs a sign-in or a password of the last 10 minutes.',
  invalid_scope: 'The API key does not have the scope that the message names.',
  forbidden:
    'The credential is of the wrong kind, its role does not allow this, or the API key may not be used from your address.',
  tenant_suspended: 'The tenant is suspended: it cannot send until the operator reactivates it.',
  not_found: 'It does not exist, or belongs to another tenant.',
  method_not_allowed: 'The path does not support this method; see `Allow`.',
  conflict: 'It already exists, or its status does not allow this.',
  domain_paused: 'The sending domain is paused.',
  idempotency_conflict: 'The Idempotency-Key was already used with a different request.',
  idempotency_in_progress: 'The first request with this Idempotency-Key is still running.',
  gone: 'It is not kept any more.',
  payload_too_large: 'The body is larger than this route accepts.',
  unsupported_media_type: 'The body must be application/json in UTF-8.',
  validation_failed: 'A field is not valid; `details` lists each one.',
  domain_not_verified: 'The domain of `from` is not a verified domain of the tenant.',
  rate_limited: 'Too many requests; wait `Retry-After` seconds.',
  internal_error: 'An error on our side; quote the request ID when you report it.',
  unavailable: 'The service is temporarily unavailable; try again after `Retry-After` seconds.',
};

// SQLSTATE character_not_in_repertoire and untranslatable_character: what is left after every check of the input.
const UNSTORABLE_STATES = new Set<string | null>(['22021', '22P05']);

/** The error as it may be shown: known refusals as they are, a database that is unavailable as such, the rest masked. */
export function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error) || isDeadlock(error)) return databaseAway(error);
  if (UNSTORABLE_STATES.has(sqlState(error))) {
    return new AppError('validation_failed', `A text ${NOT_STORABLE}.`, { cause: error });
  }
  return new AppError(
    'internal_error',
    `Something went wrong on our side. Quote the request ID ${requestId} when you report it.`,
    {
      cause: error,
    },
  );
}
