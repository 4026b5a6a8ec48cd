// The moves of deferred mail that was not admitted yet: released, dropped, or deferred once more.
// sender/release/release.ts describes the whole release.
// SQL by hand: row locks, their order and the fence of a claim decide here.

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

/** Domains with deferred mail due at `now`, oldest due first. `tenantId` null means all tenants. */
export async function readDueDomains(
  client: pg.ClientBase | pg.Pool,
  now: Date | null,
  tenantId: string | null,
  limit: number,
): Promise<DueDomain[]> {
  // The inner LIMIT bounds what is read of a backlog of millions: the rest is found by the next pass.
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

/** Releases locked messages: admitted on `day`, and due for delivery at once. */
export async function releaseDeferred(
  client: pg.ClientBase,
  { tenantId }: DueDomain,
  ids: string[],
  day: string,
  maxAgeMs: number,
): Promise<void> {
  await client.query({
    name: 'message-release',
    text: `update messages set state = 'queued', defer_reason = null, deferred_until = null, admitted_day = $3,
             next_attempt_at = now(), expires_at = now() + make_interval(secs => $4::float8 / 1000)
           where id = any($1::uuid[]) and tenant_id = $2 and state = 'deferred' and admitted_day is null`,
    values: [ids, tenantId, day, maxAgeMs],
  });
}

/** Drops locked messages that can never be sent: a suppressed recipient, or a domain that was deleted. */
export async function dropDeferred(
  client: pg.ClientBase,
  tenantId: string,
  ids: string[],
  reason: 'suppressed' | 'domain_deleted',
): Promise<void> {
  await client.query({
    name: 'message-drop-deferred',
    text: `update messages set state = 'dropped', reason = $3, defer_reason = null, deferred_until = null,
             finished_at = now()
           where id = any($1::uuid[]) and tenant_id = $2 and state = 'deferred' and admitted_day is null`,
    values: [ids, tenantId, reason],
  });
}

/**
 * Defers everything of a domain that is still due until the given time, for the given reason. Returns how many. What
 * was deferred by the cap counts in the figures of the day.
 */
export async function deferAgain(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  now: Date,
  until: Date,
  reason: 'warmup_cap' | 'domain_paused',
): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: 'message-defer-again',
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

/** Defers messages whose route has reached its sub-cap of today until the given time. */
export async function deferForRoute(
  client: pg.ClientBase,
  { tenantId }: DueDomain,
  ids: string[],
  until: Date,
): Promise<void> {
  await client.query({
    name: 'message-defer-for-route',
    text: `update messages set deferred_until = $3, defer_reason = 'esp_cap'
           where id = any($1::uuid[]) and tenant_id = $2 and state = 'deferred' and admitted_day is null`,
    values: [ids, tenantId, until],
  });
}

/** Makes deferred mail of a domain that was paused go to the release at once. */
export async function resumeUnadmitted(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
): Promise<void> {
  await client.query({
    name: 'message-resume-unadmitted',
    text: `update messages set deferred_until = now()
           where domain_id = $1 and tenant_id = $2 and state = 'deferred' and admitted_day is null
             and defer_reason = 'domain_paused'`,
    values: [domainId, tenantId],
  });
}

/** Makes admitted mail of a domain that was paused due for delivery at once. */
export async function resumeAdmitted(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
): Promise<void> {
  await client.query({
    name: 'message-resume-admitted',
    text: `update messages set next_attempt_at = now()
           where domain_id = $1 and tenant_id = $2 and state = 'deferred' and admitted_day is not null
             and defer_reason = 'domain_paused'`,
    values: [domainId, tenantId],
  });
}
