// The refusal of everything that a suspended tenant would send.

import { AppError } from '../base/errors.ts';

/** What a caller of a suspended tenant reads, on every API surface. */
export const TENANT_SUSPENDED =
  'This account is suspended: it cannot send mail until the operator of this service reactivates it.';

/** The error for what a suspended tenant may not do. */
export function tenantSuspended(): AppError {
  return new AppError('tenant_suspended', TENANT_SUSPENDED);
}

/** SQL: whether the tenant whose id is in a column is suspended. */
export function suspendedSql(tenantId: string): string {
  return `exists (select from tenants s where s.id = ${tenantId} and s.suspended_at is not null)`;
}
