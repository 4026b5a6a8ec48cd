// Sign-ins under way, and assertions that were used, in PostgreSQL: right whichever process the answer reaches.

import { and, eq, sql } from 'drizzle-orm';

import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { samlAssertions, samlRequests } from '../db/schema/people.ts';
import { REQUEST_MINUTES } from './saml-settings.ts';

/** Keeps a request that was sent to the tenant's identity provider. */
export async function insertRequest(
  db: Queryable,
  request: { id: string; tenantId: string; browserHash: Buffer },
): Promise<void> {
  await orm(db).insert(samlRequests).values(request);
}

/** Uses a request up. Null when this browser did not start it, it was used before, or is over. */
export async function takeRequest(
  db: Queryable,
  request: { id: string; tenantId: string; browserHash: Buffer },
): Promise<{ createdAt: Date } | null> {
  const [row] = await orm(db)
    .delete(samlRequests)
    .where(
      and(
        eq(samlRequests.id, request.id),
        eq(samlRequests.tenantId, request.tenantId),
        eq(samlRequests.browserHash, request.browserHash),
        sql`${samlRequests.createdAt} > now() - make_interval(mins => ${REQUEST_MINUTES})`,
      ),
    )
    .returning({ createdAt: samlRequests.createdAt });
  return row ?? null;
}

/** Notes that an assertion is used. False when it was before. */
export async function insertAssertion(
  db: Queryable,
  tenantId: string,
  assertionId: string,
): Promise<boolean> {
  const { rowCount } = await orm(db)
    .insert(samlAssertions)
    .values({ tenantId, assertionId })
    .onConflictDoNothing();
  return rowCount === 1;
}
