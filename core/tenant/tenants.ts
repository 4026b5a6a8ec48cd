// Reading tenants, their plans, and their remaining quota of the month.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { notFound } from '../base/errors.ts';
import { requireValue } from '../base/field-problems.ts';
import { toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { MONTHLY_CAP, type Plan } from './plan.ts';
import { planInput } from './tenant-input.ts';
import {
  lockTenant,
  selectTenant,
  selectTenants,
  selectUsage,
  updatePlan,
  type Tenant,
  type TenantPage,
} from './tenant-store.ts';

/** What a tenant has used of its month. */
export interface Quota {
  used: number;
  cap: number;
  remaining: number;
  resetsAt: Date;
}

/** One tenant by UUID, or null. */
export function findTenant(db: Database, id: string): Promise<Tenant | null> {
  return selectTenant(db.pool, id);
}

/** Puts a tenant on another plan: its quota and SSO follow at once. Throws not_found. */
export async function changePlan(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  input: { plan: string },
): Promise<Tenant> {
  const { plan } = requireValue(planInput, input);
  return change(deps, by, async (client, record) => {
    const before = await lockTenant(client, tenantId);
    if (!before) throw notFound('tenant');
    if (before.plan === plan) return before;
    const tenant = (await updatePlan(client, tenantId, plan))!;
    const details = { from: before.plan, to: plan };
    await record({ tenantId, action: 'tenant.plan_changed', subject: toId('tnt', tenantId), details });
    return tenant;
  });
}

/** A page of all tenants, newest first. For super-admins. */
export function listTenants(db: Database, page: TenantPage): Promise<Tenant[]> {
  return selectTenants(db.pool, page);
}

/** The quota of a tenant's current UTC month. */
export async function readQuota(db: Database, tenant: { id: string; plan: Plan }): Promise<Quota> {
  const { used, resetsAt } = await selectUsage(db.pool, tenant.id);
  const cap = MONTHLY_CAP[tenant.plan];
  return { used, cap, remaining: Math.max(0, cap - used), resetsAt };
}
