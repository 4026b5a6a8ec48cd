// Making and revoking API keys and admin tokens. Each act leaves a row in the audit log, in its own transaction.

import { invalidField, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { sha256 } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { isForeignKeyViolation } from '../db/sql-state.ts';
import { inTransaction } from '../db/transaction.ts';
import {
  insertAdminToken,
  insertKey,
  selectKey,
  selectKeys,
  updateRevoked,
  type ApiKey,
  type KeyPage,
} from './key-store.ts';
import { isScope, SCOPES, type Scope } from './scope.ts';
import { insertAudit } from '../tenant/tenant-store.ts';
import { checkName } from '../tenant/tenants.ts';
import { mintToken } from './token-value.ts';

/** Who does it, for the audit log: `usr_…`, `key_…`, or a word for what is not a person. */
export type Actor = string;

/** Creates a key. `value` is shown now and never again. Refuses a bad name, no scope, or one we do not know. */
export async function createKey(
  db: Database,
  input: { tenantId: string; name: string; scopes: readonly string[]; actor?: Actor },
): Promise<{ keyId: string; value: string; key: ApiKey }> {
  const value = mintToken('sk_live_');
  const row = {
    id: newUuid(),
    tenantId: input.tenantId,
    name: checkName(input.name),
    scopes: checkScopes(input.scopes),
    hash: sha256(value),
  };
  try {
    const key = await inTransaction(db.pool, async (client) => {
      await insertAudit(client, {
        ...audit(input.actor, 'api_key.created', toId('key', row.id), input.tenantId),
        data: { name: row.name, scopes: row.scopes },
      });
      return insertKey(client, row);
    });
    return { keyId: key.id, value, key };
  } catch (error) {
    if (isForeignKeyViolation(error)) throw notFound('tenant');
    throw error;
  }
}

/**
 * Revokes a key: within a second it opens nothing on any process. Without `tenantId` it may be any tenant's (for
 * operators). One that is not there, or was revoked before, is `not_found`.
 */
export async function revokeKey(
  db: Database,
  input: { keyId: string; tenantId?: string; actor?: Actor },
): Promise<ApiKey> {
  return inTransaction(db.pool, async (client) => {
    const key = await updateRevoked(client, input.tenantId ?? null, input.keyId);
    if (!key) throw notFound('API key');
    await insertAudit(client, audit(input.actor, 'api_key.revoked', toId('key', key.id), key.tenantId));
    return key;
  });
}

/** One key of a tenant, revoked ones too, or null. */
export function findKey(db: Database, tenantId: string, keyId: string): Promise<ApiKey | null> {
  return selectKey(db.pool, tenantId, keyId);
}

/** A page of a tenant's keys, newest first, revoked ones too. */
export function listKeys(db: Database, tenantId: string, page: KeyPage): Promise<ApiKey[]> {
  return selectKeys(db.pool, tenantId, page);
}

/** Creates a super-admin token. `value` is shown now and never again. */
export async function createAdminToken(
  db: Database,
  input: { name?: string; actor?: Actor } = {},
): Promise<{ tokenId: string; value: string }> {
  const value = mintToken('sa_live_');
  const row = { id: newUuid(), name: checkName(input.name ?? 'operator'), hash: sha256(value) };
  await inTransaction(db.pool, async (client) => {
    await insertAdminToken(client, row);
    await insertAudit(client, audit(input.actor, 'admin_token.created', row.id, null));
  });
  return { tokenId: row.id, value };
}

function audit(actor: Actor | undefined, action: string, subject: string, tenantId: string | null) {
  return { id: newUuid(), tenantId, actor: actor ?? 'cli', action, subject, data: {} };
}

function checkScopes(scopes: readonly string[]): Scope[] {
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined)
    throw invalidField('scopes', `unknown scope ${unknown}; known are ${SCOPES.join(', ')}`);
  if (scopes.length === 0) throw invalidField('scopes', 'must name at least one scope');
  return [...new Set(scopes.filter(isScope))];
}
