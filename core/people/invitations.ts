// Inviting people: whoever opens the link that was mailed to the invited address becomes a person of the tenant.
// Dies between the invitation and its mail: docs/crashes.md.
// Guarantees: nobody but the owner of the mailbox gets the link, not even who invites; it works once, for 7 days, until it
// is revoked; the store holds only its token's SHA-256; the link alone opens nobody's account: whoever has a password
// must enter it; inviting does not reveal who has an account elsewhere.

import type pg from 'pg';

import { userActor, type Actor, type UserActor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { AppError, invalidField, notFound } from '../base/errors.ts';
import type { Fail } from '../base/failpoint.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { sha256 } from '../base/secrets.ts';
import type { SenderClient } from '../clients/sender.ts';
import type { Buckets } from '../db/buckets.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { normalizeEmail, parseTypedAddress } from '../mail/address.ts';
import { selectTenant } from '../tenant/tenant-store.ts';
import type { AccessTokens } from './access-token.ts';
import { writeInvitation } from './invitation-mail.ts';
import {
  acceptOpen,
  countRecent,
  insertInvitation,
  revokeOpen,
  selectByToken,
  selectInvitations,
  selectMailStates,
  selectRecentMail,
  type Invitation,
  type MailedInvitation,
  type OpenInvitation,
} from './invitation-store.ts';
import { isLinkToken, newLinkToken } from './link-token.ts';
import { lockPeople, selectUser, type Role, type User } from './membership-store.ts';
import { openSession, type SignedIn } from './open-session.ts';
import { checkPassword, hashPassword, verifyPassword } from './password.ts';
import { checkGrant, type Manager } from './people.ts';
import { proveSecondFactor, type CodeDeps } from './prove-second-factor.ts';
import { bookSignInOf, type SignInOrigin } from './sessions.ts';
import { submitSystemMail, type SystemWriterDeps } from './system-sender.ts';
import { selectPerson, updatePassword, type Person } from './user-store.ts';
import { joinTenant, lockOrInsert } from './users.ts';

/** Days that an invitation can be accepted. */
const INVITATION_DAYS = 7;

const MOST_OPEN = 200; // of one tenant
const MOST_A_DAY = 200; // mails of one tenant: these go out in the name of the service
const MOST_TO_ONE = 5; // mails of one tenant to one address a day
// Bounced mails of one tenant a day: a tenth of what it may mail. Who invites colleagues mistypes fewer, and receivers judge the
// domain of everybody's resets by them.
const MOST_BOUNCED = 20;
const HOUR_SECONDS = 3_600;

/** What inviting needs. */
export interface InviteDeps extends SystemWriterDeps {
  db: Database;
  buckets: Buckets;
  sender: SenderClient;
  log: Logger;
  fail: Fail;
}

/**
 * Invites an address by a mail to it. An open invitation of the address is replaced, which is how one is sent again. A
 * mail that was not sent is no error: the invitation says so. Throws `validation_failed`, `forbidden`, `rate_limited`,
 * `conflict` for a person of the tenant and when the operator has not set up the sender of such mail.
 */
export async function invitePerson(
  deps: InviteDeps,
  by: UserActor,
  manager: Manager,
  input: { email: string; role: Role },
): Promise<MailedInvitation> {
  const { tenantId } = manager;
  checkGrant(manager.role, input.role);
  const address = parseTypedAddress(input.email);
  if (!address.ok) throw invalidField('email', `is not an email address: ${address.reason}`);
  const email = normalizeEmail(address.address);
  const token = newLinkToken();
  const messageId = newUuid();
  const tenantName = (await selectTenant(deps.db.pool, tenantId))!.name;
  const words = { tenantName, role: input.role, invitedBy: by.email, days: INVITATION_DAYS };
  const mail = await writeInvitation(deps, { ...words, to: address.address.email, token });
  await checkBounced(deps.buckets, tenantId);
  const invitation = await change(deps, by, async (client, record) => {
    await lockPeople(client, tenantId);
    if (await selectUser(client, tenantId, { email })) throw isHere(email);
    if ((await selectInvitations(client, tenantId)).length >= MOST_OPEN) {
      throw new AppError('conflict', `There are ${MOST_OPEN} open invitations. Revoke some first.`);
    }
    await checkRecent(client, tenantId, email);
    const made = await insertInvitation(client, {
      id: newUuid(),
      tenantId,
      email,
      role: input.role,
      tokenHash: sha256(token),
      messageId,
      invitedBy: by.userId,
      invitedByEmail: by.email,
      days: INVITATION_DAYS,
    });
    await record({
      tenantId,
      action: 'invitation.created',
      subject: toId('inv', made.id),
      details: { email, role: input.role },
    });
    return made;
  });
  deps.fail('invitation.before-mail');
  const sent = await submitSystemMail(deps.sender, 'invitation', mail, { id: messageId });
  if (!sent.ok) deps.log.warn({ code: sent.code, why: sent.message }, 'an invitation was not mailed');
  return { ...invitation, mail: sent.ok ? sent.status : null };
}

async function checkRecent(client: pg.PoolClient, tenantId: string, email: string): Promise<void> {
  const recent = await countRecent(client, tenantId, email);
  if (recent.all < MOST_A_DAY && recent.same < MOST_TO_ONE) return;
  const text =
    recent.same < MOST_TO_ONE
      ? `More than ${MOST_A_DAY} invitations in 24 hours. Try again later.`
      : `${email} was sent ${MOST_TO_ONE} invitations in 24 hours. Try again later.`;
  throw new AppError('rate_limited', text, { retryAfterSeconds: HOUR_SECONDS });
}

// No rate of the domain that sends invitations counts their bounces: a tenant answers for its own.
async function checkBounced(buckets: Buckets, tenantId: string): Promise<void> {
  const states = await mailStates(buckets, await selectRecentMail(buckets.home.pool, tenantId));
  const bounced = [...states.values()].filter((state) => state === 'bounced').length;
  if (bounced < MOST_BOUNCED) return;
  const text = `${bounced} invitations of this account bounced within 24 hours, and ${MOST_BOUNCED} are the limit. Check the addresses and revoke the invitations that cannot arrive. You can invite again 24 hours after the first of them.`;
  throw new AppError('rate_limited', text, { retryAfterSeconds: HOUR_SECONDS });
}

/** The open invitations of a tenant, newest first. */
export async function listInvitations(buckets: Buckets, tenantId: string): Promise<MailedInvitation[]> {
  const rows = await selectInvitations(buckets.home.pool, tenantId);
  const missing = rows.flatMap(({ mail, messageId }) => (mail === null && messageId ? [messageId] : []));
  if (missing.length === 0) return rows;
  const states = await mailStates(buckets, missing);
  return rows.map((row) => ({ ...row, mail: row.mail ?? states.get(row.messageId ?? '') ?? null }));
}

// The tenant that sends this service's mail may live in any bucket.
async function mailStates(buckets: Buckets, ids: string[]): Promise<Map<string, string>> {
  const databases = (await buckets.list()).map((bucket) => buckets.database(bucket));
  const found = await Promise.all(databases.map(({ pool }) => selectMailStates(pool, ids)));
  return new Map(found.flatMap((states) => [...states]));
}

/** The open invitation of a token, or null when it was used, revoked, is over, or never was. */
export async function findInvitation(db: Database, token: string): Promise<OpenInvitation | null> {
  return isLinkToken(token) ? selectByToken(db.pool, sha256(token)) : null;
}

/** Takes an open invitation back. Throws `not_found`. */
export async function revokeInvitation(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    const revoked = await revokeOpen(client, tenantId, id);
    if (!revoked) throw notFound('invitation');
    await record({
      tenantId,
      action: 'invitation.revoked',
      subject: toId('inv', id),
      details: { email: revoked.email },
    });
  });
}

