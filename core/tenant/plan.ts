// Plans and what they include.

import { tenants } from '../db/schema/tenant.ts';

/** Every plan, smallest first. */
export const PLANS = tenants.plan.enumValues;

/** The name of a plan. */
export type Plan = (typeof PLANS)[number];

/** Accepted sends per UTC calendar month. */
export const MONTHLY_CAP: Readonly<Record<Plan, number>> = {
  free: 1_000,
  starter: 50_000,
  pro: 500_000,
  scale: 5_000_000,
};

/** Whether people of this plan may sign in by SAML. */
export function hasSso(plan: Plan): boolean {
  return plan === 'pro' || plan === 'scale';
}
