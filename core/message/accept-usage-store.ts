// The month's count of accepted sends, which the quota limits.
// SQL by hand: many rows to a statement (unnest), prepared by name; this is the hot path.

import type pg from 'pg';

/** Locks the month's rows of these tenants, in id order, making those that are missing. */
export async function lockUsage(
  client: pg.ClientBase,
  tenantIds: string[],
  month: string,
): Promise<Map<string, number>> {
  const lock = {
    name: 'accept-lock-usage',
    text: `select tenant_id as "tenantId", used from tenant_usage
           where tenant_id = any($1::uuid[]) and month = $2 order by tenant_id for update`,
    values: [tenantIds, month],
  };
  let { rows } = await client.query<{ tenantId: string; used: string }>(lock);
  if (rows.length < tenantIds.length) {
    await client.query({
      name: 'accept-open-usage',
      text: `insert into tenant_usage (tenant_id, month, used)
             select id, $2, 0 from unnest($1::uuid[]) as q(id) order by id
             on conflict (tenant_id, month) do nothing`,
      values: [tenantIds, month],
    });
    ({ rows } = await client.query<{ tenantId: string; used: string }>(lock));
  }
  return new Map(rows.map((row) => [row.tenantId, Number(row.used)]));
}

/** Adds accepted sends to the month. The caller holds the rows' locks and has checked the plan's cap. */
export async function addUsage(
  client: pg.ClientBase,
  month: string,
  sends: { tenantId: string; count: number }[],
): Promise<void> {
  await client.query({
    name: 'accept-add-usage',
    text: `update tenant_usage u set used = u.used + q.n
           from unnest($1::uuid[], $2::int[]) as q(tenant_id, n)
           where u.tenant_id = q.tenant_id and u.month = $3`,
    values: [sends.map((one) => one.tenantId), sends.map((one) => one.count), month],
  });
}
