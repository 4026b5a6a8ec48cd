// API keys and admin tokens in PostgreSQL. Values are never here, only their SHA-256.

import type { Scope } from './scope.ts';
import type { Tenant } from '../tenant/tenant-store.ts';
import type { Queryable } from '../db/pool.ts';

/** An API key as its tenant sees it. */
export interface ApiKey {
  /** UUID. */
  id: string;
  tenantId: string;
  name: string;
  scopes: Scope[];
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** A live key with its tenant: what a request needs to know. */
export interface KeyWithTenant {
  key: ApiKey;
  tenant: Tenant;
}

const KEY_COLUMNS = `k.id, k.tenant_id as "tenantId", k.name, k.scopes, k.created_at as "createdAt",
  k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt"`;

/** Inserts a key. */
export async function insertKey(
  db: Queryable,
  key: { id: string; tenantId: string; name: string; scopes: Scope[]; hash: Buffer },
): Promise<ApiKey> {
  const { rows } = await db.query<ApiKey>(
    `insert into api_keys as k (id, tenant_id, name, scopes, hash) values ($1, $2, $3, $4, $5)
     returning ${KEY_COLUMNS}`,
    [key.id, key.tenantId, key.name, key.scopes, key.hash],
  );
  return rows[0] as ApiKey;
}

/** The live key with this hash and its tenant, or null when there is none or it was revoked. */
export async function selectLiveKey(db: Queryable, hash: Buffer): Promise<KeyWithTenant | null> {
  type Row = ApiKey & { tenantName: string; plan: Tenant['plan']; tenantCreatedAt: Date };
  const { rows } = await db.query<Row>({
    name: 'key.live-by-hash',
    text: `select ${KEY_COLUMNS}, t.name as "tenantName", t.plan, t.created_at as "tenantCreatedAt"
           from api_keys k join tenants t on t.id = k.tenant_id
           where k.hash = $1 and k.revoked_at is null`,
    values: [hash],
  });
  if (!rows[0]) return null;
  const { tenantName, plan, tenantCreatedAt, ...key } = rows[0];
  return { key, tenant: { id: key.tenantId, name: tenantName, plan, createdAt: tenantCreatedAt } };
}

/** One key of a tenant, revoked ones too. */
export async function selectKey(db: Queryable, tenantId: string, id: string): Promise<ApiKey | null> {
  const { rows } = await db.query<ApiKey>({
    name: 'key.by-id',
    text: `select ${KEY_COLUMNS} from api_keys k where k.tenant_id = $1 and k.id = $2`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** Which keys of a tenant: newest first unless `oldestFirst`, older than `before`, newer than `after`. */
export interface KeyPage {
  before?: string | undefined;
  after?: string | undefined;
  oldestFirst?: boolean;
  limit: number;
}

/** A page of a tenant's keys, revoked ones too. */
export async function selectKeys(db: Queryable, tenantId: string, page: KeyPage): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKey>(
    `select ${KEY_COLUMNS} from api_keys k
     where k.tenant_id = $1 and ($2::uuid is null or k.id < $2) and ($3::uuid is null or k.id > $3)
     order by k.id ${page.oldestFirst === true ? 'asc' : 'desc'} limit $4`,
    [tenantId, page.before ?? null, page.after ?? null, page.limit],
  );
  return rows;
}

/** Revokes a key (of one tenant, or of any when null). Returns it, or null when there is no such live key. */
export async function updateRevoked(
  db: Queryable,
  tenantId: string | null,
  id: string,
): Promise<ApiKey | null> {
  const { rows } = await db.query<ApiKey>(
    `update api_keys k set revoked_at = now()
     where k.id = $1 and ($2::uuid is null or k.tenant_id = $2) and k.revoked_at is null
     returning ${KEY_COLUMNS}`,
    [id, tenantId],
  );
  return rows[0] ?? null;
}

/** Moves last_used_at of many keys forward, never back: other processes write it too. */
export async function updateLastUsed(db: Queryable, uses: { id: string; at: Date }[]): Promise<void> {
  await db.query(
    `update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
     from unnest($1::uuid[], $2::timestamptz[]) as u (id, at) where k.id = u.id`,
    [uses.map((use) => use.id), uses.map((use) => use.at)],
  );
}

/** Inserts an admin token. */
export async function insertAdminToken(
  db: Queryable,
  token: { id: string; name: string; hash: Buffer },
): Promise<void> {
  await db.query('insert into admin_tokens (id, name, hash) values ($1, $2, $3)', [
    token.id,
    token.name,
    token.hash,
  ]);
}

/** The live admin token with this hash, or null. */
export async function selectLiveAdminToken(
  db: Queryable,
  hash: Buffer,
): Promise<{ id: string; name: string } | null> {
  const { rows } = await db.query<{ id: string; name: string }>({
    name: 'admin-token.live-by-hash',
    text: 'select id, name from admin_tokens where hash = $1 and revoked_at is null',
    values: [hash],
  });
  return rows[0] ?? null;
}
