// Signing in, refreshing and signing out.
// Guarantees: a wrong address and a wrong password cannot be told apart, by text or by time; a refresh token works
// once, and using a spent one ends its session; guessing is slowed per address of mail and per address of network.

import { AppError } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { sha256 } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { normalizeEmail } from '../mail/address.ts';
import { SESSION_DAYS, type AccessTokens } from './access-token.ts';
import { verifyPassword } from './password.ts';
import { insertAudit } from './tenant-store.ts';
import {
  bookSignIn,
  endSession,
  forgetSignIn,
  insertSession,
  rotateRefresh,
  selectSessionUser,
  selectUserByEmail,
  type User,
} from './user-store.ts';

const WINDOW_SECONDS = 900; // failures are remembered for a quarter of an hour
const FAILURES_PER_EMAIL = 10; // a person mistyping never gets there; a guesser gets 960 tries a day
const FAILURES_PER_ADDRESS = 50; // an office behind one address shares this
const USER_AGENT_CHARS = 400; // what is kept of it for the list of sessions

/** A signed-in session: the token for the API and the token for the cookie. */
export interface SignedIn {
  accessToken: string;
  refreshToken: string;
  user: User;
}

/** Where a sign-in comes from. */
export interface Origin {
  /** Client address, as the rate limits count it. */
  ip: string;
  userAgent: string;
}

/** Opens a session. Throws `unauthorized`, or `rate_limited` after too many failures. */
export async function signIn(
  deps: { db: Database; tokens: AccessTokens },
  input: { email: string; password: string },
  origin: Origin,
): Promise<SignedIn> {
  const email = normalizeEmail(input.email);
  const places = await bookOrRefuse(deps.db, email, origin.ip);
  const found = await selectUserByEmail(deps.db.pool, email);
  const right = await verifyPassword(input.password, found?.passwordHash ?? null);
  if (!found || !right) throw new AppError('unauthorized', 'The e-mail address or the password is wrong.');

  await forgetSignIn(deps.db.pool, places, `email:${email}`);
  const { passwordHash: _, ...user } = found;
  const sessionId = newUuid();
  const refreshToken = await deps.tokens.signRefresh(sessionId);
  await insertSession(deps.db.pool, {
    id: sessionId,
    user,
    refreshHash: sha256(refreshToken),
    userAgent: origin.userAgent.slice(0, USER_AGENT_CHARS),
    ip: origin.ip,
    days: SESSION_DAYS,
  });
  return { accessToken: await accessFor(deps.tokens, user, sessionId), refreshToken, user };
}

/** Trades a refresh token for the next pair. A spent one ends its session: it was stolen, or its thief came first. */
export async function refreshSession(
  deps: { db: Database; tokens: AccessTokens },
  refreshToken: string,
): Promise<SignedIn> {
  const session = await deps.tokens.verifyRefresh(refreshToken);
  if (!session) throw sessionOver();
  const next = await deps.tokens.signRefresh(session.sessionId);
  const rotated = await rotateRefresh(deps.db.pool, session.sessionId, sha256(refreshToken), sha256(next));
  if (!rotated) {
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

// Returns the places of the booked attempt.
async function bookOrRefuse(db: Database, email: string, ip: string): Promise<string[]> {
  const limits = [
    { subject: `email:${email}`, failures: FAILURES_PER_EMAIL },
    { subject: `ip:${ip}`, failures: FAILURES_PER_ADDRESS },
  ];
  const booking = await bookSignIn(db.pool, limits, WINDOW_SECONDS);
  if (booking.ok) return booking.places;
  throw new AppError('rate_limited', 'Too many failed sign-ins; try again later.', {
    retryAfterSeconds: booking.freeInSeconds,
  });
}

async function endWithAudit(db: Database, sessionId: string, action: string): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const ended = await endSession(client, sessionId);
    if (!ended) return;
    await insertAudit(client, {
      id: newUuid(),
      tenantId: ended.tenantId,
      actor: toId('usr', ended.userId),
      action,
      subject: toId('ses', sessionId),
      data: {},
    });
  });
}

function accessFor(tokens: AccessTokens, user: User, sessionId: string): Promise<string> {
  return tokens.signAccess({ userId: user.id, tenantId: user.tenantId, role: user.role, sessionId });
}

function sessionOver(): AppError {
  return new AppError('unauthorized', 'The session is over; sign in again.');
}
