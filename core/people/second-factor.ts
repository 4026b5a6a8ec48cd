// One's own second factor: setting it up, recovery codes, turning it off; and that of others.
// Guarantees: it is asked for only after a code of it was entered; then all other sessions end, so that every session with a
// password was opened with a code; no owner weakens a person who belongs to other tenants too.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { AppError, invalidField, notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { normalizeEmail, parseTypedAddress } from '../mail/address.ts';
import { updateSecondFactorRequired } from '../tenant/tenant-store.ts';
import type { User } from './membership-store.ts';
import { mailOwnChange } from './own-change-mail.ts';
import type { OwnSession } from './own-session.ts';
import { verifyPassword } from './password.ts';
import { lockUser, type Manager } from './people.ts';
import { proveSecondFactor, wrongCode, type CodeDeps } from './prove-second-factor.ts';
import type { SecondFactorSetting } from './second-factor-rule.ts';
import {
  confirmPending,
  countCodes,
  deleteSecondFactor,
  replaceCodes,
  selectDemands,
  selectSecondFactor,
  upsertPending,
} from './second-factor-store.ts';
import { endOtherSessions, type SignInMethod } from './session-store.ts';
import { bookInSession } from './sign-in-limit.ts';
import { newRecoveryCodes, newSecret, useAppCode } from './totp.ts';
import { selectPasswordHash, selectPerson } from './user-store.ts';

/** What changing one's own needs. */
export type OwnFactorDeps = ChangeDeps & CodeDeps;

/** Who changes their own, and from where. */
export type OwnFactor = OwnSession & { ip: string };

/** Since when a person has a second factor (null: they have none), and their recovery codes left. */
export async function readSecondFactor(
  db: Database,
  userId: string,
): Promise<{ since: Date | null; recoveryCodesLeft: number }> {
  const factor = await selectSecondFactor(db.pool, userId);
  return { since: factor?.confirmedAt ?? null, recoveryCodesLeft: await countCodes(db.pool, userId) };
}

/**
 * Makes a secret for the person's app, which is shown now and never again. It counts once `confirmSecondFactor` was given a
 * code of it. Throws `conflict` for who has a second factor.
 */
export async function startSecondFactor(
  deps: OwnFactorDeps,
  by: Actor,
  { user }: Pick<OwnFactor, 'user' | 'method'>,
): Promise<{ secret: string; url: string }> {
  const { secret, url, sealed } = newSecret(deps.config, user.email);
  await change(deps, by, async (client, record) => {
    if (!(await upsertPending(client, user.id, sealed))) {
      throw new AppError(
        'conflict',
        'Two-factor authentication is on. Turn it off before you set it up again.',
      );
    }
    await record({ ...recordOf(user), action: 'second_factor.started' });
  });
  return { secret, url };
}

/**
 * Turns the new second factor on with a code of the app, ends all other sessions, and gives ten recovery codes, shown now
 * and never again. Throws `conflict` when none was started, `validation_failed` for a wrong code.
 */
export async function confirmSecondFactor(
  deps: OwnFactorDeps,
  by: Actor,
  { user, sessionId }: OwnFactor,
  code: string,
): Promise<string[]> {
  return change(deps, by, async (client, record) => {
    const factor = await selectSecondFactor(client, user.id);
    if (!factor || factor.confirmedAt)
      throw new AppError('conflict', 'Start the setup of two-factor authentication first.');
    if (!(await useAppCode(client, deps.config, factor, code))) throw wrongCode();
    if (!(await confirmPending(client, user.id))) throw new AppError('conflict', 'It was set up meanwhile.');
    const { codes, hashes } = newRecoveryCodes();
    await replaceCodes(client, user.id, hashes);
    const count = await endOtherSessions(client, { userId: user.id, openedBySsoOf: null }, sessionId);
    await record({
      ...recordOf(user),
      action: 'second_factor.turned_on',
      details: { sessions_ended: count },
    });
    await mailOwnChange(client, by, { email: user.email }, { action: 'second_factor.turned_on' });
    return codes;
  });
}

/**
 * Makes ten new recovery codes in the place of all others; `code` is one of the app or a recovery code. Throws
 * `conflict` without a second factor, `validation_failed` for a wrong code, `rate_limited`.
 */
export async function replaceRecoveryCodes(
  deps: OwnFactorDeps,
  by: Actor,
  self: OwnFactor,
  code: string,
): Promise<string[]> {
  await requireFactor(deps.db, self.user.id);
  const attempt = await bookInSession(deps.db, self.sessionId);
  await proveSecondFactor(deps, self.user, code, { attempt, ip: self.ip });
  await attempt.succeeded();
  const { codes, hashes } = newRecoveryCodes();
  await change(deps, by, async (client, record) => {
    await replaceCodes(client, self.user.id, hashes);
    await record({ ...recordOf(self.user), action: 'second_factor.recovery_codes_replaced' });
  });
  return codes;
}

