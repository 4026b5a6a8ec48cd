// What a tenant's mail to mailbox providers came to. The rows are written by the statements that record outcomes and reports
// (core/message/delivery-store.ts, core/message/report-store.ts).
// SQL by hand: sums over days and over the counted replies inside of them, in one statement.

import type { Queryable } from '../db/pool.ts';

/** Counts of one provider over the window. */
export interface ProviderCounts {
  provider: string;
  sent: number;
  delivered: number;
  deferred: number;
  bounced: number;
  complained: number;
  /** The most frequent first. */
  topReplies: { reply: string; count: number }[];
}

/** UTC days that are counted, today included. */
export const PROVIDER_WINDOW_DAYS = 30;

/** Replies that are shown of each provider. */
export const TOP_REPLIES = 10;

/** The counts of a tenant's mail by provider, the provider with the most mail first. */
export async function selectProviderCounts(db: Queryable, tenantId: string): Promise<ProviderCounts[]> {
  const { rows } = await db.query<ProviderCounts>({
    name: 'provider-counts',
    text: `with days as materialized (
             select * from provider_days
             where tenant_id = $1 and day > (now() at time zone 'UTC')::date - $2::int),
           ranked as (
             select provider, r.key as reply, sum(r.value::int)::int as count,
               row_number() over (partition by provider order by sum(r.value::int) desc, r.key) as place
             from days cross join lateral jsonb_each_text(days.replies) as r group by provider, r.key)
           select d.provider, sum(d.sent)::int as sent, sum(d.delivered)::int as delivered,
             sum(d.deferred)::int as deferred, sum(d.bounced)::int as bounced, sum(d.complained)::int as complained,
             coalesce((select jsonb_agg(jsonb_build_object('reply', r.reply, 'count', r.count) order by r.place)
               from ranked r where r.provider = d.provider and r.place <= $3), '[]') as "topReplies"
           from days d group by d.provider order by sum(d.sent) desc, d.provider`,
    values: [tenantId, PROVIDER_WINDOW_DAYS, TOP_REPLIES],
  });
  return rows;
}
