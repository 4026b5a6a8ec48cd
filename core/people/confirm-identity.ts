// "Confirm it's you": sensitive changes need a proof of who one is that is minutes old, so that an unlocked computer or a
// stolen access token is not enough to make keys, owners or ways to sign in, to remove people, or to have mail and events
// posted elsewhere. A sign-in is such a proof, by SSO too.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { AppError, invalidField } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import type { User } from './membership-store.ts';
import { verifyPassword } from './password.ts';
import { proveSecondFactor, type CodeDeps } from './prove-second-factor.ts';
import { isSessionConfirmed, updateConfirmed, type SignInMethod } from './session-store.ts';
import { bookInSession } from './sign-in-limit.ts';
import { selectPasswordHash } from './user-store.ts';

/** Minutes that a sign-in, or the password entered again, counts in its session: for a few changes in a row. */
const CONFIRMED_MINUTES = 10;

/** A session and its person. */
export interface ConfirmingSession {
  user: User;
  sessionId: string;
  method: SignInMethod;
}

/** Throws `confirmation_required` when the session's last proof is too old. Reads the record: no cache is asked. */
export async function requireConfirmed(
  db: Database,
  { sessionId, method }: Pick<ConfirmingSession, 'sessionId' | 'method'>,
): Promise<void> {
  if (await isSessionConfirmed(db.pool, sessionId, CONFIRMED_MINUTES)) return;
  throw new AppError(
    'confirmation_required',
    method === 'saml'
      ? `This change needs a sign-in of the last ${CONFIRMED_MINUTES} minutes. Sign in with SSO again.`
      : `This change needs your password of the last ${CONFIRMED_MINUTES} minutes. Enter it again.`,
  );
}

/**
 * Takes a person's password, and the code of their second factor if they have one, as proof for the next minutes of this
 * session. Throws `validation_failed` for a wrong one, `second_factor_required` when the code is missing, `rate_limited`
 * after too many, `conflict` in a session by SSO: there a new sign-in is the proof.
 */
export async function confirmIdentity(
  deps: ChangeDeps & CodeDeps,
  by: Actor,
  self: ConfirmingSession & { ip: string },
  { password, code }: { password: string; code?: string | null | undefined },
): Promise<void> {
  const { user, sessionId } = self;
  if (self.method === 'saml') {
    throw new AppError('conflict', 'You signed in with SSO. Sign in with SSO again to confirm.');
  }
  const attempt = await bookInSession(deps.db, sessionId);
  if (!(await verifyPassword(password, await selectPasswordHash(deps.db.pool, user.id)))) {
    throw invalidField('password', 'is wrong');
  }
  await proveSecondFactor(deps, user, code, { attempt, ip: self.ip });
  await attempt.succeeded();
  await change(deps, by, async (client, record) => {
    await updateConfirmed(client, sessionId);
    const { tenantId } = user;
    await record({ tenantId, action: 'session.confirmed', subject: toId('ses', sessionId) });
  });
}
