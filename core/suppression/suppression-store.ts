// Statements about suppressions. `email` is always the normalized form (core/mail/address.ts, normalizeEmail).

import type pg from 'pg';

/** Why an address is suppressed. */
export type SuppressionReason = 'bounce' | 'complaint' | 'unsubscribe' | 'manual';

/** One entry of a tenant's suppression list. */
export interface Suppression {
  email: string;
  reason: SuppressionReason;
  /** UUID of the message that led to it. */
  sourceMessageId: string | null;
  createdAt: Date;
}

/** An entry to add. */
export interface NewSuppression {
  tenantId: string;
  email: string;
  reason: SuppressionReason;
  sourceMessageId: string | null;
}

/** Where a page ended, and what to show. `before` is the last entry of the page before. */
export interface SuppressionQuery {
  limit: number;
  before?: { createdAt: Date; email: string } | undefined;
  reason?: SuppressionReason | undefined;
  email?: string | undefined;
}

/** Which of these are suppressed now, as `tenant email`. */
export async function findSuppressed(
  db: pg.Pool | pg.ClientBase,
  wanted: { tenantId: string; email: string }[],
): Promise<Set<string>> {
  const { rows } = await (db as pg.Pool).query<{ key: string }>({
    name: 'suppression-find',
    text: `select s.tenant_id || ' ' || s.email as key from unnest($1::uuid[], $2::text[]) as q(tenant_id, email)
           join suppressions s on s.tenant_id = q.tenant_id and s.email = q.email`,
    values: [wanted.map((one) => one.tenantId), wanted.map((one) => one.email)],
  });
  return new Set(rows.map((row) => row.key));
}

/** Adds entries; an address that is there already keeps its first reason. Returns the `tenant email` of the new ones. */
export async function addSuppressions(
  db: pg.Pool | pg.ClientBase,
  entries: NewSuppression[],
): Promise<Set<string>> {
  const { rows } = await (db as pg.Pool).query<{ key: string }>({
    name: 'suppression-add',
    text: `insert into suppressions (tenant_id, email, reason, source_message_id)
           select * from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[])
           on conflict do nothing returning tenant_id || ' ' || email as key`,
    values: [
      entries.map((entry) => entry.tenantId),
      entries.map((entry) => entry.email),
      entries.map((entry) => entry.reason),
      entries.map((entry) => entry.sourceMessageId),
    ],
  });
  return new Set(rows.map((row) => row.key));
}

/** Removes one entry. False when there was none. */
export async function removeSuppression(
  db: pg.Pool | pg.ClientBase,
  tenantId: string,
  email: string,
): Promise<boolean> {
  const { rowCount } = await (db as pg.Pool).query({
    name: 'suppression-remove',
    text: 'delete from suppressions where tenant_id = $1 and email = $2',
    values: [tenantId, email],
  });
  return rowCount === 1;
}

/** One page of a tenant's list, newest first. */
export async function listSuppressions(
  db: pg.Pool | pg.ClientBase,
  tenantId: string,
  query: SuppressionQuery,
): Promise<Suppression[]> {
  const { rows } = await (db as pg.Pool).query<Suppression>({
    name: 'suppression-list',
    text: `select email, reason, source_message_id as "sourceMessageId", created_at as "createdAt"
           from suppressions
           where tenant_id = $1 and ($2::text is null or reason = $2) and ($3::text is null or email = $3)
             and ($4::timestamptz is null or (created_at, email) < ($4, $5))
           order by created_at desc, email desc limit $6`,
    values: [
      tenantId,
      query.reason ?? null,
      query.email ?? null,
      query.before?.createdAt ?? null,
      query.before?.email ?? null,
      query.limit,
    ],
  });
  return rows;
}
