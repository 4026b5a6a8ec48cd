// Statements about suppressions. `email` is always the normalized form (core/mail/address.ts, normalizeEmail). Those
// that take many entries are SQL by hand: their rows come in arrays, one text for any number of them.

import { and, asc, desc, eq, gte, inArray, lt, not, sql } from 'drizzle-orm';

import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { suppressions } from '../db/schema/suppression.ts';

/** One entry of a tenant's suppression list. `sourceMessageId` is the UUID of the message that led to it. */
export type Suppression = Omit<typeof suppressions.$inferSelect, 'tenantId' | 'unsubscribed'>;

/** An entry to add. Without a stream, `unsubscribe` stops marketing mail and every other reason stops all mail. */
export type NewSuppression = Omit<Suppression, 'createdAt' | 'stream'> & {
  tenantId: string;
  stream?: SuppressionStream | undefined;
  /** Since when, if not from now on; a time to come is now. */
  createdAt?: Date | null;
};

/** Which mail an entry stops. */
export type SuppressionStream = Suppression['stream'];

/** Why an address is suppressed. */
export type SuppressionReason = Suppression['reason'];

// Whoever unsubscribed or complained must not get mail again because an older bounce was cleared.
const REASONS_BY_WEIGHT: readonly SuppressionReason[] = ['complaint', 'unsubscribe', 'bounce', 'manual'];

/** Where a page ended, and what to show. `before` is the last entry of the page before; `skip` entries are left out. */
export interface SuppressionQuery {
  limit: number;
  before?: { createdAt: Date; email: string } | undefined;
  /** The other way round: `before` is still the last entry of the page before. */
  oldestFirst?: boolean | undefined;
  skip?: number | undefined;
  reasons?: readonly SuppressionReason[] | undefined;
  stream?: SuppressionStream | undefined;
  email?: string | undefined;
  /** From this time. */
  since?: Date | undefined;
  /** Before this time. */
  until?: Date | undefined;
}

/** Which of these are suppressed now, as `tenant email`, and in which stream. */
export async function findSuppressed(
  db: Queryable,
  wanted: { tenantId: string; email: string }[],
): Promise<Map<string, SuppressionStream>> {
  const { rows } = await db.query<{ key: string; stream: SuppressionStream }>({
    name: 'suppression-find',
    text: `select s.tenant_id || ' ' || s.email as key, s.stream from unnest($1::uuid[], $2::text[]) as q(tenant_id, email)
           join suppressions s on s.tenant_id = q.tenant_id and s.email = q.email`,
    values: [wanted.map((one) => one.tenantId), wanted.map((one) => one.email)],
  });
  return new Map(rows.map(({ key, stream }) => [key, stream]));
}

// No parameter: Citus loses the type of one that stands behind ON CONFLICT only. And columns that are set together stand in the
// order of the table: Citus sorts them, and not what they are set to.
const WEIGHTS = `array[${REASONS_BY_WEIGHT.map((reason) => `'${reason}'`).join(', ')}]`;

/**
 * Adds entries, each address once, in one statement. Of an address that is there already the entry that stops all mail
 * stays, and of two that stop the same mail the one with the weightier reason. Returns every entry as it is now; `isNew` is true for those that were not there.
 */
export async function addSuppressions(
  db: Queryable,
  entries: NewSuppression[],
): Promise<(Suppression & { isNew: boolean })[]> {
  const { rows } = await db.query<Suppression & { isNew: boolean }>({
    name: 'suppression-add',
    text: `insert into suppressions as s (tenant_id, email, reason, stream, unsubscribed, source_message_id, created_at)
           select tenant_id, email, reason, stream, reason = 'unsubscribe', id, least(coalesce(since, now()), now())
           from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::timestamptz[])
             as q(tenant_id, email, reason, stream, id, since)
           order by tenant_id, email
           on conflict (tenant_id, email) do update
           set (reason, source_message_id, stream) = (
               select w.reason, w.source_message_id, w.stream from (values
                 (s.reason, s.source_message_id, s.stream, 0),
                 (excluded.reason, excluded.source_message_id, excluded.stream, 1))
                 as w(reason, source_message_id, stream, later)
               order by w.stream = 'bulk', array_position(${WEIGHTS}, w.reason), later limit 1),
             unsubscribed = s.unsubscribed or excluded.unsubscribed
           returning s.email, s.reason, s.stream, s.source_message_id as "sourceMessageId", s.created_at as "createdAt",
             s.xmax = 0 as "isNew"`,
    values: [
      entries.map((entry) => entry.tenantId),
      entries.map((entry) => entry.email),
      entries.map((entry) => entry.reason),
      entries.map(({ reason, stream }) => stream ?? (reason === 'unsubscribe' ? 'bulk' : 'all')),
      entries.map((entry) => entry.sourceMessageId),
      entries.map((entry) => entry.createdAt ?? null),
    ],
  });
  return rows;
}

/** Removes one entry. False when there was none. */
export async function removeSuppression(db: Queryable, tenantId: string, email: string): Promise<boolean> {
  const { rowCount } = await orm(db)
    .delete(suppressions)
    .where(and(eq(suppressions.tenantId, tenantId), eq(suppressions.email, email)));
  return rowCount === 1;
}