/**
 * Adds the invited person to the tenant and signs them in there. A person with a password enters it, and the code of
 * their second factor; others choose a password. Throws `not_found`, `forbidden` when the tenant requires SSO,
 * `second_factor_required`, `validation_failed`, `rate_limited`.
 */
export async function acceptInvitation(
  deps: CodeDeps & { tokens: AccessTokens },
  input: { token: string; password: string; code?: string | null | undefined },
  origin: SignInOrigin,
): Promise<SignedIn> {
  const offer = await findInvitation(deps.db, input.token);
  if (!offer) throw gone();
  if (offer.ssoOnly) {
    throw new AppError('forbidden', `${offer.tenantName} requires SSO. Choose "Sign in with SSO".`);
  }
  const known = await selectPerson(deps.db.pool, offer.email);
  const next = await provePassword(deps, { known, email: offer.email }, input, origin);
  return inTransaction(deps.db.pool, async (client) => {
    const user = await useInvitation(client, offer, origin.ip, async (person) => {
      if (person.passwordHash !== (known?.passwordHash ?? null)) throw changedMeanwhile();
      if (next !== null) await updatePassword(client, person.id, { old: person.passwordHash, next });
    });
    return openSession(client, deps.tokens, user, { ...origin, method: 'password' });
  });
}

