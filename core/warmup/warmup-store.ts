// The authoritative check of the day's cap: rows of warmup_days.
//
// A day's row is opened at its first use with the cap of the domain's tier. Admissions are counted in the transaction
// that stores the messages, under the row's lock and the condition `used + n <= cap`: whatever Redis answered, and
// however many senders there are, the cap of a day cannot be passed.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import { TIER_CAPS } from './tiers.ts';

/** One domain's day, locked until the transaction ends. */
export interface LockedDay {
  domainId: string;
  cap: number;
  used: number;
  bulkUsed: number;
  reserved: number;
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
    text: `select w.domain_id as "domainId", w.cap, w.used, w.bulk_used as "bulkUsed", w.reserved
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

/**
 * Opens the day of these domains: cap of the tier, and an admission reserved for each message that was deferred to this
 * day or earlier, so that new mail does not pass it. FOR SHARE keeps the tier still until we commit: a tier change
 * either happens before (and is seen here) or after (and finds the row). Domains are opened in id order.
 */
export async function openDays(
  client: pg.ClientBase,
  pairs: { tenantId: string; domainId: string }[],
  day: string,
): Promise<void> {
  await client.query({
    name: 'warmup-open-days',
    text: `insert into warmup_days (tenant_id, domain_id, day, cap, reserved)
           select d.tenant_id, d.id, $3::date, caps.cap,
             (select count(*) from (
               select from messages m
               where m.domain_id = d.id and m.state = 'deferred' and m.admitted_day is null
                 and m.deferred_until <= ($3::date::timestamp at time zone 'UTC')
               limit caps.cap) as waiting)
           from (
             select domains.id, domains.tenant_id, domains.tier from domains
             join unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
               on domains.id = q.domain_id and domains.tenant_id = q.tenant_id
             order by domains.id
             for share of domains) as d
           join unnest($4::int[]) with ordinality as caps(cap, n) on caps.n = d.tier + 1
           order by d.id
           on conflict (domain_id, day) do nothing`,
    values: [pairs.map((pair) => pair.tenantId), pairs.map((pair) => pair.domainId), day, [...TIER_CAPS]],
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
               reserved = greatest(w.reserved - q.from_reserved, 0)
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
