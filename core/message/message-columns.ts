// What statements that read messages have in common.

import { suspendedSql } from '../tenant/suspended.ts';

/** Held mail is due at the end of time: no release and no delivery finds it, and no day reserves admissions for it. */
export const HELD_UNTIL = '9999-12-31T00:00:00Z';

/** The tables; `m` is the message. */
export const MESSAGE_FROM = 'from messages m';

/** Name of the sending domain. One that was deleted since is named by the message itself. */
export const MESSAGE_DOMAIN = `coalesce((select d.name from domains d where d.id = m.domain_id and d.tenant_id = m.tenant_id),
  lower(substring(m.header_from from '@([^@>]+)>?$')))`;

const IS_SUSPENDED = suspendedSql('m.tenant_id');

/**
 * A deferred message waits for its admission (deferred_until) or, once admitted, for its next attempt. Null while its tenant is
 * suspended: a suspension has no end date.
 */
export const DEFERRED_UNTIL = `case when m.state = 'deferred' and not ${IS_SUSPENDED} then coalesce(m.deferred_until, m.next_attempt_at) end`;

// All that waits does so for the end of a suspension, whatever it waited for before.
const DEFER_REASON = `case when m.state = 'deferred' then case when ${IS_SUSPENDED} then 'tenant_suspended' else m.defer_reason end end`;

/** A MessageSummary. */
export const MESSAGE_SUMMARY = `m.id, m.group_id as "groupId", m.header_from as "from", m.rcpt_to as "to", m.subject, m.state as status, m.reason,
  ${DEFER_REASON} as "deferReason",
  ${DEFERRED_UNTIL} as "deferredUntil",
  ${MESSAGE_DOMAIN} as domain,
  m.campaign_id as "campaignId", m.template_id as "templateId", m.tags, m.created_at as "createdAt"`;
