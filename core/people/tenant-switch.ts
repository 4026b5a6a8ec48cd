// A person's tenants, and going from one to another within a session.
// Guarantee: a session that an identity provider vouched for stays in the tenant of that identity provider.

import type { Actor } from '../audit/actor.ts';
import { change } from '../audit/change.ts';
import { AppError, notFound } from '../base/errors.ts';
import type { Database } from '../db/pool.ts';
import type { AccessTokens } from './access-token.ts';
import { selectMemberships, selectUser, type Membership, type User } from './membership-store.ts';
import { accessFor, moveSession } from './open-session.ts';
import { selectSessionUser } from './session-store.ts';
import type { AskingSession } from './sessions.ts';

/** The tenants that a session's person belongs to, by name. A session by SSO sees its own tenant only. */
export function listMemberships(db: Database, self: AskingSession): Promise<Membership[]> {
  return selectMemberships(db.pool, self.userId, self.method === 'saml' ? self.tenantId : null);
}

/**
 * Makes the session work in another tenant of its person. Throws `not_found`, or `forbidden` when that tenant requires
 * another sign-in.
 */
export async function switchTenant(
  deps: { db: Database; tokens: AccessTokens },
  by: Actor,
  self: AskingSession,
  tenantId: string,
): Promise<{ accessToken: string; user: User }> {
  if (self.method === 'saml' && tenantId !== self.tenantId) {
    throw new AppError(
      'forbidden',
      'SSO signed you in to one tenant only. Sign in again to work in another.',
    );
  }
  const user = await change(deps, by, async (client, record) => {
    if (!(await selectUser(client, tenantId, { id: self.userId }))) throw notFound('tenant');
    const opened = await selectSessionUser(client, self.sessionId, tenantId);
    if (!opened)
      throw new AppError(
        'forbidden',
        'This tenant requires SSO. Sign in again and choose "Sign in with SSO".',
      );
    await moveSession(client, record, self.sessionId, opened.user);
    return opened.user;
  });
  return { accessToken: await accessFor(deps.tokens, user, self.sessionId), user };
}
