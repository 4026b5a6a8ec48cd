// The errors that callers see. REST, GraphQL and gRPC each map the code to their own status in one exhaustive table;
// nothing here knows HTTP or gRPC.

/** Machine-readable error codes, the same in REST, GraphQL and gRPC. */
const ERROR_CODES = [
  'invalid_json',
  'unauthorized',
  'quota_exceeded',
  'second_factor_required',
  'second_factor_missing',
  'confirmation_required',
  'invalid_scope',
  'forbidden',
  'tenant_suspended',
  'not_found',
  'method_not_allowed',
  'conflict',
  'domain_paused',
  'idempotency_conflict',
  'idempotency_in_progress',
  'gone',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'domain_not_verified',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

/** One of the codes of the contract's error table. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** One bad field: where it is (`messages[2].to`), and what is wrong as the end of a sentence ("must not be empty"). */
export interface FieldProblem {
  path: string;
  message: string;
}

/** An expected error: `message` is for the caller, `cause` stays inside. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: FieldProblem[] | undefined;
  /** Seconds after which a retry makes sense, for `rate_limited` and `unavailable`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: FieldProblem[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = more.details;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** Whether a text is one of our error codes. */
export function isErrorCode(text: string): text is ErrorCode {
  return (ERROR_CODES as readonly string[]).includes(text);
}

/** The error for a thing that does not exist or belongs to another tenant: callers cannot distinguish the two. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `No such ${what}.`);
}

const REPEAT_AFTER_SECONDS = 1; // long enough for another process to answer

/** What a caller hears whose request may have been stored, on every API surface. */
export const MAYBE_STORED =
  'No answer came in time, so the request may have been stored. Repeat it with the same Idempotency-Key: it is stored once. Without a key, a repeat may be stored a second time.';

/** The error for a request whose answer was lost on its way, or did not come in time. */
export function maybeStored(cause: unknown): AppError {
  return new AppError('unavailable', MAYBE_STORED, { retryAfterSeconds: REPEAT_AFTER_SECONDS, cause });
}

/** The error for one bad field. */
export function invalidField(path: string, message: string): AppError {
  return invalidFields([{ path, message }]);
}

/** The error for bad fields. */
export function invalidFields(details: FieldProblem[]): AppError {
  return new AppError('validation_failed', problemSentence(details), { details });
}

/** One sentence for a list of problems, which names the first field. */
export function problemSentence(details: readonly FieldProblem[]): string {
  const [first] = details;
  if (!first) return 'The request is not valid.';
  const field = first.path === '' ? 'The body' : first.path;
  const problem = `${/^[a-z]/.test(first.message) ? field : `${field}:`} ${first.message.replace(/\.$/, '')}`;
  return details.length === 1 ? `${problem}.` : `${problem} (and ${details.length - 1} more).`;
}
