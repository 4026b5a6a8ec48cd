// Counts of campaigns, from the rows themselves in one statement and so of one moment: exact at any time, and what
// they add up to is the number of recipients. A campaign of 100,000 costs about 0.1 s.

import type { CampaignStats } from './campaign.ts';
import type { Queryable } from '../db/pool.ts';
import { BULK_LIMIT } from '../message/sender-rules.ts';

/** What the ETA is based on: the sending domain today, and all of its mail that waits to be admitted. */
export interface SendingCapacity {
  warmupState: string;
  tier: number;
  transactionalReserve: number;
  /** Most campaign mail of a day for the sender rules; null: no such limit. */
  bulkLimit: number | null;
  /** Null before today's first send. */
  cap: number | null;
  waiting: number;
  /** 00:00 UTC of tomorrow, and now, by the database's clock. */
  midnight: Date;
  now: Date;
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

/** The sending capacity of a tenant's domain, by name; null when the tenant does not have it. */
export async function readSendingCapacity(
  db: Queryable,
  tenantId: string,
  domain: string,
): Promise<SendingCapacity | null> {
  return (await readSendingCapacities(db, tenantId, [domain])).get(domain) ?? null;
}

/** The sending capacities of a tenant's domains, by name. */
export async function readSendingCapacities(
  db: Queryable,
  tenantId: string,
  domains: readonly string[],
): Promise<Map<string, SendingCapacity>> {
  const { rows } = await db.query<SendingCapacity & { name: string }>({
    name: 'campaign-capacity',
    text: `select d.name, d.warmup_state as "warmupState", d.tier,
             d.transactional_reserve as "transactionalReserve", ${BULK_LIMIT} as "bulkLimit", w.cap,
             (select count(*)::int from messages m
              where m.domain_id = d.id and m.tenant_id = d.tenant_id and m.state = 'deferred'
                and m.admitted_day is null and m.deferred_until < '9999-01-01') as waiting,
             (date_trunc('day', now() at time zone 'UTC') + interval '1 day') at time zone 'UTC' as midnight,
             now() as now
           from domains d
           left join warmup_days w on w.domain_id = d.id and w.day = (now() at time zone 'UTC')::date
           where d.tenant_id = $1 and d.name = any($2)`,
    values: [tenantId, domains],
  });
  return new Map(rows.map(({ name, ...capacity }) => [name, capacity]));
}
