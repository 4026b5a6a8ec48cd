// The urql client: one per page load. Answers are cached by their types: a mutation that returns an ApiKey makes all
// lists of ApiKeys be read again.

import { authExchange } from '@urql/exchange-auth';
import { cacheExchange, Client, fetchExchange, type CombinedError } from 'urql';

import { askAgain } from './ask-again.ts';
import { accessToken, forget, refreshSession, tokenEndsSoon } from './session.ts';

/** Makes the client. A new one after each sign-in: nothing of one person is shown to the next. */
export function createClient(): Client {
  const client: Client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    exchanges: [cacheExchange, askAgain(() => client), authExchange(auth), fetchExchange],
  });
  return client;
}

/** The REST error code of a failed request: `validation_failed`, `not_found`, …, or `network`. */
export function errorCode(error: CombinedError): string {
  if (error.networkError) return 'network';
  const code = error.graphQLErrors[0]?.extensions['code'];
  return typeof code === 'string' ? code : 'internal_error';
}

const auth: Parameters<typeof authExchange>[0] = async (utilities) => ({
  addAuthToOperation: (operation) => {
    const token = accessToken();
    if (token === null) return operation;
    return utilities.appendHeaders(operation, { authorization: `Bearer ${token}` });
  },
  willAuthError: () => tokenEndsSoon(),
  didAuthError: (error) => accessToken() !== null && errorCode(error) === 'unauthorized',
  refreshAuth: async () => {
    const signedIn = await refreshSession().catch(() => null);
    if (signedIn === false) forget();
  },
});
