// Sources in PostgreSQL: parts of a new one's day, and rests. They belong to no tenant.
// SQL by hand: row locks and the database's clock decide here.

import type pg from 'pg';

import type { Queryable } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { TIER_CAPS } from '../warmup/tiers.ts';

/** What a sender may send from one address: so many messages, on that UTC day (YYYY-MM-DD). */
export interface DayShare {
  day: string;
  count: number;
}

const SHARES_PER_SENDER = 4; // of what is left: what a dead sender had taken is lost for the day
const MOST_SHARE = 200; // messages: even the highest cap is taken in 500 parts

/**
 * Takes a part of today's cap of a new address, none when it is used up. The first one makes its rows. The caller has what it
 * took, whatever becomes of the answer.
 */
export async function takeShare(pool: pg.Pool, address: string, senders: number): Promise<DayShare> {
  return inTransaction(pool, async (client) => {
    await client.query({
      name: 'source-open',
      text: 'insert into sources (address) values ($1) on conflict do nothing',
      values: [address],
    });
    await client.query({
      name: 'source-open-day',
      text: `with missing as materialized (
               select address, (now() at time zone 'UTC')::date as day, ($2::int[])[tier + 1] as cap from sources
               where address = $1 and not exists (select 1 from source_days
                 where address = $1 and day = (now() at time zone 'UTC')::date)
               for share of sources),
             opened as (
               insert into source_days (address, day, cap) select * from missing on conflict do nothing)
             select 1`,
      values: [address, TIER_CAPS],
    });
    const { rows } = await client.query<DayShare>({
      name: 'source-take-share',
      text: `with free as materialized (
               select address, day, to_char(day, 'YYYY-MM-DD') as text,
                 greatest(0, least(cap - used, $3, ceil((cap - used) / $2::float8)))::int as count
               from source_days where address = $1 and day = (now() at time zone 'UTC')::date for update)
             update source_days d set used = d.used + f.count
             from free f where d.address = f.address and d.day = f.day
             returning f.text as day, f.count`,
      values: [address, senders * SHARES_PER_SENDER, MOST_SHARE],
    });
    return rows[0]!;
  });
}

/** Gives back what was taken of a day and is not used. */
export async function giveBack(db: Queryable, address: string, { day, count }: DayShare): Promise<void> {
  await db.query({
    name: 'source-give-back',
    text: 'update source_days set used = greatest(0, used - $3) where address = $1 and day = $2',
    values: [address, day, count],
  });
}

/** A rest that goes on. */
export interface Rest {
  address: string;
  provider: string;
  until: Date;
  reply: string;
  /** How long it goes on yet, in ms. */
  leftMs: number;
}

/** The rests that go on now, by address and provider. */
export async function selectRests(db: Queryable): Promise<Rest[]> {
  const { rows } = await db.query<Rest>({
    name: 'source-rests',
    text: `select address, provider, until, reply, (extract(epoch from until - now()) * 1000)::float8 as "leftMs"
           from source_rests where until > now() order by address, provider`,
  });
  return rows;
}

/** Lets an address rest for a provider; a rest that goes on longer stays. */
export async function insertRest(
  db: Queryable,
  rest: { address: string; provider: string; reply: string; forMs: number },
): Promise<void> {
  await db.query({
    name: 'source-rest',
    text: `insert into source_rests as r (address, provider, until, reply)
           values ($1, $2, now() + $3 * interval '1 millisecond', $4)
           on conflict (address, provider) do update
             set until = greatest(r.until, excluded.until), reply = excluded.reply, at = excluded.at`,
    values: [rest.address, rest.provider, rest.forMs, rest.reply],
  });
}

/** Where the warm-up of a new address stands today; the cap is null until it sends. */
interface SourceDay {
  address: string;
  tier: number;
  cap: number | null;
  used: number;
}

/** Today, and every new address by its name that has sent before. */
export async function selectSourceDays(
  db: Queryable,
): Promise<{ day: string; days: Map<string, SourceDay> }> {
  const { rows } = await db.query<SourceDay & { day: string }>({
    name: 'source-days',
    text: `select to_char(t.day, 'YYYY-MM-DD') as day, s.address, s.tier, d.cap, coalesce(d.used, 0) as used
           from (select (now() at time zone 'UTC')::date as day) t
           left join sources s on true left join source_days d on d.address = s.address and d.day = t.day`,
  });
  return { day: rows[0]!.day, days: new Map(rows.map((row) => [row.address, row])) };
}