/** Which entries to remove. */
export interface Removal {
  reasons: readonly SuppressionReason[];
  /** Only these addresses. */
  emails?: string[] | undefined;
  /** Only entries that stop all mail; those who unsubscribed keep an entry that stops marketing mail. */
  onlyAll?: boolean | undefined;
}

/**
 * Removes entries by reason, in the caller's transaction. Unless the reasons include `unsubscribe`, an address whose owner
 * unsubscribed keeps an entry with that reason that stops marketing mail. Returns how many entries were removed or reduced.
 */
export async function removeSuppressions(
  db: Queryable,
  tenantId: string,
  { reasons, emails, onlyAll = false }: Removal,
): Promise<number> {
  const { unsubscribed, stream } = suppressions;
  const chosen = and(
    eq(suppressions.tenantId, tenantId),
    inArray(suppressions.reason, reasons),
    emails && inArray(suppressions.email, emails),
    onlyAll ? eq(stream, 'all') : undefined,
  );
  const keeps = onlyAll || !reasons.includes('unsubscribe');
  const removed = await orm(db)
    .delete(suppressions)
    .where(and(chosen, keeps ? not(unsubscribed) : undefined));
  if (!keeps) return removed.rowCount ?? 0;
  const reduced = await orm(db)
    .update(suppressions)
    .set({ reason: 'unsubscribe', stream: 'bulk', sourceMessageId: null })
    .where(and(chosen, unsubscribed));
  return (removed.rowCount ?? 0) + (reduced.rowCount ?? 0);
}

/** The reasons of those of some addresses that are suppressed, in the order of the addresses. Locks the entries. */
export async function lockSuppressionReasons(
  db: Queryable,
  tenantId: string,
  emails: string[],
): Promise<SuppressionReason[]> {
  const rows = await orm(db)
    .select({ reason: suppressions.reason })
    .from(suppressions)
    .where(and(eq(suppressions.tenantId, tenantId), inArray(suppressions.email, emails)))
    .orderBy(suppressions.email)
    .for('update');
  return rows.map(({ reason }) => reason);
}

/** One page of a tenant's list, newest first unless it says otherwise. */
export function listSuppressions(
  db: Queryable,
  tenantId: string,
  { before, oldestFirst = false, reasons, stream, email, since, until, limit, skip = 0 }: SuppressionQuery,
): Promise<Suppression[]> {
  const { createdAt } = suppressions;
  const order = oldestFirst ? asc : desc;
  const beyond = oldestFirst ? sql`>` : sql`<`;
  return orm(db)
    .select({
      email: suppressions.email,
      reason: suppressions.reason,
      stream: suppressions.stream,
      sourceMessageId: suppressions.sourceMessageId,
      createdAt,
    })
    .from(suppressions)
    .where(
      and(
        eq(suppressions.tenantId, tenantId),
        reasons && inArray(suppressions.reason, reasons),
        stream && eq(suppressions.stream, stream),
        email === undefined ? undefined : eq(suppressions.email, email),
        since && gte(createdAt, since),
        until && lt(createdAt, until),
        before &&
          sql`(${createdAt}, ${suppressions.email}) ${beyond} (${sql.param(before.createdAt, createdAt)}, ${before.email})`,
      ),
    )
    .orderBy(order(createdAt), order(suppressions.email))
    .limit(limit)
    .offset(skip);
}

/** How many entries match, looking for at most `limit`. */
export async function countSuppressionRows(
  db: Queryable,
  tenantId: string,
  { reasons, email, limit }: Pick<SuppressionQuery, 'reasons' | 'email' | 'limit'>,
): Promise<number> {
  const { rows } = await db.query<{ found: number }>({
    name: 'suppression-count',
    text: `select count(*)::int as found from (
             select from suppressions
             where tenant_id = $1 and ($2::text[] is null or reason = any($2))
               and ($3::text is null or email = $3) limit $4) as first`,
    values: [tenantId, reasons ?? null, email ?? null, limit],
  });
  return rows[0]!.found;
}

/** What to find entries by. */
export interface SuppressionsLike {
  /** Whole addresses, normalized. */
  keys: string[];
  /** A part of an address, in small letters; looked for among the newest entries only. */
  part: string;
  limit: number;
}

const NEWEST = 20_000; // rows read for a part of an address: about 10 ms

/** Entries of some addresses, or with a part of theirs, newest first. */
export async function selectSuppressionsLike(
  db: Queryable,
  tenantId: string,
  { keys, part, limit }: SuppressionsLike,
): Promise<Suppression[]> {
  const { rows } = await db.query<Suppression>({
    name: 'suppression-like',
    text: `with found as (
             select email from suppressions where tenant_id = $1 and email = any($2)
             union
             select email from (
               select email from suppressions where tenant_id = $1
               order by created_at desc, email desc limit $5) newest
             where strpos(email, $3) > 0)
           select s.email, s.reason, s.stream, s.source_message_id as "sourceMessageId", s.created_at as "createdAt"
           from found f join suppressions s on s.tenant_id = $1 and s.email = f.email
           order by s.created_at desc, s.email desc limit $4`,
    values: [tenantId, keys, part, limit, NEWEST],
  });
  return rows;
}