/**
 * Turns it off, with the password and a code. Throws `conflict` without one or where one of the person's tenants, or the
 * operator, requires it, `validation_failed` by field, `rate_limited`.
 */
export async function turnOffSecondFactor(
  deps: OwnFactorDeps & { config: SecondFactorSetting },
  by: Actor,
  self: OwnFactor,
  input: { password: string; code: string },
): Promise<void> {
  const { user, ip } = self;
  await requireFactor(deps.db, user.id);
  const who = deps.config.SECOND_FACTOR_REQUIRED;
  const { required, superAdmin } = await selectDemands(deps.db.pool, user.id);
  if (required || who === 'everybody' || (who === 'super_admins' && superAdmin)) {
    throw new AppError('conflict', 'An account that you belong to requires two-factor authentication.');
  }
  const attempt = await bookInSession(deps.db, self.sessionId);
  if (!(await verifyPassword(input.password, await selectPasswordHash(deps.db.pool, user.id)))) {
    throw invalidField('password', 'is wrong');
  }
  await proveSecondFactor(deps, user, input.code, { attempt, ip });
  await attempt.succeeded();
  await change(deps, by, async (client, record) => {
    if (!(await deleteSecondFactor(client, user.id))) throw noFactor();
    await record({ ...recordOf(user), action: 'second_factor.turned_off' });
    await mailOwnChange(client, by, { email: user.email }, { action: 'second_factor.turned_off' });
  });
}

/**
 * Takes away a member's second factor, who lost it, and ends their sessions. Throws `not_found`, `forbidden` for a
 * super-admin, `conflict` for who has none, or belongs to other tenants too.
 */
export async function resetSecondFactor(
  deps: ChangeDeps,
  by: Actor,
  manager: Manager,
  userId: string,
): Promise<User> {
  return change(deps, by, async (client, record) => {
    const person = await lockUser(client, manager, userId);
    if (manager.role !== 'super_admin' && (await selectDemands(client, userId)).tenants > 1) {
      throw new AppError(
        'conflict',
        `${person.email} belongs to other accounts too. Ask the operator to reset it.`,
      );
    }
    if (!(await deleteSecondFactor(client, userId))) throw hasNone(person.email);
    const count = await endOtherSessions(client, { userId, openedBySsoOf: null }, null);
    const details = { email: person.email, sessions_ended: count };
    await record({ ...recordOf(person), action: 'second_factor.reset', details });
    await mailOwnChange(client, by, { email: person.email }, { action: 'second_factor.reset' });
    return { ...person, hasSecondFactor: false };
  });
}

/** The same for operators, whoever it is. Throws `not_found` or `conflict`. */
export async function resetSecondFactorOf(deps: ChangeDeps, by: Actor, typed: string): Promise<string> {
  const address = parseTypedAddress(typed);
  const person = address.ok ? await selectPerson(deps.db.pool, normalizeEmail(address.address)) : null;
  if (!person) throw notFound('person');
  const { id, email } = person;
  await change(deps, by, async (client, record) => {
    if (!(await deleteSecondFactor(client, id))) throw hasNone(email);
    const count = await endOtherSessions(client, { userId: id, openedBySsoOf: null }, null);
    const details = { email, sessions_ended: count };
    await record({ tenantId: null, action: 'second_factor.reset', subject: toId('usr', id), details });
    await mailOwnChange(client, by, { email }, { action: 'second_factor.reset' });
  });
  return id;
}

/**
 * Says whether everybody of the tenant who signs in with a password needs a second factor. Who has none can only set one
 * up then. Throws `conflict` for an owner who would lock themselves out.
 */
export async function requireSecondFactor(
  deps: ChangeDeps,
  by: Actor,
  self: { user: User; method: SignInMethod },
  required: boolean,
): Promise<void> {
  const { tenantId, id } = self.user;
  if (required && self.method === 'password') await requireFactor(deps.db, id);
  await change(deps, by, async (client, record) => {
    await updateSecondFactorRequired(client, tenantId, required);
    const subject = toId('tnt', tenantId);
    await record({ tenantId, action: 'tenant.second_factor_required', subject, details: { required } });
  });
}

async function requireFactor(db: Database, userId: string): Promise<void> {
  if (!(await selectSecondFactor(db.pool, userId))?.confirmedAt) throw noFactor();
}

function noFactor(): AppError {
  return new AppError('conflict', 'Set up two-factor authentication under Profile first.');
}

function hasNone(email: string): AppError {
  return new AppError('conflict', `${email} has not set up two-factor authentication.`);
}

function recordOf({ tenantId, id }: User) {
  return { tenantId, subject: toId('usr', id) };
}
