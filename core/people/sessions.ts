// Signing in, refreshing and signing out; the list of one's sessions.
// Guarantees: a wrong address and a wrong password cannot be distinguished, by text or by time; a refresh token works
// once, and using a spent one ends its session; guessing is slowed (sign-in-limit.ts).

import { nobody, userActor, type Actor } from '../audit/actor.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { AppError, notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import { sha256 } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { normalizeEmail, parseTypedAddress } from '../mail/address.ts';
import type { AccessTokens } from './access-token.ts';
import { accessFor, moveSession, openSession, type Origin, type SignedIn } from './open-session.ts';
import { selectPasswordEntries, type User } from './membership-store.ts';
import { requireOwnSession } from './own-session.ts';
import { verifyPassword } from './password.ts';
import { proveSecondFactor, useFactor, type CodeDeps } from './prove-second-factor.ts';
import {
  endOtherSessions,
  endOwnSession,
  endSession,
  rotateRefresh,
  selectSession,
  selectSessions,
  selectSessionUser,
  type Session,
  type SessionOwner,
  type SignInMethod,
} from './session-store.ts';
import { bookAttempt, type Attempt } from './sign-in-limit.ts';
import { lockPerson, selectPerson } from './user-store.ts';

/** The session that asks: whose it is, and where it works. */
export interface AskingSession {
  user: User;
  userId: string;
  tenantId: string;
  sessionId: string;
  method: SignInMethod;
}

/** Where a sign-in comes from, with the token that a known browser has. */
export type SignInOrigin = Origin & { browserToken: string | null };

const NOBODY = '00000000-0000-0000-0000-000000000000'; // an address that nobody has costs the same reads

/**
 * Opens a session in the person's tenant used last. Who has a second factor gives its code, or a recovery code, in `code`.
 * Throws `unauthorized`, also for a person who is in no tenant, `second_factor_required` when the password is right and
 * there is no code, `validation_failed` for a wrong code, `forbidden` when all their tenants insist on SSO, or `rate_limited` after too many failures.
 */
export async function signIn(
  deps: CodeDeps & { tokens: AccessTokens },
  input: { email: string; password: string; code?: string | null | undefined },
  origin: SignInOrigin,
): Promise<SignedIn> {
  const address = parseTypedAddress(input.email);
  if (!address.ok) throw wrong();
  const email = normalizeEmail(address.address);
  const person = await selectPerson(deps.db.pool, email);
  const entries = await selectPasswordEntries(deps.db.pool, person?.id ?? NOBODY);
  const entry = { id: person?.id ?? NOBODY, email, tenantId: entries[0]?.user.tenantId ?? null };
  const attempt = await bookSignInOf(deps, entry, input.code, origin);
  const right = await verifyPassword(input.password, person?.passwordHash ?? null);
  if (!right || !person || entries.length === 0) {
    await auditFailure(deps.db, entries[0]?.user ?? null, origin.ip);
    throw wrong();
  }
  const { tenantId } = entries[0]!.user;
  await proveSecondFactor(deps, { ...person, tenantId }, input.code, { attempt, ip: origin.ip });
  await attempt.succeeded();
  const user = entries.find(({ ssoOnly }) => !ssoOnly)?.user;
  if (!user) {
    throw new AppError('forbidden', 'Your organisation requires SSO. Choose "Sign in with SSO".');
  }
  return inTransaction(deps.db.pool, async (client) => {
    // Who sets a new password ends all sessions, also one that is being opened with the old one.
    if ((await lockPerson(client, email))?.passwordHash !== person.passwordHash) throw wrong();
    return openSession(client, deps.tokens, user, { ...origin, method: 'password' });
  });
}

/** Books an attempt to prove with a password that one is this person. Throws `rate_limited` as `bookAttempt` does. */
export async function bookSignInOf(
  deps: CodeDeps & { tokens: AccessTokens },
  person: { id: string; email: string; tenantId: string | null },
  code: string | null | undefined,
  { ip, browserToken }: SignInOrigin,
): Promise<Attempt> {
  const { email } = person;
  const browserId = browserToken === null ? null : await deps.tokens.verifyBrowser(browserToken, email);
  return bookAttempt(deps.db, { email, ip, browserId }, () => useFactor(deps, person, code ?? '', ip));
}

/**
 * Trades a refresh token for the next pair, in the tenant that the session works in. A spent one ends its session: it was
 * stolen, or its thief came first.
 */
