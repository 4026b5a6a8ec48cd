// Second factors and recovery codes in PostgreSQL. A code is used up by the statement that finds it good, so that no two
// processes accept it.

import { and, count, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type pg from 'pg';

import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { memberships, recoveryCodes, secondFactors } from '../db/schema/people.ts';
import { tenants } from '../db/schema/tenant.ts';

/** A person's second factor; `confirmedAt` is null while it is being set up. */
export type SecondFactor = typeof secondFactors.$inferSelect;

/** The second factor of a person, or null. */
export async function selectSecondFactor(db: Queryable, userId: string): Promise<SecondFactor | null> {
  const [row] = await orm(db).select().from(secondFactors).where(eq(secondFactors.userId, userId));
  return row ?? null;
}

/** Begins to set one up, in the place of one that was not confirmed. False when the person has one. */
export async function upsertPending(
  client: pg.PoolClient,
  userId: string,
  sealedSecret: Buffer,
): Promise<boolean> {
  const { rowCount } = await orm(client)
    .insert(secondFactors)
    .values({ userId, sealedSecret })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: { sealedSecret, lastStep: null, createdAt: sql`excluded.created_at` },
      setWhere: isNull(secondFactors.confirmedAt),
    });
  return rowCount === 1;
}

/** Uses up a step, and all before it. False when it is used up already, or the secret is another one by now. */
export async function takeStep(
  db: Queryable,
  { userId, sealedSecret }: Pick<SecondFactor, 'userId' | 'sealedSecret'>,
  step: number,
): Promise<boolean> {
  const { rowCount } = await orm(db)
    .update(secondFactors)
    .set({ lastStep: step })
    .where(
      and(
        eq(secondFactors.userId, userId),
        eq(secondFactors.sealedSecret, sealedSecret),
        or(isNull(secondFactors.lastStep), lt(secondFactors.lastStep, step)),
      ),
    );
  return rowCount === 1;
}

/** From now on it is asked for. False when it was before. */
export async function confirmPending(client: pg.PoolClient, userId: string): Promise<boolean> {
  const { rowCount } = await orm(client)
    .update(secondFactors)
    .set({ confirmedAt: sql`now()` })
    .where(and(eq(secondFactors.userId, userId), isNull(secondFactors.confirmedAt)));
  return rowCount === 1;
}

/** Deletes it with its recovery codes. False when there was none that is asked for. */
export async function deleteSecondFactor(client: pg.PoolClient, userId: string): Promise<boolean> {
  const { rowCount } = await orm(client)
    .delete(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)));
  return rowCount === 1;
}

/** Puts these recovery codes in the place of all others. */
export async function replaceCodes(client: pg.PoolClient, userId: string, hashes: Buffer[]): Promise<void> {
  await orm(client).delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await orm(client)
    .insert(recoveryCodes)
    .values(hashes.map((codeHash) => ({ userId, codeHash })));
}

/** Uses up a recovery code. False when it is none, or was used. */
export async function takeCode(db: Queryable, userId: string, codeHash: Buffer): Promise<boolean> {
  const { rowCount } = await orm(db)
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)));
  return rowCount === 1;
}

/** How many recovery codes a person has left. */
export async function countCodes(db: Queryable, userId: string): Promise<number> {
  const [row] = await orm(db)
    .select({ left: count() })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId));
  return row!.left;
}

/** What a person belongs to: in how many tenants, and whether one of them requires a second factor. */
export async function selectDemands(
  db: Queryable,
  userId: string,
): Promise<{ tenants: number; required: boolean; superAdmin: boolean }> {
  const [row] = await orm(db)
    .select({
      tenants: count(),
      required: sql<boolean>`coalesce(bool_or(${tenants.secondFactorRequired}), false)`,
      superAdmin: sql<boolean>`coalesce(bool_or(${memberships.role} = 'super_admin'), false)`,
    })
    .from(memberships)
    .innerJoin(tenants, eq(tenants.id, memberships.tenantId))
    .where(eq(memberships.userId, userId));
  return row!;
}
