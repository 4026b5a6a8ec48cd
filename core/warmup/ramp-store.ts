// The statements of the daily ramp: the counts of a day over all domains at once, then the decisions in batches.
//
// Locks are taken in the order of the accepting transaction (sender/accept/batch.ts): rows of days first, domains
// second, each by domain id. So a batch waits for mail in flight, and mail waits for a batch, but never both.
// SQL by hand: many rows to a statement (unnest), under locks in that order.

import type pg from 'pg';

import { inTransaction } from '../db/transaction.ts';
import type { DayCounts, RampState } from './decide-ramp.ts';

/** A domain's counts of one day. */
export interface DomainCounts extends DayCounts {
  tenantId: string;
  domainId: string;
}

/** A verified domain, locked, that was not decided about for the day yet. */
export interface RampDomain extends RampState {
  tenantId: string;
  domainId: string;
  name: string;
}

const LONGEST_COUNT_MS = 600_000; // one statement over all mail of a day; 10 million attempts take about two minutes

/**
 * Counts of a UTC day for every domain that has any. One statement over the attempts of the day, whose messages are
 * looked up between the lowest and the highest id: the planner then opens only the partitions in between.
 */
export async function readDayCounts(pool: pg.Pool, day: string): Promise<DomainCounts[]> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = ${LONGEST_COUNT_MS}`);
    const { rows: bounds } = await client.query<{ low: string | null; high: string | null }>({
      text: `select min(message_id::text) as low, max(message_id::text) as high from message_attempts
             where at >= ($1::date::timestamp at time zone 'UTC')
               and at < (($1::date + 1)::timestamp at time zone 'UTC')`,
      values: [day],
    });
    const { low, high } = bounds[0]!;
    if (low === null) return [];
    const { rows } = await client.query<DomainCounts>({ text: COUNTS, values: [day, low, high] });
    return rows;
  });
}

// Ids of events carry the clock of the process that made them, an hour's tolerance is plenty; `occurred_at` decides.
const COUNTS = `
  with span as (
    select ($1::date::timestamp at time zone 'UTC') as since,
      (($1::date + 1)::timestamp at time zone 'UTC') as until),
  reported as materialized (
    select distinct message_id from events
    where type = 'bounced' and id >= uuid_floor((select since from span) - interval '1 hour')),
  complaints as materialized (
    select tenant_id, domain_id, count(distinct message_id)::int as complained from events
    where type = 'complaint' and id >= uuid_floor((select since from span) - interval '1 hour')
      and id < uuid_floor((select until from span) + interval '1 hour')
      and occurred_at >= (select since from span) and occurred_at < (select until from span)
    group by 1, 2),
  mail as (
    select m.tenant_id, m.domain_id,
      count(*) filter (where a.attempt = 1)::int as attempted,
      count(*) filter (where a.attempt = 1 and m.state = 'delivered' and r.message_id is null)::int as delivered,
      count(*) filter (where a.attempt = 1 and (m.state = 'bounced' or r.message_id is not null))::int as bounced,
      count(*) filter (where a.outcome = 'delivered')::int as delivered_on_day
    from message_attempts a
    join messages m on m.id = a.message_id and m.tenant_id = a.tenant_id and m.id between $2::uuid and $3::uuid
    left join reported r on r.message_id = a.message_id
    where a.at >= (select since from span) and a.at < (select until from span)
      and a.message_id between $2::uuid and $3::uuid
      and (a.attempt = 1 or a.outcome = 'delivered')
    group by 1, 2)
  select tenant_id as "tenantId", domain_id as "domainId", attempted, delivered, bounced,
    delivered_on_day as "deliveredOnDay", coalesce(complained, 0) as complained
  from mail left join complaints using (tenant_id, domain_id)
  where attempted > 0
  order by domain_id`;

/** Locks today's and later rows and then the verified domains that are not decided for the day, in id order. */
export async function lockRampDomains(
  client: pg.ClientBase,
  wanted: { tenantId: string; domainId: string }[],
  day: string,
): Promise<RampDomain[]> {
  const ids = [wanted.map((one) => one.tenantId), wanted.map((one) => one.domainId)];
  const days = client.query({
    name: 'ramp-lock-days',
    text: `select from warmup_days w
           join unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
             on w.domain_id = q.domain_id and w.tenant_id = q.tenant_id
           where w.day >= $3::date
           order by w.domain_id, w.day for update of w`,
    values: [...ids, day],
  });
  const domains = client.query<RampDomain>({
    name: 'ramp-lock-domains',
    text: `select d.tenant_id as "tenantId", d.id as "domainId", d.name, d.tier, d.warmup_state as state
           from domains d
           join unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
             on d.id = q.domain_id and d.tenant_id = q.tenant_id
           where d.status = 'verified'
           order by d.id for update of d`,
    values: ids,
  });
  const [, { rows }] = await Promise.all([days, domains]);
  // After the locks, in a statement of its own: what a run that held them before us wrote is seen.
  const { rows: decided } = await client.query<{ domainId: string }>({
    name: 'ramp-decided',
    text: `select domain_id as "domainId" from warmup_rates where day = $1 and domain_id = any($2::uuid[])`,
    values: [day, ids[1]],
  });
  const done = new Set(decided.map((row) => row.domainId));
  return rows.filter((row) => !done.has(row.domainId));
}

/** One domain's decision as it is written. */
export interface RampWrite extends DomainCounts {
  historyId: string;
  action: string;
  fromTier: number;
  toTier: number;
  cap: number;
  /** Null leaves the state as it is. */
  pausedReason: string | null;
  reason: string;
  rates: Record<string, number>;
}

/**
 * Writes decisions: what was seen, the tier and state, the caps of days from `capsFrom` on (and of the database's
 * today), and the history. The caller holds the locks.
 */
export async function writeRamp(
  client: pg.ClientBase,
  day: string,
  capsFrom: string,
  writes: RampWrite[],
): Promise<void> {
  const column = <K extends keyof RampWrite>(key: K) => writes.map((write) => write[key]);
  const ids = [column('tenantId'), column('domainId')];
  await Promise.all([
    client.query({
      name: 'ramp-write-rates',
      text: `insert into warmup_rates (tenant_id, domain_id, day, attempted, delivered, bounced, delivered_on_day,
               complained, decision)
             select q.tenant_id, q.domain_id, $9::date, q.a, q.d, q.b, q.dd, q.c, q.decision
             from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::text[])
               as q(tenant_id, domain_id, a, d, b, dd, c, decision)`,
      values: [
        ...ids,
        column('attempted'),
        column('delivered'),
        column('bounced'),
        column('deliveredOnDay'),
        column('complained'),
        column('action'),
        day,
      ],
    }),
    client.query({
      name: 'ramp-write-domains',
      text: `update domains d
             set tier = q.tier, paused_reason = coalesce(q.paused, d.paused_reason),
                 warmup_state = case when q.paused is null then d.warmup_state else 'paused' end
             from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[]) as q(tenant_id, domain_id, tier, paused)
             where d.id = q.domain_id and d.tenant_id = q.tenant_id
               and (d.tier <> q.tier or q.paused is not null)`,
      values: [...ids, column('toTier'), column('pausedReason')],
    }),
    client.query({
      name: 'ramp-write-caps',
      text: `update warmup_days w set cap = q.cap
             from unnest($1::uuid[], $2::uuid[], $3::int[]) as q(tenant_id, domain_id, cap)
             where w.domain_id = q.domain_id and w.tenant_id = q.tenant_id
               and (w.day >= $4::date or w.day = (now() at time zone 'UTC')::date) and w.cap <> q.cap`,
      values: [...ids, column('cap'), capsFrom],
    }),
    client.query({
      name: 'ramp-write-history',
      text: `insert into warmup_history (id, tenant_id, domain_id, actor, action, from_tier, to_tier, reason, rates)
             select q.id, q.tenant_id, q.domain_id, 'auto-ramp', q.action, q.from_tier, q.to_tier, q.reason, q.rates
             from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::int[], $7::text[], $8::jsonb[])
               as q(tenant_id, domain_id, id, action, from_tier, to_tier, reason, rates)`,
      values: [
        ...ids,
        column('historyId'),
        column('action'),
        column('fromTier'),
        column('toTier'),
        column('reason'),
        column('rates').map((rates) => JSON.stringify(rates)),
      ],
    }),
  ]);
}
