// Deliveries as the tenant sees them beside a message.
// SQL by hand: pages whose cost is that of an index, over joins that are written for it.

import type pg from 'pg';

/** One delivery of one message. */
export interface ShownDelivery {
  /** UUID. */
  id: string;
  /** UUID of the inbound message. */
  messageId: string;
  state: 'pending' | 'accepted' | 'dead';
  attempts: number;
  /** Of one that is pending. */
  nextAttemptAt: Date | null;
  lastStatusCode: number | null;
  lastError: string | null;
}

/** The deliveries of these messages of a tenant. */
export async function selectDeliveriesOf(
  pool: pg.Pool,
  tenantId: string,
  messageIds: readonly string[],
): Promise<ShownDelivery[]> {
  const { rows } = await pool.query<ShownDelivery>({
    name: 'webhook-deliveries-of',
    text: `select d.id, d.message_id as "messageId", d.state, d.attempts, d.next_attempt_at as "nextAttemptAt",
             d.last_status_code as "lastStatusCode", d.last_error as "lastError"
           from inbound_messages m join webhook_deliveries d on d.raw_id = m.raw_id and d.message_id = m.id
           where m.tenant_id = $1 and d.tenant_id = $1 and m.id = any($2::uuid[]) order by d.id`,
    values: [tenantId, messageIds],
  });
  return rows;
}
