// Bulk changes as rows: the claim of the scheduler that makes one, and how far it has come.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import type { Queryable } from '../db/pool.ts';
import { BULK_KEPT_DAYS, type BulkChange, type BulkClaim, type Refused } from './bulk-change.ts';

/** Until the end of the transaction nobody else begins a bulk change of the tenant. Returns how many are under way. */
export async function holdOpenBulkChanges(client: pg.ClientBase, tenantId: string): Promise<number> {
  await client.query(`select pg_advisory_xact_lock(hashtext('postrider:bulk'), hashtext($1))`, [tenantId]);
  const { rows } = await client.query<{ open: number }>(
    'select count(*)::int as open from bulk_changes where tenant_id = $1 and finished_at is null',
    [tenantId],
  );
  return rows[0]!.open;
}

/** Adds a bulk change for a scheduler to make. */
export async function insertBulkChange(
  client: pg.ClientBase,
  one: Pick<BulkClaim, 'id' | 'tenantId' | 'action' | 'filter' | 'chosen' | 'listId' | 'actor'>,
): Promise<void> {
  await client.query(
    `insert into bulk_changes (id, tenant_id, action, filter, chosen, list_id, actor)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      one.id,
      one.tenantId,
      one.action,
      one.filter && JSON.stringify(one.filter),
      one.chosen && JSON.stringify(one.chosen),
      one.listId,
      JSON.stringify(one.actor),
    ],
  );
}

/** Removes what ended BULK_KEPT_DAYS ago, with the addresses in its filter. Returns how many. */
export async function deleteOldBulkChanges(db: Queryable): Promise<number> {
  const { rowCount } = await db.query({
    name: 'bulk-old',
    text: 'delete from bulk_changes where finished_at < now() - make_interval(days => $1)',
    values: [BULK_KEPT_DAYS],
  });
  return rowCount ?? 0;
}

/** One bulk change, or null. */
export async function selectBulkChange(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<BulkChange | null> {
  const { rows } = await db.query<BulkChange>({
    name: 'bulk-by-id',
    text: `select id, action, status, done, refused, created_at as "createdAt", finished_at as "finishedAt"
           from bulk_changes where tenant_id = $1 and id = $2`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** Claims the bulk change that waited longest, for a lease; null when there is nothing to do. */
export async function claimBulkChange(db: Queryable, leaseMs: number): Promise<BulkClaim | null> {
  const { rows } = await db.query<BulkClaim>({
    name: 'bulk-claim',
    text: `update bulk_changes
           set status = 'running', claim_version = claim_version + 1,
               claimed_until = now() + make_interval(secs => $1::float8 / 1000)
           where (id, tenant_id) = (
             select id, tenant_id from bulk_changes
             where finished_at is null and (claimed_until is null or claimed_until < now())
             order by touched_at limit 1 for update skip locked)
           returning id, tenant_id as "tenantId", action, filter, chosen, list_id as "listId", actor, cursor, done,
             refused, claim_version as "claimVersion", created_at as "createdAt"`,
    values: [leaseMs],
  });
  return rows[0] ?? null;
}

/** Gives a claim back, to the end of the line. */
export async function releaseBulkChange(db: Queryable, claim: BulkClaim): Promise<void> {
  await db.query({
    name: 'bulk-release',
    text: `update bulk_changes set claimed_until = null, touched_at = now()
           where id = $1 and tenant_id = $2 and claim_version = $3 and finished_at is null`,
    values: [claim.id, claim.tenantId, claim.claimVersion],
  });
}

/** Holds the row in a transaction that changes something for it. False when the claim was lost. */
export async function holdBulkClaim(client: pg.ClientBase, claim: BulkClaim): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'bulk-hold',
    text: `select from bulk_changes
           where id = $1 and tenant_id = $2 and claim_version = $3 and finished_at is null for update`,
    values: [claim.id, claim.tenantId, claim.claimVersion],
  });
  return rowCount === 1;
}

/** Moves the cursor behind a batch, and the counts to what they are with it, in a transaction that holds the claim. */
export async function advanceBulkChange(
  client: pg.ClientBase,
  claim: BulkClaim,
  to: { cursor: string[]; done: number; refused: Refused; leaseMs: number },
): Promise<void> {
  await client.query({
    name: 'bulk-advance',
    text: `update bulk_changes
           set cursor = $3, done = $4, refused = $5, touched_at = now(),
               claimed_until = now() + make_interval(secs => $6::float8 / 1000)
           where id = $1 and tenant_id = $2`,
    values: [
      claim.id,
      claim.tenantId,
      JSON.stringify(to.cursor),
      to.done,
      JSON.stringify(to.refused),
      to.leaseMs,
    ],
  });
}

/** Ends a bulk change, in a transaction that holds the claim. */
export async function endBulkChange(
  client: pg.ClientBase,
  claim: BulkClaim,
  status: 'completed' | 'failed',
): Promise<void> {
  await client.query({
    name: 'bulk-end',
    text: `update bulk_changes set status = $3, finished_at = now(), claimed_until = null
           where id = $1 and tenant_id = $2`,
    values: [claim.id, claim.tenantId, status],
  });
}
