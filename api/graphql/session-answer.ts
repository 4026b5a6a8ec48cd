// What is answered to somebody who just signed in, by whatever way.

import { nowMs } from '../../core/base/clock.ts';
import { ACCESS_TOKEN_SECONDS } from '../../core/people/access-token.ts';
import type { Origin, SignedIn } from '../../core/people/open-session.ts';
import type { User } from '../../core/people/membership-store.ts';
import type { GraphqlContext } from './context.ts';
import { refreshCookies } from './refresh-cookie.ts';

/** The token for the API and who it is for. */
export interface SessionAnswer {
  accessToken: string;
  expiresAt: Date;
  user: User;
}

/** Puts the refresh token into its cookie, the access token into the answer. */
export function keepSession(context: GraphqlContext, session: SignedIn): SessionAnswer {
  context.setCookies.push(...refreshCookies(session.refreshToken));
  return accessAnswer(session);
}

/** The access token with the time of its end. */
export function accessAnswer({ accessToken, user }: Pick<SignedIn, 'accessToken' | 'user'>): SessionAnswer {
  return { accessToken, expiresAt: new Date(nowMs() + ACCESS_TOKEN_SECONDS * 1000), user };
}

/** Where a request comes from, for the list of sessions. */
export function originOf({ exchange }: GraphqlContext): Origin {
  return {
    ip: exchange.client.address,
    userAgent: exchange.context.env.incoming.headers['user-agent'] ?? '',
  };
}
