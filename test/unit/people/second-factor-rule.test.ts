import { expect, test } from 'vitest';

import { isSecondFactorRequired } from '../../../core/people/second-factor-rule.ts';
import type { Tenant } from '../../../core/tenant/tenant-store.ts';

const tenant = (secondFactorRequired: boolean): Tenant => ({
  id: 'a',
  name: 'A',
  plan: 'pro',
  keepContent: true,
  secondFactorRequired,
  suspendedAt: null,
  reactivatedAt: null,
  bucket: 'public',
  createdAt: new Date(0),
});

// The operator's setting, the tenant's, then whether an owner and a super_admin need one.
test.each([
  ['nobody', false, false, false],
  ['nobody', true, true, true],
  ['super_admins', false, false, true],
  ['super_admins', true, true, true],
  ['everybody', false, true, true],
] as const)('%s by the operator, %s by the tenant', (setting, byTenant, owner, superAdmin) => {
  const config = { SECOND_FACTOR_REQUIRED: setting };
  const of = (role: 'owner' | 'super_admin', method: 'password' | 'saml') =>
    isSecondFactorRequired(config, { tenant: tenant(byTenant), role, method });
  expect([of('owner', 'password'), of('super_admin', 'password')]).toEqual([owner, superAdmin]);
  expect(of('owner', 'saml')).toBe(false);
});
