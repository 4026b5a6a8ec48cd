// What the GraphQL endpoint refuses: documents too deep or dear, other methods and types, too many of them.

import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { createApiWorld, type ApiWorld, type Ask } from '../harness/api-world.ts';
import { code, login as signIn, makePerson, stranger, type Credentials } from '../harness/sign-in.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => world.close());

const VIEWER =
  '{ viewer { user { id email } tenant { id name plan } quota { used cap remaining resetsAt } } }';
const person = (role: Role = 'owner', tenantId?: string) => makePerson(world, role, { tenantId });
const login = (who: Credentials) => signIn(world, who);
const as = (token: string): Ask => ({ key: token });

describe('what is refused', () => {
  const nested = (levels: number) => '{ a '.repeat(levels) + '}'.repeat(levels);

  test('the standard introspection passes and builds a schema, a deeper one does not', async () => {
    const { json } = await world.graphql(getIntrospectionQuery(), {}, { headers: stranger() });
    const schema = buildClientSchema(json.data);
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toEqual(
      expect.arrayContaining([
        'login',
        'refresh',
        'logout',
        'createApiKey',
        'revokeApiKey',
        'sendMessage',
        'cancelMessage',
      ]),
    );
    const deeper =
      '{ __schema { types { fields { type { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { name } } } } } } } } } } } } } } } } }';
    expect(code(await world.graphql(deeper, {}, { headers: stranger() }))).toBe('validation_failed');
  });

  test('too deep, too dear, too many aliases and tokens', async () => {
    const { token } = await login(await person());
    const events = Array.from({ length: 14 }, (_, i) => `a${i}: events { type occurredAt data }`).join(' ');
    const dear = `{ messages(first: 100) { edges { node { ${events} } } } }`;
    const aliases = `{ ${Array.from({ length: 20 }, (_, i) => `a${i}: viewer { user { id } }`).join(' ')} }`;
    const tokens = `{ ${'viewer { user { id } } '.repeat(1_000)} }`;
    for (const query of [
      nested(11),
      nested(100_000).slice(0, 900_000),
      dear,
      aliases,
      tokens,
      '{',
      '',
      'query A { x }',
    ]) {
      const answer = await world.graphql(query, {}, as(token));
      expect([200, 400], query.slice(0, 40)).toContain(answer.status);
      expect(code(answer), query.slice(0, 40)).toBe('validation_failed');
      expect(answer.json.data ?? null).toBeNull();
    }
  });

  test('nodes reads a page at most, at the cost of each; a prefix that is no id’s finds nothing', async () => {
    const { token } = await login(await person());
    const ids = (count: number) => Array.from({ length: count }, () => toId('msg', newUuid()));
    const ask = (fields: string, count: number) =>
      world.graphql(`query($ids: [ID!]!) { nodes(ids: $ids) { ${fields} } }`, { ids: ids(count) }, as(token));
    const many = await ask('id', 101);
    expect(many.json.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'ids', message: 'must have at most 100 items' }],
    });
    expect((await ask('id', 100)).json.data.nodes).toEqual(Array(100).fill(null));
    const events = Array.from({ length: 14 }, (_, i) => `a${i}: events { type occurredAt data }`).join(' ');
    const dear = await ask(`... on Message { ${events} }`, 100);
    expect(dear.json.errors[0].message).toMatch(/^The request costs \d+/);
    // A message has up to 50 recipients, so 100 messages have 5,000.
    const recipients = await ask('... on Message { recipients { email status } }', 100);
    expect(recipients.json.errors[0].message).toMatch(/^The request costs \d+/);
    expect((await ask('... on Message { recipients { email } }', 100)).json.errors).toBeUndefined();
    const odd = await world.graphql('{ node(id: "constructor_1") { id } }', {}, as(token));
    expect(code(odd)).toBe('not_found');
  });

  test('a stranger’s document that unfolds without end is refused at once, by POST and by GET', async () => {
    const unfolding = (name: string) => {
      const body = (at: number) => (at < 59 ? `...${name}${at + 1} ...${name}${at + 1}` : '__typename');
      return `{...${name}0} ${Array.from({ length: 60 }, (_, at) => `fragment ${name}${at} on Query{${body(at)}}`).join('')}`;
    };
    const asked = [
      () => world.graphql(unfolding('a'), {}, { headers: stranger() }),
      () =>
        world.call('GET', `//graphql?query=${encodeURIComponent(unfolding('b'))}`, { headers: stranger() }),
    ];
    for (const ask of asked) {
      const answer = await ask();
      expect([answer.status, code(answer)]).toEqual([expect.toBeOneOf([200, 400]), 'validation_failed']);
      expect(answer.json.errors).toHaveLength(1);
    }
  });

  test('only JSON by POST, no batches, no mutations by GET, no other methods', async () => {
    const graphql = (method: string, path: string, ask: Ask = {}) =>
      world.call(method, path, { ...ask, headers: { ...stranger(), ...ask.headers } });
    const form = await graphql('POST', '//graphql', {
      raw: 'query={viewer{user{id}}}',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([form.status, code(form)]).toEqual([415, 'unsupported_media_type']);
    const batch = await graphql('POST', '//graphql', {
      body: [{ query: '{ __typename }' }, { query: '{ __typename }' }],
    });
    expect(batch.status).toBe(400);
    const mutation = await graphql(
      'GET',
      `//graphql?query=${encodeURIComponent('mutation { logout { ok } }')}`,
    );
    expect(mutation.status).toBe(405);
    expect(
      (await graphql('GET', `//graphql?query=${encodeURIComponent('{ __typename }')}`)).json.data,
    ).toEqual({ __typename: 'Query' });
    const put = await graphql('PUT', '//graphql', { body: {} });
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, POST']);
    const deep = await graphql('POST', '//graphql', { raw: '['.repeat(100_000) });
    expect([deep.status, code(deep)]).toEqual([400, 'invalid_json']);
    const large = await graphql('POST', '//graphql', { raw: 'x'.repeat(1_048_577) });
    expect([large.status, code(large)]).toEqual([413, 'payload_too_large']);
  });

  test('a fault of ours is masked, with the request id', async () => {
    const { token } = await login(await person());
    await world.graphql(VIEWER, {}, as(token));
    const query = pg.Pool.prototype.query;
    pg.Pool.prototype.query = () => Promise.reject(new Error('secret detail'));
    const answer = await world.graphql(VIEWER, {}, as(token));
    pg.Pool.prototype.query = query;
    expect(code(answer)).toBe('internal_error');
    expect(answer.json.errors[0].message).toContain(answer.headers['x-request-id']);
    expect(answer.text).not.toContain('secret detail');
  });

  test('strangers are counted by address here too', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.77' };
    const ask = () => world.graphql('{ __typename }', {}, { headers });
    const answers = await Promise.all(Array.from({ length: 305 }, ask));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(code(await ask())).toBe('rate_limited');
  });
});
