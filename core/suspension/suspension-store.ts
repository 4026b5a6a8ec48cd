// Suspensions of tenants as rows, and the mail that waits for their end.
// SQL by hand: PostgreSQL's clock decides, and rows are locked in the order in which accepting locks them.

import type pg from 'pg';

import { HOME } from '../db/service-tables.ts';
import type { Queryable } from '../db/pool.ts';
import { resumeHeld } from '../warmup/room-store.ts';
import { lockDomain } from '../warmup/tier-store.ts';

/** Suspends a tenant. False when it is suspended already, or is not there. */
export async function writeSuspended(client: Queryable, tenantId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'update tenants set suspended_at = now() where id = $1 and suspended_at is null',
    [tenantId],
  );
  return rowCount === 1;
}

/** Ends a suspension. False when there is none. */
export async function writeReactivated(client: Queryable, tenantId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'update tenants set suspended_at = null, reactivated_at = now() where id = $1 and suspended_at is not null',
    [tenantId],
  );
  return rowCount === 1;
}

/** Makes the mail due that waits for the end of a tenant's suspension. */
export async function resumeMailOf(client: pg.ClientBase, tenantId: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select id from domains where tenant_id = $1 order by id',
    [tenantId],
  );
  for (const { id: domainId } of rows) {
    await lockDomain(client, tenantId, { id: domainId });
    await resumeHeld(client, { tenantId, domainId }, 'tenant_suspended');
  }
}

/** Tenants of this bucket whose suspension ended within the last minute. */
export async function selectJustReactivated(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'tenants-just-reactivated',
    text: `select id from tenants
           where reactivated_at > now() - interval '1 minute' and suspended_at is null
             and bucket = coalesce(current_schema(), $1)`,
    values: [HOME],
  });
  return rows.map(({ id }) => id);
}
