// The plans, for forms.

import type { TenantPageQuery } from '../../gen/pages/admin/tenant.ts';

/** The name of a plan. */
export type Plan = NonNullable<TenantPageQuery['tenant']>['plan'];

/** Every plan with its monthly quota, smallest first. */
export const PLAN_OPTIONS: readonly { value: Plan; label: string }[] = [
  { value: 'free', label: 'free: 1,000 messages a month' },
  { value: 'starter', label: 'starter: 50,000 messages a month' },
  { value: 'pro', label: 'pro: 500,000 messages a month, single sign-on' },
  { value: 'scale', label: 'scale: 5,000,000 messages a month, single sign-on' },
];
