// The ends of waiting: mail that a pause, a suspension, the brake, the sender rules or a full day held is due at once.
// sender/release/release.ts admits it.
// SQL by hand: PostgreSQL's clock decides, and the rows of a domain are changed in one statement.

import type pg from 'pg';

import { HELD_UNTIL } from './message-columns.ts';
import { noteSql } from './note-decision.ts';
import type { DueDomain } from './release-store.ts';
import type { HeldReason } from './states.ts';

/** What ends each of these reasons, as it is noted. */
const RESUMED = { domain_paused: 'domain_resumed', tenant_suspended: 'tenant_reactivated' } as const;

/** Makes deferred mail of a domain that was held for this reason go to the release at once. */
export async function resumeUnadmitted(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  reason: HeldReason,
): Promise<void> {
  await client.query({
    name: 'message-resume-unadmitted',
    text: `update messages m set deferred_until = now(), ${noteSql('$4')}
           where domain_id = $1 and tenant_id = $2 and state = 'deferred' and admitted_day is null
             and defer_reason = $3 and deferred_until > now() and deferred_until < $5`,
    values: [domainId, tenantId, reason, RESUMED[reason], HELD_UNTIL],
  });
}

/** Makes admitted mail of a domain that was held for this reason due for delivery at once. */
export async function resumeAdmitted(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  reason: HeldReason,
): Promise<void> {
  await client.query({
    name: 'message-resume-admitted',
    text: `update messages m set next_attempt_at = now(), ${noteSql('$4')}
           where domain_id = $1 and tenant_id = $2 and state = 'deferred' and admitted_day is not null
             and defer_reason = $3 and next_attempt_at > now() and next_attempt_at < $5`,
    values: [domainId, tenantId, reason, RESUMED[reason], HELD_UNTIL],
  });
}

/** Makes mail due that waits for the brake of its domain, admitted or not; without `bulk` only transactional mail. */
export async function resumeBraked(client: pg.ClientBase, domain: DueDomain, bulk: boolean): Promise<void> {
  await resumeBrakedUnadmitted(client, domain, bulk);
  await resumeBrakedAdmitted(client, domain, bulk);
}

/** Makes mail that waits for the brake of its domain go to the release at once; without `bulk` only transactional mail. */
export async function resumeBrakedUnadmitted(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  bulk: boolean,
): Promise<void> {
  await client.query({
    name: 'message-resume-braked-unadmitted',
    text: `update messages m set deferred_until = now(), ${noteSql('brake_released')}
           where domain_id = $1 and tenant_id = $2 and state = 'deferred' and admitted_day is null
             and defer_reason = 'brake' and (stream = 'transactional' or $3)
             and deferred_until > now() and deferred_until < $4`,
    values: [domainId, tenantId, bulk, HELD_UNTIL],
  });
}

/** Makes admitted mail that waits for the brake of its domain due for delivery at once. */
export async function resumeBrakedAdmitted(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  bulk: boolean,
): Promise<void> {
  await client.query({
    name: 'message-resume-braked-admitted',
    text: `update messages m set next_attempt_at = now(), ${noteSql('brake_released')}
           where domain_id = $1 and tenant_id = $2 and state = 'deferred'
             and admitted_day = (now() at time zone 'UTC')::date and claimed_by is null
             and defer_reason = 'brake' and (stream = 'transactional' or $3)
             and next_attempt_at > now() and next_attempt_at < $4`,
    values: [domainId, tenantId, bulk, HELD_UNTIL],
  });
}

/** Makes mail that waits for the sender rules of its domain go to the release at once. */
export async function resumeRuled(client: pg.ClientBase, { tenantId, domainId }: DueDomain): Promise<void> {
  await client.query({
    name: 'message-resume-ruled',
    text: `update messages m set deferred_until = now(), ${noteSql('rules_met')}
           where domain_id = $1 and tenant_id = $2 and state = 'deferred' and admitted_day is null
             and defer_reason = 'sender_rules' and deferred_until > now() and deferred_until < $3`,
    values: [domainId, tenantId, HELD_UNTIL],
  });
}

/** How many more messages today's cap of a domain has room for. */
export interface Room extends DueDomain {
  total: number;
  /** Of these, campaign mail. */
  bulk: number;
}

/**
 * Makes the oldest mail that waits for the cap due at once, as far as there is room: transactional mail first. Returns how
 * many.
 */
export async function resumeCapped(client: pg.ClientBase, rooms: Room[]): Promise<number> {
  const waiting = (stream: 'transactional' | 'bulk', limit: string) => `(
    select id, stream from messages
    where domain_id = r.domain_id and tenant_id = r.tenant_id and state = 'deferred' and admitted_day is null
      and defer_reason = 'warmup_cap' and deferred_until > now() and deferred_until < $5 and stream = '${stream}'
    order by id limit ${limit})`;
  const { rowCount } = await client.query({
    name: 'message-resume-capped',
    text: `with chosen as materialized (
             select r.tenant_id, w.id from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[]) as r(tenant_id, domain_id, total, bulk)
             cross join lateral (
               select id from (${waiting('transactional', 'r.total')} union all ${waiting('bulk', 'least(r.bulk, r.total)')}) as w
               order by stream = 'bulk', id limit r.total) as w)
           update messages m set deferred_until = now(), ${noteSql('room_made')}
           from chosen where m.id = chosen.id and m.tenant_id = chosen.tenant_id and m.state = 'deferred'
             and m.admitted_day is null`,
    values: [
      rooms.map((one) => one.tenantId),
      rooms.map((one) => one.domainId),
      rooms.map((one) => one.total),
      rooms.map((one) => one.bulk),
      HELD_UNTIL,
    ],
  });
  return rowCount ?? 0;
}
