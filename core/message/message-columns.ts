// What statements that read messages have in common.

import { BRAKE_STATE } from './brake-state.ts';
import { suspendedSql } from '../tenant/suspended.ts';
import { systemSql } from './origin.ts';

/** Held mail is due at the end of time: no release and no delivery finds it, and no day reserves admissions for it. */
export const HELD_UNTIL = '9999-12-31T00:00:00Z';

/** The tables; `m` is the message. */
export const MESSAGE_FROM = 'from messages m';

/** Name of the sending domain. One that was deleted since is named by the message itself. */
export const MESSAGE_DOMAIN = `coalesce((select d.name from domains d where d.id = m.domain_id and d.tenant_id = m.tenant_id),
  lower(substring(m.header_from from '@([^@>]+)>?$')))`;

/**
 * SQL: the reason that holds all mail of the domain in row `d`, or null. It replaces the reason of each message. `isSystem` is SQL
 * for whether the message is system mail, which a pause does not hold.
 */
export function heldSql(d: string, isSystem = 'false'): string {
  return `case when ${suspendedSql(`${d}.tenant_id`)} then 'tenant_suspended'
    when ${d}.status <> 'verified' or (${d}.warmup_state = 'paused' and not ${isSystem}) then 'domain_paused' end`;
}

/** SQL: the reason that holds message `m`, or null. */
export const HELD_BY = `(select ${heldSql('h', systemSql('m.origin'))} from domains h where h.id = m.domain_id and h.tenant_id = m.tenant_id)`;

/**
 * SQL: when mail goes on at the latest that the brake of the domain in row `d` holds; null while it holds nothing. A sender asks
 * every few seconds whether a message may go beside the brake, so its next attempt says nothing.
 */
export const BRAKED_UNTIL = `case when ${BRAKE_STATE} <> 'off'
  then (date_trunc('day', now() at time zone 'UTC') + interval '1 day') at time zone 'UTC' end`;

/**
 * When a deferred message is tried next: its admission (deferred_until) or, once admitted, its next attempt; the end of the day
 * while the brake of its domain holds it. Null while its tenant is suspended or its domain may not send: neither has an end date.
 */
export const DEFERRED_UNTIL = `case when m.state = 'deferred' and ${HELD_BY} is null then
  coalesce(
    case when m.defer_reason = 'brake' then (select ${BRAKED_UNTIL} from domains d where d.id = m.domain_id and d.tenant_id = m.tenant_id) end,
    m.deferred_until, m.next_attempt_at) end`;

// The current reason of a deferred message.
const DEFER_REASON = `case when m.state = 'deferred' then coalesce(${HELD_BY}, m.defer_reason) end`;

/** A MessageSummary. */
export const MESSAGE_SUMMARY = `m.id, m.group_id as "groupId", m.header_from as "from", m.rcpt_to as "to", m.subject, m.state as status, m.reason,
  ${DEFER_REASON} as "deferReason",
  ${DEFERRED_UNTIL} as "deferredUntil",
  ${MESSAGE_DOMAIN} as domain,
  m.campaign_id as "campaignId", m.template_id as "templateId", m.tags, m.created_at as "createdAt"`;
