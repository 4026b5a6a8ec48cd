// Who belongs to which tenant, with which role, in PostgreSQL. Whoever changes who is an owner holds the tenant's row
// first, so that two changes at the same moment cannot take away the last owner together.

import type pg from 'pg';

import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lt,
  notExists,
  or,
  sql,
} from 'drizzle-orm';

import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import {
  type invitations,
  memberships,
  samlConnections,
  secondFactors,
  sessions,
  users,
} from '../db/schema/people.ts';
import { tenants } from '../db/schema/tenant.ts';
import { hasSso, PLANS } from '../tenant/plan.ts';
import type { Tenant } from '../tenant/tenant-store.ts';

/** Every role. */
export const ROLES = memberships.role.enumValues;

/**
 * What a person may do in a tenant: `owner` manages it, `member` uses it, `viewer` only reads it, `super_admin`
 * administers the service.
 */
export type Role = (typeof ROLES)[number];

/** A person as one tenant sees them: the id is the person's, `createdAt` is since when they belong to the tenant. */
export type User = Omit<typeof memberships.$inferSelect, 'userId'> & {
  id: string;
  email: string;
  /** IANA name of the zone in which the dashboard shows times; null: that of the browser. */
  timeZone: string | null;
  /** False for those who sign in by SSO only. */
  hasPassword: boolean;
  /** A code is asked for beside the password. */
  hasSecondFactor: boolean;
};

/** A tenant that a person belongs to. */
export interface Membership {
  tenant: Tenant;
  role: Role;
}

const { userId: _, ...membership } = getTableColumns(memberships);

/** A User, of `memberships` and `users`. */
export const USER = {
  ...membership,
  id: users.id,
  email: users.email,
  timeZone: users.timeZone,
  hasPassword: sql<boolean>`${users.passwordHash} is not null`,
  hasSecondFactor: sql<boolean>`exists (select from ${secondFactors}
    where ${secondFactors.userId} = ${users.id} and ${secondFactors.confirmedAt} is not null)`,
};

/** Notes that a person wants to see the first steps of a tenant no more. */
export async function hideFirstSteps(db: Queryable, tenantId: string, userId: string): Promise<void> {
  await orm(db)
    .update(memberships)
    .set({ firstStepsHiddenAt: sql`now()` })
    .where(and(eq(memberships.tenantId, tenantId), eq(memberships.userId, userId)));
}

/** SQL: whether a tenant with this connection has SSO now. Joins `tenants` and, where there is one, `saml_connections`. */
export const HAS_SSO = sql<boolean>`coalesce(${samlConnections.enabled}
  and ${inArray(tenants.plan, PLANS.filter(hasSso))}, false)`;

/** SQL: whether such a tenant keeps the role from using a password. */
export const ssoOnly = (role: typeof memberships.role | typeof invitations.role) =>
  sql<boolean>`(${role} in ('member', 'viewer') and ${HAS_SSO} and ${samlConnections.required})`;

/** Adds a person to a tenant. False when they belong to it already. */
export async function insertMembership(
  client: pg.PoolClient,
  row: { tenantId: string; userId: string; role: Role },
): Promise<boolean> {
  const { rowCount } = await orm(client).insert(memberships).values(row).onConflictDoNothing();
  return rowCount === 1;
}

/** One person of a tenant, by UUID or by normalized address, or null. */
export async function selectUser(
  db: Queryable,
  tenantId: string,
  which: { id: string } | { email: string },
): Promise<User | null> {
  const [row] = await orm(db)
    .select(USER)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.tenantId, tenantId),
        'id' in which ? eq(users.id, which.id) : eq(users.email, which.email),
      ),
    );
  return row ?? null;
}

/** The addresses of all people of a tenant. */
export async function selectEmails(db: Queryable, tenantId: string): Promise<ReadonlySet<string>> {
  const rows = await orm(db)
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.tenantId, tenantId));
  return new Set(rows.map(({ email }) => email));
}

