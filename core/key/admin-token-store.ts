// Admin tokens in PostgreSQL. Values are never here, only their SHA-256.

import { and, desc, eq, getTableColumns, gt, isNull, or, sql } from 'drizzle-orm';

import { orm, prepared } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { adminTokens } from '../db/schema/tenant.ts';

/** A token as operators see it; the id is a UUID, `isExpired` by PostgreSQL's clock. */
export type AdminToken = Omit<typeof adminTokens.$inferSelect, 'hash'> & { isExpired: boolean };

const MOST_LISTED = 1_000; // one per operator and program, including revoked tokens

const { hash: _, ...columns } = getTableColumns(adminTokens);

/** Inserts a token. */
export async function insertAdminToken(
  db: Queryable,
  token: { id: string; name: string; hash: Buffer; expiresAt: Date | null },
): Promise<void> {
  await orm(db).insert(adminTokens).values(token);
}

/** The newest tokens, revoked and expired ones too. */
export function selectAdminTokens(db: Queryable): Promise<AdminToken[]> {
  return orm(db)
    .select({ ...columns, isExpired: sql<boolean>`coalesce(${adminTokens.expiresAt} <= now(), false)` })
    .from(adminTokens)
    .orderBy(desc(adminTokens.id))
    .limit(MOST_LISTED);
}

/** Revokes a token. Returns its name, or null when there is none that works until it is revoked. */
export async function updateAdminTokenRevoked(db: Queryable, id: string): Promise<string | null> {
  const [row] = await orm(db)
    .update(adminTokens)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(adminTokens.id, id), isNull(adminTokens.revokedAt)))
    .returning({ name: adminTokens.name });
  return row?.name ?? null;
}

const liveByHash = prepared((db) =>
  db
    .select({ id: adminTokens.id, name: adminTokens.name })
    .from(adminTokens)
    .where(
      and(
        eq(adminTokens.hash, sql.placeholder('hash')),
        isNull(adminTokens.revokedAt),
        or(isNull(adminTokens.expiresAt), gt(adminTokens.expiresAt, sql`now()`)),
      ),
    )
    .prepare('admin-token.live-by-hash'),
);

/** The token with this hash, neither revoked nor expired, or null. */
export async function selectLiveAdminToken(
  db: Queryable,
  hash: Buffer,
): Promise<{ id: string; name: string } | null> {
  const [row] = await liveByHash(db).execute({ hash });
  return row ?? null;
}
