// The move of one message that waits for a retry and is tried at once, and why another one cannot be.
// SQL by hand: a conditional write that no two callers may see differently.

import type pg from 'pg';

import { suspendedSql } from '../tenant/suspended.ts';
import { BRAKE_STATE, type BrakeState } from './brake-state.ts';
import { HELD_UNTIL } from './message-columns.ts';
import { noteSql } from './note-decision.ts';
import { RETRIED_REASONS, type MessageState } from './states.ts';

/** Makes a message that waits for its next attempt, under an admission of today, due at once. False when it does not wait so. */
export async function makeDue(client: pg.ClientBase, tenantId: string, id: string): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'message-make-due',
    text: `update messages m set next_attempt_at = now(), ${noteSql('try_now')}
           where tenant_id = $1 and id = $2 and state = 'deferred' and claimed_by is null
             and admitted_day = (now() at time zone 'UTC')::date
             and next_attempt_at > now() and next_attempt_at < $3 and defer_reason = any($4)`,
    values: [tenantId, id, HELD_UNTIL, RETRIED_REASONS],
  });
  return rowCount === 1;
}

/** What decides whether a message may be tried now. */
export interface Waiting {
  state: MessageState;
  /** A sender has it. */
  isClaimed: boolean;
  /** It waits for its next attempt, and for nothing else. */
  isRetry: boolean;
  /** It has an admission of today's cap. */
  isAdmitted: boolean;
  isDue: boolean;
  isBulk: boolean;
  /** Since its last attempt; null before the first. */
  secondsSinceAttempt: number | null;
  domain: string | null;
  /** Its tenant is. */
  isSuspended: boolean;
  /** Verified and not paused. */
  maySend: boolean;
  brake: BrakeState;
}

/** Reads it; null without the message. */
export async function readWaiting(
  client: pg.ClientBase,
  tenantId: string,
  id: string,
): Promise<Waiting | null> {
  const { rows } = await client.query<Waiting>({
    name: 'message.waiting',
    text: `select m.state, m.claimed_by is not null as "isClaimed",
             m.state = 'deferred' and coalesce(m.defer_reason = any($3), false)
               and coalesce(m.next_attempt_at < $4, true) as "isRetry",
             coalesce(m.admitted_day = (now() at time zone 'UTC')::date, false) as "isAdmitted",
             coalesce(m.next_attempt_at <= now(), false) as "isDue", m.stream = 'bulk' as "isBulk",
             (select extract(epoch from now() - max(a.at))::float8 from message_attempts a
              where a.tenant_id = $1 and a.message_id = $2) as "secondsSinceAttempt",
             ${suspendedSql('m.tenant_id')} as "isSuspended", d.name as domain, coalesce(d.status = 'verified' and d.warmup_state <> 'paused', false) as "maySend",
             coalesce(${BRAKE_STATE}, 'off') as brake
           from messages m left join domains d on d.tenant_id = m.tenant_id and d.id = m.domain_id
           where m.tenant_id = $1 and m.id = $2`,
    values: [tenantId, id, RETRIED_REASONS, HELD_UNTIL],
  });
  return rows[0] ?? null;
}
