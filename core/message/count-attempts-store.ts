// Counts of attempts by day (attempt_days), changed in the transaction that changes what they count: so they are right after
// every crash. A message counts on the day of its first attempt, whenever it ends. Mail that is in no rate counts in
// `system_accepted` only, which is compared with the admissions of routes: the others make rates of the domain.
//
// Rows are locked after those of provider_days and before those of domain_days, in the order of their key, whoever writes.
// SQL by hand: many rows to a statement, prepared by name; this is the hot path.

import type pg from 'pg';

import { HERE } from '../db/citus-forms.ts';
import { ratedSql } from './rated.ts';

/**
 * CTEs that count a batch of outcomes: of `o` and `written` of RECORD, whose attempts lie between the ids `low` and `high`.
 * `returned` messages were counted as bounced with their report, if they had an attempt by then.
 */
export function countAttempts(low: string, high: string): string {
  return `
  tried as materialized (
    select o.tenant_id, w.domain_id, o.state, o.at, o.esp, ${ratedSql('w')} as is_rated,
      w.attempts = 1 and ${ratedSql('w')} as is_first,
      coalesce(w.returned, false) as returned, f.at as first_at, f.esp as first_esp
    from o join written w on w.id = o.id
    left join lateral (
      select a.at, a.esp from message_attempts a
      where w.attempts > 1 and ${ratedSql('w')} and o.state in ('delivered', 'bounced') and a.message_id = o.id and a.attempt = 1
        and a.tenant_id = o.tenant_id and a.message_id between ${low} and ${high} limit 1) f on true
    where o.at is not null),
  counted_attempts as (
    insert into attempt_days as d (day, tenant_id, domain_id, esp, attempted, delivered, bounced, accepted, system_accepted)
    select day, tenant_id, domain_id, esp, sum(attempted), sum(delivered), sum(bounced), sum(accepted), sum(system_accepted)
    from (
      select (at at time zone 'UTC')::date as day, tenant_id, domain_id, esp, is_first::int as attempted,
        (is_first and state = 'delivered' and not returned)::int as delivered,
        (is_first and (state = 'bounced' or returned))::int as bounced,
        (state = 'delivered' and is_rated)::int as accepted, (state = 'delivered' and not is_rated)::int as system_accepted
      from tried where is_first or state = 'delivered'
      union all
      select (first_at at time zone 'UTC')::date, tenant_id, domain_id, first_esp, 0,
        (state = 'delivered')::int, (state = 'bounced')::int, 0, 0
      from tried where first_at is not null and not returned) as parts, ${HERE}
    where (select count(*) from providers) >= 0 -- after their locks
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (day, tenant_id, domain_id, esp) do update set attempted = d.attempted + excluded.attempted,
      delivered = d.delivered + excluded.delivered, bounced = d.bounced + excluded.bounced,
      accepted = d.accepted + excluded.accepted, system_accepted = d.system_accepted + excluded.system_accepted
    returning 1)`;
}

/** A message that a report is about, which the caller has locked. `state` is that before the report. */
interface Reported {
  id: string;
  tenantId: string;
  domainId: string;
  state: string;
}

/** Counts the one complaint that a message has, today. */
export async function countComplaint(client: pg.ClientBase, { tenantId, domainId }: Reported): Promise<void> {
  await client.query({
    name: 'message-count-complaint',
    text: `insert into attempt_days as d (day, tenant_id, domain_id, esp, complained)
           values ((now() at time zone 'UTC')::date, $1, $2, '', 1)
           on conflict (day, tenant_id, domain_id, esp) do update set complained = d.complained + excluded.complained`,
    values: [tenantId, domainId],
  });
}

/** Counts the one bounce that a report says of a message, on the day of the first attempt, and nothing before there is one. */
export async function countReturn(
  client: pg.ClientBase,
  { id, tenantId, domainId, state }: Reported,
): Promise<void> {
  await client.query({
    name: 'message-count-return',
    text: `insert into attempt_days as d (day, tenant_id, domain_id, esp, delivered, bounced)
           select (a.at at time zone 'UTC')::date, a.tenant_id, $3::uuid, a.esp, $4::int, 1
           from message_attempts a where a.message_id = $2 and a.tenant_id = $1 and a.attempt = 1
           on conflict (day, tenant_id, domain_id, esp) do update set
             delivered = d.delivered + excluded.delivered, bounced = d.bounced + excluded.bounced`,
    values: [tenantId, id, domainId, state === 'delivered' ? -1 : 0],
  });
}
