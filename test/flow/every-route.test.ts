// Walks every route of the OpenAPI document, so that a new one is tried the moment that it is there: without a key,
// without its scope, with another tenant's id, with a broken body, over the limit.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { RATE_LIMITS, type RateClass } from '../../api/rate-limit.ts';
import { newUuid, toId, type IdPrefix } from '../../core/base/ids.ts';
import { createAdminToken } from '../../core/key/admin-tokens.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { TESTER } from '../harness/actor.ts';

interface Operation {
  description: string;
  parameters: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: { enum?: string[]; minimum?: number };
  }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, unknown>;
}
interface Walked {
  method: string;
  path: string;
  operation: Operation;
  /** The scope, `admin`, or null for any key. */
  access: string | null;
  rateClass: RateClass;
  params: Operation['parameters'];
  query: string[];
  hasBody: boolean;
  /** A good body, as the documentation shows it; undefined when it shows none. */
  example: unknown;
}

let world: ApiWorld;
let routes: Walked[];
let foreign: Map<string, string>;

beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  const { json } = await world.call('GET', '/openapi.json', { headers: freshAddress() });
  routes = Object.entries(json.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => walked(method.toUpperCase(), path, operation)),
  );
  foreign = await makeForeign();
});
afterAll(() => world.close());

function walked(method: string, path: string, operation: Operation): Walked {
  const scope = /Scope: ([^.]+)\./.exec(operation.description)?.[1];
  const rateClass = /\(class `(\w+)`\)/.exec(operation.description)?.[1];
  if (scope === undefined || rateClass === undefined) throw new Error(`${method} ${path} says too little`);
  return {
    method,
    path,
    operation,
    access: scope === 'any valid key' ? null : scope,
    rateClass: rateClass as RateClass,
    params: operation.parameters.filter((one) => one.in === 'path'),
    query: operation.parameters.filter((one) => one.in === 'query').map((one) => one.name),
    hasBody: operation.requestBody !== undefined,
    example: operation.requestBody?.content['application/json']?.example,
  };
}

// Every unauthenticated request from another address: the limit for unauthenticated callers is tested elsewhere.
let addresses = 0;
function freshAddress(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `198.51.${Math.floor(addresses / 250)}.${addresses % 250}` };
}

/** Things of another tenant, by the prefix of their ids. What has no maker here is tried with an id of nothing. */
async function makeForeign(): Promise<Map<string, string>> {
  const { key, tenantId } = await world.makeKey({ scopes: [...SCOPES] });
  const made = new Map<string, string>();
  const create = async (prefix: IdPrefix, path: string, body: unknown) => {
    const answer = await world.call('POST', path, { key, body });
    if (answer.status !== 404) expect(answer.status, `${path} ${answer.text}`).toBe(201);
    if (answer.status === 201) made.set(prefix, answer.json.data.id);
  };
  await create('dom', '/mail/domains', { name: 'foreign.example.com' });
  await create('tpl', '/templates', { name: 'T', subject: 's', text: 't' });
  await create('con', '/contacts', { email: 'ann@example.net' });
  await create('lst', '/contacts/lists', { name: 'L' });
  await world.context.db.pool.query(`update domains set status = 'verified', verified_at = now()`);
  await create('mbx', '/mail/mailboxes', { address: 'ann@foreign.example.com' });
  await create('whk', '/webhooks', { url: 'http://127.0.0.1:9/', event_types: ['*'] });
  await create('alr', '/alert-rules', {
    ...{ kind: 'bounce_rate', threshold: 3, domain_id: made.get('dom') },
  });
  const from = 'news@foreign.example.com';
  const campaign = { name: 'C', from, subject: 's', text: 't', audience: { all: true } };
  await create('cmp', '/campaigns', campaign);
  made.set('msg', toId('msg', await makeMessageRow(world.context.db, tenantId, { state: 'deferred' })));
  await world.call('POST', '/suppressions', { key, body: { email: 'foreign@example.net' } });
  made.set('email', 'foreign@example.net');
  return made;
}

/** The path with a value for each parameter: another tenant's thing, or a well-formed id of nothing. */
function fill(route: Walked): string {
  return route.params.reduce((path, param) => {
    const prefix = /`(\w+)_…`/.exec(param.description ?? '')?.[1];
    const value =
      foreign.get(prefix ?? param.name) ??
      (prefix === undefined
        ? (param.schema.enum?.[0] ?? String(param.schema.minimum ?? 0))
        : toId(prefix as IdPrefix, newUuid()));
    return path.replace(`{${param.name}}`, encodeURIComponent(value));
  }, route.path);
}

const isAdmin = (route: Walked) => route.access === 'admin';
const label = (route: Walked) => `${route.method} ${route.path}`;
const keyWith = (scopes: readonly string[]) => world.makeKey({ scopes: [...scopes] });
const allBut = (scope: string | null) => SCOPES.filter((one) => one !== scope);
const ask = (route: Walked, key: string | undefined, more: { body?: unknown; raw?: string } = {}) => {
  const body = route.hasBody && more.raw === undefined ? { body: more.body ?? {} } : {};
  return world.call(route.method, fill(route), { key, ...body, ...more, headers: freshAddress() });
};
async function credential(route: Walked): Promise<{ key: string; subject: string }> {
  if (isAdmin(route)) {
    const made = await createAdminToken(world.context, TESTER);
    return { key: made.value, subject: `admin:${made.tokenId}` };
  }
  const made = await keyWith(SCOPES);
  return { key: made.key, subject: `key:${made.keyId}` };
}

