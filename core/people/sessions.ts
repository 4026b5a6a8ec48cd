// Signing in, refreshing and signing out; the list of one's sessions.
// Guarantees: a wrong address and a wrong password cannot be told apart, by text or by time; a refresh token works
// once, and using a spent one ends its session; guessing is slowed (sign-in-limit.ts).

import { AppError, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { sha256 } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { normalizeEmail, parseAddress } from '../mail/address.ts';
import type { AccessTokens } from './access-token.ts';
import { accessFor, openSession, type Origin, type SignedIn } from './open-session.ts';
import { verifyPassword } from './password.ts';
import {
  endOtherSessions,
  endOwnSession,
  selectSession,
  selectSessions,
  type Session,
  type SessionOwner,
} from './session-store.ts';
import { bookAttempt } from './sign-in-limit.ts';
import { insertAudit } from '../tenant/tenant-store.ts';
import { endSession, rotateRefresh, selectSessionUser, selectUserByEmail, type User } from './user-store.ts';

/** Opens a session. Throws `unauthorized`, or `rate_limited` after too many failures. */
export async function signIn(
  deps: { db: Database; tokens: AccessTokens },
  input: { email: string; password: string },
  origin: Origin,
): Promise<SignedIn> {
  const address = parseAddress(input.email.trim());
  if (!address.ok) throw wrong();
  const email = normalizeEmail(address.address);
  const attempt = await bookAttempt(deps.db, email, origin.ip);
  const found = await selectUserByEmail(deps.db.pool, email);
  const right = await verifyPassword(input.password, found?.passwordHash ?? null);
  if (!found || !right) {
    await auditFailure(deps.db, found);
    throw wrong();
  }
  await attempt.succeeded();
  const { passwordHash: _, ssoRequired, ...user } = found;
  if (ssoRequired && user.role === 'member') {
    throw new AppError('forbidden', 'Your organisation requires SSO. Choose "Sign in with SSO".');
  }
  return inTransaction(deps.db.pool, (client) =>
    openSession(client, deps.tokens, user, { ...origin, method: 'password' }),
  );
}

/** Trades a refresh token for the next pair. A spent one ends its session: it was stolen, or its thief came first. */
export async function refreshSession(
  deps: { db: Database; tokens: AccessTokens },
  refreshToken: string,
  ip: string | null = null,
): Promise<SignedIn> {
  const session = await deps.tokens.verifyRefresh(refreshToken);
  if (!session) throw sessionOver();
  const next = await deps.tokens.signRefresh(session.sessionId);
  const hashes = { spent: sha256(refreshToken), next: sha256(next) };
  if (!(await rotateRefresh(deps.db.pool, session.sessionId, hashes, ip))) {
    await endWithAudit(deps.db, session.sessionId, 'session.ended_by_spent_token');
    throw sessionOver();
  }
  const live = await selectSessionUser(deps.db.pool, session.sessionId);
  if (!live) throw sessionOver();
  return {
    accessToken: await accessFor(deps.tokens, live.user, session.sessionId),
    refreshToken: next,
    user: live.user,
  };
}

/** Ends the session of a refresh token, if it is one of ours. Signing out twice is fine. */
export async function signOut(
  deps: { db: Database; tokens: AccessTokens },
  refreshToken: string,
): Promise<void> {
  const session = await deps.tokens.verifyRefresh(refreshToken);
  if (session) await endWithAudit(deps.db, session.sessionId, 'session.ended');
}

/** The live sessions of a person, the one used last first. */
export function listSessions(db: Database, owner: SessionOwner): Promise<Session[]> {
  return selectSessions(db.pool, owner);
}

/** One live session of a person. Throws `unauthorized` when it ended meanwhile. */
export async function readSession(db: Database, owner: SessionOwner, sessionId: string): Promise<Session> {
  const session = await selectSession(db.pool, owner, sessionId);
  if (!session) throw sessionOver();
  return session;
}

/** Ends one of a person's own sessions. Throws `not_found`. */
export async function revokeSession(db: Database, owner: SessionOwner, sessionId: string): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    if (!(await endOwnSession(client, owner, sessionId))) throw notFound('session');
    const subject = toId('ses', sessionId);
    await insertAudit(client, { ...ownAct(owner, 'session.revoked'), subject, data: {} });
  });
}

/** Ends all of a person's sessions but one. Returns how many. */
export async function revokeOtherSessions(
  db: Database,
  owner: SessionOwner,
  keptId: string,
): Promise<number> {
  return inTransaction(db.pool, async (client) => {
    const count = await endOtherSessions(client, owner, keptId);
    const subject = toId('usr', owner.userId);
    await insertAudit(client, { ...ownAct(owner, 'session.others_revoked'), subject, data: { count } });
    return count;
  });
}

function ownAct(owner: SessionOwner, action: string) {
  return { id: newUuid(), tenantId: owner.tenantId, actor: toId('usr', owner.userId), action };
}

// Bounded by the limit above. An address that nobody has costs a row too, so that both take the same time; what was
// typed is not kept, for it may be a password.
async function auditFailure(db: Database, user: User | null): Promise<void> {
  await insertAudit(db.pool, {
    id: newUuid(),
    tenantId: user?.tenantId ?? null,
    actor: 'nobody',
    action: 'sign_in.failed',
    subject: user ? toId('usr', user.id) : 'nobody',
    data: { method: 'password' },
  });
}

async function endWithAudit(db: Database, sessionId: string, action: string): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const ended = await endSession(client, sessionId);
    if (!ended) return;
    await insertAudit(client, { ...ownAct(ended, action), subject: toId('ses', sessionId), data: {} });
  });
}

function wrong(): AppError {
  return new AppError('unauthorized', 'The email address or password is wrong.');
}

function sessionOver(): AppError {
  return new AppError('unauthorized', 'Your session has ended. Sign in again.');
}
