// The errors of SendGrid's API: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/errors. Its clients show
// `message`, `field` and `help` of each.

import { problemSentence, type AppError, type ErrorCode } from '../../../core/base/errors.ts';
import { ERROR_STATUS } from '../../error-table.ts';
import type { ServiceError } from '../service.ts';

/** SendGrid's status, and its words where programs look for them. What is not here has our status. */
const THEIRS: Partial<Record<ErrorCode, { status: number; message?: string }>> = {
  unauthorized: { status: 401, message: 'The provided authorization grant is invalid, expired, or revoked' },
  quota_exceeded: { status: 401, message: 'Maximum credits exceeded' },
  invalid_scope: { status: 403, message: 'access forbidden' },
  domain_not_verified: { status: 403 },
  domain_paused: { status: 403 },
  validation_failed: { status: 400 },
  gone: { status: 404 },
};

// Fields as the sender names them, for what only it can tell.
const FIELDS: Readonly<Record<string, string>> = {
  variables: 'dynamic_template_data',
  esp: 'ip_pool_name',
  scheduled_at: 'send_at',
};

/** A refusal in SendGrid's shape. */
export function toSendGridError(refusal: AppError): ServiceError {
  const theirs = THEIRS[refusal.code];
  const status = theirs?.status ?? ERROR_STATUS[refusal.code];
  return { status, body: { errors: errorsOf(refusal, theirs?.message) } };
}

function errorsOf({ code, message, details }: AppError, theirs: string | undefined) {
  if (details && details.length > 0)
    return details.map((one) => toError(problemSentence([one]), toField(one.path)));
  const text = theirs === undefined || code === 'unauthorized' ? message : `${theirs}: ${message}`;
  return [
    toError(
      code === 'unauthorized' && theirs ? theirs : text,
      code === 'domain_not_verified' ? 'from' : null,
    ),
  ];
}

function toError(message: string, field: string | null) {
  return { message, field, help: null };
}

// `personalizations[0].to` is `personalizations.0.to` there.
function toField(path: string): string | null {
  if (path === '') return null;
  const dotted = path.replace(/\[(\d+)\]/g, '.$1');
  const [first = '', ...rest] = dotted.split('.');
  return [FIELDS[first] ?? first, ...rest].join('.');
}
