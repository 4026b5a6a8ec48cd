// Who needs a second factor: whom their tenant or the operator asks for one, when they sign in with a password. Those who
// come by SSO are asked by their identity provider, or not.

import type { Config } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import type { Tenant } from '../tenant/tenant-store.ts';
import type { Role } from './membership-store.ts';
import type { SignInMethod } from './session-store.ts';

/** The operator's part of the rule. */
export type SecondFactorSetting = Pick<Config, 'SECOND_FACTOR_REQUIRED'>;

/** Whether somebody of this role needs a second factor in the tenant. */
export function isSecondFactorRequired(
  { SECOND_FACTOR_REQUIRED: who }: SecondFactorSetting,
  { tenant, role, method }: { tenant: Tenant; role: Role; method: SignInMethod },
): boolean {
  if (method === 'saml') return false;
  return (
    tenant.secondFactorRequired || who === 'everybody' || (who === 'super_admins' && role === 'super_admin')
  );
}

/** The error for whoever needs one and has none: they can set it up, and nothing else. */
export function secondFactorMissing(): AppError {
  return new AppError(
    'second_factor_missing',
    'Two-factor authentication is required here. Set it up in the dashboard first.',
  );
}
