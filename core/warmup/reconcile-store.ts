// What the reconciliation reads and keeps.
// SQL by hand: aggregates over partitions and indexes chosen for them, in one statement.

import type pg from 'pg';

import { HERE } from '../db/citus-forms.ts';
import { longQuery } from '../db/long-query.ts';
import { inTransaction } from '../db/transaction.ts';
import type { DomainKey } from './brake-store.ts';
import { TIER_CAPS } from './tiers.ts';

/** What we counted on a day: admissions of all domains, and sends by route. */
export interface Counted {
  admissions: number;
  byRoute: Map<string, number>;
}

/** The given day, or today by the database's clock; null for an unknown tenant. */
export async function readDayOrToday(
  pool: pg.Pool,
  tenantId: string,
  day: string | null,
): Promise<string | null> {
  const { rows } = await pool.query<{ day: string }>({
    name: 'reconcile-day',
    text: `select coalesce($2, to_char(now() at time zone 'UTC', 'YYYY-MM-DD')) as day from tenants where id = $1`,
    values: [tenantId, day],
  });
  return rows[0]?.day ?? null;
}

/** Our counts of a tenant's day. */
export async function readCounted(pool: pg.Pool, tenantId: string, day: string): Promise<Counted> {
  const { rows } = await pool.query<{ esp: string | null; used: number }>({
    name: 'reconcile-counted',
    text: `select null as esp, coalesce(sum(used), 0)::int as used from warmup_days where tenant_id = $1 and day = $2
           union all select esp, used from esp_days where tenant_id = $1 and day = $2 and used > 0`,
    values: [tenantId, day],
  });
  const byRoute = rows.flatMap(({ esp, used }) => (esp === null ? [] : [[esp, used] as const]));
  return { admissions: rows.find((row) => row.esp === null)?.used ?? 0, byRoute: new Map(byRoute) };
}

/** What each route accepted (2xx at the end of DATA) of a tenant's mail on a day, as long as its counts are kept. */
export async function readAccepted(
  pool: pg.Pool,
  day: string,
  tenantId: string,
): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ esp: string; accepted: number }>({
    name: 'reconcile-accepted',
    text: `select esp, sum(accepted + system_accepted)::int as accepted from attempt_days
           where day = $1 and tenant_id = $2 group by 1 having sum(accepted + system_accepted) > 0`,
    values: [day, tenantId],
  });
  return new Map(rows.map((row) => [row.esp, row.accepted]));
}

/** What the nightly job kept of a day, by route. */
export async function readStored(
  pool: pg.Pool,
  tenantId: string,
  day: string,
): Promise<Map<string, { subCap: number; accepted: number }>> {
  const { rows } = await pool.query<{ esp: string; subCap: number; accepted: number }>({
    name: 'reconcile-stored',
    text: `select esp, sub_cap as "subCap", accepted from esp_days
           where tenant_id = $1 and day = $2 and reconciled_at is not null`,
    values: [tenantId, day],
  });
  return new Map(rows.map((row) => [row.esp, row]));
}

/** A domain whose count of a day is not that of its messages. */
export interface Mismatch {
  domainId: string;
  counted: number;
  messages: number;
}

/**
 * Keeps, for all tenants at once, what each route accepted on a day and what its sub-cap was, so that the report
 * outlives the attempts. `shares` are the configured routes. Returns the number of rows.
 */
export async function storeAccepted(
  client: pg.ClientBase,
  day: string,
  shares: { name: string; share: number }[],
): Promise<number> {
  const { rowCount } = await client.query({
    text: `with accepted as (
             select tenant_id, esp, sum(accepted + system_accepted)::int as n from attempt_days
             where day = $1 group by 1, 2 having sum(accepted + system_accepted) > 0),
           caps as (
             select d.tenant_id, sum(coalesce(w.cap, tiers.cap)) as cap from domains d
             join unnest($4::int[]) with ordinality as tiers(cap, n) on tiers.n = d.tier + 1
             left join warmup_days w on w.domain_id = d.id and w.tenant_id = d.tenant_id and w.day = $1
             where d.status = 'verified' group by 1),
           rows as (
             select tenant_id, esp, coalesce(a.n, 0) as n from accepted a
             full join (select tenant_id, esp from esp_days where day = $1) e using (tenant_id, esp)),
           kept as materialized (
             select r.tenant_id, r.esp, $1::date as day, r.n,
               coalesce(floor(c.cap * coalesce(s.share, 0) + 1e-9), 0)::int as sub_cap, now() as at
             from rows r left join caps c using (tenant_id)
             left join unnest($2::text[], $3::float8[]) as s(name, share) on s.name = r.esp
             order by 1, 2),
           stored as (
             insert into esp_days as e (tenant_id, esp, day, accepted, sub_cap, reconciled_at)
             select kept.* from kept, ${HERE}
             on conflict (tenant_id, day, esp) do update
             set accepted = excluded.accepted, sub_cap = excluded.sub_cap, reconciled_at = excluded.reconciled_at)
           select 1 from kept`,
    values: [day, shares.map((one) => one.name), shares.map((one) => one.share), [...TIER_CAPS]],
  });
  return rowCount ?? 0;
}

/**
 * Domains whose admissions of a day are not the messages that have one, of all or of one domain: always none, or there is a bug to
 * find. Throws PostgreSQL's 57014 when it takes longer than `limitMs`.
 */
export async function readMismatches(
  pool: pg.Pool,
  day: string,
  domain: DomainKey | null,
  limitMs: number,
): Promise<Mismatch[]> {
  const values = [day, domain?.tenantId ?? null, domain?.domainId ?? null];
  return inTransaction(pool, (client) => longQuery<Mismatch>(client, limitMs, MISMATCHES, values));
}

// For one domain its mail is looked up by its tenant.
const MISMATCHES = `
  with held as (
    select domain_id, count(*)::int as n from messages
    where admitted_day = $1 and id >= uuid_floor($1::date - interval '70 days')
      and id < uuid_floor($1::date + interval '2 days')
      and ($2::uuid is null or (tenant_id = $2 and domain_id = $3))
    group by 1)
  select coalesce(w.domain_id, h.domain_id) as "domainId", coalesce(w.used, 0) as counted,
    coalesce(h.n, 0) as messages
  from (
    select domain_id, used from warmup_days
    where day = $1 and ($2::uuid is null or (tenant_id = $2 and domain_id = $3))) w
  full join held h on h.domain_id = w.domain_id
  where coalesce(w.used, 0) <> coalesce(h.n, 0)
  order by 1 limit 1000`;
