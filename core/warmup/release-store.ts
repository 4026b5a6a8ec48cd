// What a release of deferred mail reads and frees beside the messages themselves: its clock, the domain, and what the
// day's row reserves. sender/release/release.ts describes the whole release.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import type { BrakeCause } from '../message/brake-cause.ts';
import { BRAKE_CAUSE, BRAKE_STATE, type BrakeState } from '../message/brake-state.ts';
import { BULK_LIMIT } from '../message/sender-rules.ts';
import { HELD_UNTIL } from '../message/message-columns.ts';
import type { DueDomain } from '../message/release-store.ts';
import { inTransaction } from '../db/transaction.ts';
import { suspendedSql } from '../tenant/suspended.ts';
import { earlierMail, openDays, withInFlight, type LockedDay } from './warmup-store.ts';

/** State of a domain that decides about its release. */
export interface ReleaseDomain {
  name: string;
  status: string;
  warmupState: string;
  /** Its tenant is. */
  isSuspended: boolean;
  tier: number;
  transactionalReserve: number;
  brake: BrakeState;
  brakeCause: BrakeCause | null;
  /** Most campaign mail of a day for the sender rules; null: no such limit. */
  bulkLimit: number | null;
}

/**
 * Begins a release of a domain: its clock, which is the given time or the database's, with its UTC day; null while another
 * transaction releases the domain. That is the turn of a domain, not its lock: without it senders would wait for each other's
 * domains, one after the other.
 */
export async function beginRelease(
  client: pg.ClientBase,
  { domainId }: DueDomain,
  now: Date | null,
): Promise<{ now: Date; day: string } | null> {
  const { rows } = await client.query<{ now: Date; day: string; isFree: boolean }>({
    name: 'release-begin',
    text: `select coalesce($1::timestamptz, now()) as now,
             to_char(coalesce($1::timestamptz, now()) at time zone 'UTC', 'YYYY-MM-DD') as day,
             pg_try_advisory_xact_lock(hashtextextended('release:' || $2, 0)) as "isFree"`,
    values: [now, domainId],
  });
  const { isFree, ...clock } = rows[0]!;
  return isFree ? clock : null;
}

/**
 * Opens the days of those of these domains that may send and have none, many in one transaction: what opening a day counts
 * of the mail in flight is read once for all of them.
 */
export async function openDueDays(pool: pg.Pool, domains: DueDomain[], now: Date | null): Promise<void> {
  const { rows } = await pool.query<DueDomain & { day: string }>({
    name: 'release-unopened-days',
    text: `select d.tenant_id as "tenantId", d.id as "domainId", today.day::text as day
           from (select (coalesce($3, now()) at time zone 'UTC')::date as day) today,
             unnest($1::uuid[], $2::uuid[]) as q(tenant_id, id)
             join domains d on d.id = q.id and d.tenant_id = q.tenant_id
           where d.status = 'verified' and d.warmup_state <> 'paused' and not ${suspendedSql('d.tenant_id')}
             and not exists (select from warmup_days w where w.domain_id = d.id and w.day = today.day)`,
    values: [domains.map((one) => one.tenantId), domains.map((one) => one.domainId), now],
  });
  if (rows.length > 0) await inTransaction(pool, (client) => openDays(client, rows, rows[0]!.day));
}

/** Mail admitted before `day` that has not come back: a sender has it, or its refund is under way. */
export interface Outstanding {
  /** UTC day, YYYY-MM-DD. */
  day: string;
  byDomain: Map<string, { total: number; bulk: number }>;
}

/** Reads what is outstanding on the day of `now`, for all domains at once; null is the database's clock. */
export async function readOutstanding(pool: pg.Pool, now: Date | null): Promise<Outstanding> {
  const clock = await pool.query<{ day: string }>({
    name: 'release-day',
    text: `select to_char(coalesce($1::timestamptz, now()) at time zone 'UTC', 'YYYY-MM-DD') as day`,
    values: [now],
  });
  const { day } = clock.rows[0]!;
  const { rows } = await pool.query<{ domainId: string; total: number; bulk: number }>({
    name: 'release-outstanding',
    text: `select domain_id as "domainId", count(*)::int as total,
             (count(*) filter (where stream = 'bulk'))::int as bulk
           from (
             select domain_id, stream from messages where claimed_by is not null and admitted_day < $1::date
             union all
             select domain_id, stream from messages
             where claimed_by is null and admitted_day < $1::date and next_attempt_at < $2
               and state in ('queued', 'deferred')) as outstanding
           group by 1`,
    values: [day, HELD_UNTIL],
  });
  return { day, byDomain: new Map(rows.map((row) => [row.domainId, row])) };
}

