// The authoritative check of the day's cap: rows of warmup_days.
//
// A day's row is opened at its first use with the cap of the domain's tier. Admissions are counted in the transaction
// that stores the messages, under the row's lock and the condition `used + n <= cap`: whatever Redis answered, and
// however many senders there are, the cap of a day cannot be passed.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import { HERE } from '../db/citus-forms.ts';
import { HELD_UNTIL } from '../message/message-columns.ts';
import { TIER_CAPS } from './tiers.ts';

/** One domain's day, locked until the transaction ends. */
export interface LockedDay {
  domainId: string;
  cap: number;
  used: number;
  bulkUsed: number;
  reserved: number;
  bulkReserved: number;
}

/** Admissions to count: `total`, of which `bulk` are campaign mail. */
export interface Admissions {
  tenantId: string;
  domainId: string;
  total: number;
  bulk: number;
  /** How many of them use what was reserved for earlier mail. */
  fromReserved: number;
}

/** Locks the rows of a day for these domains, in one order for all callers. Days not yet opened are missing. */
export async function lockDays(
  client: pg.ClientBase,
  pairs: { tenantId: string; domainId: string }[],
  day: string,
): Promise<Map<string, LockedDay>> {
  const { rows } = await client.query<LockedDay>({
    name: 'warmup-lock-days',
    text: `select w.domain_id as "domainId", w.cap, w.used, w.bulk_used as "bulkUsed", w.reserved, w.bulk_reserved as "bulkReserved"
           from warmup_days w
           join unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
             on w.domain_id = q.domain_id and w.tenant_id = q.tenant_id
           where w.day = $3
           order by w.domain_id
           for update of w`,
    values: [pairs.map((pair) => pair.tenantId), pairs.map((pair) => pair.domainId), day],
  });
  return new Map(rows.map((row) => [row.domainId, row]));
}

const LOOK_BACK_DAYS = 10; // for undelivered mail of earlier days; older is found only after an outage that long

const startOf = (day: string) => `(${day}::timestamp at time zone 'UTC')`;
const NOW = `now() + interval '1 millisecond'`; // a column rounds now() to milliseconds, up too

/** SQL of a CTE `in_flight`: mail of days before `day` that senders have, by domain. It is read once for all domains. */
export function withInFlight(day: string): string {
  return `in_flight as materialized (
    select domain_id, count(*)::int as total, (count(*) filter (where stream = 'bulk'))::int as bulk from messages
    where claimed_by is not null and admitted_day < ${day} group by 1)`;
}

/**
 * SQL that counts the mail of a domain that goes before newer mail and needs an admission of the day, `limit` at most: deferred
 * and due, or admitted earlier and undelivered, also while a sender has it (`withInFlight`). `total` and its campaign part `bulk`
 * are columns for a statement with `join`. Where `total` is less than the limit, `bulk` is exact. The arguments are SQL; `day` is a
 * date, `dueBy` the time until which deferred mail is due.
 */
export function earlierMail(
  domainId: string,
  day: string,
  limit: string,
  dueBy = `greatest(${startOf(day)}, ${NOW})`,
) {
  return {
    total: `least(${limit}, earlier.total + coalesce(in_flight.total, 0))`,
    bulk: `least(${limit}, earlier.bulk + coalesce(in_flight.bulk, 0))`,
    join: `cross join lateral (
      select count(*)::int as total, (count(*) filter (where stream = 'bulk'))::int as bulk from (
        select stream from messages m where m.domain_id = ${domainId} and m.state = 'deferred' and m.admitted_day is null
          and m.deferred_until <= ${dueBy}
        union all
        select stream from messages m where m.domain_id = ${domainId} and m.next_attempt_at < '${HELD_UNTIL}' and m.claimed_by is null
          and m.admitted_day = any(array(select ${day} - n from generate_series(1, ${LOOK_BACK_DAYS}) n))
        limit ${limit}) as due) as earlier
      left join in_flight on in_flight.domain_id = ${domainId}`,
  };
}

/**
 * Opens the day of these domains: cap of the tier, and an admission reserved for each message that came before it and is
 * undelivered, so that new mail does not pass it. FOR SHARE keeps the tier still until we commit: a tier change
 * either happens before (and is seen here) or after (and finds the row). Domains are opened in id order.
 */
