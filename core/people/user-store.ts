// People in PostgreSQL: one row for each e-mail address, whatever tenants they belong to (membership-store.ts).

import { and, desc, eq, getTableColumns, gt, isNotNull, lt, sql } from 'drizzle-orm';

import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { memberships, users } from '../db/schema/people.ts';

/** A person, whatever their tenants. The id is a UUID, the address normalized. */
export type Person = Pick<typeof users.$inferSelect, 'id' | 'email' | 'passwordHash'>;

const { id, email, passwordHash, createdAt } = getTableColumns(users);
const PERSON = { id, email, passwordHash };
const NO_RESET = { resetHash: null, resetExpiresAt: null };

/** Inserts a person. Null when the address has one already. */
export async function insertPerson(db: Queryable, person: Person): Promise<Person | null> {
  const [row] = await orm(db)
    .insert(users)
    .values(person)
    .onConflictDoNothing({ target: users.email })
    .returning(PERSON);
  return row ?? null;
}

/** The person with this normalized address, or null. */
export async function selectPerson(db: Queryable, email: string): Promise<Person | null> {
  const [row] = await orm(db).select(PERSON).from(users).where(eq(users.email, email));
  return row ?? null;
}

/** As `selectPerson`; other changes of the person wait until this transaction ends. */
export async function lockPerson(db: Queryable, email: string): Promise<Person | null> {
  const [row] = await orm(db).select(PERSON).from(users).where(eq(users.email, email)).for('no key update');
  return row ?? null;
}

/** The password hash of a person, or null. */
export async function selectPasswordHash(db: Queryable, userId: string): Promise<string | null> {
  const [row] = await orm(db)
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId));
  return row?.passwordHash ?? null;
}

/** Keeps the zone in which a person is shown times; null: that of the browser. */
export async function updateTimeZone(db: Queryable, userId: string, timeZone: string | null): Promise<void> {
  await orm(db).update(users).set({ timeZone }).where(eq(users.id, userId));
}

/** Puts a new hash in the place of the one that was verified; no link resets it any more. False when somebody was faster. */
export async function updatePassword(
  db: Queryable,
  userId: string,
  hashes: { old: string | null; next: string },
): Promise<boolean> {
  const { rowCount } = await orm(db)
    .update(users)
    .set({ passwordHash: hashes.next, ...NO_RESET })
    .where(and(eq(users.id, userId), sql`${users.passwordHash} is not distinct from ${hashes.old}`));
  return rowCount === 1;
}

/**
 * Makes the link with this token the one that resets a person's password, for so many seconds. A link that was made
 * before is only prolonged: false when it was used or replaced meanwhile.
 */
export async function updateReset(
  db: Queryable,
  userId: string,
  link: { hash: Buffer; seconds: number; isNew: boolean },
): Promise<boolean> {
  const { rowCount } = await orm(db)
    .update(users)
    .set({ resetHash: link.hash, resetExpiresAt: sql`now() + make_interval(secs => ${link.seconds})` })
    .where(and(eq(users.id, userId), link.isNew ? undefined : eq(users.resetHash, link.hash)));
  return rowCount === 1;
}

/** Who has a password that this link resets, or null. */
export async function selectByReset(db: Queryable, hash: Buffer): Promise<Person | null> {
  const [row] = await orm(db).select(PERSON).from(users).where(isReset(hash));
  return row ?? null;
}

/** Uses up the link: puts a new hash in the place of the forgotten one. Null when it was used or is over. */
export async function usePasswordReset(db: Queryable, hash: Buffer, next: string): Promise<Person | null> {
  const [row] = await orm(db)
    .update(users)
    .set({ passwordHash: next, ...NO_RESET })
    .where(isReset(hash))
    .returning(PERSON);
  return row ?? null;
}

function isReset(hash: Buffer) {
  return and(eq(users.resetHash, hash), gt(users.resetExpiresAt, sql`now()`), isNotNull(users.passwordHash));
}

/** A person as operators see them, with the tenants that they belong to. */
export interface ListedPerson extends Pick<typeof users.$inferSelect, 'id' | 'email' | 'createdAt'> {
  memberships: { tenantId: string; role: string }[];
}

/** A page of all people, newest first, older than the id `before`; with a tenant only its own. */
export function selectEverybody(
  db: Queryable,
  page: { before: string | null; limit: number; tenantId: string | null },
): Promise<ListedPerson[]> {
  const theirs = sql`select 1 from ${memberships} where ${memberships.userId} = ${users.id}
    and ${memberships.tenantId} = ${page.tenantId}`;
  return orm(db)
    .select({
      id,
      email,
      createdAt,
      memberships: sql<ListedPerson['memberships']>`coalesce((select jsonb_agg(jsonb_build_object('tenantId',
        ${memberships.tenantId}, 'role', ${memberships.role}) order by ${memberships.tenantId})
        from ${memberships} where ${memberships.userId} = ${users.id}), '[]')`,
    })
    .from(users)
    .where(
      and(
        page.before === null ? undefined : lt(users.id, page.before),
        page.tenantId === null ? undefined : sql`exists (${theirs})`,
      ),
    )
    .orderBy(desc(users.id))
    .limit(page.limit);
}
