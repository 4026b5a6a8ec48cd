// The errors of Resend's API: https://resend.com/docs/api-reference/errors. Its clients read `name` and `message`.

import type { AppError, ErrorCode } from '../../../core/base/errors.ts';
import { ERROR_STATUS } from '../../error-table.ts';
import type { Credential } from '../../exchange.ts';
import type { ServiceError } from '../service.ts';

/** Resend's name of each of our codes. The status is ours but where the name has another one there. */
const NAMES: Readonly<Record<ErrorCode, { name: string; status?: number }>> = {
  invalid_json: { name: 'validation_error' },
  unauthorized: { name: 'missing_api_key' },
  quota_exceeded: { name: 'monthly_quota_exceeded', status: 429 },
  second_factor_required: { name: 'invalid_permission' },
  second_factor_missing: { name: 'invalid_permission' },
  confirmation_required: { name: 'invalid_permission' },
  invalid_scope: { name: 'restricted_api_key', status: 401 },
  forbidden: { name: 'invalid_permission', status: 403 },
  tenant_suspended: { name: 'invalid_permission', status: 403 },
  not_found: { name: 'not_found' },
  method_not_allowed: { name: 'method_not_allowed' },
  conflict: { name: 'validation_error', status: 422 },
  domain_paused: { name: 'validation_error', status: 403 },
  idempotency_conflict: { name: 'invalid_idempotent_request' },
  idempotency_in_progress: { name: 'concurrent_idempotent_requests' },
  gone: { name: 'not_found', status: 404 },
  payload_too_large: { name: 'validation_error' },
  unsupported_media_type: { name: 'validation_error' },
  validation_failed: { name: 'validation_error' },
  domain_not_verified: { name: 'validation_error', status: 403 },
  rate_limited: { name: 'rate_limit_exceeded' },
  internal_error: { name: 'internal_server_error' },
  unavailable: { name: 'service_unavailable' },
};

/** A refusal in Resend's shape. */
export function toResendError(refusal: AppError, { token }: Credential): ServiceError {
  const { name, status = ERROR_STATUS[refusal.code] } =
    (refusal.code === 'unauthorized' && token !== null && INVALID_KEY) ||
    fieldError(refusal) ||
    NAMES[refusal.code];
  return { status, body: { statusCode: status, name, message: refusal.message } };
}

const INVALID_KEY = { name: 'invalid_api_key', status: 403 };

// Some fields have a name of their own there.
function fieldError({ code, details }: AppError): { name: string; status?: number } | undefined {
  const [first] = details ?? [];
  if (code !== 'validation_failed' || !first) return undefined;
  if (first.path === 'Idempotency-Key') return { name: 'invalid_idempotency_key', status: 400 };
  if (first.message.startsWith('is required')) return { name: 'missing_required_field' };
  if (first.path === 'from') return { name: 'invalid_from_address' };
  return first.path.startsWith('attachments') ? { name: 'invalid_attachment' } : undefined;
}
