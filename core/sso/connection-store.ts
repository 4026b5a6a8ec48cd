// The SAML connections of tenants in PostgreSQL.

import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';

import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { domainClaims } from '../db/schema/bucket.ts';
import { samlConnections } from '../db/schema/people.ts';
import { tenants } from '../db/schema/tenant.ts';
import { hasSso, PLANS } from '../tenant/plan.ts';

/** The identity provider of a tenant. */
export type SamlConnection = Omit<typeof samlConnections.$inferSelect, 'tenantId'>;

const { tenantId: _, ...CONNECTION } = getTableColumns(samlConnections);
const USABLE = and(eq(samlConnections.enabled, true), inArray(tenants.plan, PLANS.filter(hasSso)));

/** The connection of a tenant, or null. `lock` makes other changes wait until this transaction ends. */
export async function selectConnection(
  db: Queryable,
  tenantId: string,
  options: { lock?: boolean } = {},
): Promise<SamlConnection | null> {
  const found = orm(db)
    .select(CONNECTION)
    .from(samlConnections)
    .where(eq(samlConnections.tenantId, tenantId));
  const [row] = await (options.lock ? found.for('update') : found);
  return row ?? null;
}

/** The connection of a tenant that may be used now: it is enabled and the plan has it. */
export async function selectUsable(db: Queryable, tenantId: string): Promise<SamlConnection | null> {
  const [row] = await orm(db)
    .select(CONNECTION)
    .from(samlConnections)
    .innerJoin(tenants, eq(tenants.id, samlConnections.tenantId))
    .where(and(eq(samlConnections.tenantId, tenantId), USABLE));
  return row ?? null;
}

/** The tenant with a usable connection that has verified this domain as its own, or null. */
export async function selectTenantByDomain(db: Queryable, domain: string): Promise<string | null> {
  const [row] = await orm(db)
    .select({ tenantId: domainClaims.tenantId })
    .from(domainClaims)
    .innerJoin(samlConnections, eq(samlConnections.tenantId, domainClaims.tenantId))
    .innerJoin(tenants, eq(tenants.id, domainClaims.tenantId))
    .where(and(eq(domainClaims.name, domain), domainClaims.held, USABLE));
  return row?.tenantId ?? null;
}

/** Which of these domains the tenant has verified as its own, now. */
export async function selectVerifiedDomains(
  db: Queryable,
  tenantId: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await orm(db)
    .select({ name: domainClaims.name })
    .from(domainClaims)
    .where(and(eq(domainClaims.tenantId, tenantId), inArray(domainClaims.name, names), domainClaims.held));
  return rows.map(({ name }) => name);
}

/** Makes or replaces the connection of a tenant. */
export async function upsertConnection(
  db: Queryable,
  tenantId: string,
  row: Omit<SamlConnection, 'createdAt' | 'updatedAt'>,
): Promise<SamlConnection> {
  const [made] = await orm(db)
    .insert(samlConnections)
    .values({ tenantId, ...row })
    .onConflictDoUpdate({
      target: samlConnections.tenantId,
      set: { ...row, updatedAt: sql`excluded.updated_at` },
    })
    .returning(CONNECTION);
  return made!;
}

/** Removes the connection of a tenant. False when there is none. */
export async function deleteConnectionRow(db: Queryable, tenantId: string): Promise<boolean> {
  const { rowCount } = await orm(db).delete(samlConnections).where(eq(samlConnections.tenantId, tenantId));
  return rowCount === 1;
}
