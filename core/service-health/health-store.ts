// What needs an operator's attention in one bucket. Every statement reads a bounded part of an index, however much mail there is.
// SQL by hand: unions over indexes that are chosen for them.

import type { Queryable } from '../db/pool.ts';
import { STREAMS } from '../base/stream.ts';
import { BRAKE_STATE } from '../message/brake-state.ts';
import { HELD_UNTIL, heldSql } from '../message/message-columns.ts';
import { systemSql } from '../message/origin.ts';
import { ratedDaySql } from '../message/rated.ts';

/** Problems of a sending domain, the most urgent first. */
export const DOMAIN_PROBLEMS = ['paused', 'braked', 'dns_failing', 'high_bounces'] as const;

/** Problems of a tenant: those of its domains, webhooks that fail, and certificates of tracking hosts that expire soon. */
export const TENANT_PROBLEMS = [...DOMAIN_PROBLEMS, 'webhook_failing', 'certificate_expiring'] as const;

/** One problem of a tenant. */
export type TenantProblem = (typeof TENANT_PROBLEMS)[number];

/** Something of a tenant, by UUID and by the tenant's name. */
interface OfTenant {
  tenantId: string;
  tenant: string;
}

/** A domain with one of its problems. */
export interface TroubledDomain extends OfTenant {
  domainId: string;
  domain: string;
  problem: (typeof DOMAIN_PROBLEMS)[number];
  /** When the problem began; null for bounces. */
  since: Date | null;
  /** Why the domain is paused or braked, in words; else null. */
  reason: string | null;
  /** Share of the messages sent since yesterday, 00:00 UTC, that bounced; only for `high_bounces`. */
  bounceRate: number | null;
}

/** Mail of one domain that waits for one reason. */
export interface WaitingMail extends OfTenant {
  domainId: string;
  domain: string;
  /** A defer reason, or `queued` for mail that is due and that no sender has taken. */
  reason: string;
  count: number;
  /** When the oldest of these messages was accepted. */
  oldestAt: Date;
}

/** A webhook whose deliveries fail. */
export interface FailingWebhook extends OfTenant {
  /** UUID; null for the webhook of inbound mail. */
  id: string | null;
  url: string | null;
  since: Date;
  /** Whether the failures have turned it off. */
  isOff: boolean;
}

/** The certificate of a tenant's tracking host. */
export interface ExpiringCertificate extends OfTenant {
  domainId: string;
  name: string;
  expiresAt: Date;
  /** Why the last order failed; null if it did not. */
  problem: string | null;
}

/** Bounce rate above which a domain is listed. At 3 % the ramp pauses it (docs/warmup.md). */
const HIGH_BOUNCES = 0.02;
const LEAST_MAIL = 100; // with less, one bounce more is a percent
const MOST_COUNTED = 10_000; // waiting messages of one kind; with a million of them, all kinds take 160 ms
const MOST_TENANTS = 10_000;
const EXPIRY_DAYS = 21; // certificates are renewed 30 days before, so that nine days of failures are seen

const TODAY = `date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`;

// The time since which a webhook of inbound mail fails: that of the first attempt of its oldest delivery.
const FAILING_INBOUND = `
  select old.tenant_id, min(old.first_attempt_at) as since
  from (select w.tenant_id, w.first_attempt_at, w.message_id from webhook_deliveries w
        where w.state = 'pending' and w.round_started_at < now() - interval '10 minutes'
        order by w.round_started_at limit ${MOST_COUNTED}) old
  where old.message_id is not null and old.first_attempt_at is not null group by old.tenant_id`;

const EXPIRING = `h.certificate_expires_at < now() + interval '${EXPIRY_DAYS} days' and h.missing_since is null`;

