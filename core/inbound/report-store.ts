// What a report (DSN, ARF) does beside its message: a suppression, and what is noted of the report itself, in the
// transaction of whoever calls. SQL by hand, like the statements about the message that stand in the same transaction.

import type pg from 'pg';

import type { ReportedMessage } from '../message/report-store.ts';
import { addSuppressions } from '../suppression/suppression-store.ts';

/** Suppresses the recipient of a message. `email` is normalized. */
export async function suppress(
  client: pg.PoolClient,
  message: ReportedMessage,
  email: string,
  reason: 'bounce' | 'complaint',
): Promise<void> {
  await addSuppressions(client, [{ tenantId: message.tenantId, email, reason, sourceMessageId: message.id }]);
}

/** Notes on the inbound message what its report came to. */
export async function setOutcome(
  client: pg.PoolClient,
  tenantId: string,
  inboundMessageId: string,
  outcome: string,
): Promise<void> {
  await client.query({
    name: 'report-outcome',
    text: 'update inbound_messages set outcome = $3 where tenant_id = $1 and id = $2',
    values: [tenantId, inboundMessageId, outcome],
  });
}