/** The domain as it stands, or null when it was deleted. */
export async function readReleaseDomain(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
): Promise<ReleaseDomain | null> {
  const { rows } = await client.query<ReleaseDomain>({
    name: 'release-domain',
    text: `select name, status, tier, warmup_state as "warmupState", transactional_reserve as "transactionalReserve",
             ${suspendedSql('d.tenant_id')} as "isSuspended", ${BRAKE_STATE} as brake, ${BRAKE_CAUSE} as "brakeCause", ${BULK_LIMIT} as "bulkLimit"
           from domains d where id = $1 and tenant_id = $2`,
    values: [domainId, tenantId],
  });
  return rows[0] ?? null;
}

/**
 * Frees what the day reserves for earlier mail beyond what there still is: new mail may use it. What a sender has from
 * an earlier day keeps its admission reserved until it has ended. Returns what stays reserved; null without a row.
 */
export async function freeReserved(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  day: string,
): Promise<Pick<LockedDay, 'reserved' | 'bulkReserved'> | null> {
  const still = earlierMail('$1::uuid', '$3::date', 'w.reserved');
  const { rows } = await client.query<Pick<LockedDay, 'reserved' | 'bulkReserved'>>({
    name: 'release-free-reserved',
    text: `with ${withInFlight('$3::date')},
           kept as materialized (
             select ${still.total} as total, ${still.bulk} as bulk from warmup_days w ${still.join}
             where w.domain_id = $1 and w.tenant_id = $2 and w.day = $3 and w.reserved > 0)
           update warmup_days set reserved = kept.total, bulk_reserved = kept.bulk from kept
           where domain_id = $1 and tenant_id = $2 and day = $3
           returning reserved, bulk_reserved as "bulkReserved"`,
    values: [domainId, tenantId, day],
  });
  return rows[0] ?? null;
}

/**
 * Frees what today's rows reserve for mail that has ended or no longer waits (cancelled before its release): otherwise
 * it would be lost until midnight. Returns the domains whose rows changed.
 */
export async function freeIdleReserved(
  client: pg.ClientBase,
): Promise<(DueDomain & LockedDay & { day: string })[]> {
  const still = earlierMail('w.domain_id', 'w.day', 'w.reserved');
  const { rows } = await client.query<DueDomain & LockedDay & { day: string }>({
    name: 'release-free-idle-reserved',
    text: `with ${withInFlight("(now() at time zone 'UTC')::date")},
           idle as materialized (
             select w.domain_id, w.day, w.day::text as text, ${still.total} as total, ${still.bulk} as bulk
             from warmup_days w ${still.join}
             where w.day = (now() at time zone 'UTC')::date and w.reserved > 0)
           update warmup_days w set reserved = idle.total, bulk_reserved = idle.bulk from idle
           where w.domain_id = idle.domain_id and w.day = idle.day and w.reserved > idle.total
           returning w.tenant_id as "tenantId", w.domain_id as "domainId", idle.text as day, w.cap, w.used,
             w.bulk_used as "bulkUsed", w.reserved, w.bulk_reserved as "bulkReserved"`,
  });
  return rows;
}

/**
 * Locks the domains whose limit by the sender rules ended within the last minute: a sender may still have stored mail on what
 * it read before. A domain that another sender has is passed over.
 */
export async function lockJustLifted(client: pg.ClientBase): Promise<DueDomain[]> {
  const { rows } = await client.query<DueDomain>({
    name: 'sender-rules-just-lifted',
    text: `select d.tenant_id as "tenantId", d.id as "domainId" from domains d
           where d.sender_rules_lifted_at > now() - interval '1 minute' and ${BULK_LIMIT} is null
           order by d.id for no key update skip locked`,
  });
  return rows;
}
