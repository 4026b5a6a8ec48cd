// The urql client: one per page load. Answers are cached by their types: a mutation that returns an ApiKey makes all
// lists of ApiKeys be read again.

import { authExchange } from '@urql/exchange-auth';
import { cacheExchange, Client, fetchExchange, type CombinedError } from 'urql';

import { askAgain } from './ask-again.ts';
import { accessToken, renewSession, sessionKey, sessionState, tokenEndsSoon } from './session.ts';

const SETTINGS = { url: '/graphql', preferGetMethod: false } as const;

/** Makes the client. A new one after each sign-in: nothing of one person is shown to the next. */
export function createClient(): Client {
  const client: Client = new Client({
    ...SETTINGS,
    requestPolicy: 'cache-and-network',
    exchanges: [cacheExchange, askAgain(() => client), authExchange(authFor(sessionKey())), fetchExchange],
  });
  return client;
}

/** Makes a client that signs in: its requests have no token, and wait for no session. */
export function createSignInClient(): Client {
  return new Client({ ...SETTINGS, exchanges: [fetchExchange] });
}

/** The REST error code of a failed request: `validation_failed`, `not_found`, …, or `network`. */
export function errorCode(error: CombinedError): string {
  if (error.networkError) return 'network';
  const code = error.graphQLErrors[0]?.extensions['code'];
  return typeof code === 'string' ? code : 'internal_error';
}

// Requests wait while the session has ended, and go on when the same person has signed in again; never with a token of another.
const authFor =
  (key: string): Parameters<typeof authExchange>[0] =>
  async (utilities) => ({
    addAuthToOperation: (operation) => {
      const token = sessionKey() === key ? accessToken() : null;
      if (token === null) return operation;
      return utilities.appendHeaders(operation, { authorization: `Bearer ${token}` });
    },
    willAuthError: () => tokenEndsSoon() || sessionState() === 'ended',
    didAuthError: (error) => sessionState() !== 'signed-out' && errorCode(error) === 'unauthorized',
    refreshAuth: async () => void (await renewSession().catch(() => null)),
  });
