// The statements of delivery: claim what is due, record how it ended. Each is one statement and so one transaction.
//
// `messages` is partitioned by id. A join alone would look into every partition for every row, so statements about
// known ids also name the lowest and the highest of them: the planner then opens only the partitions in between.
// SQL by hand: many rows to a statement (unnest), prepared by name; this is the hot path.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
import { STREAMS, type Stream } from '../base/stream.ts';
import { HERE, later } from '../db/citus-forms.ts';
import type { Claim } from './claim.ts';
import { countAttempts } from './count-attempts-store.ts';
import { COUNTED_HERE, EVENT_COLUMNS, eventEffects } from './event-effects.ts';
import { boundsOfGroups } from './group-id.ts';
import { ratedSql } from './rated.ts';
import type { Outcome } from './outcome.ts';
import { toRow, type OutcomeRow } from './outcome-row.ts';

/**
 * How much to claim: messages of both streams together, at most so many of each, at most so many octets. Bulk mail
 * gets a quarter on top of a full load of transactional mail: that goes first, but cannot starve the other.
 */
export interface ClaimLimits {
  messages: number;
  transactional: number;
  bulk: number;
  octets: number;
}

// Only mail admitted today is claimed: what was admitted earlier needs an admission of today first (the release). A later
// day is one whose cap an operator took ahead of time (`cli job run release-deferred --now`).
const ADMITTED_NOW = `admitted_day >= (now() at time zone 'UTC')::date`;

const CLAIM_COLUMNS = `m.id, m.group_id as "groupId", m.tenant_id as "tenantId", m.domain_id as "domainId", m.stream, m.origin,
  m.claim_version as "claimVersion", s.day as "admittedDay", m.attempts, m.rcpt_to as "rcptTo", m.header_from as "headerFrom", m.esp,
  m.campaign_id as "campaignId", m.template_version as "templateVersion", m.created_at as "createdAt",
  m.expires_at as "expiresAt"`;

/**
 * Claims due messages for a worker, transactional ones first, the longest due first. Rows that another worker is
 * claiming are skipped. The octet limit lets at least one message through.
 */
export async function claimDue(pool: pg.Pool, workerId: string, limits: ClaimLimits): Promise<Claim[]> {
  const { rows } = await pool.query<Claim>({
    name: 'message-claim-due',
    text: `with transactional as materialized (
             select id, tenant_id, coalesce(group_id, id) as content_id, admitted_day, 0 as rank, next_attempt_at from messages
             where stream = 'transactional' and next_attempt_at <= now() and claimed_by is null and ${ADMITTED_NOW}
             order by next_attempt_at limit $5 for update skip locked),
           bulk as materialized (
             select id, tenant_id, coalesce(group_id, id) as content_id, admitted_day, 1 as rank, next_attempt_at from messages
             where stream = 'bulk' and next_attempt_at <= now() and claimed_by is null and ${ADMITTED_NOW}
             order by next_attempt_at limit least($3, greatest($2 - (select count(*) from transactional), $2 / 4))
             for update skip locked),
           due as (select * from transactional union all select * from bulk),
           ${claimOf('due', 'd.rank, d.next_attempt_at', '$4')}`,
    values: [workerId, limits.messages, limits.bulk, limits.octets, limits.transactional],
  });
  return rows;
}

// Of a message's content in memory.
const OCTETS = `coalesce(c.plain_octets, octet_length(c.content), 0)`;

// Claims the rows of a CTE, in this order, as many as the octets of a parameter hold and at least one.
function claimOf(due: string, order: string, octets: string): string {
  return `sized as materialized (
      select d.id, d.tenant_id, d.admitted_day::text as day, coalesce(c.content, '') as content, ${OCTETS} as own,
        row_number() over due as place, sum(${OCTETS}) over due as octets
      from ${due} d
      left join message_contents c on c.message_id = d.content_id and c.tenant_id = d.tenant_id
      window due as (order by ${order}, d.id rows unbounded preceding))
    update messages m set state = 'sending', claimed_by = $1, claim_version = m.claim_version + 1
    from sized s
    where m.id = s.id and m.tenant_id = s.tenant_id and (s.octets <= ${octets} or s.place = 1)
    returning ${CLAIM_COLUMNS}, s.content, s.own as octets`;
}

