// The month's count of accepted sends, which the quota limits.
// SQL by hand: many rows to a statement (unnest), prepared by name; this is the hot path.

import type pg from 'pg';

/** Accepted sends to add to the month of a tenant, which may have `cap` of them. */
export interface AddedUsage {
  tenantId: string;
  count: number;
  cap: number;
}

/**
 * Adds accepted sends to the month, each tenant's under the condition of its cap, in id order. Returns how many tenants they
 * were added for: fewer than given when others have used meanwhile what was read before. The rows are locked until COMMIT, so
 * this is the last statement of a batch.
 */
export async function addUsage(client: pg.ClientBase, month: string, added: AddedUsage[]): Promise<number> {
  const { rowCount } = await client.query({
    name: 'accept-add-usage',
    text: `insert into tenant_usage as u (tenant_id, month, used)
           select q.tenant_id, $4::date, q.n from unnest($1::uuid[], $2::int[]) as q(tenant_id, n) order by q.tenant_id
           on conflict (tenant_id, month) do update set used = u.used + excluded.used
           where u.used + excluded.used <= (
             select c.cap from unnest($1::uuid[], $3::int[]) as c(tenant_id, cap) where c.tenant_id = u.tenant_id)`,
    values: [
      added.map((one) => one.tenantId),
      added.map((one) => one.count),
      added.map((one) => one.cap),
      month,
    ],
  });
  return rowCount ?? 0;
}
