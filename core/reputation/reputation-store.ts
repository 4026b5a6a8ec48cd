// What reputation is made from, read from the days that are counted as events come in (0005_engagement.sql).
// SQL by hand: aggregates over partitions and indexes chosen for them, in one statement.

import type { RecordStatus } from '../db/schema/domain.ts';
import type { Queryable } from '../db/pool.ts';
import { ratedDaySql } from '../message/rated.ts';

/** A domain as reputation sees it. */
export interface ReputationDomain {
  id: string;
  name: string;
  status: 'pending' | 'verified' | 'failed';
  recordStatus: Record<string, RecordStatus>;
  tier: number;
  warmupState: 'active' | 'held' | 'paused';
  /** Today's cap; null while the day has seen no mail: then it is the cap of the tier. */
  cap: number | null;
  /** Whole days since the first verification. */
  ageDays: number;
  /** Selectors of the keys that sign. */
  selectors: string[];
  /** Today, UTC, by PostgreSQL's clock. */
  today: string;
}

/** What a domain's mail of one UTC day came to. */
export interface DayCounts {
  domainId: string;
  date: string;
  sent: number;
  delivered: number;
  bounced: number;
  hardBounced: number;
  complained: number;
  opened: number;
  clicked: number;
  machineOpened: number;
  machineClicked: number;
  unsubscribed: number;
}

/** A page of a tenant's domains, newest first. */
export async function selectReputationDomains(
  db: Queryable,
  tenantId: string,
  page: { before: string | null; limit: number; name?: string | undefined },
): Promise<ReputationDomain[]> {
  const { rows } = await db.query<ReputationDomain>({
    name: 'reputation.domains',
    text: `select d.id, d.name, d.status, d.record_status as "recordStatus", d.tier, d.warmup_state as "warmupState",
             w.cap, coalesce(extract(day from now() - d.verified_at), 0)::int as "ageDays",
             array(select k.selector from dkim_keys k
               where k.domain_id = d.id and k.tenant_id = $1 and k.state = 'active') as selectors,
             to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today
           from domains d
           left join warmup_days w on w.domain_id = d.id and w.tenant_id = $1
             and w.day = (now() at time zone 'UTC')::date
           where d.tenant_id = $1 and ($2::uuid is null or d.id < $2) and ($4::text is null or d.name = lower($4))
           order by d.id desc limit $3`,
    values: [tenantId, page.before, page.limit, page.name ?? null],
  });
  return rows;
}

/**
 * The counted days of these domains since `since` (a UTC date), in order. What the built-in domain sent to the
 * simulator is left out: it says nothing about anybody's mail.
 */
export async function selectDays(
  db: Queryable,
  tenantId: string,
  domainIds: string[],
  since: string,
): Promise<DayCounts[]> {
  const { rows } = await db.query<DayCounts>({
    name: 'reputation.days',
    text: `select c.domain_id as "domainId", to_char(c.day, 'YYYY-MM-DD') as date, sum(c.sent)::int as sent,
             sum(c.delivered)::int as delivered, sum(c.bounced)::int as bounced,
             sum(c.hard_bounced)::int as "hardBounced", sum(c.complained)::int as complained,
             sum(c.opened)::int as opened, sum(c.clicked)::int as clicked,
             sum(c.machine_opened)::int as "machineOpened", sum(c.machine_clicked)::int as "machineClicked",
             sum(c.unsubscribed)::int as unsubscribed
           from domain_days c join domains d on d.id = c.domain_id and d.tenant_id = $1
           where c.tenant_id = $1 and c.domain_id = any($2::uuid[]) and c.day >= $3::date
             and ${ratedDaySql('c', 'd')}
           group by c.domain_id, c.day order by c.domain_id, c.day`,
    values: [tenantId, domainIds, since],
  });
  return rows;
}
