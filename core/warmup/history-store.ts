// The history of a domain's warm-up: every decision and change, newest first.
// SQL by hand: pages whose cost is that of an index, over joins that are written for it.

import type pg from 'pg';

import { notFound } from '../base/errors.ts';
import type { warmupHistory } from '../db/schema/warmup.ts';

/** One line of the history. */
export type HistoryEntry = Omit<typeof warmupHistory.$inferSelect, 'tenantId' | 'domainId'>;

/** A page of the history of a domain of this tenant, older than the entry `before`. Throws not_found. */
export async function readHistory(
  pool: pg.Pool,
  tenantId: string,
  domainId: string,
  page: { before: string | null; limit: number },
): Promise<HistoryEntry[]> {
  const known = pool.query({
    name: 'history-domain',
    text: 'select from domains where id = $1 and tenant_id = $2',
    values: [domainId, tenantId],
  });
  const entries = pool.query<HistoryEntry>({
    name: 'history-page',
    text: `select id, at, actor, action, from_tier as "fromTier", to_tier as "toTier", reason, rates
           from warmup_history where domain_id = $1 and tenant_id = $2 and ($3::uuid is null or id < $3)
           order by id desc limit $4`,
    values: [domainId, tenantId, page.before, page.limit],
  });
  const [{ rowCount }, { rows }] = await Promise.all([known, entries]);
  if (rowCount !== 1) throw notFound('domain');
  return rows;
}

/** Domains whose tier was raised within the last minute, of all tenants. */
export async function selectJustRaised(pool: pg.Pool): Promise<{ tenantId: string; domainId: string }[]> {
  const { rows } = await pool.query<{ tenantId: string; domainId: string }>({
    name: 'history-just-raised',
    text: `select distinct tenant_id as "tenantId", domain_id as "domainId" from warmup_history
           where id >= uuid_floor(now() - interval '1 minute') and to_tier > from_tier`,
  });
  return rows;
}
