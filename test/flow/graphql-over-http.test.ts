// The public audit of GraphQL over HTTP (graphql-http), against the whole /graphql: every MUST and every SHOULD.

import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

// The audit's requests, each as another stranger, over the connection that the other tests use.
let strangers = 0;
const audits = serverAudits({
  url: 'https://api.test/graphql',
  fetchFn: async (url: string, init: RequestInit = {}) => {
    const { search } = new URL(url);
    const headers = Object.fromEntries(new Headers(init.headers));
    const raw = typeof init.body === 'string' ? init.body : undefined;
    const answer = await world.call(init.method ?? 'GET', `//graphql${search}`, {
      headers: { ...headers, 'x-forwarded-for': `192.0.2.${++strangers % 250}` },
      ...(raw !== undefined && { raw, type: null }), // the audit's own type, or none
    });
    const shown = Object.entries(answer.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    return new Response(answer.text, { status: answer.status, headers: shown });
  },
});

test.each(audits.map((audit) => [`${audit.id} ${audit.name}`, audit] as const))(
  '%s',
  async (_name, audit) => {
    const result = await audit.fn();
    expect(result.status, 'reason' in result ? result.reason : undefined).toBe('ok');
  },
);
