// A tenant's suppression list as its owner uses it. An address has one entry, which stops all mail or marketing mail. Whoever
// unsubscribed gets no marketing mail because an older bounce was cleared: that leaves an entry which stops it.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import type { ListCount } from '../base/list-count.ts';
import { countUpTo } from '../db/bounded-count.ts';
import type { Database } from '../db/pool.ts';
import { normalizeEmail } from '../mail/address.ts';
import {
  addSuppressions,
  countSuppressionRows,
  listSuppressions as select,
  removeSuppression,
  removeSuppressions,
  type Removal,
  type Suppression,
  type SuppressionQuery,
  type SuppressionReason,
  type SuppressionStream,
} from './suppression-store.ts';

/** Adds addresses; without a stream, that of the reason. Returns the entry of each, in order, and how many are new. */
export async function suppress(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  emails: string[],
  reason: SuppressionReason,
  stream?: SuppressionStream,
): Promise<{ entries: Suppression[]; added: number }> {
  const keys = emails.map((email) => normalizeEmail(email));
  const entry = (email: string) => ({ tenantId, email, reason, stream, sourceMessageId: null });
  const rows = await change(deps, by, async (client, record) => {
    const written = await addSuppressions(client, [...new Set(keys)].map(entry));
    const added = written.filter((row) => row.isNew).length;
    const subject = keys.length === 1 ? keys[0]! : toId('tnt', tenantId);
    await record({
      tenantId,
      action: 'suppression.added',
      subject,
      details: { reason, ...(stream && { stream }), addresses: written.length, added },
    });
    return written;
  });
  const byEmail = new Map(rows.map((row) => [row.email, row]));
  const entries = keys.map((key) => byEmail.get(key)).filter((row) => row !== undefined);
  return { entries, added: rows.filter((row) => row.isNew).length };
}

/** A page of the list, newest first. `email` may be written in any way. */
export function listSuppressions(
  db: Database,
  tenantId: string,
  query: SuppressionQuery,
): Promise<Suppression[]> {
  const email = query.email === undefined ? undefined : normalizeEmail(query.email);
  return select(db.pool, tenantId, { ...query, email });
}

/** How many entries match; null when counting them takes too long. */
export function countSuppressions(
  db: Database,
  tenantId: string,
  { reasons, email }: Pick<SuppressionQuery, 'reasons' | 'email'>,
): Promise<ListCount | null> {
  const key = email === undefined ? undefined : normalizeEmail(email);
  return countUpTo(db, (client, limit) =>
    countSuppressionRows(client, tenantId, { reasons, email: key, limit }),
  );
}

/** Removes an address. Returns its normalized form. Throws not_found. */
export async function unsuppress(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  email: string,
): Promise<string> {
  const key = normalizeEmail(email);
  await change(deps, by, async (client, record) => {
    if (!(await removeSuppression(client, tenantId, key))) throw notFound('suppression');
    await record({ tenantId, action: 'suppression.removed', subject: key });
  });
  return key;
}

/** Removes addresses by the reason of their entries, as removeSuppressions does. Returns how many. */
export function unsuppressAll(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  { reasons, emails, onlyAll }: Removal,
): Promise<number> {
  const keys = emails?.map((email) => normalizeEmail(email));
  return change(deps, by, async (client, record) => {
    const removed = await removeSuppressions(client, tenantId, { reasons, emails: keys, onlyAll });
    const subject = keys?.length === 1 ? keys[0]! : toId('tnt', tenantId);
    const details = { reasons, addresses: removed };
    if (removed > 0) await record({ tenantId, action: 'suppression.removed', subject, details });
    return removed;
  });
}
