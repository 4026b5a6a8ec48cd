// Changing one's password. All other sessions end with it, in all tenants: whoever knew the old one is out.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { AppError, invalidField } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import { mailOwnChange } from './own-change-mail.ts';
import { checkPassword, hashPassword, verifyPassword } from './password.ts';
import { endOtherSessions } from './session-store.ts';
import { bookInSession } from './sign-in-limit.ts';
import type { OwnSession } from './own-session.ts';
import { selectPasswordHash, updatePassword } from './user-store.ts';

/**
 * Changes a person's password and ends all their sessions but `sessionId`. Throws `validation_failed` by field,
 * `conflict` for somebody without a password, `rate_limited` after too many wrong ones.
 */
export async function changePassword(
  deps: ChangeDeps,
  by: Actor,
  person: OwnSession & { ip: string },
  input: { currentPassword: string; newPassword: string },
): Promise<void> {
  const { db } = deps;
  const { user } = person;
  await checkPassword('newPassword', input.newPassword, user.email);
  if (input.newPassword === input.currentPassword) {
    throw invalidField('newPassword', 'must not be the current password');
  }
  const old = await selectPasswordHash(db.pool, user.id);
  if (old === null)
    throw new AppError('conflict', 'You sign in with SSO, so there is no password to change.');
  const attempt = await bookInSession(db, person.sessionId);
  if (!(await verifyPassword(input.currentPassword, old))) {
    throw invalidField('currentPassword', 'is wrong');
  }
  await attempt.succeeded();
  const next = await hashPassword(input.newPassword);
  await change(deps, by, async (client, record) => {
    if (!(await updatePassword(client, user.id, { old, next }))) {
      throw new AppError('conflict', 'The password was changed in another session. Sign in again.');
    }
    const everywhere = { userId: user.id, openedBySsoOf: null };
    const count = await endOtherSessions(client, everywhere, person.sessionId);
    await record({
      tenantId: user.tenantId,
      action: 'user.password_changed',
      subject: toId('usr', user.id),
      details: { sessions_ended: count },
    });
    await mailOwnChange(client, by, { email: user.email }, { action: 'user.password_changed' });
  });
}
