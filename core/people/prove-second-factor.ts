// The second step of a sign-in with a password, for those who have set one up.

import { nobody, userActor } from '../audit/actor.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { Config } from '../base/config.ts';
import { AppError, invalidField } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { mailOwnChange } from './own-change-mail.ts';
import { selectSecondFactor } from './second-factor-store.ts';
import type { Attempt } from './sign-in-limit.ts';
import { useCode } from './totp.ts';

/** What checking a code needs. */
export interface CodeDeps {
  db: Database;
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>;
}

/**
 * Asks a person whose password was right for their second factor, if they have one. A wrong code stays on the books of the
 * attempt, as a wrong password does; asking for one takes the attempt off them, and leaves the others. Throws
 * `second_factor_required` without a code, `validation_failed` for a wrong one or one that was used.
 */
export async function proveSecondFactor(
  { db, config }: CodeDeps,
  person: { id: string; email: string; tenantId: string | null },
  code: string | null | undefined,
  { attempt, ip }: { attempt: Attempt; ip: string },
): Promise<void> {
  if (attempt.factorProved) return;
  const deps = { db, config };
  const factor = await selectSecondFactor(db.pool, person.id);
  if (!factor?.confirmedAt) return;
  if (code === null || code === undefined || code.trim() === '') {
    await attempt.undone();
    throw new AppError(
      'second_factor_required',
      'Enter the code that your authenticator app shows, or a recovery code.',
    );
  }
  if (await useFactor(deps, person, code, ip)) return;
  const { id, tenantId } = person;
  const details = { method: 'second_factor' };
  const subject = toId('usr', id);
  await insertAudit(db.pool, nobody(ip), { tenantId, action: 'sign_in.failed', subject, details });
  throw wrongCode();
}

/** Whether a code is good; it is used up by that. False for somebody without a second factor. */
export async function useFactor(
  { db, config }: CodeDeps,
  person: { id: string; email: string; tenantId: string | null },
  code: string,
  ip: string,
): Promise<boolean> {
  return inTransaction(db.pool, async (client) => {
    const used = await useCode(client, config, person.id, code);
    if (used?.kind !== 'recovery') return used !== null;
    const { id, email, tenantId } = person;
    const by = userActor(person, ip);
    const details = { left: used.left };
    const action = 'second_factor.recovery_code_used';
    await insertAudit(client, by, { tenantId, action, subject: toId('usr', id), details });
    await mailOwnChange(client, by, { email }, { action, details });
    return true;
  });
}

/** The error for a code that is wrong or was used. */
export function wrongCode(): AppError {
  return invalidField('code', 'is wrong or was used before; wait for the next one, or use a recovery code');
}
