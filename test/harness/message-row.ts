// A message row as the sender leaves it, for tests of what reads messages.

import { newUuid } from '../../core/base/ids.ts';
import type { Database } from '../../core/db/pool.ts';
import { OutgoingMessage, type DeepPartial } from '../../core/gen/sender/v1/sender.ts';

/** Inserts one; returns its UUID. */
export async function makeMessageRow(
  db: Database,
  tenantId: string,
  row: {
    state: string;
    reason?: string;
    deferReason?: string;
    claimedBy?: string;
    to?: string;
    domainId?: string;
    subject?: string;
    /** Waits for its next attempt, in an hour. */
    retry?: boolean;
    /** What it says. */
    content?: DeepPartial<OutgoingMessage>;
  },
): Promise<string> {
  const id = newUuid();
  const { retry = false } = row;
  const until = row.state === 'deferred' ? new Date(Date.now() + 3_600_000) : null;
  await db.pool.query(
    `insert into messages (id, tenant_id, domain_id, stream, state, reason, defer_reason, deferred_until,
       header_from, rcpt_to, subject, tags, claimed_by,
       next_attempt_at, admitted_day)
     values ($1, $2, $3, 'transactional', $4, $5, $6, $7, 'Shop <shop@example.com>', $8, $11, $9, $10,
       $12, case when $12::timestamptz is not null then (now() at time zone 'UTC')::date end)`,
    [
      id,
      tenantId,
      row.domainId ?? newUuid(),
      row.state,
      row.reason ?? null,
      row.deferReason ?? (retry ? 'remote_4xx' : null),
      retry ? null : until,
      row.to ?? 'ann@example.net',
      JSON.stringify([{ name: 'kind', value: 'receipt' }]),
      row.claimedBy ?? null,
      row.subject ?? 'Hello',
      retry ? until : null,
    ],
  );
  if (row.content)
    await db.pool.query('insert into message_contents (message_id, tenant_id, content) values ($1, $2, $3)', [
      id,
      tenantId,
      Buffer.from(OutgoingMessage.encode(OutgoingMessage.fromPartial(row.content)).finish()),
    ]);
  return id;
}
