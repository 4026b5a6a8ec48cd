// Changing one's password. All other sessions end with it, in all tenants: whoever knew the old one is out.

import { AppError, invalidField } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { checkPassword, hashPassword, verifyPassword } from './password.ts';
import { endOtherSessions } from './session-store.ts';
import { bookAttempt } from './sign-in-limit.ts';
import { insertAudit } from '../tenant/tenant-store.ts';
import type { User } from './membership-store.ts';
import { selectPasswordHash, updatePassword } from './user-store.ts';

/**
 * Changes a person's password and ends all their sessions but `sessionId`. Throws `validation_failed` by field,
 * `conflict` for somebody without a password, `rate_limited` after too many wrong ones.
 */
export async function changePassword(
  db: Database,
  person: { user: User; sessionId: string; ip: string },
  input: { currentPassword: string; newPassword: string },
): Promise<void> {
  const { user } = person;
  checkPassword('newPassword', input.newPassword);
  if (input.newPassword === input.currentPassword) {
    throw invalidField('newPassword', 'must not be the current password');
  }
  const old = await selectPasswordHash(db.pool, user.id);
  if (old === null)
    throw new AppError('conflict', 'You sign in with SSO, so there is no password to change.');
  const attempt = await bookAttempt(db, user.email, person.ip);
  if (!(await verifyPassword(input.currentPassword, old))) {
    throw invalidField('currentPassword', 'is wrong');
  }
  await attempt.succeeded();
  const next = await hashPassword(input.newPassword);
  await inTransaction(db.pool, async (client) => {
    if (!(await updatePassword(client, user.id, { old, next }))) {
      throw new AppError('conflict', 'The password was changed in another session. Sign in again.');
    }
    const everywhere = { userId: user.id, boundTo: null };
    const count = await endOtherSessions(client, everywhere, person.sessionId);
    await insertAudit(client, {
      id: newUuid(),
      tenantId: user.tenantId,
      actor: toId('usr', user.id),
      action: 'user.password_changed',
      subject: toId('usr', user.id),
      data: { sessions_ended: count },
    });
  });
}
