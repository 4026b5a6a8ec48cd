// Work over GraphQL, by somebody who is signed in.

import { sha256 } from '../content.ts';
import type { Taken } from '../facts/requests.ts';
import type { Http, HttpAnswer } from './http.ts';
import type { Letter } from './letter.ts';
import { readNothing, type RestWork } from './rest.ts';
import { notConnected, refused, taken, unknown, type Answer, type Work } from './work.ts';

const SEND_MESSAGE = `mutation Send($input: SendMessageInput!) { sendMessage(input: $input) {
  id status reason deferredUntil replayed recipients { email id status reason deferredUntil } } }`;

const REQUEST_RESET =
  'mutation Reset($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { ok } }';

/** Somebody who cannot sign in asks for a new password. */
export function resetWork(
  { http, origins }: { http: Http; origins: string[] },
  { tenant, email }: { tenant: string; email: string },
): Work {
  const body = JSON.stringify({ query: REQUEST_RESET, variables: { input: { email } } });
  return {
    ...{ via: 'reset', tenant, domain: '', apiKey: null, once: null, recipients: [email], contents: [] },
    sha256: sha256(body),
    endpoints: origins.map((origin) => new URL(origin).host),
    ask: async (endpoint) => {
      const answer = await http({ method: 'POST', url: `${origins[endpoint]}/graphql`, token: '', body });
      if ('reason' in answer) return readNothing(answer);
      const { data, errors } = (answer.json ?? {}) as GraphqlAnswer<{
        requestPasswordReset: { ok: boolean };
      }>;
      return data?.requestPasswordReset.ok
        ? taken(answer.status, {})
        : unknown(answer.status, errors?.[0]?.extensions?.code ?? 'no JSON');
    },
  };
}

/** A person who is signed in. */
export interface Person {
  /** Null when signing in did not work. */
  token(endpoint: number): Promise<string | null>;
  /** The token is not good any more. */
  forget(): void;
}

/** The mutation `sendMessage`. */
export function graphqlWork(
  { http, origins }: { http: Http; origins: string[] },
  work: Omit<RestWork, 'apiKey' | 'via'>,
  letter: Letter,
  person: Person,
): Work {
  const { from, to, subject, text, html } = letter;
  const input = { from, to, subject, text, html, ...(work.once !== null && { idempotencyKey: work.once }) };
  const body = JSON.stringify({ query: SEND_MESSAGE, variables: { input } });
  return {
    ...work,
    via: 'graphql',
    apiKey: null,
    sha256: sha256(body),
    endpoints: origins.map((origin) => new URL(origin).host),
    ask: async (endpoint) => {
      const url = `${origins[endpoint]}/graphql`;
      for (let isNew = false; ; isNew = true) {
        const token = await person.token(endpoint);
        if (token === null) return notConnected();
        const answer = await http({ method: 'POST', url, token, body });
        if ('reason' in answer) return readNothing(answer);
        const read = readGraphql(letter.to, answer);
        if (read.error !== 'unauthorized' || isNew) return read;
        person.forget(); // after 15 minutes, which the calendar may jump over
      }
    },
  };
}

interface GraphqlAnswer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string; retryAfter?: number } }[];
}

interface GraphqlDecision extends Omit<Taken, 'recipient'> {
  replayed: boolean;
  recipients: Omit<Taken, 'recipient'>[];
}

function readGraphql(recipients: string[], { status, json }: HttpAnswer): Answer {
  const { data, errors } = (json ?? {}) as GraphqlAnswer<{ sendMessage: GraphqlDecision }>;
  const error = errors?.[0];
  if (error || !data) {
    const code = error?.extensions?.code ?? 'no JSON';
    const mayBeStored = ['unavailable', 'internal_error', 'no JSON'].includes(code);
    const isStored = mayBeStored && (code !== 'unavailable' || error!.message.includes('Idempotency-Key'));
    return isStored ? unknown(status, code) : refused(status, code);
  }
  const { replayed, recipients: several, ...single } = data.sendMessage;
  const all = several.length > 0 ? several : [single];
  return taken(status, {
    replayed,
    taken: all.map(({ id, status: state, reason, deferredUntil }, i) => ({
      id,
      recipient: recipients[i]!,
      status: state,
      reason,
      deferredUntil,
    })),
  });
}
