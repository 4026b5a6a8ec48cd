// What attempt_days says, counted from the rows of a day: the checker of those counts, and their source for days that an older
// version recorded. One statement over all mail of a day, or of one domain.
// SQL by hand: aggregates over partitions and indexes chosen for them; both counts of one moment.

import type pg from 'pg';

import { longQuery } from '../db/long-query.ts';
import { inTransaction } from '../db/transaction.ts';
import { ratedSql } from '../message/rated.ts';
import type { DomainKey } from './brake-store.ts';

/** How far a row of attempt_days is from the full count: what must be added to it. */
export interface Difference extends DomainKey {
  esp: string;
  attempted: number;
  delivered: number;
  bounced: number;
  accepted: number;
  systemAccepted: number;
  complained: number;
}

/** The differences of a day, and how often counts had been corrected when they were read. */
export interface Differences {
  rows: Difference[];
  recounts: number;
}

const LONGEST_WAIT_DAYS = 70; // from acceptance to the first attempt: scheduled a month ahead, then deferred by the cap

/**
 * Compares the counts of a UTC day with the full count, for all domains or one. Both are of the same moment, so whatever is
 * recorded meanwhile makes no difference. Throws PostgreSQL's 57014 when it takes longer than `limitMs`.
 */
export async function readDifferences(
  pool: pg.Pool,
  day: string,
  domain: DomainKey | null,
  limitMs: number,
): Promise<Differences> {
  return inTransaction(pool, async (client) => {
    await client.query('set transaction isolation level repeatable read read only');
    const [bounds] = await longQuery<Bounds>(client, limitMs, domain ? AROUND : OF_ATTEMPTS, [day]);
    const { low, high } = bounds!;
    const rows = await longQuery<Difference>(client, limitMs, DIFFERENCES, [
      day,
      low,
      high,
      domain?.tenantId ?? null,
      domain?.domainId ?? null,
    ]);
    const { rows: counting } = await client.query<{ recounts: number }>(
      'select recounts from attempt_counting',
    );
    return { rows, recounts: counting[0]!.recounts };
  });
}

interface Bounds {
  low: string | null;
  high: string | null;
}

// The lowest and the highest id of messages: the planner opens only the partitions in between.
const OF_ATTEMPTS = `
  select min(message_id::text) as low, max(message_id::text) as high from message_attempts
  where at >= ($1::date::timestamp at time zone 'UTC') and at < (($1::date + 1)::timestamp at time zone 'UTC')`;
const AROUND = `
  select uuid_floor($1::date - interval '${LONGEST_WAIT_DAYS} days') as low,
    uuid_floor($1::date + interval '2 days') as high`;

// Ids of events carry the clock of the process that made them, an hour's tolerance is plenty; `occurred_at` decides. Without a
// name the statement is planned anew: for one domain its mail is looked up, for all of them the attempts of the day.
const OF_DOMAIN = (table: string) =>
  `($4::uuid is null or (${table}.tenant_id = $4 and ${table}.domain_id = $5))`;
