// Counts of campaigns, from the rows themselves in one statement and so of one moment: exact at any time, and what
// they add up to is the number of recipients. A campaign of 100,000 costs about 0.1 s.

import type { CampaignStats } from './campaign.ts';
import type { Queryable } from '../db/pool.ts';
import { WAITS_FOR_ROOM } from '../warmup/forecast-store.ts';

/** The mail of a campaign that waits for the cap. */
export interface CampaignQueue {
  waiting: number;
  /** Campaign mail of the domain that waits and came before the last message of it. */
  ahead: number;
}

const NONE: CampaignStats = {
  recipients: 0,
  queued: 0,
  deferred: 0,
  dropped: 0,
  delivered: 0,
  bounced: 0,
  expired: 0,
  cancelled: 0,
  failed: 0,
  complained: 0,
  opened: 0,
  clicked: 0,
  unsubscribed: 0,
};

/** The counts of campaigns of a tenant, by id. Those that were frozen are as they were then. */
export async function readStats(
  db: Queryable,
  tenantId: string,
  ids: string[],
): Promise<Map<string, CampaignStats>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{
    id: string;
    frozen: CampaignStats | null;
    counts: Partial<CampaignStats>;
  }>({
    name: 'campaign-stats',
    text: `with wanted as materialized (
             select id, final_stats, tenant_id from campaigns where tenant_id = $1 and id = any($2::uuid[])),
           live as (select array_agg(id) as ids from wanted where final_stats is null),
           counted as (
             select campaign_id, 'recipients' as what, count(*) as n from campaign_recipients
             where tenant_id = $1 and campaign_id = any((select ids from live)::uuid[]) group by 1
             union all
             select campaign_id, 'failed', count(*) from campaign_recipients
             where tenant_id = $1 and campaign_id = any((select ids from live)::uuid[]) and error is not null
             group by 1
             union all
             select campaign_id, state, count(*) from messages
             where tenant_id = $1 and campaign_id = any((select ids from live)::uuid[])
               and state not in ('queued', 'sending') group by 1, 2
             union all
             select campaign_id,
               case type when 'open' then 'opened' when 'click' then 'clicked' when 'complaint' then 'complained'
                 else 'unsubscribed' end,
               count(distinct message_id) from events
             where tenant_id = $1 and campaign_id = any((select ids from live)::uuid[])
               and type in ('open', 'click', 'complaint', 'unsubscribe')
               and coalesce(data ->> 'machine_open', 'false') <> 'true'
               and coalesce(data ->> 'machine_click', 'false') <> 'true'
             group by 1, type)
           select w.id, w.final_stats as frozen,
             coalesce((select jsonb_object_agg(c.what, c.n) from counted c where c.campaign_id = w.id), '{}') as counts
           from wanted w`,
    values: [tenantId, ids],
  });
  return new Map(rows.map((row) => [row.id, row.frozen ?? complete(row.counts)]));
}

// Recipients who are marked but not with a sender yet count as queued.
function complete(counts: Partial<CampaignStats>): CampaignStats {
  const stats = { ...NONE, ...counts };
  const elsewhere =
    stats.deferred +
    stats.dropped +
    stats.delivered +
    stats.bounced +
    stats.expired +
    stats.cancelled +
    stats.failed;
  return { ...stats, queued: Math.max(0, stats.recipients - elsewhere) };
}

/** Ended campaigns, older than a time, whose counts are still live: messages are not kept for ever. */
export async function selectUnfrozen(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<{ id: string; tenantId: string }[]> {
  const { rows } = await db.query<{ id: string; tenantId: string }>({
    name: 'campaign-unfrozen',
    text: `select id, tenant_id as "tenantId" from campaigns
           where state in ('sent', 'cancelled') and completed_at < $1 and final_stats is null limit $2`,
    values: [before, limit],
  });
  return rows;
}

/** Keeps the counts of a campaign for good. */
export async function freezeStats(
  db: Queryable,
  tenantId: string,
  id: string,
  stats: CampaignStats,
): Promise<void> {
  await db.query({
    name: 'campaign-freeze',
    text: 'update campaigns set final_stats = $3 where id = $1 and tenant_id = $2',
    values: [id, tenantId, JSON.stringify(stats)],
  });
}

/** The waiting mail of these campaigns, by id. A campaign without waiting mail is missing. */
export async function readQueues(
  db: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, CampaignQueue>> {
  const { rows } = await db.query<CampaignQueue & { id: string }>({
    name: 'campaign-queues',
    text: `with own as materialized (
             select m.campaign_id as id, m.domain_id, count(*)::int as waiting, max(m.id::text)::uuid as last from messages m
             where m.campaign_id = any($2) and m.tenant_id = $1 and m.state = 'deferred' and m.admitted_day is null
               and ${WAITS_FOR_ROOM}
             group by 1, 2)
           select own.id, own.waiting, (
             select count(*)::int from messages m
             where m.domain_id = own.domain_id and m.tenant_id = $1 and m.state = 'deferred' and m.admitted_day is null
               and m.stream = 'bulk' and m.id < own.last and m.campaign_id is distinct from own.id
               and ${WAITS_FOR_ROOM}) as ahead
           from own`,
    values: [tenantId, ids],
  });
  return new Map(rows.map(({ id, ...queue }) => [id, queue]));
}