export async function refreshSession(
  deps: { db: Database; tokens: AccessTokens },
  refreshToken: string,
  ip: string,
): Promise<SignedIn> {
  const session = await deps.tokens.verifyRefresh(refreshToken);
  if (!session) throw sessionOver();
  const next = await deps.tokens.signRefresh(session.sessionId);
  const hashes = { spent: sha256(refreshToken), next: sha256(next) };
  if (!(await rotateRefresh(deps.db.pool, session.sessionId, hashes, ip))) {
    await endWithAudit(deps.db, session.sessionId, ip, 'session.ended_by_spent_token');
    throw sessionOver();
  }
  const live = await selectSessionUser(deps.db.pool, session.sessionId, null);
  if (!live) throw sessionOver();
  const { user, worksIn } = live;
  if (user.tenantId !== worksIn) {
    // They may not work there any more: from now on the session is the other tenant's, and its log's.
    await change(deps, userActor(user, ip), (client, record) =>
      moveSession(client, record, session.sessionId, user),
    );
  }
  return {
    accessToken: await accessFor(deps.tokens, user, session.sessionId),
    refreshToken: next,
    user,
  };
}

/** Ends the session of a refresh token, if it is one of ours. Signing out twice is fine. */
export async function signOut(
  deps: { db: Database; tokens: AccessTokens },
  refreshToken: string,
  ip: string,
): Promise<void> {
  const session = await deps.tokens.verifyRefresh(refreshToken);
  if (session) await endWithAudit(deps.db, session.sessionId, ip, 'session.ended');
}

/** The live sessions of a person, the one used last first. */
export function listSessions(db: Database, self: AskingSession): Promise<Session[]> {
  return selectSessions(db.pool, ownerOf(self));
}

/** The session that asks. Throws `unauthorized` when it ended meanwhile. */
export async function readSession(db: Database, self: AskingSession): Promise<Session> {
  const session = await selectSession(db.pool, ownerOf(self), self.sessionId);
  if (!session) throw sessionOver();
  return session;
}

/** Ends one of a person's own sessions. Throws `not_found`, or `forbidden` as `requireOwnSession` does. */
export async function revokeSession(
  deps: ChangeDeps,
  by: Actor,
  self: AskingSession,
  sessionId: string,
): Promise<void> {
  requireMayEnd(self);
  await change(deps, by, async (client, record) => {
    if (!(await endOwnSession(client, ownerOf(self), sessionId))) throw notFound('session');
    const { tenantId } = self;
    await record({ tenantId, action: 'session.revoked', subject: toId('ses', sessionId) });
  });
}

/** Ends all of a person's sessions but the one that asks. Returns how many. Throws `forbidden` as `requireOwnSession` does. */
export async function revokeOtherSessions(deps: ChangeDeps, by: Actor, self: AskingSession): Promise<number> {
  requireMayEnd(self);
  return change(deps, by, async (client, record) => {
    const count = await endOtherSessions(client, ownerOf(self), self.sessionId);
    const { tenantId, userId } = self;
    const action = 'session.others_revoked';
    await record({ tenantId, action, subject: toId('usr', userId), details: { count } });
    return count;
  });
}

// Who has no password can end sessions in no other way; those are of the same SSO alone (`ownerOf`).
function requireMayEnd(self: AskingSession): void {
  if (self.user.hasPassword) requireOwnSession(self);
}

// A session by SSO sees and ends only what the same tenant's SSO opened.
function ownerOf({ userId, tenantId, method }: AskingSession): SessionOwner {
  return { userId, openedBySsoOf: method === 'saml' ? tenantId : null };
}

// Bounded by the limit above. An address that nobody has costs a row too, so that both take the same time; what was
// typed is not kept, for it may be a password.
async function auditFailure(db: Database, user: User | null, ip: string): Promise<void> {
  await insertAudit(db.pool, nobody(ip), {
    tenantId: user?.tenantId ?? null,
    action: 'sign_in.failed',
    subject: user ? toId('usr', user.id) : 'nobody',
    details: { method: 'password' },
  });
}

async function endWithAudit(
  db: Database,
  sessionId: string,
  ip: string,
  action: 'session.ended' | 'session.ended_by_spent_token',
): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const ended = await endSession(client, sessionId);
    if (!ended) return;
    const { tenantId, user } = ended;
    await insertAudit(client, userActor(user, ip), { tenantId, action, subject: toId('ses', sessionId) });
  });
}

function wrong(): AppError {
  return new AppError('unauthorized', 'The email address or password is wrong.');
}

function sessionOver(): AppError {
  return new AppError('unauthorized', 'Your session has ended. Sign in again.');
}