// A report may come before the first attempt is recorded, on an earlier day: then the message has a note of it.
const IS_RETURNED = '(r.message_id is not null or coalesce(m.returned, false))';
const IS_RATED = ratedSql('m');
const IS_RATED_FIRST = `a.attempt = 1 and ${IS_RATED}`;
const DIFFERENCES = `
  with span as (
    select ($1::date::timestamp at time zone 'UTC') as since,
      (($1::date + 1)::timestamp at time zone 'UTC') as until),
  reported as materialized (
    select distinct message_id from events e
    where type = 'bounced' and id >= uuid_floor((select since from span) - interval '1 hour') and ${OF_DOMAIN('e')}),
  mail as (
    select m.tenant_id, m.domain_id, a.esp,
      count(*) filter (where ${IS_RATED_FIRST})::int as attempted,
      count(*) filter (where ${IS_RATED_FIRST} and m.state = 'delivered' and not ${IS_RETURNED})::int as delivered,
      count(*) filter (where ${IS_RATED_FIRST} and (m.state = 'bounced' or ${IS_RETURNED}))::int as bounced,
      count(*) filter (where a.outcome = 'delivered' and ${IS_RATED})::int as accepted,
      count(*) filter (where a.outcome = 'delivered' and not ${IS_RATED})::int as system_accepted, 0 as complained
    from message_attempts a
    join messages m on m.id = a.message_id and m.tenant_id = a.tenant_id and m.id between $2::uuid and $3::uuid
    left join reported r on r.message_id = a.message_id
    where a.at >= (select since from span) and a.at < (select until from span)
      and a.message_id between $2::uuid and $3::uuid
      and (a.attempt = 1 or a.outcome = 'delivered') and ${OF_DOMAIN('m')}
    group by 1, 2, 3),
  complaints as (
    select e.tenant_id, e.domain_id, '' as esp, 0, 0, 0, 0, 0, count(distinct e.message_id)::int as complained
    from events e
    where e.type = 'complaint' and e.id >= uuid_floor((select since from span) - interval '1 hour')
      and e.id < uuid_floor((select until from span) + interval '1 hour')
      and e.occurred_at >= (select since from span) and e.occurred_at < (select until from span) and ${OF_DOMAIN('e')}
      and not exists (select from messages m where m.id = e.message_id and m.tenant_id = e.tenant_id and not ${IS_RATED})
    group by 1, 2, 3),
  kept as (
    select d.tenant_id, d.domain_id, d.esp, -d.attempted, -d.delivered, -d.bounced, -d.accepted, -d.system_accepted, -d.complained
    from attempt_days d where d.day = $1::date and ${OF_DOMAIN('d')})
  select tenant_id as "tenantId", domain_id as "domainId", esp, sum(attempted)::int as attempted,
    sum(delivered)::int as delivered, sum(bounced)::int as bounced, sum(accepted)::int as accepted,
    sum(system_accepted)::int as "systemAccepted", sum(complained)::int as complained
  from (select * from mail union all select * from complaints union all select * from kept) as both_counts
  group by 1, 2, 3
  having sum(attempted) <> 0 or sum(delivered) <> 0 or sum(bounced) <> 0 or sum(accepted) <> 0
    or sum(system_accepted) <> 0 or sum(complained) <> 0
  order by 1, 2, 3`;

/**
 * Adds differences to the counts of a day, unless others were added since they were read: then they may be wrong, and false is
 * returned.
 */
export async function addDifferences(
  client: pg.ClientBase,
  day: string,
  rows: Difference[],
  recounts: number,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'full-count-claim',
    text: 'update attempt_counting set recounts = recounts + 1 where recounts = $1',
    values: [recounts],
  });
  if (rowCount === 0) return false;
  const column = <K extends keyof Difference>(key: K) => rows.map((row) => row[key]);
  await client.query({
    name: 'full-count-add',
    text: `insert into attempt_days as d (day, tenant_id, domain_id, esp, attempted, delivered, bounced, accepted, complained,
             system_accepted)
           select $9::date, q.* from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[],
             $10::int[])
             as q(tenant_id, domain_id, esp, attempted, delivered, bounced, accepted, complained, system_accepted)
           order by 1, 2, 3, 4
           on conflict (day, tenant_id, domain_id, esp) do update set attempted = d.attempted + excluded.attempted,
             delivered = d.delivered + excluded.delivered, bounced = d.bounced + excluded.bounced,
             accepted = d.accepted + excluded.accepted, complained = d.complained + excluded.complained,
             system_accepted = d.system_accepted + excluded.system_accepted`,
    values: [
      column('tenantId'),
      column('domainId'),
      column('esp'),
      column('attempted'),
      column('delivered'),
      column('bounced'),
      column('accepted'),
      column('complained'),
      day,
      column('systemAccepted'),
    ],
  });
  return true;
}

/** Whether attempts of the day may have been recorded by a version that did not count them. */
export async function isBeforeCounting(pool: pg.Pool, day: string): Promise<boolean> {
  const { rows } = await pool.query<{ before: boolean }>({
    name: 'full-count-first-day',
    text: 'select $1::date < first_day as before from attempt_counting',
    values: [day],
  });
  return rows[0]!.before;
}

/** Some domains with counts of a day, at random. */
export async function sampleDomains(pool: pg.Pool, day: string, limit: number): Promise<DomainKey[]> {
  const { rows } = await pool.query<DomainKey>({
    name: 'full-count-sample',
    text: `select tenant_id as "tenantId", domain_id as "domainId" from (
             select tenant_id, domain_id from attempt_days where day = $1
             union select tenant_id, domain_id from warmup_days where day = $1) as counted
           order by random() limit $2`,
    values: [day, limit],
  });
  return rows;
}