/** The mail of one domain in one stream. */
export interface DueDomain {
  stream: Stream;
  tenantId: string;
  domainId: string;
}

/** How many messages to claim of a domain. */
export interface DomainShare extends DueDomain {
  most: number;
}

const MAX_DUE_DOMAINS = 5_000; // of each stream, about 0.1 ms each

/** The domains that have due messages: one look into the index for each that has mail which waits for any attempt. */
export async function findDueDomains(
  pool: pg.Pool,
  streams: readonly Stream[] = STREAMS,
): Promise<DueDomain[]> {
  const open = 'next_attempt_at is not null and admitted_day is not null and claimed_by is null';
  const { rows } = await pool.query<DueDomain>({
    name: 'message-find-due-domains',
    text: `with recursive sends as (
             select s.stream, l.tenant_id, l.domain_id, 1 as place
             from unnest($2::text[]) as s(stream) cross join lateral (
               select tenant_id, domain_id from messages where stream = s.stream and ${open}
               order by tenant_id, domain_id limit 1) l
             union all
             select p.stream, l.tenant_id, l.domain_id, p.place + 1 from sends p cross join lateral (
               select tenant_id, domain_id from messages
               where stream = p.stream and ${open} and (tenant_id, domain_id) > (p.tenant_id, p.domain_id)
               order by tenant_id, domain_id limit 1) l
             where p.place < $1)
           select stream, tenant_id as "tenantId", domain_id as "domainId" from sends
           where exists (select 1 from messages m where m.stream = sends.stream and m.tenant_id = sends.tenant_id
             and m.domain_id = sends.domain_id and m.next_attempt_at <= now() and m.claimed_by is null and m.${ADMITTED_NOW})`,
    values: [MAX_DUE_DOMAINS, streams],
  });
  return rows;
}

/** Claims the longest due messages of each domain, as many as its share says; transactional ones first, domains in turns. */
export async function claimByDomain(
  pool: pg.Pool,
  workerId: string,
  shares: DomainShare[],
  octets: number,
): Promise<Claim[]> {
  const { rows } = await pool.query<Claim>({
    name: 'message-claim-by-domain',
    text: `with share as materialized (
             select * from unnest($2::text[], $3::uuid[], $4::uuid[], $5::int[])
               as s(stream, tenant_id, domain_id, most)),
           due as materialized (
             select d.*, (s.stream = 'bulk')::int as rank,
               row_number() over (partition by s.stream, s.domain_id order by d.next_attempt_at) as turn
             from share s cross join lateral (
               select id, tenant_id, coalesce(group_id, id) as content_id, admitted_day, next_attempt_at from messages
               where stream = s.stream and tenant_id = s.tenant_id and domain_id = s.domain_id
                 and next_attempt_at <= now() and claimed_by is null and ${ADMITTED_NOW}
               order by next_attempt_at limit s.most for update skip locked) d),
           ${claimOf('due', 'd.rank, d.turn', '$6')}`,
    values: [
      workerId,
      shares.map(({ stream }) => stream),
      shares.map(({ tenantId }) => tenantId),
      shares.map(({ domainId }) => domainId),
      shares.map(({ most }) => most),
      octets,
    ],
  });
  return rows;
}

// A wake-up is timed by a clock that was compared with the database's seconds ago.
const EARLY_MS = 250;

/**
 * Claims those of the named messages that are due and free, as many as so many octets of content hold and at least one:
 * 50 recipients of one large message may be due at once. The others stay due.
 */
