// Making, listing and revoking the tokens of administrators of the service.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { notFound } from '../base/errors.ts';
import { requireValue } from '../base/field-problems.ts';
import { newUuid, toId } from '../base/ids.ts';
import { sha256 } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import {
  insertAdminToken,
  selectAdminTokens,
  updateAdminTokenRevoked,
  type AdminToken,
} from './admin-token-store.ts';
import { newAdminToken } from './key-input.ts';
import { mintToken } from './token-value.ts';

export type { AdminToken };

/** Creates a token. `value` is shown now and never again. Refuses a bad name and an end that has passed. */
export async function createAdminToken(
  deps: ChangeDeps,
  by: Actor,
  input: { name?: string | undefined; expires_at?: string | undefined } = {},
): Promise<{ tokenId: string; value: string }> {
  const value = mintToken('sa_live_');
  const { name, expires_at } = requireValue(newAdminToken, input);
  const expiresAt = expires_at ?? null;
  const row = { id: newUuid(), name, hash: sha256(value), expiresAt };
  await change(deps, by, async (client, record) => {
    await insertAdminToken(client, row);
    const details = { name, ...(expiresAt && { expires_at: expiresAt.toISOString() }) };
    const subject = toId('adm', row.id);
    await record({ tenantId: null, action: 'admin_token.created', subject, details });
  });
  return { tokenId: row.id, value };
}

/** All tokens, newest first, revoked and expired ones too. */
export function listAdminTokens(db: Pick<Database, 'pool'>): Promise<AdminToken[]> {
  return selectAdminTokens(db.pool);
}

/** Revokes a token: within a second it opens nothing on any process. Throws `not_found`, also for a revoked one. */
export async function revokeAdminToken(deps: ChangeDeps, by: Actor, tokenId: string): Promise<void> {
  await change(deps, by, async (client, record) => {
    const name = await updateAdminTokenRevoked(client, tokenId);
    if (name === null) throw notFound('admin token');
    const subject = toId('adm', tokenId);
    await record({ tenantId: null, action: 'admin_token.revoked', subject, details: { name } });
  });
}
