// Who belongs to which tenant, with which role, in PostgreSQL. Whoever changes who is an owner holds the tenant's row
// first, so that two changes at the same moment cannot take away the last owner together. SQL by hand: whether a role
// may use a password (ssoOnly) is one condition of many statements, also of sessions and invitations.

import type pg from 'pg';

import type { Queryable } from '../db/pool.ts';
import { memberships } from '../db/schema/people.ts';
import { hasSso, PLANS } from '../tenant/plan.ts';
import type { Tenant } from '../tenant/tenant-store.ts';

/** Every role. */
export const ROLES = memberships.role.enumValues;

/**
 * What a person may do in a tenant: `owner` manages it, `member` uses it, `viewer` looks at it, `super_admin` runs the
 * service.
 */
export type Role = (typeof ROLES)[number];

/** A person as one tenant sees them. */
export interface User {
  /** UUID of the person. */
  id: string;
  tenantId: string;
  email: string;
  role: Role;
  /** Since when they belong to the tenant. */
  createdAt: Date;
  /** Null until they signed in to this tenant for the first time. */
  lastSignedInAt: Date | null;
  /** False for those who sign in by SSO only. */
  hasPassword: boolean;
}

/** A tenant that a person belongs to. */
export interface Membership {
  tenant: Tenant;
  role: Role;
}

/** Columns of a User, of `memberships m` and `users u`. */
export const USER_COLUMNS = `u.id, m.tenant_id as "tenantId", u.email, m.role, m.created_at as "createdAt",
  m.last_signed_in_at as "lastSignedInAt", u.password_hash is not null as "hasPassword"`;

/** Plans with SSO. */
export const SSO_PLANS = PLANS.filter(hasSso);

/** SQL: whether the tenant `t` with the connection `c` keeps the role in `row` from using a password. */
export const ssoOnly = (row: 'm' | 'i', plans: string): string =>
  `(${row}.role in ('member', 'viewer') and coalesce(c.enabled and c.required and t.plan = any(${plans}), false))`;

/** Adds a person to a tenant. False when they belong to it already. */
export async function insertMembership(
  client: pg.PoolClient,
  row: { tenantId: string; userId: string; role: Role },
): Promise<boolean> {
  const { rowCount } = await client.query(
    'insert into memberships (tenant_id, user_id, role) values ($1, $2, $3) on conflict do nothing',
    [row.tenantId, row.userId, row.role],
  );
  return rowCount === 1;
}

/** One person of a tenant, by UUID or by normalized address, or null. */
export async function selectUser(
  db: Queryable,
  tenantId: string,
  which: { id: string } | { email: string },
): Promise<User | null> {
  const { rows } = await db.query<User>({
    name: 'user.of-tenant',
    text: `select ${USER_COLUMNS} from memberships m join users u on u.id = m.user_id
           where m.tenant_id = $1 and (u.id = $2 or u.email = $3)`,
    values: [tenantId, 'id' in which ? which.id : null, 'email' in which ? which.email : null],
  });
  return rows[0] ?? null;
}

/** The tenants of a person by name, or only the one that their session is bound to. */
export async function selectMemberships(
  db: Queryable,
  userId: string,
  only: string | null,
): Promise<Membership[]> {
  const { rows } = await db.query<Tenant & { role: Role }>(
    `select t.id, t.name, t.plan, t.created_at as "createdAt", m.role
     from memberships m join tenants t on t.id = m.tenant_id
     where m.user_id = $1 and ($2::uuid is null or m.tenant_id = $2) order by lower(t.name), t.id`,
    [userId, only],
  );
  return rows.map(({ role, ...tenant }) => ({ tenant, role }));
}

/** A tenant that somebody who proved their password may work in, or may not. */
export interface PasswordEntry {
  user: User;
  /** The tenant wants this person to sign in by SSO. */
  ssoOnly: boolean;
}

/** A person's tenants for a sign-in with a password, the one used last first. */
export async function selectPasswordEntries(db: Queryable, userId: string): Promise<PasswordEntry[]> {
  const { rows } = await db.query<User & { ssoOnly: boolean }>(
    `select ${USER_COLUMNS}, ${ssoOnly('m', '$2')} as "ssoOnly"
     from memberships m join users u on u.id = m.user_id join tenants t on t.id = m.tenant_id
       left join saml_connections c on c.tenant_id = m.tenant_id
     where m.user_id = $1 order by m.last_signed_in_at desc nulls last, m.created_at, m.tenant_id`,
    [userId, SSO_PLANS],
  );
  return rows.map(({ ssoOnly: only, ...user }) => ({ user, ssoOnly: only }));
}

/** Which people: newest first unless `oldestFirst`, older than `before`, newer than `after`. */
export interface PeoplePage {
  before?: string | undefined;
  after?: string | undefined;
  oldestFirst?: boolean;
  limit: number;
}

/** A page of a tenant's people. */
export async function selectPeople(db: Queryable, tenantId: string, page: PeoplePage): Promise<User[]> {
  const { rows } = await db.query<User>(
    `select ${USER_COLUMNS} from memberships m join users u on u.id = m.user_id
     where m.tenant_id = $1 and ($2::uuid is null or u.id < $2) and ($3::uuid is null or u.id > $3)
     order by u.id ${page.oldestFirst === true ? 'asc' : 'desc'} limit $4`,
    [tenantId, page.before ?? null, page.after ?? null, page.limit],
  );
  return rows;
}

/** Makes other changes of a tenant's people wait until this transaction ends. */
export async function lockPeople(client: pg.PoolClient, tenantId: string): Promise<void> {
  await client.query('select from tenants where id = $1 for no key update', [tenantId]);
}

/** How many owners a tenant has. */
export async function countOwners(db: Queryable, tenantId: string): Promise<number> {
  const { rows } = await db.query<{ owners: number }>(
    "select count(*)::int as owners from memberships where tenant_id = $1 and role = 'owner'",
    [tenantId],
  );
  return rows[0]?.owners ?? 0;
}

/** Gives a person another role in a tenant. */
export async function updateRole(
  client: pg.PoolClient,
  tenantId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await client.query('update memberships set role = $3 where tenant_id = $1 and user_id = $2', [
    tenantId,
    userId,
    role,
  ]);
}

/**
 * Takes a person out of a tenant. Who is in none then has no password and no session either: invited again, they
 * begin as anybody who is new.
 */
export async function deleteMembership(
  client: pg.PoolClient,
  tenantId: string,
  userId: string,
): Promise<void> {
  await client.query('select from users where id = $1 for no key update', [userId]); // two tenants at one moment
  await client.query('delete from memberships where tenant_id = $1 and user_id = $2', [tenantId, userId]);
  await client.query(
    `update sessions set ended_at = now()
     where user_id = $1 and ended_at is null and (method = 'saml' and tenant_id = $2
       or not exists (select from memberships m where m.user_id = $1))`,
    [userId, tenantId],
  );
  await client.query(
    `update users set password_hash = null
     where id = $1 and not exists (select from memberships m where m.user_id = $1)`,
    [userId],
  );
}
