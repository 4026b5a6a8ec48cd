// A message row as the sender leaves it, for tests of what reads messages.

import { newUuid } from '../../core/base/ids.ts';
import type { Database } from '../../core/db/pool.ts';

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
  },
): Promise<string> {
  const id = newUuid();
  const until = row.state === 'deferred' ? new Date(Date.now() + 3_600_000) : null;
  await db.pool.query(
    `insert into messages (id, tenant_id, domain_id, stream, state, reason, defer_reason, deferred_until,
       header_from, rcpt_to, subject, tags, claimed_by)
     values ($1, $2, $3, 'transactional', $4, $5, $6, $7, 'Shop <shop@example.com>', $8, $11, $9, $10)`,
    [
      id,
      tenantId,
      row.domainId ?? newUuid(),
      row.state,
      row.reason ?? null,
      row.deferReason ?? null,
      until,
      row.to ?? 'ann@example.net',
      JSON.stringify([{ name: 'kind', value: 'receipt' }]),
      row.claimedBy ?? null,
      row.subject ?? 'Hello',
    ],
  );
  return id;
}
