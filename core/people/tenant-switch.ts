// A person's tenants, and going from one to another within a session.
// Guarantee: a session that an identity provider vouched for stays in the tenant of that identity provider.

import { AppError, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { insertAudit } from '../tenant/tenant-store.ts';
import type { AccessTokens } from './access-token.ts';
import { selectMemberships, selectUser, type Membership, type User } from './membership-store.ts';
import { accessFor } from './open-session.ts';
import { selectSessionUser, updateSessionTenant, type SignInMethod } from './session-store.ts';

/** Who asks, and how they signed in. */
export interface Switcher {
  userId: string;
  sessionId: string;
  tenantId: string;
  method: SignInMethod;
}

/** The tenants that a session's person belongs to, by name. A session by SSO is told of its own tenant only. */
export function listMemberships(db: Database, by: Switcher): Promise<Membership[]> {
  return selectMemberships(db.pool, by.userId, by.method === 'saml' ? by.tenantId : null);
}

/**
 * Makes the session work in another tenant of its person. Throws `not_found`, or `forbidden` when it takes another
 * sign-in.
 */
export async function switchTenant(
  deps: { db: Database; tokens: AccessTokens },
  by: Switcher,
  tenantId: string,
): Promise<{ accessToken: string; user: User }> {
  if (by.method === 'saml' && tenantId !== by.tenantId) {
    throw new AppError(
      'forbidden',
      'SSO signed you in to one tenant only. Sign in again to work in another.',
    );
  }
  const user = await inTransaction(deps.db.pool, async (client) => {
    if (!(await selectUser(client, tenantId, { id: by.userId }))) throw notFound('tenant');
    const opened = await selectSessionUser(client, by.sessionId, tenantId);
    if (!opened)
      throw new AppError(
        'forbidden',
        'This tenant requires SSO. Sign in again and choose "Sign in with SSO".',
      );
    await updateSessionTenant(client, by.sessionId, opened.user);
    await insertAudit(client, {
      id: newUuid(),
      tenantId,
      actor: toId('usr', by.userId),
      action: 'session.switched',
      subject: toId('ses', by.sessionId),
      data: {},
    });
    return opened.user;
  });
  return { accessToken: await accessFor(deps.tokens, user, by.sessionId), user };
}
