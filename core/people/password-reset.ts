// A forgotten password: whoever opens the link that is mailed to the address of an account chooses a new one.
// Guarantees: asking does and answers the same, in the same time, whether or not the address has an account, because only
// the mail's sender (send-system-mail.ts) looks; the link works once, for an hour, until a newer one is mailed or the
// password changes; stores hold its token's SHA-256; the reset signs nobody in, leaves the second factor as it is, and ends
// all sessions of the person.

import type pg from 'pg';

import { userActor, type Actor } from '../audit/actor.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import type { Config } from '../base/config.ts';
import { AppError, invalidField, notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import { sha256 } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { normalizeEmail, parseTypedAddress } from '../mail/address.ts';
import type { OwnChange } from '../system-mail/system-mail.ts';
import { addSystemMail } from '../system-mail/system-mail-store.ts';
import type { AccessTokens } from './access-token.ts';
import { isLinkToken, newLinkToken } from './link-token.ts';
import { selectMemberships } from './membership-store.ts';
import { checkPassword, hashPassword } from './password.ts';
import { mailOwnChange } from './own-change-mail.ts';
import { endOtherSessions } from './session-store.ts';
import type { SignInOrigin } from './sessions.ts';
import { selectSecondFactor } from './second-factor-store.ts';
import { bookReset } from './sign-in-limit.ts';
import { forgetFailures } from './sign-in-store.ts';
import { findSystemSender, pageUrl, type SystemWriterDeps } from './system-sender.ts';
import {
  lockPerson,
  selectByReset,
  selectPerson,
  updatePassword,
  updateReset,
  usePasswordReset,
  type Person,
} from './user-store.ts';

/** Seconds that a link works. */
export const RESET_SECONDS = 3_600;

/**
 * Asks for the mail. Throws `validation_failed` for what is no address, `rate_limited`, and `conflict` when the operator
 * has not set up the sender of such mail; none of them depends on who has an account.
 */
export async function requestPasswordReset(
  deps: SystemWriterDeps & { db: Database; tokens: AccessTokens },
  typed: string,
  { ip, browserToken }: Pick<SignInOrigin, 'ip' | 'browserToken'>,
): Promise<void> {
  const address = parseTypedAddress(typed);
  if (!address.ok) throw invalidField('email', `is not an email address: ${address.reason}`);
  const email = normalizeEmail(address.address);
  const system = await findSystemSender(deps);
  if (!system.ok) {
    const text = `Passwords cannot be reset by mail: ${system.why}. Ask your administrator.`;
    throw new AppError('conflict', text);
  }
  const browserId = browserToken === null ? null : await deps.tokens.verifyBrowser(browserToken, email);
  await bookReset(deps.db, { email, ip, browserId });
  const to = { recipient: email, tenantId: null };
  await addSystemMail(deps.db.pool, to, { kind: 'password_reset', data: { ip } });
}

/**
 * Makes a link with which a person chooses a new password, for operators; it replaces one before. Throws `not_found`, or
 * `conflict` for a person without a password.
 */
export async function makeResetLink(
  { db, config }: ChangeDeps & { config: Pick<Config, 'PUBLIC_URL'> },
  by: Actor,
  typed: string,
): Promise<string> {
  const person = await findWithPassword(db, typed);
  const token = newLinkToken();
  await change({ db }, by, async (client, record) => {
    const link = { hash: sha256(token), seconds: RESET_SECONDS, isNew: true };
    await updateReset(client, person.id, link);
    for (const { tenant } of await selectMemberships(client, person.id, null)) {
      const subject = toId('usr', person.id);
      await record({ tenantId: tenant.id, action: 'user.password_reset_asked', subject });
    }
  });
  return pageUrl(config, `/reset-password/${token}`);
}

/**
 * Gives a person another password, for operators, and ends their sessions. Throws `not_found`, `validation_failed`, or `conflict`
 * for a person without a password.
 */
export async function setPasswordOf(
  { db }: ChangeDeps,
  by: Actor,
  typed: string,
  password: string,
): Promise<Person> {
  const person = await findWithPassword(db, typed);
  await checkPassword('password', password, person.email);
  const next = await hashPassword(password);
  return inTransaction(db.pool, async (client) => {
    const { passwordHash: old } = (await lockPerson(client, person.email))!;
    await updatePassword(client, person.id, { old, next });
    await concludeChange(client, by, person, { action: 'user.password_set', mail: 'user.password_changed' });
    return person;
  });
}

async function findWithPassword(db: Database, typed: string): Promise<Person> {
  const address = parseTypedAddress(typed);
  const person = address.ok ? await selectPerson(db.pool, normalizeEmail(address.address)) : null;
  if (!person) throw notFound('person');
  if (person.passwordHash !== null) return person;
  const why = 'has no password: they sign in with SSO, or belong to no tenant.';
  throw new AppError('conflict', `${person.email} ${why}`);
}

/** Whose password a link resets, or null when it was used, was replaced, is over, or never was. */
export async function findReset(db: Database, token: string): Promise<Person | null> {
  return isLinkToken(token) ? selectByReset(db.pool, sha256(token)) : null;
}

/** Sets the new password. Throws `not_found` for a link that does not work, `validation_failed`. */
export async function resetPassword(
  db: Database,
  input: { token: string; password: string },
  ip: string,
): Promise<Person> {
  const known = await findReset(db, input.token);
  if (!known) throw gone();
  await checkPassword('password', input.password, known.email);
  const next = await hashPassword(input.password);
  return inTransaction(db.pool, async (client) => {
    const person = await usePasswordReset(client, sha256(input.token), next);
    if (!person) throw gone();
    const done = { action: 'user.password_reset', mail: 'user.password_reset' } as const;
    await concludeChange(client, userActor(person, ip), person, done);
    return person;
  });
}

// After a password was replaced: ends all sessions, writes to the audit log of each tenant, and mails the person.
async function concludeChange(
  client: pg.ClientBase,
  by: Actor,
  person: Person,
  { action, mail }: { action: 'user.password_set' | 'user.password_reset'; mail: OwnChange },
): Promise<void> {
  const count = await endOtherSessions(client, { userId: person.id, openedBySsoOf: null }, null);
  // Wrong codes are among the failures, and the mailbox alone must not buy more guesses at one.
  const factor = await selectSecondFactor(client, person.id);
  if (!factor?.confirmedAt) await forgetFailures(client, person.email);
  for (const { tenant } of await selectMemberships(client, person.id, null)) {
    await insertAudit(client, by, {
      tenantId: tenant.id,
      action,
      subject: toId('usr', person.id),
      details: { ...(action === 'user.password_set' && { email: person.email }), sessions_ended: count },
    });
  }
  await mailOwnChange(client, by, { email: person.email }, { action: mail });
}

function gone(): AppError {
  return new AppError(
    'not_found',
    'This link was used, replaced by a newer one, or has expired. Ask for a new one.',
  );
}