export async function claimByIds(
  pool: pg.Pool,
  workerId: string,
  wanted: { id: string; tenantId: string }[],
  octets: number,
  streams: readonly Stream[] = STREAMS,
): Promise<Claim[]> {
  const ids = wanted.map((one) => one.id);
  const { rows } = await pool.query<Claim>({
    name: 'message-claim-by-ids',
    text: `with free as materialized (
             select m.id, m.tenant_id, coalesce(m.group_id, m.id) as content_id, m.admitted_day::text as day
             from unnest($2::uuid[], $3::uuid[]) as q(id, tenant_id)
             join messages m on m.id = q.id and m.tenant_id = q.tenant_id and m.id between $4 and $5
             where m.claimed_by is null and m.stream = any($8) and m.next_attempt_at <= now() + $6 * interval '1 millisecond'
               and m.${ADMITTED_NOW}
             for update of m skip locked),
           sized as materialized (
             select f.id, f.tenant_id, f.day, coalesce(c.content, '') as content, ${OCTETS} as own,
               row_number() over named as place, sum(${OCTETS}) over named as octets
             from free f left join message_contents c
               on c.message_id = f.content_id and c.tenant_id = f.tenant_id and c.message_id between $4 and $5
             window named as (order by f.id rows unbounded preceding))
           update messages m set state = 'sending', claimed_by = $1, claim_version = m.claim_version + 1
           from sized s
           where m.id = s.id and m.tenant_id = s.tenant_id and m.id between $4 and $5
             and (s.octets <= $7 or s.place = 1)
           returning ${CLAIM_COLUMNS}, s.content, s.own as octets`,
    values: [
      workerId,
      ids,
      wanted.map((one) => one.tenantId),
      ...boundsOfGroups(ids),
      EARLY_MS,
      octets,
      streams,
    ],
  });
  return rows;
}

/**
 * Records how claims ended: the state, the attempt, its counts, the event and the suppression of each, all in one transaction.
 * Returns the ids that were written. What is missing was fenced off: another worker has claimed the message since,
 * and nothing at all is written of it here.
 */
export async function recordOutcomes(pool: pg.Pool, outcomes: Outcome[]): Promise<Set<string>> {
  const rows = outcomes.map((outcome) => toRow(outcome, newUuid()));
  const column = <K extends keyof OutcomeRow>(key: K) => rows.map((row) => row[key]);
  const ids = column('id');
  const { rows: written } = await pool.query<{ id: string }>({
    name: 'message-record-outcomes',
    text: RECORD,
    values: [...NAMES.map((name) => column(name)), ...boundsOfGroups(ids)],
  });
  return new Set(written.map((row) => row.id));
}

// The columns of a batch of outcomes, with their SQL types; in SQL their names are in snake case.
const COLUMNS = {
  id: 'uuid',
  tenantId: 'uuid',
  claimVersion: 'int',
  state: 'text',
  reason: 'text',
  deferReason: 'text',
  retryInMs: 'float8',
  at: 'timestamptz',
  durationMs: 'int',
  esp: 'text',
  mx: 'text',
  tls: 'text',
  tlsVerified: 'boolean',
  tlsPolicy: 'text',
  certificate: 'jsonb',
  command: 'text',
  smtpCode: 'smallint',
  enhancedCode: 'text',
  reply: 'text',
  bounceClass: 'text',
  eventId: 'uuid',
  eventData: 'jsonb',
  suppress: 'text',
  provider: 'text',
  countedReply: 'text',
  source: 'text',
  sourceName: 'text',
  rule: 'text',
  inputs: 'jsonb',
} as const satisfies Partial<Record<keyof OutcomeRow, string>>;

const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
const ARRAYS = Object.values(COLUMNS).map((type, n) => `$${n + 1}::${type}[]`);
const SQL_NAMES = NAMES.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

const LOW = `$${NAMES.length + 1}`;
const HIGH = `$${NAMES.length + 2}`;
const RETRY_AT = later('o.now', `o.retry_in_ms * interval '1 millisecond'`);

