// The statements of the daily ramp of new addresses. They belong to no tenant: mail of all tenants counts.
// SQL by hand: one statement over the attempts of a day, under the locks of those who take parts of it.

import type pg from 'pg';

import type { Queryable } from '../db/pool.ts';
import { longQuery } from '../db/long-query.ts';
import { inTransaction } from '../db/transaction.ts';
import { ratedSql } from '../message/rated.ts';
import { LONGEST_COUNT_MS } from '../warmup/counted-days.ts';
import type { DayCounts } from '../warmup/decide-ramp.ts';

/** A new address that sent on the day and was not decided about yet. */
interface RampSource {
  address: string;
  tier: number;
}

/** The new addresses that sent on a UTC day and are not decided about. */
export async function selectUndecided(db: Queryable, day: string): Promise<string[]> {
  const { rows } = await db.query<{ address: string }>({
    name: 'source-ramp-undecided',
    text: 'select address from source_days where day = $1 and decision is null order by address',
    values: [day],
  });
  return rows.map(({ address }) => address);
}

/** Locks those of them that nobody has decided about meanwhile: no day of theirs is opened until the transaction ends. */
export async function lockRampSources(
  client: pg.ClientBase,
  day: string,
  addresses: string[],
): Promise<RampSource[]> {
  const { rows } = await client.query<RampSource>({
    name: 'source-ramp-lock',
    text: `select s.address, s.tier from source_days d join sources s on s.address = d.address
           where d.day = $1 and d.decision is null and s.address = any($2::text[])
           order by s.address for update of d, s`,
    values: [day, addresses],
  });
  return rows;
}

/** What the messages of a bucket that were tried from each address on a UTC day came to. */
export async function readSourceCounts(
  pool: pg.Pool,
  day: string,
  addresses: string[],
): Promise<Map<string, DayCounts>> {
  return inTransaction(pool, async (client) => {
    type Row = DayCounts & { address: string };
    const rows = await longQuery<Row>(client, LONGEST_COUNT_MS, COUNTS, [day, addresses]);
    return new Map(rows.map(({ address, ...counts }) => [address, counts]));
  });
}

const COUNTS = `
  with span as (
    select ($1::date::timestamp at time zone 'UTC') as since,
      (($1::date + 1)::timestamp at time zone 'UTC') as until),
  sent as materialized (
    select source, message_id, tenant_id, bool_or(outcome = 'delivered') as arrived
    from message_attempts
    where at >= (select since from span) and at < (select until from span) and source = any($2::text[])
    group by 1, 2, 3),
  judged as (
    select s.source, s.arrived, m.state,
      exists (select from events e where e.message_id = s.message_id and e.tenant_id = s.tenant_id
        and e.type = 'bounced') as reported,
      exists (select from events e where e.message_id = s.message_id and e.tenant_id = s.tenant_id
        and e.type = 'complaint') as complained
    from sent s join messages m on m.id = s.message_id and m.tenant_id = s.tenant_id
    where ${ratedSql('m')})
  select source as address, count(*)::int as attempted,
    count(*) filter (where state = 'delivered' and not reported)::int as delivered,
    count(*) filter (where state = 'bounced' or reported)::int as bounced,
    count(*) filter (where arrived)::int as "deliveredOnDay",
    count(*) filter (where arrived and complained)::int as complained
  from judged group by source`;

/** Writes a decision: the tier, the caps of the days after, and that the day is decided. */
export async function writeSourceRamp(
  client: pg.ClientBase,
  day: string,
  one: { address: string; tier: number; cap: number; decision: string },
): Promise<void> {
  await client.query({
    name: 'source-ramp-write',
    text: `with tier as (update sources set tier = $3 where address = $1),
             later as (update source_days set cap = $4 where address = $1 and day > $2)
           update source_days set decision = $5 where address = $1 and day = $2`,
    values: [one.address, day, one.tier, one.cap, one.decision],
  });
}
