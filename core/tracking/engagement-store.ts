// The statements of opens, clicks and unsubscribes.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { HASTE_SECONDS } from './machine.ts';

/** An open or click that was seen. */
export interface Hit {
  /** UUID of the event it becomes: recording the same hit twice makes one event. */
  id: string;
  type: 'open' | 'click';
  tenantId: string;
  messageId: string;
  at: Date;
  /** Whether the request itself says that no person made it. */
  machine: boolean;
  data: { url?: string; user_agent: string; ip: string };
}

// One batch at a time, over all processes: `domain_days` counts the first open of a message, and of two that are
// written at once neither would see the other. A batch takes some ten milliseconds.
const TAKE_TURNS = "select pg_advisory_xact_lock(hashtext('postrider:engagement'))";

const RECORD = `
  insert into events (id, tenant_id, type, message_id, domain_id, campaign_id, recipient, occurred_at, data)
  select h.id, h.tenant_id, h.type, m.id, m.domain_id, m.campaign_id, m.rcpt_to, h.at,
    h.data || jsonb_build_object('machine_' || h.type, h.machine or (
      lower(m.rcpt_to) not like '%@simulator.test'
      and (m.finished_at is null or h.at < m.finished_at + make_interval(secs => ${HASTE_SECONDS}))))
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::timestamptz[], $6::bool[], $7::jsonb[])
    as h(id, tenant_id, type, message_id, at, machine, data)
  join messages m on m.id = h.message_id and m.tenant_id = h.tenant_id and m.id between $8 and $9
  on conflict (id) do nothing
  returning id, tenant_id as "tenantId"`;

/** Records hits in one transaction. Those of messages that are not kept any more are left out. */
export async function recordHits(pool: pg.Pool, hits: Hit[]): Promise<{ id: string; tenantId: string }[]> {
  const ids = hits.map((hit) => hit.messageId).sort();
  return inTransaction(pool, async (client) => {
    await client.query(TAKE_TURNS);
    const { rows } = await client.query<{ id: string; tenantId: string }>({
      name: 'engagement-record',
      text: RECORD,
      values: [
        hits.map((hit) => hit.id),
        hits.map((hit) => hit.tenantId),
        hits.map((hit) => hit.type),
        hits.map((hit) => hit.messageId),
        hits.map((hit) => hit.at),
        hits.map((hit) => hit.machine),
        hits.map((hit) => JSON.stringify(hit.data)),
        ids[0],
        ids.at(-1),
      ],
    });
    return rows;
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

/** Adds the one unsubscribe event of a message, unless it has it. */
export async function addUnsubscribeEvent(
  client: pg.PoolClient,
  tenantId: string,
  messageId: string,
  data: Record<string, unknown>,
): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended('unsubscribe:' || $1, 0))", [messageId]);
  await client.query({
    name: 'unsubscribe-event',
    text: `insert into events (id, tenant_id, type, message_id, domain_id, campaign_id, recipient, occurred_at, data)
           select $3, tenant_id, 'unsubscribe', id, domain_id, campaign_id, rcpt_to, now(), $4
           from messages m where tenant_id = $1 and id = $2
             and not exists (select from events e
               where e.message_id = m.id and e.tenant_id = m.tenant_id and e.type = 'unsubscribe')`,
    values: [tenantId, messageId, newUuid(), JSON.stringify(data)],
  });
}
