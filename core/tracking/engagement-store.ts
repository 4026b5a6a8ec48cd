// The statements of opens, clicks and unsubscribes.
// SQL by hand: many rows to a statement (unnest), prepared by name; this is the hot path.

import type pg from 'pg';

import { OF_THIS_BUCKET } from '../db/service-tables.ts';
import { inTransaction } from '../db/transaction.ts';
import { insertEngagements, type EngagementEvent } from '../message/event-store.ts';
import { HASTE_SECONDS } from './machine.ts';

/** An open or click that was seen; recording it twice makes one event. */
export type Hit = EngagementEvent;

// One batch of a bucket at a time, over all processes: `domain_days` counts the first open of a message, and of two that are
// written at once neither would see the other. A batch takes some ten milliseconds.
const ONE_AT_A_TIME = `select pg_advisory_xact_lock(hashtext('postrider:engagement' || ${OF_THIS_BUCKET}))`;

/** Records hits in one transaction. Those of messages that are not kept any more are left out. */
export async function recordHits(pool: pg.Pool, hits: Hit[]): Promise<{ id: string; tenantId: string }[]> {
  return inTransaction(pool, async (client) => {
    await client.query(ONE_AT_A_TIME);
    return insertEngagements(client, hits, HASTE_SECONDS);
  });
}

/** Whom a message went to, or null when it is not kept any more. */
export async function selectRecipient(
  client: pg.PoolClient,
  tenantId: string,
  messageId: string,
): Promise<string | null> {
  const { rows } = await client.query<{ rcptTo: string }>({
    name: 'unsubscribe-recipient',
    text: 'select rcpt_to as "rcptTo" from messages where tenant_id = $1 and id = $2',
    values: [tenantId, messageId],
  });
  return rows[0]?.rcptTo ?? null;
}
