// A person does not belong to a tenant. An identity provider vouches for people in its tenant alone, so a session by SSO
// changes nothing that belongs to the person in all their tenants: password, second factor, profile, other sessions.

import { AppError } from '../base/errors.ts';
import type { User } from './membership-store.ts';
import type { SignInMethod } from './session-store.ts';

/** A session that its person opened with their password. Verbs that change what belongs to a person ask for one. */
export interface OwnSession {
  user: User;
  sessionId: string;
  method: Extract<SignInMethod, 'password'>;
}

/** The session, if its person opened it with their password. Throws `forbidden` with what to do. */
export function requireOwnSession(session: {
  user: User;
  sessionId: string;
  method: SignInMethod;
}): OwnSession {
  const { user, sessionId, method } = session;
  if (method === 'password') return { user, sessionId, method };
  throw new AppError(
    'forbidden',
    user.hasPassword
      ? 'SSO opened this session, and this belongs to your account in all its tenants. Sign in with your password to change it.'
      : 'SSO opened this session, and this belongs to your account in all its tenants. Your account has no password, so nobody can change it.',
  );
}
