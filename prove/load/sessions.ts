// People who are signed in: GraphQL takes no API keys.

import type { Account } from './accounts.ts';
import type { Http } from './http.ts';

/** Tokens of the owners of accounts. */
export interface Sessions {
  /** A token, by signing in where there is none; null when that did not work. */
  token(account: Account, origin: string): Promise<string | null>;
  /** It was refused: the next one is a new one. */
  forget(account: Account): void;
}

const LOGIN = 'mutation Login($input: LoginInput!) { login(input: $input) { accessToken } }';

/** Nobody is signed in yet. */
export function createSessions(http: Http): Sessions {
  const tokens = new Map<string, Promise<string | null>>();
  return {
    token: async ({ tenant, login }, origin) => {
      const found = tokens.get(tenant) ?? signIn(http, origin, login);
      tokens.set(tenant, found);
      const token = await found;
      if (token === null) tokens.delete(tenant);
      return token;
    },
    forget: ({ tenant }) => void tokens.delete(tenant),
  };
}

async function signIn(http: Http, origin: string, input: Account['login']): Promise<string | null> {
  const body = JSON.stringify({ query: LOGIN, variables: { input } });
  const answer = await http({ method: 'POST', url: `${origin}/graphql`, token: '', body });
  if ('reason' in answer) return null;
  return (
    (answer.json as { data?: { login?: { accessToken: string } } } | null)?.data?.login?.accessToken ?? null
  );
}