/**
 * Adds the invited person to a tenant with SSO; they sign in there with SSO. The link proves the address, so that the
 * tenant's identity provider need not be the one of the address's domain. Throws `not_found`, `forbidden`.
 */
export async function acceptForSso(db: Database, token: string, ip: string): Promise<{ tenantId: string }> {
  const offer = await findInvitation(db, token);
  if (!offer) throw gone();
  if (!offer.hasSso) throw new AppError('forbidden', 'This invitation needs a password, not SSO.');
  await inTransaction(db.pool, (client) => useInvitation(client, offer, ip, async () => {}));
  return { tenantId: offer.tenantId };
}

// Null: it is the password of a person who has one. Else the hash of the one that they chose.
async function provePassword(
  deps: CodeDeps & { tokens: AccessTokens },
  { known, email }: { known: Person | null; email: string },
  { password, code }: { password: string; code?: string | null | undefined },
  origin: SignInOrigin,
): Promise<string | null> {
  if (!known || known.passwordHash === null) {
    await checkPassword('password', password, email);
    return hashPassword(password);
  }
  const person = { ...known, tenantId: null };
  const attempt = await bookSignInOf(deps, person, code, origin);
  if (!(await verifyPassword(password, known.passwordHash))) throw invalidField('password', 'is wrong');
  await proveSecondFactor(deps, person, code, { attempt, ip: origin.ip });
  await attempt.succeeded();
  return null;
}

async function useInvitation(
  client: pg.PoolClient,
  offer: OpenInvitation,
  ip: string,
  prove: (person: Person) => Promise<void>,
): Promise<User> {
  const invitation = await acceptOpen(client, offer.tenantId, { id: offer.id });
  if (!invitation) throw gone();
  const person = await lockOrInsert(client, invitation.email);
  await prove(person);
  const user = await joinByInvitation(client, userActor(person, ip), invitation);
  if (!user) throw isHere(invitation.email);
  return user;
}

/** Adds who used up an invitation just now, in the caller's transaction. Null when they are there already. */
export function joinByInvitation(
  client: pg.PoolClient,
  by: UserActor,
  { id, tenantId, role, invitedBy }: Invitation,
): Promise<User | null> {
  const details = { invitation: toId('inv', id), invited_by: invitedBy };
  return joinTenant(client, by, { tenantId, userId: by.userId, role }, details);
}

function isHere(email: string): AppError {
  return new AppError('conflict', `${email} already belongs to this account.`);
}

function changedMeanwhile(): AppError {
  return new AppError('conflict', 'The password was changed in another session. Try again.');
}

function gone(): AppError {
  return new AppError('not_found', 'This invitation was used, revoked, or has expired. Ask for a new one.');
}