/** The value once for each text in it, with U+0000 at the end of that text. */
function withNul(value: unknown): unknown[] {
  if (typeof value === 'string') return [`${value}\0`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) =>
    withNul(below).map((changed) =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed },
    ),
  );
}

describe('every route', () => {
  test('is there', () => {
    expect(routes.length).toBeGreaterThan(25);
    expect(new Set(routes.map(label)).size).toBe(routes.length);
  });

  test('without a key, and with a wrong one, is 401', async () => {
    for (const route of routes) {
      for (const key of [undefined, 'sk_live_wrong']) {
        const answer = await ask(route, key);
        expect(answer, label(route)).toMatchObject({
          status: 401,
          json: { ok: false, error: 'unauthorized' },
        });
      }
    }
  });

  test('with U+0000 in any parameter of its query is 422 and names it, in its path 404', async () => {
    for (const route of routes) {
      const given = { key: (await credential(route)).key, ...(route.hasBody && { body: {} }) };
      for (const name of route.query) {
        const answer = await world.call(route.method, `${fill(route)}?${name}=a%00b`, given);
        expect([answer.status, answer.json?.details?.[0]?.path], `${label(route)} ${name}`).toEqual([
          422,
          name,
        ]);
      }
      if (route.params.length === 0) continue;
      const path = route.path.replaceAll(/\{[^}]+\}/g, 'a%00b');
      expect((await world.call(route.method, path, given)).status, label(route)).toBe(404);
    }
  });

  test('with U+0000 in any text of its body is no fault of ours', async () => {
    for (const route of routes) {
      const { key } = await credential(route);
      for (const body of withNul(route.example)) {
        const answer = await world.call(route.method, fill(route), { key, body });
        expect(answer.status, `${label(route)} ${JSON.stringify(body)} ${answer.text}`).toBeLessThan(500);
      }
    }
  });

  test('without its scope is 403, naming it, whatever else the key may do', async () => {
    for (const route of routes) {
      if (route.access === null) continue;
      const { key } = await keyWith(isAdmin(route) ? SCOPES : allBut(route.access));
      const answer = await ask(route, key);
      const error = isAdmin(route) ? 'forbidden' : 'invalid_scope';
      expect(answer, label(route)).toMatchObject({ status: 403, json: { ok: false, error } });
      if (!isAdmin(route)) expect(answer.json.message).toContain(route.access);
    }
  });

  test('with another tenant’s id, or a malformed one, is 404', async () => {
    for (const route of routes.filter((one) => one.params.length > 0 && !isAdmin(one))) {
      const { key } = await credential(route);
      const answer = await ask(route, key, { body: route.example });
      const malformed = await world.call(route.method, route.path.replaceAll(/\{\w+\}/g, 'x_1'), {
        key,
        ...(route.hasBody && { body: {} }),
      });
      expect(answer, `${label(route)} ${answer.text}`).toMatchObject({
        status: 404,
        json: { error: 'not_found' },
      });
      expect(malformed.status, label(route)).toBe(404);
    }
  });

  test('with a broken body is 400, with an unknown field 422', async () => {
    const json = routes.filter(({ operation }) => operation.requestBody?.content['application/json']);
    for (const route of json) {
      const { key } = await credential(route);
      const broken = await ask(route, key, { raw: '{"a":' });
      expect(broken, label(route)).toMatchObject({ status: 400, json: { error: 'invalid_json' } });
      const unknown = await ask(route, key, { body: { no_such_field: 1 } });
      expect(unknown, label(route)).toMatchObject({ status: 422, json: { error: 'validation_failed' } });
      expect(JSON.stringify(unknown.json.details), label(route)).toContain('no_such_field');
      for (const raw of ['[]', 'null', '"x"', '7']) {
        expect((await ask(route, key, { raw })).status, `${label(route)} ${raw}`).toBe(422);
      }
    }
  });

  test('with an unknown query field, where it accepts any, is 422', async () => {
    const queried = routes.filter(({ operation }) => operation.parameters.some((one) => one.in === 'query'));
    for (const route of queried) {
      const { key } = await credential(route);
      const answer = await world.call(route.method, `${fill(route)}?no_such_field=1`, { key });
      expect(answer.status, label(route)).toBe(422);
    }
  });

  test('over its limit is 429, with Retry-After, and answers only what it documents', async () => {
    for (const route of routes) {
      const { key, subject } = await credential(route);
      const rateClass = isAdmin(route) ? 'all' : route.rateClass;
      await world.deps.limiter.hit(subject, rateClass, RATE_LIMITS[rateClass]);
      const answer = await ask(route, key);
      expect(answer, label(route)).toMatchObject({ status: 429, json: { error: 'rate_limited' } });
      expect(Number(answer.headers['retry-after']), label(route)).toBeGreaterThan(0);
      expect(answer.headers['x-ratelimit-remaining']).toBe('0');
      for (const status of ['401', '403', '429'].filter((one) => one !== '403' || route.access !== null)) {
        expect(Object.keys(route.operation.responses), label(route)).toContain(status);
      }
    }
  });
});
