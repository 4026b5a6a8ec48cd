// How each kind is measured: for the rules of `r`, one row for each subject that is near its threshold, from counters and
// indexes that are there. What a round costs depends on how many rules, domains, webhooks and keys there are, not on mail.

import { ratedDaySql } from '../message/rated.ts';
import type { AlertKind } from './alert-kinds.ts';

const MIN_MAIL = 100; // with less, one bounce more is a percent
const LOOKED_AT = 50; // waiting messages of a domain: behind so many that are scheduled, one more is found when those are gone

// A rule of a domain stands for that domain instead of the rule of all.
const concerns = (domain: string) => `(r.domain_id = ${domain} or r.domain_id is null and not exists (
  select from alert_rules own where own.tenant_id = r.tenant_id and own.kind = r.kind and own.domain_id = ${domain}))`;

const minutesSince = (time: string) => `extract(epoch from now() - ${time}) / 60`;

const rate = (part: string, whole: string) => `
  select r.id as rule_id, d.id as subject_id, d.id as domain_id, d.name as subject, c.rate as value
  from r cross join lateral (
    select day.domain_id, 100.0 * sum(day.${part}) / nullif(sum(day.${whole}), 0) as rate
    from domain_days day join domains own on own.id = day.domain_id
    where day.tenant_id = r.tenant_id and day.day >= (now() at time zone 'UTC')::date - 1
      and ${ratedDaySql('day', 'own')}
    group by day.domain_id having sum(day.${whole}) >= ${MIN_MAIL}) c
  join domains d on d.id = c.domain_id and d.tenant_id = r.tenant_id
  where ${concerns('d.id')}`;

/** Each as a SELECT of rule_id, subject_id, domain_id, subject and value; parameters $3 and $4 are plans and their caps. */
export const MEASURES: Readonly<Record<AlertKind, string>> = {
  bounce_rate: rate('bounced', 'sent'),
  complaint_rate: rate('complained', 'delivered'),
  block_rate: rate('blocked', 'sent'),
  waiting_age: `
    select r.id as rule_id, d.id as subject_id, d.id as domain_id, d.name as subject, ${minutesSince('oldest.at')} as value
    from r join domains d on d.tenant_id = r.tenant_id and d.verified_at is not null
    cross join lateral (
      select min(at) as at from (
        (select first.created_at as at from (
           select m.created_at, m.defer_reason from messages m
           where m.domain_id = d.id and m.state = 'deferred' and m.admitted_day is null order by m.id limit ${LOOKED_AT}) first
         where first.defer_reason is distinct from 'scheduled')
        union all
        (select m.next_attempt_at from unnest(array['transactional', 'bulk']) s(stream) cross join lateral (
           select q.next_attempt_at from messages q
           where q.stream = s.stream and q.tenant_id = d.tenant_id and q.domain_id = d.id
             and q.next_attempt_at is not null and q.admitted_day is not null and q.claimed_by is null
           order by q.next_attempt_at limit 1) m
         where m.next_attempt_at < now())) waiting) oldest
    where oldest.at is not null and ${concerns('d.id')}`,
  webhook_failing: `
    select r.id as rule_id, e.id as subject_id, null::uuid as domain_id, coalesce(e.url, 'for inbound mail') as subject,
      ${minutesSince('failing.since')} as value
    from r join webhook_endpoints e on e.tenant_id = r.tenant_id
    cross join lateral (
      select case when e.kind = 'inbound' then (
          select min(first.first_attempt_at) from (
            select w.first_attempt_at from webhook_deliveries w
            where e.enabled and w.endpoint_id = e.tenant_id and w.state = 'pending' and w.claimed_until is null
            order by w.next_attempt_at limit ${LOOKED_AT}) first)
        when e.enabled or e.disabled_reason is not null then e.failing_since end as since) failing
    where failing.since is not null`,
  dns_broken: `
    select r.id as rule_id, d.id as subject_id, d.id as domain_id, d.name as subject, ${minutesSince('d.failing_since')} as value
    from r join domains d on d.tenant_id = r.tenant_id and d.verified_at is not null and d.failing_since is not null
    where ${concerns('d.id')}`,
  key_unused: `
    select r.id as rule_id, k.id as subject_id, null::uuid as domain_id, k.name as subject,
      ${minutesSince('coalesce(k.last_used_at, k.created_at)')} / 1440 as value
    from r join api_keys k on k.tenant_id = r.tenant_id and k.revoked_at is null and coalesce(k.expires_at > now(), true)`,
  key_refused: `
    select r.id as rule_id, k.id as subject_id, null::uuid as domain_id, k.name as subject, k.refused_count::float8 as value
    from r join api_keys k on k.tenant_id = r.tenant_id and k.revoked_at is null and k.refused_at > now() - interval '1 day'`,
  quota: `
    select r.id as rule_id, t.id as subject_id, null::uuid as domain_id, t.name as subject, 100.0 * u.used / p.cap as value
    from r join tenants t on t.id = r.tenant_id
    join tenant_usage u on u.tenant_id = t.id and u.month = date_trunc('month', now() at time zone 'UTC')::date
    join unnest($3::text[], $4::float8[]) as p(plan, cap) on p.plan = t.plan`,
};
