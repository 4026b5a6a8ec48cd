// A GraphQL subscription as a program reads it: POST, then server-sent events until somebody hangs up.

import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

import { waitUntil } from './wait.ts';

/** An open subscription. */
export interface Subscription {
  /** The `data` of what came so far. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it freely and assert what they find
  received: any[];
  /** Error codes of results without data, and `status …` of an answer that is no stream. */
  refused: string[];
  headers: IncomingHttpHeaders;
  /** The body of an answer that is no stream. */
  text(): string;
  /** Whether the api said that it is complete. */
  completed(): boolean;
  /** Whether the api ended it. */
  ended(): boolean;
  /** Whether it ended in the middle of the answer, by a broken connection. */
  cut(): boolean;
  /** The error of that connection. */
  code(): string | undefined;
  /** Waits until one of the answers fits. */
  until(fits: (data: any) => boolean): Promise<void>; // oxlint-disable-line typescript/no-explicit-any
  hangUp(): void;
}

/** Opens one and waits until the api answered. */
export async function subscribe(
  port: number,
  token: string,
  query: string,
  variables: unknown = {},
): Promise<Subscription> {
  const received: unknown[] = [];
  const refused: string[] = [];
  let [over, cut, answered, completed, rest] = [false, false, false, false, ''];
  let headers: IncomingHttpHeaders = {};
  let code: string | undefined;
  const broke = (error: NodeJS.ErrnoException) => {
    ({ code } = error);
    over = cut = answered = true;
  };
  const asks = {
    accept: 'text/event-stream',
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
  };
  const options = { host: '127.0.0.1', port, path: '/graphql', method: 'POST', headers: asks };
  const outgoing = request({ ...options, rejectUnauthorized: false, agent: false }, (incoming) => {
    answered = true;
    ({ headers } = incoming);
    if (incoming.statusCode !== 200) refused.push(`status ${incoming.statusCode}`);
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) take(block);
    });
    incoming.on('close', () => (over = true));
    incoming.on('error', broke);
  });
  outgoing.on('error', broke);
  outgoing.end(JSON.stringify({ query, variables }));
  const take = (block: string) => {
    if (block.startsWith('event: complete')) completed = true;
    if (!block.startsWith('event: next')) return;
    const result = JSON.parse(block.slice(block.indexOf('data:') + 5));
    if (result.data) received.push(result.data);
    else refused.push(result.errors[0].extensions.code);
  };
  await waitUntil(() => answered, { what: 'the answer to a subscription' });
  return {
    received,
    refused,
    headers,
    text: () => rest,
    completed: () => completed,
    ended: () => over,
    cut: () => cut,
    code: () => code,
    until: (fits) =>
      waitUntil(() => received.some(fits), {
        what: () => `an answer that fits, among ${JSON.stringify(received)} and ${refused.join()}`,
      }),
    hangUp: () => outgoing.destroy(),
  };
}
