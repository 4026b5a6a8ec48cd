// A tenant's suppression list as its owner uses it. An address has one entry with the weightiest reason that anybody
// gave: whoever unsubscribed must not get mail again because an older bounce was cleared.

import { notFound } from '../base/errors.ts';
import type { Database } from '../db/pool.ts';
import { normalizeEmail } from '../mail/address.ts';
import {
  addSuppressions,
  listSuppressions as select,
  removeSuppression,
  type Suppression,
  type SuppressionQuery,
  type SuppressionReason,
} from './suppression-store.ts';

/** Entries of one call; the contract's number. */
export const MAX_BULK = 1_000;

/** Adds addresses. Returns the entry of each, in order, and how many are new. */
export async function suppress(
  db: Database,
  tenantId: string,
  emails: string[],
  reason: SuppressionReason,
): Promise<{ entries: Suppression[]; added: number }> {
  const keys = emails.map((email) => normalizeEmail(email));
  const entry = (email: string) => ({ tenantId, email, reason, sourceMessageId: null });
  const rows = await addSuppressions(db.pool, [...new Set(keys)].map(entry));
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

/** Removes an address. Returns its normalized form. Throws not_found. */
export async function unsuppress(db: Database, tenantId: string, email: string): Promise<string> {
  const key = normalizeEmail(email);
  if (!(await removeSuppression(db.pool, tenantId, key))) throw notFound('suppression');
  return key;
}