/** The tenants of a person by name, or only the one that their session is bound to. */
export function selectMemberships(db: Queryable, userId: string, only: string | null): Promise<Membership[]> {
  return orm(db)
    .select({ tenant: getTableColumns(tenants), role: memberships.role })
    .from(memberships)
    .innerJoin(tenants, eq(tenants.id, memberships.tenantId))
    .where(and(eq(memberships.userId, userId), only === null ? undefined : eq(memberships.tenantId, only)))
    .orderBy(sql`lower(${tenants.name})`, tenants.id);
}

/** A tenant that somebody who proved their password may work in, or may not. */
export interface PasswordEntry {
  user: User;
  /** The tenant wants this person to sign in by SSO. */
  ssoOnly: boolean;
}

/** A person's tenants for a sign-in with a password, the one used last first. */
export function selectPasswordEntries(db: Queryable, userId: string): Promise<PasswordEntry[]> {
  return orm(db)
    .select({ user: USER, ssoOnly: ssoOnly(memberships.role) })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(tenants, eq(tenants.id, memberships.tenantId))
    .leftJoin(samlConnections, eq(samlConnections.tenantId, memberships.tenantId))
    .where(eq(memberships.userId, userId))
    .orderBy(sql`${memberships.lastSignedInAt} desc nulls last`, memberships.createdAt, memberships.tenantId);
}

/** Which people: newest first unless `oldestFirst`, older than `before`, newer than `after`. */
export interface PeoplePage {
  before?: string | undefined;
  after?: string | undefined;
  oldestFirst?: boolean;
  limit: number;
}

/** A page of a tenant's people. */
export function selectPeople(db: Queryable, tenantId: string, page: PeoplePage): Promise<User[]> {
  return orm(db)
    .select(USER)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.tenantId, tenantId),
        page.before === undefined ? undefined : lt(users.id, page.before),
        page.after === undefined ? undefined : gt(users.id, page.after),
      ),
    )
    .orderBy(page.oldestFirst === true ? asc(users.id) : desc(users.id))
    .limit(page.limit);
}

/** Makes other changes of a tenant's people wait until this transaction ends. */
export async function lockPeople(client: pg.PoolClient, tenantId: string): Promise<void> {
  await orm(client)
    .select({ id: tenants.id })
    .from(tenants)
    .where(eq(tenants.id, tenantId))
    .for('no key update');
}

/** How many owners a tenant has. */
export async function countOwners(db: Queryable, tenantId: string): Promise<number> {
  const [row] = await orm(db)
    .select({ owners: count() })
    .from(memberships)
    .where(and(eq(memberships.tenantId, tenantId), eq(memberships.role, 'owner')));
  return row!.owners;
}

/** Gives a person another role in a tenant. */
export async function updateRole(
  client: pg.PoolClient,
  tenantId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await orm(client).update(memberships).set({ role }).where(isMember(tenantId, userId));
}

/**
 * Takes a person out of a tenant. Who is in none then has no password, second factor or session either: invited again,
 * they begin as anybody who is new.
 */
export async function deleteMembership(
  client: pg.PoolClient,
  tenantId: string,
  userId: string,
): Promise<void> {
  const db = orm(client);
  const inNoTenant = notExists(
    db.select({ tenantId: memberships.tenantId }).from(memberships).where(eq(memberships.userId, userId)),
  );
  const bySso = and(eq(sessions.method, 'saml'), eq(sessions.tenantId, tenantId));
  const person = eq(users.id, userId);
  await db.select({ id: users.id }).from(users).where(person).for('no key update'); // two tenants at one moment
  await db.delete(memberships).where(isMember(tenantId, userId));
  await db
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), or(bySso, inNoTenant)));
  await db
    .update(users)
    .set({ passwordHash: null, resetHash: null, resetExpiresAt: null })
    .where(and(person, inNoTenant));
  await db.delete(secondFactors).where(and(eq(secondFactors.userId, userId), inNoTenant));
}

function isMember(tenantId: string, userId: string) {
  return and(eq(memberships.tenantId, tenantId), eq(memberships.userId, userId));
}
