// Making and revoking API keys.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { invalidField, notFound } from '../base/errors.ts';
import { requireValue } from '../base/field-problems.ts';
import { newUuid, toId } from '../base/ids.ts';
import { sha256 } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { isForeignKeyViolation } from '../db/sql-state.ts';
import { parseDomain } from '../mail/domain-name.ts';
import {
  hasDomain,
  insertKey,
  selectKey,
  selectKeys,
  updateRevoked,
  type ApiKey,
  type KeyPage,
} from './key-store.ts';
import { newKey } from './key-input.ts';
import { mintToken } from './token-value.ts';

/** A key as its maker asks for it, under REST's names; the schema `newKey` says what each may be. */
export interface KeyWanted {
  tenantId: string;
  name: string;
  scopes: readonly string[];
  expires_at?: string | undefined;
  allowed_addresses?: readonly string[] | undefined;
  domain?: string | null | undefined;
}

/**
 * Creates a key. `value` is shown now and never again. Refuses a bad name, no scope, or one we do not know, an end that
 * has passed, what is no address or CIDR block, and a domain that is not the tenant's.
 */
export async function createKey(
  deps: ChangeDeps,
  by: Actor,
  input: KeyWanted,
): Promise<{ keyId: string; value: string; key: ApiKey }> {
  const value = mintToken('sk_live_');
  const { tenantId, ...wanted } = input;
  const checked = requireValue(newKey, wanted);
  const { name, scopes, expires_at, allowed_addresses: allowedAddresses, domain: asked } = checked;
  const expiresAt = expires_at ?? null;
  const domain = asked == null ? null : await ownDomain(deps.db, tenantId, asked);
  try {
    const key = await change(deps, by, async (client, record) => {
      const key = await insertKey(client, {
        ...{ id: newUuid(), tenantId, name, scopes, expiresAt, allowedAddresses, domain },
        hash: sha256(value),
      });
      await record({
        tenantId,
        action: 'api_key.created',
        subject: toId('key', key.id),
        details: {
          ...{ name, scopes },
          ...(expiresAt && { expires_at: expiresAt.toISOString() }),
          ...(allowedAddresses.length > 0 && { allowed_addresses: allowedAddresses }),
          ...(domain !== null && { domain }),
        },
      });
      return key;
    });
    return { keyId: key.id, value, key };
  } catch (error) {
    if (isForeignKeyViolation(error)) throw notFound('tenant');
    throw error;
  }
}

async function ownDomain(db: Database, tenantId: string, asked: string): Promise<string> {
  const parsed = parseDomain(asked.trim());
  const isOwn = parsed.ok && (await hasDomain(db.pool, tenantId, parsed.domain));
  if (!isOwn) throw invalidField('domain', 'is not one of your domains. Add it first.');
  return parsed.domain;
}

/**
 * Revokes a key: within a second it opens nothing on any process. Without `tenantId` it may be any tenant's (for
 * operators). One that is not there, or was revoked before, is `not_found`.
 */
export async function revokeKey(
  deps: ChangeDeps,
  by: Actor,
  { keyId, tenantId }: { keyId: string; tenantId?: string },
): Promise<ApiKey> {
  return change(deps, by, async (client, record) => {
    const key = await updateRevoked(client, tenantId ?? null, keyId);
    if (!key) throw notFound('API key');
    await record({ tenantId: key.tenantId, action: 'api_key.revoked', subject: toId('key', key.id) });
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
