// Tenants and their monthly usage in PostgreSQL.

import { and, desc, eq, inArray, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm';

import { orm, prepared } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { tenants } from '../db/schema/tenant.ts';

/** A customer account; the id is a UUID. */
export type Tenant = typeof tenants.$inferSelect;

/** Whether it may send and receive. */
export const TENANT_STATUSES = ['active', 'suspended'] as const;

/** One of these. */
export type TenantStatus = (typeof TENANT_STATUSES)[number];

const OF_STATUS: Readonly<Record<TenantStatus, SQL>> = {
  active: isNull(tenants.suspendedAt),
  suspended: isNotNull(tenants.suspendedAt),
};

/** The status of a tenant. */
export function tenantStatus({ suspendedAt }: Pick<Tenant, 'suspendedAt'>): TenantStatus {
  return suspendedAt === null ? 'active' : 'suspended';
}

/** Inserts a tenant. */
export async function insertTenant(
  db: Queryable,
  tenant: Pick<Tenant, 'id' | 'name' | 'plan' | 'bucket'>,
): Promise<Tenant> {
  const [row] = await orm(db).insert(tenants).values(tenant).returning();
  return row!;
}

const tenantById = prepared((db) =>
  db
    .select()
    .from(tenants)
    .where(eq(tenants.id, sql.placeholder('id')))
    .prepare('tenant.by-id'),
);

/** One tenant, or null. */
export async function selectTenant(db: Queryable, id: string): Promise<Tenant | null> {
  const [row] = await tenantById(db).execute({ id });
  return row ?? null;
}

/** Which tenants: older than the id `before`, with this in their name, of this status, one of these ids. */
export interface TenantPage {
  before: string | null;
  limit: number;
  name: string | null;
  status: TenantStatus | null;
  /** UUIDs; left out: all. */
  ids?: string[] | undefined;
}

/** A page of all tenants, newest first. */
export function selectTenants(db: Queryable, page: TenantPage): Promise<Tenant[]> {
  return orm(db)
    .select()
    .from(tenants)
    .where(
      and(
        page.before === null ? undefined : lt(tenants.id, page.before),
        page.name === null ? undefined : sql`position(lower(${page.name}) in lower(${tenants.name})) > 0`,
        page.status === null ? undefined : OF_STATUS[page.status],
        page.ids === undefined ? undefined : inArray(tenants.id, page.ids),
      ),
    )
    .orderBy(desc(tenants.id))
    .limit(page.limit);
}

/** Accepted sends of a tenant in the current UTC month, and its end. SQL by hand: both are by PostgreSQL's clock. */
export async function selectUsage(
  db: Queryable,
  tenantId: string,
): Promise<{ used: number; resetsAt: Date }> {
  const { rows } = await db.query<{ used: number; resetsAt: Date }>({
    name: 'tenant.usage',
    text: `with month as (select date_trunc('month', now() at time zone 'UTC') as first)
           select coalesce(u.used, 0)::float8 as used,
                  (m.first + interval '1 month') at time zone 'UTC' as "resetsAt"
           from month m left join tenant_usage u on u.tenant_id = $1 and u.month = m.first::date`,
    values: [tenantId],
  });
  return rows[0] ?? { used: 0, resetsAt: new Date(Number.NaN) };
}

/** Sets whether a tenant's people need a second factor. */
export async function updateSecondFactorRequired(
  client: Queryable,
  tenantId: string,
  secondFactorRequired: boolean,
): Promise<void> {
  await orm(client).update(tenants).set({ secondFactorRequired }).where(eq(tenants.id, tenantId));
}

/** Sets whether what a tenant's messages say is kept. */
export async function updateKeepContent(
  client: Queryable,
  tenantId: string,
  keepContent: boolean,
): Promise<void> {
  await orm(client).update(tenants).set({ keepContent }).where(eq(tenants.id, tenantId));
}

/** Puts a tenant on another plan. Null when it is not there. */
export async function updatePlan(
  client: Queryable,
  tenantId: string,
  plan: Tenant['plan'],
): Promise<Tenant | null> {
  const [row] = await orm(client).update(tenants).set({ plan }).where(eq(tenants.id, tenantId)).returning();
  return row ?? null;
}

/** Locks a tenant until the transaction ends. Null when it is not there. */
export async function lockTenant(client: Queryable, tenantId: string): Promise<Tenant | null> {
  const [row] = await orm(client).select().from(tenants).where(eq(tenants.id, tenantId)).for('no key update');
  return row ?? null;
}
