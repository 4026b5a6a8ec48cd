// The people of a tenant in PostgreSQL. Whoever changes who is an owner holds the tenant's row first, so that two
// changes at the same moment cannot take away the last owner together.

import type pg from 'pg';

import { USER_COLUMNS, type Role, type User } from './user-store.ts';
import type { Queryable } from '../db/pool.ts';

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
    `select ${USER_COLUMNS} from users u
     where u.tenant_id = $1 and ($2::uuid is null or u.id < $2) and ($3::uuid is null or u.id > $3)
     order by u.id ${page.oldestFirst === true ? 'asc' : 'desc'} limit $4`,
    [tenantId, page.before ?? null, page.after ?? null, page.limit],
  );
  return rows;
}

/** The person of a tenant with this normalized address, or null. */
export async function selectUserOfTenant(
  db: Queryable,
  tenantId: string,
  email: string,
): Promise<User | null> {
  const { rows } = await db.query<User>(
    `select ${USER_COLUMNS} from users u where u.tenant_id = $1 and u.email = $2`,
    [tenantId, email],
  );
  return rows[0] ?? null;
}

/** Makes other changes of a tenant's people wait until this transaction ends. */
export async function lockPeople(client: pg.PoolClient, tenantId: string): Promise<void> {
  await client.query('select from tenants where id = $1 for no key update', [tenantId]);
}

/** How many owners a tenant has. */
export async function countOwners(db: Queryable, tenantId: string): Promise<number> {
  const { rows } = await db.query<{ owners: number }>(
    "select count(*)::int as owners from users where tenant_id = $1 and role = 'owner'",
    [tenantId],
  );
  return rows[0]?.owners ?? 0;
}

/** Gives a person another role. */
export async function updateRole(
  client: pg.PoolClient,
  tenantId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await client.query('update users set role = $3 where tenant_id = $1 and id = $2', [tenantId, userId, role]);
}

/** Removes a person with their sessions: their access tokens open nothing from then on. */
export async function deletePerson(client: pg.PoolClient, tenantId: string, userId: string): Promise<void> {
  await client.query('delete from sessions where tenant_id = $1 and user_id = $2', [tenantId, userId]);
  await client.query('delete from users where tenant_id = $1 and id = $2', [tenantId, userId]);
}

/** The password hash of a person, or null. */
export async function selectPasswordHash(
  db: Queryable,
  tenantId: string,
  userId: string,
): Promise<string | null> {
  const { rows } = await db.query<{ passwordHash: string | null }>(
    'select password_hash as "passwordHash" from users where tenant_id = $1 and id = $2',
    [tenantId, userId],
  );
  return rows[0]?.passwordHash ?? null;
}

/** Puts a new hash in the place of the one that was verified. False when somebody was faster. */
export async function updatePassword(
  client: pg.PoolClient,
  tenantId: string,
  userId: string,
  hashes: { old: string; next: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    'update users set password_hash = $4 where tenant_id = $1 and id = $2 and password_hash = $3',
    [tenantId, userId, hashes.old, hashes.next],
  );
  return rowCount === 1;
}
