// Our refusals as gRPC errors, and back: status code plus google.rpc.ErrorInfo in `grpc-status-details-bin`
// (AIP-193). One table, both directions.

import { Metadata, status, type ServiceError } from '@grpc/grpc-js';

import { AppError, isErrorCode, type ErrorCode, type FieldProblem } from '../base/errors.ts';
import { ErrorInfo, Status } from '../gen/google/rpc/status.ts';

/** `ErrorInfo.domain` of every error of ours. */
const ERROR_DOMAIN = 'postrider';

const ERROR_INFO_TYPE = 'type.googleapis.com/google.rpc.ErrorInfo';
const DETAILS_KEY = 'grpc-status-details-bin';

/** The gRPC status of each error code. */
const GRPC_STATUS: Readonly<Record<ErrorCode, status>> = {
  invalid_json: status.INVALID_ARGUMENT,
  unauthorized: status.UNAUTHENTICATED,
  quota_exceeded: status.RESOURCE_EXHAUSTED,
  second_factor_required: status.UNAUTHENTICATED,
  second_factor_missing: status.PERMISSION_DENIED,
  confirmation_required: status.PERMISSION_DENIED,
  invalid_scope: status.PERMISSION_DENIED,
  forbidden: status.PERMISSION_DENIED,
  tenant_suspended: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  method_not_allowed: status.UNIMPLEMENTED,
  conflict: status.FAILED_PRECONDITION,
  domain_paused: status.FAILED_PRECONDITION,
  idempotency_conflict: status.ALREADY_EXISTS,
  idempotency_in_progress: status.ABORTED,
  gone: status.FAILED_PRECONDITION,
  payload_too_large: status.INVALID_ARGUMENT,
  unsupported_media_type: status.INVALID_ARGUMENT,
  validation_failed: status.INVALID_ARGUMENT,
  domain_not_verified: status.FAILED_PRECONDITION,
  rate_limited: status.RESOURCE_EXHAUSTED,
  internal_error: status.INTERNAL,
  unavailable: status.UNAVAILABLE,
};

/** A refusal in the form that both REST and GraphQL can build an error from. */
export interface RefusalLike {
  code: ErrorCode;
  message: string;
  details?: FieldProblem[] | undefined;
  retryAfterSeconds?: number | undefined;
}

/** The error that a method handler gives to its callback. Field problems are `path: message` in the metadata. */
export function toServiceError(refusal: RefusalLike): ServiceError {
  const code = GRPC_STATUS[refusal.code];
  const fields = Object.fromEntries((refusal.details ?? []).map((one) => [one.path, one.message]));
  const retry =
    refusal.retryAfterSeconds === undefined ? {} : { retry_after_seconds: `${refusal.retryAfterSeconds}` };
  const info = ErrorInfo.fromPartial({
    reason: refusal.code,
    domain: ERROR_DOMAIN,
    metadata: { ...fields, ...retry },
  });
  const detail = { typeUrl: ERROR_INFO_TYPE, value: Buffer.from(ErrorInfo.encode(info).finish()) };
  const metadata = new Metadata();
  const bytes = Status.encode(
    Status.fromPartial({ code, message: refusal.message, details: [detail] }),
  ).finish();
  metadata.set(DETAILS_KEY, Buffer.from(bytes));
  return Object.assign(new Error(refusal.message), { code, details: refusal.message, metadata });
}

/** The refusal inside a gRPC error; what is not one of ours becomes `unavailable` or `internal_error`. */
export function fromServiceError(error: unknown): AppError {
  const { code, details, metadata } = error as Partial<ServiceError>;
  const info = metadata ? readErrorInfo(metadata) : null;
  if (info && isErrorCode(info.reason)) {
    const { retry_after_seconds: retry, ...fields } = info.metadata;
    const problems = Object.entries(fields).map(([path, message]) => ({ path, message }));
    return new AppError(info.reason, details ?? info.reason, {
      ...(problems.length > 0 ? { details: problems } : {}),
      ...(retry === undefined ? {} : { retryAfterSeconds: Number(retry) }),
      cause: error,
    });
  }
  const unavailable =
    code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED || code === status.CANCELLED;
  if (!unavailable)
    return new AppError('internal_error', 'The sender failed; see its log.', { cause: error });
  return new AppError('unavailable', 'The sender is temporarily unavailable. Try again.', {
    retryAfterSeconds: 1,
    cause: error,
  });
}

/** Whether an error is no answer of the other side, and then whether the call may have reached it. */
export function withoutAnswer(error: Partial<ServiceError>): 'unsent' | 'lost' | null {
  const { code, details, metadata } = error;
  if (code === undefined) return 'lost'; // the other side ended a stream
  const silent = [status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED].includes(code);
  if (!silent || (metadata && readErrorInfo(metadata))) return null;
  // What grpc-js says of a call that never got a connection.
  const unsent = /^(No connection established|Name resolution failed)/.test(details ?? '');
  return unsent ? 'unsent' : 'lost';
}

function readErrorInfo(metadata: Metadata): ErrorInfo | null {
  const [bytes] = metadata.get(DETAILS_KEY);
  if (!Buffer.isBuffer(bytes)) return null;
  try {
    const detail = Status.decode(bytes).details.find((one) => one.typeUrl === ERROR_INFO_TYPE);
    return detail ? ErrorInfo.decode(detail.value) : null;
  } catch {
    return null; // somebody else's details: the status code says enough
  }
}