// Each gives tenant_id, domain_id, domain, since, reason and rate.
const PROBLEMS: Readonly<Record<TenantProblem, string>> = {
  paused: `
    select d.tenant_id, d.id as domain_id, d.name as domain, (
        select h.at from warmup_history h where h.domain_id = d.id and h.tenant_id = d.tenant_id and h.action = 'pause'
        order by h.id desc limit 1) as since,
      d.paused_reason as reason, null::float8 as rate
    from domains d where d.warmup_state = 'paused'`,
  braked: `
    select d.tenant_id, d.id as domain_id, d.name as domain, d.brake_since as since, d.brake_reason as reason,
      null::float8 as rate
    from domains d where d.brake_since >= ${TODAY} and ${BRAKE_STATE} <> 'off'`,
  dns_failing: `
    select d.tenant_id, d.id as domain_id, d.name as domain, d.failing_since as since, null::text as reason,
      null::float8 as rate
    from domains d where d.failing_since is not null and d.verified_at is not null`,
  high_bounces: `
    select d.tenant_id, d.id as domain_id, d.name as domain, null::timestamptz as since, null::text as reason,
      sum(c.bounced)::float8 / sum(c.sent) as rate
    from domain_days c join domains d on d.id = c.domain_id and d.tenant_id = c.tenant_id
    where c.day >= (now() at time zone 'UTC')::date - 1 and ${ratedDaySql('c', 'd')}
    group by d.tenant_id, d.id, d.name
    having sum(c.sent) >= ${LEAST_MAIL} and sum(c.bounced) > ${HIGH_BOUNCES} * sum(c.sent)`,
  webhook_failing: `
    select e.tenant_id, null::uuid as domain_id, null::text as domain, e.failing_since as since, null::text as reason,
      null::float8 as rate
    from webhook_endpoints e
    where e.failing_since is not null and (e.enabled or e.disabled_reason is not null)
    union all
    select i.tenant_id, null, null, i.since, null, null from (${FAILING_INBOUND}) i`,
  certificate_expiring: `
    select h.tenant_id, h.domain_id, null::text as domain, null::timestamptz as since, h.problem as reason, null::float8 as rate
    from tracking_hosts h where ${EXPIRING}`,
};

/** Domains with a problem, at most `limit` for each problem: the latest first, of bounces the highest rate. */
export async function selectTroubledDomains(db: Queryable, limit: number): Promise<TroubledDomain[]> {
  const branches = DOMAIN_PROBLEMS.map(
    (problem) => `(select '${problem}' as problem, p.*, t.name as tenant
      from (${PROBLEMS[problem]}) p join tenants t on t.id = p.tenant_id and t.suspended_at is null
      order by p.rate desc nulls last, p.since desc nulls last, p.domain_id limit $1)`,
  );
  const { rows } = await db.query<TroubledDomain>({
    name: 'health-domains',
    text: `select problem, tenant_id as "tenantId", tenant, domain_id as "domainId", domain, since, reason,
             rate as "bounceRate"
           from (${branches.join(' union all ')}) found`,
    values: [limit],
  });
  return rows;
}

/** The problems of these tenants. */
export async function selectTenantProblems(
  db: Queryable,
  tenantIds: readonly string[],
): Promise<{ tenantId: string; problem: TenantProblem }[]> {
  const branches = TENANT_PROBLEMS.map(
    (problem) => `select p.tenant_id, '${problem}' as problem from (${PROBLEMS[problem]}) p`,
  );
  const { rows } = await db.query<{ tenantId: string; problem: TenantProblem }>({
    name: 'health-of-tenants',
    text: `select distinct found.tenant_id as "tenantId", found.problem
           from (${branches.join(' union all ')}) found where found.tenant_id = any($1::uuid[])`,
    values: [tenantIds],
  });
  return rows;
}

/** Tenants with a problem, MOST_TENANTS at most. */
export async function selectTroubledTenants(db: Queryable, problem: TenantProblem): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: `health-tenants-${problem}`,
    text: `select distinct p.tenant_id as id from (${PROBLEMS[problem]}) p limit ${MOST_TENANTS}`,
  });
  return rows.map(({ id }) => id);
}

