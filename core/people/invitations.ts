// Inviting people: an owner hands over a link, whoever opens it becomes a person of the tenant.
// Guarantees: a link works once, for 7 days, until it is taken back; the store holds only its token's SHA-256; an
// address has one account over all tenants.

import { randomBytes } from 'node:crypto';
import type pg from 'pg';

import { AppError, invalidField, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { sha256 } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { isUniqueViolation } from '../db/sql-state.ts';
import { inTransaction } from '../db/transaction.ts';
import { normalizeEmail, parseAddress } from '../mail/address.ts';
import type { AccessTokens } from './access-token.ts';
import {
  acceptOpen,
  insertInvitation,
  revokeOpen,
  selectByToken,
  selectInvitations,
  type Invitation,
  type OpenInvitation,
} from './invitation-store.ts';
import { openSession, type Origin, type SignedIn } from './open-session.ts';
import { checkPassword, hashPassword } from './password.ts';
import { lockPeople } from './people-store.ts';
import { checkGrant, type PersonActor } from './people.ts';
import { insertAudit } from '../tenant/tenant-store.ts';
import { insertUser, selectUserByEmail, type Role, type User } from './user-store.ts';

/** Days that an invitation can be accepted. */
export const INVITATION_DAYS = 7;

const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[\w-]{43}$/; // 32 bytes in base64url
const MOST_OPEN = 200; // of one tenant

/** Invites an address. `token` is shown now and never again. An open invitation of the address is replaced. */
export async function invitePerson(
  db: Database,
  by: PersonActor & { email: string },
  input: { email: string; role: Role },
): Promise<{ invitation: Invitation; token: string }> {
  checkGrant(by.role, input.role);
  const address = parseAddress(input.email.trim());
  if (!address.ok) throw invalidField('email', address.reason);
  const email = normalizeEmail(address.address);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const invitation = await inTransaction(db.pool, async (client) => {
    await lockPeople(client, by.tenantId);
    if (await selectUserByEmail(client, email)) throw taken(email);
    if ((await selectInvitations(client, by.tenantId)).length >= MOST_OPEN) {
      throw new AppError('conflict', `There are ${MOST_OPEN} open invitations. Revoke some first.`);
    }
    const made = await insertInvitation(client, {
      id: newUuid(),
      tenantId: by.tenantId,
      email,
      role: input.role,
      tokenHash: sha256(token),
      invitedBy: { userId: by.userId, email: by.email },
      days: INVITATION_DAYS,
    });
    await insertAudit(client, {
      ...act(by.tenantId, by.userId, 'invitation.created', made.id),
      data: { email, role: input.role },
    });
    return made;
  });
  return { invitation, token };
}

/** The open invitations of a tenant, newest first. */
export function listInvitations(db: Database, tenantId: string): Promise<Invitation[]> {
  return selectInvitations(db.pool, tenantId);
}

/** The open invitation of a token, or null when it was used, revoked, is over, or never was. */
export async function findInvitation(db: Database, token: string): Promise<OpenInvitation | null> {
  return TOKEN_SHAPE.test(token) ? selectByToken(db.pool, sha256(token)) : null;
}

/** Takes an open invitation back. Throws `not_found`. */
export async function revokeInvitation(db: Database, by: PersonActor, id: string): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const revoked = await revokeOpen(client, by.tenantId, id);
    if (!revoked) throw notFound('invitation');
    await insertAudit(client, {
      ...act(by.tenantId, by.userId, 'invitation.revoked', id),
      data: { email: revoked.email },
    });
  });
}

/** Makes the invited person with a password and signs them in. Throws `not_found`, `conflict`, `forbidden`. */
export async function acceptInvitation(
  deps: { db: Database; tokens: AccessTokens },
  input: { token: string; password: string },
  origin: Origin,
): Promise<SignedIn> {
  const offer = await findInvitation(deps.db, input.token);
  if (!offer) throw gone();
  if (offer.ssoRequired && offer.role === 'member') {
    throw new AppError('forbidden', `${offer.tenantName} requires SSO. Choose "Sign in with SSO".`);
  }
  checkPassword('password', input.password);
  const passwordHash = await hashPassword(input.password);
  try {
    return await inTransaction(deps.db.pool, async (client) => {
      const invitation = await acceptOpen(client, offer.tenantId, { id: offer.id });
      if (!invitation) throw gone();
      const user = await joinTenant(client, invitation, passwordHash);
      return openSession(client, deps.tokens, user, { ...origin, method: 'password' });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw taken(offer.email);
    throw error;
  }
}

/** Makes the person of an invitation that was just used up, in the caller's transaction. */
export async function joinTenant(
  client: pg.PoolClient,
  invitation: Invitation,
  passwordHash: string | null,
): Promise<User> {
  const { tenantId, email, role } = invitation;
  const user = await insertUser(client, { id: newUuid(), tenantId, email, role, passwordHash });
  await insertAudit(client, {
    id: newUuid(),
    tenantId,
    actor: toId('usr', user.id),
    action: 'user.created',
    subject: toId('usr', user.id),
    data: { email, role, invitation: toId('inv', invitation.id), invited_by: invitation.invitedBy },
  });
  return user;
}

function act(tenantId: string, userId: string, action: string, invitationId: string) {
  const subject = toId('inv', invitationId);
  return { id: newUuid(), tenantId, actor: toId('usr', userId), action, subject };
}

function taken(email: string): AppError {
  return new AppError(
    'conflict',
    `${email} already has an account. An address can belong to one account only.`,
  );
}

function gone(): AppError {
  return new AppError('not_found', 'This invitation was used, revoked, or has expired. Ask for a new one.');
}
