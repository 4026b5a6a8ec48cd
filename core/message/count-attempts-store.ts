// Counts of attempts by day (attempt_days), changed in the transaction that changes what they count: so they are right after
// every crash. A message counts on the day of its first attempt, whenever it ends.
//
// Rows are locked after those of provider_days and before those of domain_days, in the order of their key, whoever writes.
// SQL by hand: many rows to a statement, prepared by name; this is the hot path.

import type pg from 'pg';

/**
 * CTEs that count a batch of outcomes: of `o` and `written` of RECORD, whose attempts lie between the ids `low` and `high`.
 * `returned` messages were counted as bounced with their report, if they had an attempt by then.
 */
export function countAttempts(low: string, high: string): string {
  return `
  tried as materialized (
    select o.tenant_id, w.domain_id, o.state, o.at, o.esp, w.attempts = 1 as is_first,
      coalesce(w.returned, false) as returned, f.at as first_at, f.esp as first_esp
    from o join written w on w.id = o.id
    left join lateral (
      select a.at, a.esp from message_attempts a
      where w.attempts > 1 and o.state in ('delivered', 'bounced') and a.message_id = o.id and a.attempt = 1
        and a.tenant_id = o.tenant_id and a.message_id between ${low} and ${high} limit 1) f on true
    where o.at is not null),
  counted_attempts as (
    insert into attempt_days as d (day, tenant_id, domain_id, esp, attempted, delivered, bounced, accepted)
    select day, tenant_id, domain_id, esp, sum(attempted), sum(delivered), sum(bounced), sum(accepted) from (
      select (at at time zone 'UTC')::date as day, tenant_id, domain_id, esp, is_first::int as attempted,
        (is_first and state = 'delivered' and not returned)::int as delivered,
        (is_first and (state = 'bounced' or returned))::int as bounced, (state = 'delivered')::int as accepted
      from tried where is_first or state = 'delivered'
      union all
      select (first_at at time zone 'UTC')::date, tenant_id, domain_id, first_esp, 0,
        (state = 'delivered')::int, (state = 'bounced')::int, 0
      from tried where first_at is not null and not returned) as parts
    where (select count(*) from providers) >= 0 -- after their locks
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (day, tenant_id, domain_id, esp) do update set attempted = d.attempted + excluded.attempted,
      delivered = d.delivered + excluded.delivered, bounced = d.bounced + excluded.bounced,
      accepted = d.accepted + excluded.accepted)`;
}

/**
 * Counts the one bounce or complaint that a message has, which the caller has locked: a complaint today, a bounce on the day of
 * the first attempt, and nothing before there is one. `state` is that before the report.
 */
export async function countReport(
  client: pg.ClientBase,
  message: { id: string; tenantId: string; domainId: string; state: string },
  type: 'bounced' | 'complaint',
): Promise<void> {
  await client.query({
    name: 'message-count-report',
    text: `insert into attempt_days as d (day, tenant_id, domain_id, esp, delivered, bounced, complained)
           select case when $4 = 'complaint' then (now() at time zone 'UTC')::date else (a.at at time zone 'UTC')::date end,
             $1, $3, case when $4 = 'complaint' then '' else a.esp end, case when $4 = 'bounced' and $5 = 'delivered' then -1 else 0 end,
             ($4 = 'bounced')::int, ($4 = 'complaint')::int
           from (select) as one left join lateral (
             select at, esp from message_attempts where message_id = $2 and tenant_id = $1 and attempt = 1) a on true
           where $4 = 'complaint' or a.at is not null
           on conflict (day, tenant_id, domain_id, esp) do update set delivered = d.delivered + excluded.delivered,
             bounced = d.bounced + excluded.bounced, complained = d.complained + excluded.complained`,
    values: [message.tenantId, message.id, message.domainId, type, message.state],
  });
}