// Waiting for a release by time, waiting without a time (a pause, a suspension), and due or waiting for a retry.
const WAITING = [
  `m.state = 'deferred' and m.admitted_day is null and m.deferred_until < '${HELD_UNTIL}' order by m.deferred_until`,
  `m.state = 'deferred' and m.admitted_day is null and m.deferred_until = '${HELD_UNTIL}'`,
  ...STREAMS.map(
    (stream) => `m.stream = '${stream}' and m.next_attempt_at is not null and m.admitted_day is not null
      and m.claimed_by is null order by m.next_attempt_at`,
  ),
].map(
  (which) => `(select m.tenant_id, m.domain_id, m.created_at, m.origin,
      case when m.state = 'deferred' then m.defer_reason else 'queued' end as reason,
      coalesce(m.deferred_until, m.next_attempt_at) as until
    from messages m where ${which} limit ${MOST_COUNTED})`,
);

/**
 * Waiting mail by domain and reason, at most `limit` rows, the oldest mail first. Mail that is scheduled for later is not counted,
 * nor is mail that is due for less than a minute.
 * Of each kind of waiting, MOST_COUNTED messages are read: those that are due first.
 */
export async function selectWaitingMail(db: Queryable, limit: number): Promise<WaitingMail[]> {
  const { rows } = await db.query<WaitingMail>({
    name: 'health-waiting',
    text: `select w."tenantId", (select t.name from tenants t where t.id = w."tenantId") as tenant, w."domainId", w.domain,
             w.reason, w.count, w."oldestAt"
           from (
             select w.tenant_id as "tenantId", w.domain_id as "domainId", d.name as domain,
               coalesce(${heldSql('d', 'w.system')}, w.reason, 'unknown') as reason, sum(w.count)::int as count,
               min(w.oldest) as "oldestAt"
             from (select m.tenant_id, m.domain_id, m.reason, ${systemSql('m.origin')} as system, count(*) as count,
                     min(m.created_at) as oldest
                   from (${WAITING.join(' union all ')}) m
                   where case when m.reason in ('scheduled', 'queued') then m.until < now() - interval '1 minute' else true end
                   group by 1, 2, 3, 4) w
             join domains d on d.id = w.domain_id and d.tenant_id = w.tenant_id
             group by 1, 2, 3, 4 order by 6, 2, 4 limit $1) w
           order by w."oldestAt", w."domainId", w.reason`,
    values: [limit],
  });
  return rows;
}

/** Webhooks that fail, of one tenant or of all (null), at most `limit`, the latest first. */
export async function selectFailingWebhooks(
  db: Queryable,
  tenantId: string | null,
  limit: number,
): Promise<FailingWebhook[]> {
  const { rows } = await db.query<FailingWebhook>({
    name: 'health-webhooks',
    text: `select f.tenant_id as "tenantId", t.name as tenant, f.id, f.url, f.since, f.off as "isOff"
           from (
             (select e.tenant_id, e.id, e.url, e.failing_since as since, not e.enabled as off from webhook_endpoints e
              where e.failing_since is not null and (e.enabled or e.disabled_reason is not null)
                and ($2::uuid is null or e.tenant_id = $2)
              order by e.failing_since desc limit $1)
             union all
             select i.tenant_id, null, e.url, i.since, not e.enabled from (${FAILING_INBOUND}) i
             join webhook_endpoints e on e.tenant_id = i.tenant_id and e.kind = 'inbound'
             where $2::uuid is null or e.tenant_id = $2) f
           join tenants t on t.id = f.tenant_id order by f.since desc, f.id limit $1`,
    values: [limit, tenantId],
  });
  return rows;
}

/** Certificates of tracking hosts, of one tenant or of all (null), that expire within EXPIRY_DAYS: at most `limit`, the first first. */
export async function selectExpiringCertificates(
  db: Queryable,
  tenantId: string | null,
  limit: number,
): Promise<ExpiringCertificate[]> {
  const { rows } = await db.query<ExpiringCertificate>({
    name: 'health-certificates',
    text: `select h.tenant_id as "tenantId", t.name as tenant, h.domain_id as "domainId", h.name,
             h.certificate_expires_at as "expiresAt", h.problem
           from tracking_hosts h join tenants t on t.id = h.tenant_id
           where ${EXPIRING} and ($2::uuid is null or h.tenant_id = $2)
           order by h.certificate_expires_at, h.domain_id limit $1`,
    values: [limit, tenantId],
  });
  return rows;
}
