// Creating, listing, suspending and reactivating tenants, and their plans.

import { service } from '../core/audit/actor.ts';
import { toId } from '../core/base/ids.ts';
import { reactivateTenant, suspendTenant } from '../core/suspension/suspend-tenant.ts';
import { PLANS } from '../core/tenant/plan.ts';
import { TENANT_STATUSES, tenantStatus, type Tenant } from '../core/tenant/tenant-store.ts';
import { createTenant } from '../core/new-tenant/create-tenant.ts';
import { changePlan, listTenants } from '../core/tenant/tenants.ts';
import { UsageError, uuidOf, type Command } from './command.ts';
import { readPages } from './read-pages.ts';

/** `tenant …`. */
export const tenantCommands: readonly Command[] = [
  {
    name: 'tenant create',
    help: 'creates a tenant',
    args: [],
    options: {
      name: { value: 'NAME', help: 'shown to its people', required: true },
      plan: { value: 'PLAN', help: PLANS.join(', '), required: true },
      bucket: {
        value: 'BUCKET',
        help: 'bucket that stores its rows and cannot be changed later; default: the open bucket with the fewest tenants',
      },
    },
    async run({ db }, _, options) {
      const made = await createTenant({ db }, service('cli'), {
        name: options['name'] ?? '',
        plan: options['plan'] ?? '',
        bucket: options['bucket'],
      });
      const id = toId('tnt', made.id);
      const { bucket } = made;
      return {
        json: { tenant_id: id, bucket },
        text: `Created tenant ${id} "${made.name}" on plan ${made.plan}.`,
      };
    },
  },
  {
    name: 'tenant list',
    help: 'lists tenants, the newest first',
    args: [],
    options: {
      name: { value: 'TEXT', help: 'only those with this in their name' },
      status: { value: 'STATUS', help: `only tenants with this status: ${TENANT_STATUSES.join(' or ')}` },
    },
    async run({ db }, _, options) {
      const status = TENANT_STATUSES.find((one) => one === options['status']) ?? null;
      if (options['status'] !== undefined && status === null)
        throw new UsageError(`--status must be one of ${TENANT_STATUSES.join(', ')}`);
      const filter = { name: options['name'] ?? null, status };
      const tenants = await readPages((page) => listTenants(db, { ...filter, ...page }));
      return {
        json: { items: tenants.map(toJson) },
        text: tenants.map(toLine).join('\n') || 'There are no such tenants.',
      };
    },
  },
  {
    name: 'tenant suspend',
    help: 'suspends a tenant: nothing is sent or received within a second, messages that wait are kept',
    args: ['TENANT'],
    options: {},
    async run({ buckets, config }, [id]) {
      const tenantId = uuidOf('tnt', id, 'tenant');
      const db = buckets.database(await buckets.ofTenant(tenantId));
      const tenant = await suspendTenant({ db, config: config() }, service('cli'), tenantId);
      return { json: toJson(tenant), text: `Suspended tenant ${id} "${tenant.name}".` };
    },
  },
  {
    name: 'tenant reactivate',
    help: 'ends a suspension: messages that wait are sent as far as the caps allow',
    args: ['TENANT'],
    options: {},
    async run({ buckets }, [id]) {
      const tenantId = uuidOf('tnt', id, 'tenant');
      const db = buckets.database(await buckets.ofTenant(tenantId));
      const tenant = await reactivateTenant({ db }, service('cli'), tenantId);
      return { json: toJson(tenant), text: `Reactivated tenant ${id} "${tenant.name}".` };
    },
  },
  {
    name: 'tenant plan',
    help: `changes the plan of a tenant: ${PLANS.join(', ')}`,
    args: ['TENANT', 'PLAN'],
    options: {},
    async run({ db }, [id, plan = '']) {
      const tenant = await changePlan({ db }, service('cli'), uuidOf('tnt', id, 'tenant'), { plan });
      return { json: toJson(tenant), text: `Tenant ${id} "${tenant.name}" is on plan ${tenant.plan}.` };
    },
  },
];

function toJson(tenant: Tenant): Record<string, unknown> {
  return {
    tenant_id: toId('tnt', tenant.id),
    name: tenant.name,
    plan: tenant.plan,
    status: tenantStatus(tenant),
    suspended_at: tenant.suspendedAt?.toISOString() ?? null,
    bucket: tenant.bucket,
    created_at: tenant.createdAt.toISOString(),
  };
}

function toLine(tenant: Tenant): string {
  const { name, plan, createdAt } = tenant;
  const parts = [toId('tnt', tenant.id), tenantStatus(tenant), plan, createdAt.toISOString(), name];
  return parts.join('  ');
}
