// AUTH (RFC 4954): the password is an API key, the user name may be anything. A key is asked for again at every MAIL and
// DATA, so that one that was revoked or has expired stops working within a second here too.

import type { SMTPServerAuthentication, SMTPServerSession } from 'smtp-server';

import { networkOf } from '../../core/base/address-range.ts';
import { sleep } from '../../core/base/clock.ts';
import { AppError } from '../../core/base/errors.ts';
import type { Authenticator, KeyPrincipal } from '../../core/people/authenticate.ts';
import { Refusal, tryAgain } from '../../core/smtp-server/refusal.ts';
import type { RateLimiter } from '../rate-limit.ts';

const FAILURE_PAUSE_MS = 2_000; // before each further refusal: a program that goes on costs one look-up in that time

/** Who the sessions of one process are. */
export interface SignIn {
  /** AUTH. Throws a Refusal. */
  signIn(auth: SMTPServerAuthentication, session: SMTPServerSession): Promise<void>;
  /** The key of a session, looked up again. Throws a Refusal when it no longer opens anything. */
  keyOf(session: SMTPServerSession): Promise<KeyPrincipal>;
}

/** Makes it. */
export function createSignIn(deps: { authenticator: Authenticator; limiter: RateLimiter }): SignIn {
  const { authenticator, limiter } = deps;
  const keys = new WeakMap<SMTPServerSession, string>();
  const refused = new WeakMap<SMTPServerSession, string>();

  // The key, or in words why it may not send.
  async function find(
    key: string,
    { remoteAddress }: SMTPServerSession,
    trouble: () => Refusal,
  ): Promise<{ key: KeyPrincipal } | { key: null; why: string }> {
    const identity = await authenticator.authenticate(key, remoteAddress).catch((error: unknown) => {
      throw error instanceof AppError ? trouble() : error; // the database is away
    });
    const { principal, refusal } = identity;
    if (!principal) return { key: null, why: refusal.message };
    const maySend = principal.kind === 'key' && principal.scopes.has('transactional:send');
    return maySend ? { key: principal } : { key: null, why: 'The API key may not send.' };
  }

  return {
    async signIn({ password }, session) {
      const key = password ?? '';
      const found = await find(key, session, cannotTell);
      // Whatever others behind its address do: 32 random bytes cannot be guessed.
      if (found.key) {
        keys.set(session, key);
        return;
      }
      // Programs try a password by PLAIN, and then by LOGIN.
      const isAgain = refused.get(session) === key;
      refused.set(session, key);
      const subject = `smtp:${networkOf(session.remoteAddress)}`;
      const rate = await (isAgain
        ? limiter.peek(subject, 'failed_auth')
        : limiter.hit(subject, 'failed_auth', 1));
      if (!rate.allowed) {
        await sleep(FAILURE_PAUSE_MS);
        throw tooManyFailures(found.why);
      }
      const advice = 'The password must be an API key that may send (transactional:send)';
      throw new Refusal(535, `5.7.8 ${found.why} ${advice}`);
    },
    async keyOf(session) {
      const found = await find(keys.get(session) ?? '', session, tryAgain);
      if (found.key) return found.key;
      keys.delete(session);
      session.user = undefined; // so that the client may sign in with another key
      throw new Refusal(530, `5.7.0 ${found.why} Sign in with another`);
    },
  };
}

function cannotTell(): Refusal {
  return new Refusal(454, '4.7.0 Temporary trouble here; try again later');
}

function tooManyFailures(why: string): Refusal {
  return new Refusal(
    454,
    `4.7.0 ${why} Too many sign-ins from your address failed: wait ten minutes, or use a good key`,
  );
}
