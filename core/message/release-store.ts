// The moves of mail that has no admission of today: refunded, released, dropped, or deferred once more.
// sender/release/release.ts describes the whole release.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import type { Stream } from '../base/stream.ts';
import { CLOCK, HERE, later } from '../db/citus-forms.ts';
import type { Queryable } from '../db/pool.ts';
import type { SuppressedFor } from './accept-facts-store.ts';
import { boundsOfGroups } from './group-id.ts';
import { HELD_UNTIL } from './message-columns.ts';
import { jsonText, noteSql } from './note-decision.ts';
import { systemSql, urgencySql, type Origin } from './origin.ts';
import { simulatedSql } from './rated.ts';
import type { HeldReason } from './states.ts';

/** A domain with deferred mail that is due. */
export interface DueDomain {
  tenantId: string;
  domainId: string;
}

/** What a day's row says. */
export interface DayNumbers {
  tier: number;
  cap: number;
  /** Before what is decided now. */
  used: number;
  /** For mail that goes before newer mail. */
  reserved: number;
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

/** An admission that was taken back from a message. */
export interface Refunded extends DueDomain {
  id: string;
  stream: Stream;
  /** UTC date of the admission, YYYY-MM-DD. */
  day: string;
  /** The route that its submission insists on. */
  esp: string | null;
}

/**
 * Takes the admissions of earlier days from mail that is undelivered and claimed by nobody: it waits for one of the day
 * of `now`, due since that day began, and keeps the time of its next attempt. Held mail keeps its admission until it is
 * resumed. `tenantId` null means all tenants. Locked rows are skipped: another sender has them.
 */
export async function refundEarlierDays(
  client: pg.ClientBase,
  now: Date | null,
  tenantId: string | null,
  limit: number,
): Promise<Refunded[]> {
  const { rows } = await client.query<Refunded>({
    name: 'message-refund-earlier-days',
    text: `with today as (
             select now, date_trunc('day', now at time zone 'UTC') as began from (select coalesce($1, now()) as now) t),
           earlier as materialized (
             select m.id, m.tenant_id, m.admitted_day::text as day from messages m
             where m.admitted_day < (select began::date from today) and m.next_attempt_at < $4
               and m.claimed_by is null and m.state in ('queued', 'deferred') and ($2::uuid is null or m.tenant_id = $2)
             order by m.admitted_day limit $3 for update skip locked)
           update messages m
           set state = 'deferred', admitted_day = null, deferred_until = today.began at time zone 'UTC',
               defer_reason = coalesce(m.defer_reason, 'warmup_cap'),
               ${noteSql('day_over', {}, { at: 'today.now', ofRow: { admitted_day: jsonText('e.day') } })}
           from earlier e, today where m.id = e.id and m.tenant_id = e.tenant_id
           returning m.id, m.tenant_id as "tenantId", m.domain_id as "domainId", m.stream, m.esp,
             e.day`,
    values: [now, tenantId, limit, HELD_UNTIL],
  });
  return rows;
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

/**
 * Due messages of a domain, transactional mail first and each stream in the order in which it came, locked until the transaction
 * ends.
 */
export async function lockDueMessages(
  client: pg.ClientBase,
  domain: DueDomain,
  now: Date,
  limit: number,
  withBulk: boolean,
): Promise<DueMessage[]> {
  const transactional = await lockDueOf(client, 'transactional', domain, now, limit);
  const left = withBulk ? limit - transactional.length : 0;
  return left === 0
    ? transactional
    : [...transactional, ...(await lockDueOf(client, 'bulk', domain, now, left))];
}

async function lockDueOf(
  client: pg.ClientBase,
  stream: Stream,
  { tenantId, domainId }: DueDomain,
  now: Date,
  limit: number,
): Promise<DueMessage[]> {
  const { rows } = await client.query<DueMessage>({
    name: `release-lock-due-${stream}`,
    text: `select id, stream, rcpt_to as "rcptTo", campaign_id as "campaignId", esp from messages
           where domain_id = $1 and tenant_id = $2 and state = 'deferred' and admitted_day is null
             and deferred_until <= $3 and stream = '${stream}'
           order by id limit $4
           for update`,
    values: [domainId, tenantId, now, limit],
  });
  return rows;
}

/** How many messages of this service wait for the cap of a domain of this tenant. */
export async function countDeferredSystemMail(
  db: Queryable,
  tenantId: string,
  domain: string,
): Promise<number> {
  const { rows } = await db.query<{ waiting: number }>({
    name: 'release-count-system',
    text: `select count(*)::int as waiting from domains d
           join messages m on m.domain_id = d.id and m.tenant_id = d.tenant_id
           where d.tenant_id = $1 and d.name = $2 and m.state = 'deferred' and m.admitted_day is null
             and ${systemSql('m.origin')}`,
    values: [tenantId, domain],
  });
  return rows[0]!.waiting;
}

/** A due message of this service. */
export type DueSystemMessage = DueMessage & { origin: Origin };

/** Due mail of this service itself, the most urgent kind first, then as it came; locked until the transaction ends. */
export async function lockDueSystemMail(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  now: Date,
  limit: number,
): Promise<DueSystemMessage[]> {
  const { rows } = await client.query<DueSystemMessage>({
    name: 'release-lock-due-system',
    text: `select id, stream, origin, rcpt_to as "rcptTo", campaign_id as "campaignId", esp from messages
           where domain_id = $1 and tenant_id = $2 and state = 'deferred' and admitted_day is null
             and deferred_until <= $3 and ${systemSql('origin')}
           order by ${urgencySql('origin')}, id limit $4
           for update`,
    values: [domainId, tenantId, now, limit],
  });
  return rows;
}

/**
 * Releases locked messages: admitted on `day`, and due for delivery at once, or at the time of the next attempt of those
 * that were tried before.
 */
export async function releaseDeferred(
  client: pg.ClientBase,
  { tenantId }: DueDomain,
  ids: string[],
  day: string,
  maxAgeMs: number,
  numbers: DayNumbers,
): Promise<void> {
  const inputs = {
    day: '$3::date',
    tier: '$8::int',
    cap: '$5::int',
    reserved: '$7::int',
  };
  const ofRow = {
    used: '($6::int + q.n)::text',
    retry_at: jsonText('case when m.next_attempt_at > clock.now then time_text(m.next_attempt_at) end'),
  };
  await client.query({
    name: 'message-release',
    text: `update messages m set admitted_day = $3, deferred_until = null,
             state = case when m.next_attempt_at > clock.now then 'deferred' else 'queued' end,
             defer_reason = case when m.next_attempt_at > clock.now then m.defer_reason end,
             next_attempt_at = greatest(m.next_attempt_at, clock.now),
             expires_at = coalesce(m.expires_at, ${later('clock.now', 'make_interval(secs => $4::float8 / 1000)')}),
             ${noteSql('released', inputs, { ofRow })}
           from unnest($1::uuid[]) with ordinality as q(id, n), ${CLOCK}
           where m.id = q.id and m.tenant_id = $2 and m.state = 'deferred' and m.admitted_day is null
             and m.id between $9 and $10`,
    values: [
      ids,
      tenantId,
      day,
      maxAgeMs,
      numbers.cap,
      numbers.used,
      numbers.reserved,
      numbers.tier,
      ...boundsOfGroups(ids),
    ],
  });
}

/**
 * Drops locked messages that can never be sent: a suppressed recipient, with the stream of the entry, or a domain that was
 * deleted.
 */
export async function dropDeferred(
  client: pg.ClientBase,
  tenantId: string,
  ids: string[],
  reason: 'suppressed' | 'domain_deleted',
  suppressedIn: SuppressedFor['stream'] | null = null,
): Promise<void> {
  await client.query({
    name: 'message-drop-deferred',
    text: `update messages m set state = 'dropped', reason = $3, defer_reason = null, deferred_until = null,
             next_attempt_at = null, finished_at = now(), ${noteSql('$3', { stream: '$4::text' })}
           where id = any($1::uuid[]) and tenant_id = $2 and state = 'deferred' and admitted_day is null`,
    values: [ids, tenantId, reason, suppressedIn],
  });
}

/** Why mail waits once more. */
export interface DeferAgain {
  reason: 'warmup_cap' | HeldReason | 'brake' | 'sender_rules';
  /** Only this stream; both unless said. */
  stream?: Stream | null;
  /** Only mail of this service, or only other mail; both unless said. */
  system?: boolean | null;
  /** The numbers of the decision. */
  inputs: Record<string, unknown>;
}

/**
 * Defers everything of a domain, or of one stream of it, that is still due until the given time, for the given reason; the
 * first `keep` messages of the domain stay due. Returns how many. What the cap deferred counts in the figures of the day. The
 * time of waiting does not count towards the age limit, but that of a pause or suspension does: mail that became too old
 * meanwhile expires when it is resumed.
 */
export async function deferAgain(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  now: Date,
  until: Date,
  { reason, stream = null, system = null, inputs }: DeferAgain,
  keep = 0,
): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: 'message-defer-again',
    text: `with waiting as (
             update messages m set deferred_until = $4, defer_reason = $5,
               expires_at = ${later('expires_at', `case when $5 in ('domain_paused', 'tenant_suspended') then interval '0' else $4 - $3 end`)},
               decisions = note_decision(m.decisions, $5, $3, m.attempts, $7::jsonb)
             where domain_id = $1 and tenant_id = $2 and state = 'deferred' and admitted_day is null
               and deferred_until <= $3 and ($6::text is null or stream = $6)
               and ($9::boolean is null or ${systemSql('origin')} = $9)
               and ($8 = 0 or id <> all (array(
                 select id from messages where domain_id = $1 and tenant_id = $2 and state = 'deferred'
                   and admitted_day is null and deferred_until <= $3 order by id limit $8)))
             returning ${simulatedSql('rcpt_to')} as simulated),
           counted as (select simulated, count(*)::int as count from waiting group by 1),
           added as (
             insert into domain_days as d (tenant_id, domain_id, day, simulated, deferred)
             select $2, $1, ($3::timestamptz at time zone 'UTC')::date, simulated, count from counted, ${HERE}
             where $5 = 'warmup_cap' order by simulated
             on conflict (domain_id, day, simulated) do update set deferred = d.deferred + excluded.deferred)
           select coalesce(sum(count), 0)::int as count from counted`,
    values: [domainId, tenantId, now, until, reason, stream, JSON.stringify(inputs), keep, system],
  });
  return rows[0]!.count;
}

/** Defers messages whose route has reached its sub-cap of today until the given time. */
export async function deferForRoute(
  client: pg.ClientBase,
  { tenantId }: DueDomain,
  over: { id: string; inputs: Record<string, unknown> }[],
  now: Date,
  until: Date,
): Promise<void> {
  await client.query({
    name: 'message-defer-for-route',
    text: `update messages m set deferred_until = $3, defer_reason = 'esp_cap', expires_at = ${later('expires_at', '($3 - now())')},
             decisions = note_decision(m.decisions, 'esp_cap', $4, m.attempts, q.inputs)
           from unnest($1::uuid[], $5::jsonb[]) as q(id, inputs)
           where m.id = q.id and m.tenant_id = $2 and m.state = 'deferred' and m.admitted_day is null`,
    values: [
      over.map(({ id }) => id),
      tenantId,
      until,
      now,
      over.map(({ inputs }) => JSON.stringify(inputs)),
    ],
  });
}