// In the order in which rows are locked: messages, provider_days, attempt_days, suppressions, domain_days (`eventEffects`).
const RECORD = `
  with o as materialized (
    select o.*, now() as now from unnest(${ARRAYS.join(', ')}) as o(${SQL_NAMES.join(', ')}), ${COUNTED_HERE}),
  written as (
    update messages m
    set state = o.state, reason = coalesce(o.reason, m.reason), defer_reason = o.defer_reason, claimed_by = null,
        attempts = m.attempts + (o.at is not null)::int, deferred_until = null,
        next_attempt_at = ${RETRY_AT},
        finished_at = case when o.retry_in_ms is null then o.now end,
        decisions = case when o.rule is null then m.decisions
          else note_decision(m.decisions, o.rule, o.now, m.attempts, o.inputs) end
    from o
    where m.id = o.id and m.tenant_id = o.tenant_id and m.claim_version = o.claim_version
      and m.state = 'sending' and m.claimed_by is not null and m.id between ${LOW} and ${HIGH}
    returning m.id, m.tenant_id, m.attempts, m.stream, m.origin, m.domain_id, m.campaign_id, m.rcpt_to, m.returned),
  attempt as (
    insert into message_attempts (message_id, attempt, tenant_id, at, duration_ms, esp, mx, tls, tls_verified, tls_policy,
      certificate, command, smtp_code, enhanced_code, reply, outcome, bounce_class, provider, source, source_name, retry_at)
    select o.id, w.attempts, o.tenant_id, o.at, o.duration_ms, o.esp, o.mx, o.tls, o.tls_verified, o.tls_policy,
      o.certificate, o.command, o.smtp_code, o.enhanced_code, o.reply, o.state, o.bounce_class, o.provider,
      o.source, o.source_name, ${RETRY_AT}
    from o join written w on w.id = o.id, ${HERE} where o.at is not null),
  event as (
    insert into events (id, tenant_id, type, message_id, domain_id, campaign_id, recipient, occurred_at, data)
    select o.event_id, o.tenant_id, o.state, o.id, w.domain_id, w.campaign_id, w.rcpt_to, o.now, o.event_data
    from o join written w on w.id = o.id, ${HERE} where o.event_id is not null
    ${EVENT_COLUMNS}),
  providers as (
    insert into provider_days as p (tenant_id, day, provider, sent, delivered, deferred, bounced, replies)
    select c.tenant_id, c.day, c.provider, c.sent, c.delivered, c.deferred, c.bounced,
      merge_replies('{}', coalesce(r.replies, '{}'))
    from (
      select o.tenant_id, (o.now at time zone 'UTC')::date as day, o.provider, count(*) filter (where w.attempts = 1) as sent,
        count(*) filter (where o.state = 'delivered') as delivered,
        count(*) filter (where o.state = 'deferred') as deferred,
        count(*) filter (where o.state = 'bounced') as bounced
      from o join written w on w.id = o.id where o.provider is not null and ${ratedSql('w')} group by 1, 2, 3) c
    left join (
      select tenant_id, provider, jsonb_object_agg(counted_reply, times) as replies from (
        select o.tenant_id, o.provider, o.counted_reply, count(*) as times
        from o join written w on w.id = o.id where o.counted_reply is not null group by 1, 2, 3) said
      group by 1, 2) r on r.tenant_id = c.tenant_id and r.provider = c.provider, ${HERE}
    order by c.tenant_id, c.provider
    on conflict (tenant_id, day, provider) do update set
      sent = p.sent + excluded.sent, delivered = p.delivered + excluded.delivered,
      deferred = p.deferred + excluded.deferred, bounced = p.bounced + excluded.bounced,
      replies = merge_replies(p.replies, excluded.replies)
    returning 1),${countAttempts(LOW, HIGH)},
  suppression as (
    insert into suppressions as s (tenant_id, email, reason, source_message_id, created_at)
    select distinct on (o.tenant_id, o.suppress) o.tenant_id, o.suppress, 'bounce', o.id, o.now
    from o join written w on w.id = o.id, ${HERE} where o.suppress is not null
    order by o.tenant_id, o.suppress
    on conflict (tenant_id, email) do update
    set reason = excluded.reason, stream = excluded.stream, source_message_id = excluded.source_message_id
    where s.stream = 'bulk'
    returning 1),
  ${eventEffects({ message: 'join written m on m.id = a.message_id', after: ['counted_attempts', 'suppression'] })}
  select id from written`;
