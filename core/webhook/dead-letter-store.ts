// Dead letters: deliveries of inbound mail that failed for good, until somebody replays them or retention deletes them.
// SQL by hand: pages whose cost is that of an index, over joins that are written for it.

import type { Queryable } from '../db/pool.ts';

/** A dead letter as super-admins see it. Ids are UUIDs. */
export interface DeadLetter {
  id: string;
  tenantId: string;
  messageId: string;
  recipient: string;
  webhookUrl: string | null;
  attempts: number;
  lastStatusCode: number | null;
  lastError: string | null;
  firstAttemptAt: Date | null;
  deadLetteredAt: Date;
  sizeBytes: number;
}

/** One page of a tenant's dead letters, newest first. */
export async function listDeadLetters(
  db: Queryable,
  tenantId: string,
  page: { limit: number; before?: { at: Date; id: string } | undefined },
): Promise<DeadLetter[]> {
  const { rows } = await db.query<DeadLetter>({
    name: 'dead-letter-list',
    text: `select id, tenant_id as "tenantId", message_id as "messageId", recipient, webhook_url as "webhookUrl",
             attempts, last_status_code as "lastStatusCode", last_error as "lastError",
             first_attempt_at as "firstAttemptAt", dead_lettered_at as "deadLetteredAt", size_bytes as "sizeBytes"
           from webhook_deliveries
           where tenant_id = $1 and state = 'dead' and raw_id is not null
             and ($2::timestamptz is null or (dead_lettered_at, id) < ($2, $3::uuid))
           order by dead_lettered_at desc, id desc limit $4`,
    values: [tenantId, page.before?.at ?? null, page.before?.id ?? null, page.limit],
  });
  return rows;
}

/** What starts a delivery again at attempt 1. */
export const START_AGAIN = `state = 'pending', attempts = 0, next_attempt_at = now(), round_started_at = now(),
  first_attempt_at = null, dead_lettered_at = null, accepted_at = null, last_error = null, last_status_code = null`;

/** Starts one dead letter again at attempt 1. False when it is not there, or not dead. */
export async function replayRow(db: Queryable, tenantId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'dead-letter-replay',
    text: `update webhook_deliveries set ${START_AGAIN} where tenant_id = $1 and id = $2 and state = 'dead' and raw_id is not null`,
    values: [tenantId, id],
  });
  return rowCount === 1;
}

/** Starts all dead letters of a tenant again. Returns how many. */
export async function replayAllRows(db: Queryable, tenantId: string): Promise<number> {
  const { rowCount } = await db.query({
    name: 'dead-letter-replay-all',
    text: `update webhook_deliveries set ${START_AGAIN} where tenant_id = $1 and state = 'dead' and raw_id is not null`,
    values: [tenantId],
  });
  return rowCount ?? 0;
}
