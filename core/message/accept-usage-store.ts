// The month's count of accepted sends, which the quota limits.
// SQL by hand: many rows to a statement (unnest), prepared by name; this is the hot path.

import type pg from 'pg';

/** Accepted sends to add to the month of a tenant. */
export interface AddedUsage {
  tenantId: string;
  count: number;
}

/**
 * Adds accepted sends to the month, in the order of the tenants' ids. Returns what each tenant has used with them. The rows are
 * locked until COMMIT, so this is the last statement of a batch.
 */
export async function addUsage(
  client: pg.ClientBase,
  month: string,
  added: AddedUsage[],
): Promise<Map<string, number>> {
  const { rows } = await client.query<{ tenantId: string; used: string }>({
    name: 'accept-add-usage',
    text: `insert into tenant_usage as u (tenant_id, month, used)
           select q.tenant_id, $3::date, q.n from unnest($1::uuid[], $2::int[]) as q(tenant_id, n) order by q.tenant_id
           on conflict (tenant_id, month) do update set used = u.used + excluded.used
           returning tenant_id as "tenantId", used`,
    values: [added.map((one) => one.tenantId), added.map((one) => one.count), month],
  });
  return new Map(rows.map(({ tenantId, used }) => [tenantId, Number(used)]));
}
