// The statements that move deferred mail without a slot: what is due, what is let through, what waits on.
// sender/release/release.ts tells the story.

import type pg from 'pg';

import type { Stream } from '../base/stream.ts';

/** A domain with deferred mail that is due. */
export interface DueDomain {
  tenantId: string;
  domainId: string;
}

/** One due message, first come first. */
export interface DueMessage {
  id: string;
  stream: Stream;
  rcptTo: string;
  campaignId: string | null;
  /** The route that its submission insists on. */
  esp: string | null;
}

/** State of a domain that decides about its release. */
export interface ReleaseDomain {
  name: string;
  status: string;
  warmupState: string;
  transactionalReserve: number;
}

/** Domains with deferred mail due at `now`, oldest due first. `tenantId` null means all tenants. */
export async function readDueDomains(
  client: pg.ClientBase | pg.Pool,
  now: Date | null,
  tenantId: string | null,
  limit: number,
): Promise<DueDomain[]> {
  // The inner LIMIT bounds the look at a backlog of millions: what is beyond it is found by the next pass.
  const { rows } = await client.query<DueDomain>({
    name: 'release-due-domains',
    text: `select tenant_id as "tenantId", domain_id as "domainId" from (
             select tenant_id, domain_id, deferred_until from messages
             where state = 'deferred' and admitted_day is null and deferred_until <= coalesce($1, now())
               and ($2::uuid is null or tenant_id = $2)
             order by deferred_until limit $3) as due
           group by 1, 2 order by min(deferred_until), 2`,
    values: [now, tenantId, limit],
  });
  return rows;
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

/** Due messages of a domain in the order in which they came, locked until the transaction ends. */
export async function lockDueMessages(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  now: Date,
  limit: number,
  withBulk: boolean,
): Promise<DueMessage[]> {
  const { rows } = await client.query<DueMessage>({
    name: 'release-lock-due',
    text: `select id, stream, rcpt_to as "rcptTo", campaign_id as "campaignId", esp from messages
           where domain_id = $1 and tenant_id = $2 and state = 'deferred' and admitted_day is null
             and deferred_until <= $3 and (stream = 'transactional' or $5)
           order by id limit $4
           for update`,
    values: [domainId, tenantId, now, limit, withBulk],
  });
  return rows;
}

/** Lets messages through: they hold a slot of `day` from here on, and are due for delivery at once. */
export async function admitMessages(
  client: pg.ClientBase,
  { tenantId }: DueDomain,
  ids: string[],
  day: string,
  maxAgeMs: number,
): Promise<void> {
  await client.query({
    name: 'release-admit',
    text: `update messages set state = 'queued', defer_reason = null, deferred_until = null, admitted_day = $3,
             next_attempt_at = now(), expires_at = now() + make_interval(secs => $4::float8 / 1000)
           where id = any($1::uuid[]) and tenant_id = $2 and state = 'deferred' and admitted_day is null`,
    values: [ids, tenantId, day, maxAgeMs],
  });
}

/** Ends messages that can never go: suppressed recipients, or a domain that is gone. They took no slot. */
export async function dropMessages(
  client: pg.ClientBase,
  tenantId: string,
  ids: string[],
  reason: 'suppressed' | 'domain_deleted',
): Promise<void> {
  await client.query({
    name: 'release-drop',
    text: `update messages set state = 'dropped', reason = $3, defer_reason = null, deferred_until = null,
             finished_at = now()
           where id = any($1::uuid[]) and tenant_id = $2`,
    values: [ids, tenantId, reason],
  });
}

/**
 * Everything of a domain that is still due waits until the given time, for the given reason. Returns how many. What the
 * cap put off counts in the figures of the day.
 */
export async function deferAgain(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  now: Date,
  until: Date,
  reason: 'warmup_cap' | 'domain_paused',
): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: 'release-defer-again',
    text: `with waiting as (
             update messages set deferred_until = $4, defer_reason = $5
             where domain_id = $1 and tenant_id = $2 and state = 'deferred' and admitted_day is null
               and deferred_until <= $3
             returning lower(rcpt_to) like '%@simulator.test' as simulated),
           counted as (select simulated, count(*)::int as count from waiting group by 1),
           added as (
             insert into domain_days as d (tenant_id, domain_id, day, simulated, deferred)
             select $2, $1, ($3::timestamptz at time zone 'UTC')::date, simulated, count from counted
             where $5 = 'warmup_cap' order by simulated
             on conflict (domain_id, day, simulated) do update set deferred = d.deferred + excluded.deferred)
           select coalesce(sum(count), 0)::int as count from counted`,
    values: [domainId, tenantId, now, until, reason],
  });
  return rows[0]!.count;
}

/** Messages whose route has no room left today wait until the given time. */
export async function deferForEsp(
  client: pg.ClientBase,
  { tenantId }: DueDomain,
  ids: string[],
  until: Date,
): Promise<void> {
  await client.query({
    name: 'release-defer-for-esp',
    text: `update messages set deferred_until = $3, defer_reason = 'esp_cap'
           where id = any($1::uuid[]) and tenant_id = $2 and state = 'deferred' and admitted_day is null`,
    values: [ids, tenantId, until],
  });
}

/** No mail of an earlier day waits for its reserved slots any more: new mail may have them. */
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
 * Frees reserved slots of today whose mail is gone (cancelled before the release reached it): otherwise they would
 * be lost until midnight. Returns the domains that were freed.
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
