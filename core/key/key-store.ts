// API keys in PostgreSQL. Values are never here, only their SHA-256.

import { and, asc, desc, eq, getTableColumns, gt, isNull, lt, sql } from 'drizzle-orm';

import { orm, prepared } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { domains } from '../db/schema/domain.ts';
import { apiKeys, tenants } from '../db/schema/tenant.ts';
import type { Tenant } from '../tenant/tenant-store.ts';
import type { Scope } from './scope.ts';
import { later } from '../db/citus-forms.ts';

/** An API key as its tenant sees it; ids are UUIDs. */
export type ApiKey = Omit<typeof apiKeys.$inferSelect, 'hash' | 'scopes'> & { scopes: Scope[] };

/** A key that was not revoked, with its tenant: what a request needs to know. */
export interface KeyWithTenant {
  key: ApiKey;
  tenant: Tenant;
  /** By PostgreSQL's clock, at the read. */
  isExpired: boolean;
}

const { hash: _, ...columns } = getTableColumns(apiKeys);
const KEY = { ...columns, scopes: sql<Scope[]>`${apiKeys.scopes}` }; // createKey checks them

/** Inserts a key. */
export async function insertKey(
  db: Queryable,
  key: Pick<ApiKey, 'id' | 'tenantId' | 'name' | 'scopes' | 'expiresAt' | 'allowedAddresses' | 'domain'> & {
    hash: Buffer;
  },
): Promise<ApiKey> {
  const [row] = await orm(db).insert(apiKeys).values(key).returning(KEY);
  return row!;
}

const liveKeyByHash = prepared((db) =>
  db
    .select({
      key: KEY,
      tenant: getTableColumns(tenants),
      isExpired: sql<boolean>`coalesce(${apiKeys.expiresAt} <= now(), false)`,
    })
    .from(apiKeys)
    .innerJoin(tenants, eq(tenants.id, apiKeys.tenantId))
    .where(and(eq(apiKeys.hash, sql.placeholder('hash')), isNull(apiKeys.revokedAt)))
    .prepare('key.live-by-hash'),
);

/** The key with this hash and its tenant, expired or not, or null when there is none or it was revoked. */
export async function selectLiveKey(db: Queryable, hash: Buffer): Promise<KeyWithTenant | null> {
  const [row] = await liveKeyByHash(db).execute({ hash });
  return row ?? null;
}

/** One key of a tenant, revoked ones too. */
export async function selectKey(db: Queryable, tenantId: string, id: string): Promise<ApiKey | null> {
  const [row] = await orm(db)
    .select(KEY)
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.id, id)));
  return row ?? null;
}

/** Whether a tenant has a domain of this name, verified or not. */
export async function hasDomain(db: Queryable, tenantId: string, name: string): Promise<boolean> {
  const rows = await orm(db)
    .select({ id: domains.id })
    .from(domains)
    .where(and(eq(domains.tenantId, tenantId), eq(domains.name, name)));
  return rows.length > 0;
}

/** Which keys of a tenant: newest first unless `oldestFirst`, older than `before`, newer than `after`. */
export interface KeyPage {
  before?: string | undefined;
  after?: string | undefined;
  oldestFirst?: boolean;
  limit: number;
}

/** A page of a tenant's keys, revoked ones too. */
export function selectKeys(db: Queryable, tenantId: string, page: KeyPage): Promise<ApiKey[]> {
  return orm(db)
    .select(KEY)
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.tenantId, tenantId),
        page.before === undefined ? undefined : lt(apiKeys.id, page.before),
        page.after === undefined ? undefined : gt(apiKeys.id, page.after),
      ),
    )
    .orderBy(page.oldestFirst === true ? asc(apiKeys.id) : desc(apiKeys.id))
    .limit(page.limit);
}

/** Revokes a key (of one tenant, or of any when null). Returns it, or null when there is no such live key. */
export async function updateRevoked(
  db: Queryable,
  tenantId: string | null,
  id: string,
): Promise<ApiKey | null> {
  const [row] = await orm(db)
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        tenantId === null ? undefined : eq(apiKeys.tenantId, tenantId),
        eq(apiKeys.id, id),
        isNull(apiKeys.revokedAt),
      ),
    )
    .returning(KEY);
  return row ?? null;
}

/**
 * Moves last_used_at of many keys forward, never back: other processes write it too. SQL by hand: drizzle has no words
 * for rows that come in arrays.
 */
export async function updateLastUsed(db: Queryable, uses: { id: string; at: Date }[]): Promise<void> {
  await db.query(
    `update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
     from unnest($1::uuid[], $2::timestamptz[]) as u (id, at) where k.id = u.id`,
    [uses.map((use) => use.id), uses.map((use) => use.at)],
  );
}

/** Requests with one key from addresses that it does not allow: how many, the last of them and its address. */
export interface KeyRefusals {
  id: string;
  at: Date;
  from: string;
  count: number;
}

/** Adds to what is known of keys that were refused; the count begins anew when a day has passed without one. */
export async function updateRefused(db: Queryable, refusals: KeyRefusals[]): Promise<void> {
  await db.query(
    `update api_keys k set refused_at = r.at, refused_from = r.address,
       refused_count = r.count + case when k.refused_at > ${later('r.at', `interval '-1 day'`)} then k.refused_count else 0 end
     from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::int[]) as r (id, at, address, count) where k.id = r.id`,
    [
      refusals.map(({ id }) => id),
      refusals.map(({ at }) => at),
      refusals.map(({ from }) => from),
      refusals.map(({ count }) => count),
    ],
  );
}
