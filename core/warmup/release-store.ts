// What a release of deferred mail reads and frees beside the messages themselves: its clock, the domain, and what the
// day's row reserves. sender/release/release.ts describes the whole release.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import type { DueDomain } from '../message/release-store.ts';

/** State of a domain that decides about its release. */
export interface ReleaseDomain {
  name: string;
  status: string;
  warmupState: string;
  transactionalReserve: number;
}

/** The clock of a release run: the given time or the database's, with its UTC day. */
export async function readReleaseClock(
  client: pg.ClientBase,
  now: Date | null,
): Promise<{ now: Date; day: string }> {
  const { rows } = await client.query<{ now: Date; day: string }>({
    name: 'release-clock',
    text: `select coalesce($1::timestamptz, now()) as now,
             to_char(coalesce($1::timestamptz, now()) at time zone 'UTC', 'YYYY-MM-DD') as day`,
    values: [now],
  });
  return rows[0]!;
}

/** The domain as it stands, or null when it was deleted. */
export async function readReleaseDomain(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
): Promise<ReleaseDomain | null> {
  const { rows } = await client.query<ReleaseDomain>({
    name: 'release-domain',
    text: `select name, status, warmup_state as "warmupState", transactional_reserve as "transactionalReserve"
           from domains where id = $1 and tenant_id = $2`,
    values: [domainId, tenantId],
  });
  return rows[0] ?? null;
}

/** Frees what the day reserves for mail that was deferred earlier: new mail may use it. */
export async function clearReserved(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  day: string,
): Promise<void> {
  await client.query({
    name: 'release-clear-reserved',
    text: `update warmup_days set reserved = 0
           where domain_id = $1 and tenant_id = $2 and day = $3 and reserved > 0`,
    values: [domainId, tenantId, day],
  });
}

/**
 * Frees what today's rows reserve for mail that no longer waits (cancelled before its release): otherwise it would be
 * lost until midnight. Returns the domains whose rows changed.
 */
export async function clearIdleReserved(
  client: pg.ClientBase | pg.Pool,
): Promise<(DueDomain & { day: string; used: number; bulkUsed: number })[]> {
  const { rows } = await client.query<DueDomain & { day: string; used: number; bulkUsed: number }>({
    name: 'release-clear-idle-reserved',
    text: `update warmup_days w set reserved = 0
           where w.day = (now() at time zone 'UTC')::date and w.reserved > 0
             and not exists (
               select from messages m where m.domain_id = w.domain_id and m.tenant_id = w.tenant_id
                 and m.state = 'deferred' and m.admitted_day is null and m.deferred_until <= now())
           returning w.tenant_id as "tenantId", w.domain_id as "domainId", w.day::text as day, w.used,
             w.bulk_used as "bulkUsed"`,
  });
  return rows;
}