export async function openDays(
  client: pg.ClientBase,
  pairs: { tenantId: string; domainId: string }[],
  day: string,
): Promise<void> {
  const earlier = earlierMail('d.id', '$3::date', 'caps.cap', startOf('$3::date'));
  await client.query({
    name: 'warmup-open-days',
    text: `insert into warmup_days (tenant_id, domain_id, day, cap, reserved, bulk_reserved)
           with ${withInFlight('$3::date')}
           select d.tenant_id, d.id, $3::date, caps.cap, ${earlier.total}, ${earlier.bulk}
           from (
             select domains.id, domains.tenant_id, domains.tier from domains
             join unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
               on domains.id = q.domain_id and domains.tenant_id = q.tenant_id
             order by domains.id
             for share of domains) as d
           join unnest($4::int[]) with ordinality as caps(cap, n) on caps.n = d.tier + 1
           ${earlier.join}
           order by d.id
           on conflict (domain_id, day) do nothing`,
    values: [pairs.map((pair) => pair.tenantId), pairs.map((pair) => pair.domainId), day, [...TIER_CAPS]],
  });
}

/** Locks the rows of today and later of these domains, in one order for all callers. Before the domains themselves. */
export async function lockOpenDays(
  client: pg.ClientBase,
  domains: { tenantId: string; domainId: string }[],
): Promise<void> {
  await client.query({
    name: 'warmup-lock-open-days',
    text: `select from warmup_days w join unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
             on w.domain_id = q.domain_id and w.tenant_id = q.tenant_id
           where w.day >= (now() at time zone 'UTC')::date order by w.domain_id, w.day for update of w`,
    values: [domains.map((one) => one.tenantId), domains.map((one) => one.domainId)],
  });
}

/** Counts admissions of a day under the condition of the cap. Returns how many rows were changed: all, or it is a bug. */
export async function addAdmissions(
  client: pg.ClientBase,
  day: string,
  admissions: Admissions[],
): Promise<number> {
  const { rowCount } = await client.query({
    name: 'warmup-add-admissions',
    text: `update warmup_days w
           set used = w.used + q.total, bulk_used = w.bulk_used + q.bulk,
               reserved = greatest(w.reserved - q.from_reserved, 0),
               bulk_reserved = greatest(w.bulk_reserved - least(q.bulk, q.from_reserved), 0)
           from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::int[])
             as q(tenant_id, domain_id, total, bulk, from_reserved)
           where w.domain_id = q.domain_id and w.tenant_id = q.tenant_id and w.day = $6
             and w.used + q.total <= w.cap`,
    values: [
      admissions.map((one) => one.tenantId),
      admissions.map((one) => one.domainId),
      admissions.map((one) => one.total),
      admissions.map((one) => one.bulk),
      admissions.map((one) => one.fromReserved),
      day,
    ],
  });
  return rowCount ?? 0;
}

/** Admissions of one day that were taken back. */
export type RefundedDay = Pick<Admissions, 'tenantId' | 'domainId' | 'total' | 'bulk'> & { day: string };

/** Subtracts admissions that were taken back. The rows are locked in one order, whoever calls. */
export async function subtractAdmissions(client: pg.ClientBase, refunded: RefundedDay[]): Promise<void> {
  await client.query({
    name: 'warmup-subtract-admissions',
    text: `with refunded as (
             select * from unnest($1::uuid[], $2::uuid[], $3::date[], $4::int[], $5::int[])
               as q(tenant_id, domain_id, day, total, bulk)),
           locked as materialized (
             select w.domain_id, w.day, q.total, q.bulk from warmup_days w
             join refunded q on q.domain_id = w.domain_id and q.tenant_id = w.tenant_id and q.day = w.day
             order by w.day, w.domain_id for update of w)
           update warmup_days w set used = w.used - l.total, bulk_used = w.bulk_used - l.bulk
           from locked l where w.domain_id = l.domain_id and w.day = l.day`,
    values: [
      refunded.map((one) => one.tenantId),
      refunded.map((one) => one.domainId),
      refunded.map((one) => one.day),
      refunded.map((one) => one.total),
      refunded.map((one) => one.bulk),
    ],
  });
}

/**
 * Ends the day of every domain: no more is admitted today, whatever tier it gets meanwhile. Returns how many domains.
 * The one statement about days that is of all tenants: a restore is of all of them.
 */
export async function closeToday(client: pg.ClientBase): Promise<number> {
  const { rowCount } = await client.query({
    name: 'warmup-close-today',
    text: `with closed as materialized (
             select d.tenant_id, d.id, (now() at time zone 'UTC')::date as day, caps.cap, $2::int as used, $2::int as bulk_used
             from domains d join unnest($1::int[]) with ordinality as caps(cap, n) on caps.n = d.tier + 1),
           written as (
             insert into warmup_days as w (tenant_id, domain_id, day, cap, used, bulk_used)
             select closed.* from closed, ${HERE}
             on conflict (domain_id, day) do update
             set used = excluded.used, bulk_used = excluded.bulk_used, reserved = 0, bulk_reserved = 0)
           select 1 from closed`,
    values: [[...TIER_CAPS], Math.max(...TIER_CAPS)],
  });
  return rowCount ?? 0;
}
