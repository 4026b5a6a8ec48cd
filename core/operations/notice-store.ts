// The outbox of notices to the operations chat. A notice is written in the transaction of the change that it
// reports: there is no change without its notice, and no notice without its change.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
import { RUNNING_CLOCK, later } from '../db/citus-forms.ts';

/** One notice. `event` names the change; a second notice of the same event is not written. */
export interface Notice {
  event: string;
  text: string;
}

/** A notice that is due, locked until the transaction ends. */
export interface DueNotice {
  id: string;
  event: string;
  text: string;
  attempts: number;
  createdAt: Date;
}

/** Writes notices inside the caller's transaction. */
export async function addNotices(client: pg.ClientBase, notices: Notice[]): Promise<void> {
  if (notices.length === 0) return;
  await client.query({
    name: 'notice-add',
    text: `insert into operations_notices (id, event, text)
           select * from unnest($1::uuid[], $2::text[], $3::text[]) on conflict (event) do nothing`,
    values: [
      notices.map(() => newUuid()),
      notices.map((notice) => notice.event),
      notices.map((notice) => notice.text),
    ],
  });
}

/**
 * The notice that is due for longest, locked; one that another scheduler is sending is passed over. A week-old notice
 * helps nobody (a chat that was configured late, or unavailable for as long): it is left, and retention removes it.
 */
export async function lockDueNotice(client: pg.ClientBase): Promise<DueNotice | null> {
  const { rows } = await client.query<DueNotice>({
    name: 'notice-lock-due',
    text: `select id, event, text, attempts, created_at as "createdAt" from operations_notices
           where next_attempt_at <= now() and created_at > now() - interval '7 days'
           order by next_attempt_at, id limit 1 for update skip locked`,
  });
  return rows[0] ?? null;
}

/** The chat has it. */
export async function markNoticeSent(client: pg.ClientBase, id: string): Promise<void> {
  await client.query({
    name: 'notice-sent',
    text: `update operations_notices
           set sent_at = clock.now, next_attempt_at = null, attempts = attempts + 1, last_error = null
           from ${RUNNING_CLOCK}
           where id = $1`,
    values: [id],
  });
}

/** It did not get through, and is due again later. */
export async function markNoticeFailed(
  client: pg.ClientBase,
  id: string,
  error: string,
  retryInMs: number,
): Promise<void> {
  await client.query({
    name: 'notice-failed',
    text: `update operations_notices
           set attempts = attempts + 1, last_error = $2,
               next_attempt_at = ${later('clock.now', `$3 * interval '1 millisecond'`)}
           from ${RUNNING_CLOCK}
           where id = $1`,
    values: [id, error, retryInMs],
  });
}

/** How many notices are not sent yet: for the metrics. */
export async function countWaitingNotices(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>({
    name: 'notice-count',
    text: 'select count(*)::int as waiting from operations_notices where next_attempt_at is not null',
  });
  return rows[0]!.waiting;
}
