// Sign-ins under way, and assertions that were used, in PostgreSQL: right whichever process the answer reaches.

import type { Queryable } from '../db/pool.ts';

/** Minutes that somebody has to sign in at their identity provider. */
export const REQUEST_MINUTES = 10;

/** Keeps a request that was sent to the tenant's identity provider. */
export async function insertRequest(
  db: Queryable,
  request: { id: string; tenantId: string; browserHash: Buffer },
): Promise<void> {
  await db.query('insert into saml_requests (id, tenant_id, browser_hash) values ($1, $2, $3)', [
    request.id,
    request.tenantId,
    request.browserHash,
  ]);
}

/** Uses a request up. Null when this browser did not start it, it was used before, or is over. */
export async function takeRequest(
  db: Queryable,
  request: { id: string; tenantId: string; browserHash: Buffer },
): Promise<{ createdAt: Date } | null> {
  const { rows } = await db.query<{ createdAt: Date }>(
    `delete from saml_requests where id = $1 and tenant_id = $2 and browser_hash = $3
       and created_at > now() - make_interval(mins => $4) returning created_at as "createdAt"`,
    [request.id, request.tenantId, request.browserHash, REQUEST_MINUTES],
  );
  return rows[0] ?? null;
}

/** Notes that an assertion is used. False when it was before. */
export async function insertAssertion(
  db: Queryable,
  tenantId: string,
  assertionId: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'insert into saml_assertions (tenant_id, assertion_id) values ($1, $2) on conflict do nothing',
    [tenantId, assertionId],
  );
  return rowCount === 1;
}
