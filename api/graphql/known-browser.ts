// The cookie by which the browser of a sign-in with a password is known: failed sign-ins elsewhere do not delay it
// (core/people/sign-in-limit.ts). It opens nothing, and stays when the person signs out.

import { KNOWN_BROWSER_DAYS } from '../../core/people/access-token.ts';
import type { SignInOrigin } from '../../core/people/sessions.ts';
import type { GraphqlContext } from './context.ts';
import { cookieLine, readCookie } from './refresh-cookie.ts';
import { originOf } from './session-answer.ts';

const NAME = '__Secure-postrider_known';

/** Makes the browser of a request known for the person who just signed in with their password. */
export async function rememberBrowser(context: GraphqlContext, email: string): Promise<void> {
  const token = await context.deps.tokens.signBrowser(email);
  context.setCookies.push(cookieLine(NAME, token, KNOWN_BROWSER_DAYS));
}

/** Where a request comes from, with the token of a known browser. */
export function signInOrigin(context: GraphqlContext): SignInOrigin {
  const { incoming } = context.exchange.context.env;
  return { ...originOf(context), browserToken: readCookie(incoming, NAME) };
}
