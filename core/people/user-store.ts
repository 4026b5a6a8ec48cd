// People in PostgreSQL: one row for each e-mail address, whatever tenants they belong to (membership-store.ts).

import type pg from 'pg';

import type { Queryable } from '../db/pool.ts';

/** A person, whatever their tenants. */
export interface Person {
  /** UUID. */
  id: string;
  /** Normalized. */
  email: string;
  /** Null for those who sign in by SSO only. */
  passwordHash: string | null;
}

const COLUMNS = 'u.id, u.email, u.password_hash as "passwordHash"';

/** Inserts a person. Null when the address has one already. */
export async function insertPerson(db: Queryable, person: Person): Promise<Person | null> {
  const { rows } = await db.query<Person>(
    `insert into users as u (id, email, password_hash) values ($1, $2, $3)
     on conflict (email) do nothing returning ${COLUMNS}`,
    [person.id, person.email, person.passwordHash],
  );
  return rows[0] ?? null;
}

/** The person with this normalized address, or null. */
export async function selectPerson(db: Queryable, email: string): Promise<Person | null> {
  const { rows } = await db.query<Person>(`select ${COLUMNS} from users u where u.email = $1`, [email]);
  return rows[0] ?? null;
}

/** As `selectPerson`; other changes of the person wait until this transaction ends. */
export async function lockPerson(client: pg.PoolClient, email: string): Promise<Person | null> {
  const { rows } = await client.query<Person>(
    `select ${COLUMNS} from users u where u.email = $1 for no key update`,
    [email],
  );
  return rows[0] ?? null;
}

/** The password hash of a person, or null. */
export async function selectPasswordHash(db: Queryable, userId: string): Promise<string | null> {
  const { rows } = await db.query<{ passwordHash: string | null }>(
    'select password_hash as "passwordHash" from users where id = $1',
    [userId],
  );
  return rows[0]?.passwordHash ?? null;
}

/** Puts a new hash in the place of the one that was verified. False when somebody was faster. */
export async function updatePassword(
  client: pg.PoolClient,
  userId: string,
  hashes: { old: string | null; next: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    'update users set password_hash = $3 where id = $1 and password_hash is not distinct from $2',
    [userId, hashes.old, hashes.next],
  );
  return rowCount === 1;
}
