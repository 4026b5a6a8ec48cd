// Problems of tenants and domains as text.

import type { TenantRowFragment } from '../../gen/pages/admin/tenants.ts';

/** A problem of a tenant. */
export type Problem = TenantRowFragment['problems'][number];

/** Each problem, in the order in which the api lists them. */
export const PROBLEM_WORDS: Readonly<Record<Problem, string>> = {
  paused: 'paused',
  braked: 'brake on',
  dns_failing: 'DNS failing',
  high_bounces: 'bounces over 2 %',
  webhook_failing: 'webhook failing',
  certificate_expiring: 'certificate expiring',
};
