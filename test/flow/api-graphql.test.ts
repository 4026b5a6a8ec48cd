// The GraphQL API: signing in, sessions, keys, messages, and what is refused.

import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createAdminToken } from '../../core/key/keys.ts';
import { createUser } from '../../core/people/users.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { makeAccount } from '../harness/factories.ts';
import { createApiWorld, type Answer, type ApiWorld, type Ask } from '../harness/api-world.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { failed, sent } from '../harness/stub-sender.ts';
import { waitUntil } from '../harness/wait.ts';
import { TESTER } from '../harness/actor.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => world.close());

let addresses = 0;
const stranger = () => ({ 'x-forwarded-for': `203.0.113.${++addresses % 250}` });

const LOGIN = `mutation($input: LoginInput!) { login(input: $input) { accessToken expiresAt user { id email role } } }`;
const VIEWER =
  '{ viewer { user { id email } tenant { id name plan } quota { used cap remaining resetsAt } } }';

async function person(role: Role = 'owner', tenantId?: string) {
  const tenant = tenantId ?? (await world.makeTenant()).id;
  const email = `p${newUuid()}@example.com`;
  const made = await createUser(world.context, TESTER, { tenantId: tenant, email, role });
  return { tenantId: tenant, email, password: made.password, userId: made.userId };
}

async function login(who: { email: string; password: string }, headers: Record<string, string> = stranger()) {
  const input = { email: who.email, password: who.password };
  const answer = await world.graphql(LOGIN, { input }, { headers });
  return { answer, token: answer.json?.data?.login?.accessToken as string, cookie: cookieOf(answer) };
}

const cookieOf = (answer: Answer) => answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
const code = (answer: Answer) => answer.json?.errors?.[0]?.extensions?.code as unknown;
const as = (token: string): Ask => ({ key: token });

describe('sessions', () => {
  test('login gives an access token and a cookie that scripts and other sites never see', async () => {
    const who = await person();
    const { answer, token } = await login(who);
    expect(answer.json.data.login.user).toMatchObject({ email: who.email, role: 'owner' });
    const left = Date.parse(answer.json.data.login.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(890_000);
    expect(left).toBeLessThanOrEqual(900_000);
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /; Path=\/graphql; HttpOnly; Secure; SameSite=Strict; Max-Age=\d+$/,
    );
    const [header, payload] = token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(header.alg).toBe('EdDSA');
    expect(payload).toMatchObject({
      iss: 'https://api.test',
      aud: 'postrider',
      sub: toId('usr', who.userId),
      tid: toId('tnt', who.tenantId),
      role: 'owner',
    });
    const viewer = await world.graphql(VIEWER, {}, as(token));
    expect(viewer.json.data.viewer).toMatchObject({
      user: { email: who.email },
      tenant: { id: toId('tnt', who.tenantId), plan: 'free' },
      quota: { used: 0, cap: 1000, remaining: 1000 },
    });
    expect(viewer.headers['x-ratelimit-limit']).toBe('600');
    const whoami = await world.call('GET', '/whoami', as(token));
    expect(whoami.json.data).toMatchObject({ user: { email: who.email, role: 'owner' } });
    expect(whoami.json.data.key).toBeUndefined();
    const send = await world.call('POST', '/transactional/send', {
      ...as(token),
      body: { from: 'a@example.com', to: 'b@example.net', subject: 's', text: 't' },
    });
    expect(send.status).toBe(202);
  });

  test('a wrong password and an unknown address read the same', async () => {
    const who = await person();
    const wrong = (await login({ ...who, password: 'not this one' })).answer;
    const nobody = (await login({ email: 'nobody@example.com', password: 'not this one' })).answer;
    expect([code(wrong), code(nobody)]).toEqual(['unauthorized', 'unauthorized']);
    expect(wrong.json.errors[0].message).toBe(nobody.json.errors[0].message);
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  test('guessing one address’s password ends after ten, also when tried at once', async () => {
    const who = await person();
    const guesses = await Promise.all(
      Array.from({ length: 16 }, () => login({ ...who, password: 'guess guess 1' })),
    );
    const codes = guesses.map(({ answer }) => code(answer));
    expect(codes.filter((one) => one === 'unauthorized')).toHaveLength(10);
    expect(codes.filter((one) => one === 'rate_limited')).toHaveLength(6);
    const right = await login(who);
    expect(code(right.answer)).toBe('rate_limited');
    expect(right.answer.json.errors[0].extensions.retryAfterSeconds).toBeGreaterThan(60);
  });

  test('refresh rotates, and a spent token ends the whole session', async () => {
    const first = await login(await person());
    const refresh = (cookie: string, headers: Record<string, string> = stranger()) =>
      world.graphql('mutation { refresh { accessToken } }', {}, { headers: { cookie, ...headers } });
    const second = await refresh(first.cookie);
    const token = second.json.data.refresh.accessToken as string;
    expect(cookieOf(second)).not.toBe(first.cookie);
    expect((await world.graphql(VIEWER, {}, as(token))).json.data.viewer).toBeDefined();

    const reused = await refresh(first.cookie);
    expect(code(reused)).toBe('unauthorized');
    expect(reused.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    expect(code(await refresh(cookieOf(second)))).toBe('unauthorized');
    await waitUntil(async () => code(await world.graphql(VIEWER, {}, as(token))) === 'unauthorized', {
      limitMs: 1_000,
    });
    expect(code(await refresh(''))).toBe('unauthorized');
    expect(code(await refresh('postrider_refresh=made.up.token'))).toBe('unauthorized');
  });

  test('logout ends the session; twice is fine', async () => {
    const { cookie, token } = await login(await person());
    const logout = () =>
      world.graphql('mutation { logout(input: {}) { ok } }', {}, { headers: { cookie, ...stranger() } });
    expect((await logout()).json.data.logout.ok).toBe(true);
    expect((await logout()).json.data.logout.ok).toBe(true);
    await waitUntil(async () => code(await world.graphql(VIEWER, {}, as(token))) === 'unauthorized', {
      limitMs: 1_000,
    });
  });

  test('another site’s page cannot use the session', async () => {
    const { cookie } = await login(await person());
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const answer = await world.graphql(
        'mutation { refresh { accessToken } }',
        {},
        {
          headers: { cookie, ...stranger(), ...headers },
        },
      );
      expect(code(answer)).toBe('forbidden');
    }
    const own = { headers: { cookie, ...stranger(), origin: 'https://api.test' } };
    expect(
      (await world.graphql('mutation { refresh { accessToken } }', {}, own)).json.errors,
    ).toBeUndefined();
  });

  test('a JWT and an admin token on admin terms: tokens of other kinds get an error that says so', async () => {
    const { key } = await world.makeKey();
    const { value } = await createAdminToken(world.context, TESTER);
    for (const token of [key, value]) {
      const answer = await world.graphql(VIEWER, {}, as(token));
      expect(code(answer)).toBe('forbidden');
      expect(answer.json.errors[0].message).toContain('signed-in person');
    }
    expect(code(await world.graphql(VIEWER, {}, { headers: stranger() }))).toBe('unauthorized');
  });
});

describe('keys', () => {
  const CREATE = `mutation($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { value apiKey { id name scopes createdAt lastUsedAt revokedAt } } }`;
  const REVOKE =
    'mutation($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { apiKey { revokedAt } } }';

  test('an owner makes a key, sees it, uses it, revokes it; the audit log knows', async () => {
    const who = await person();
    const { token } = await login(who);
    const input = { name: 'server', scopes: ['events:read'] };
    const made = (await world.graphql(CREATE, { input }, as(token))).json.data.createApiKey;
    expect(made.value).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
    expect(made.apiKey).toMatchObject({
      name: 'server',
      scopes: ['events:read'],
      lastUsedAt: null,
      revokedAt: null,
    });
    expect((await world.call('GET', '/whoami', { key: made.value })).status).toBe(200);

    const listed = await world.graphql('{ apiKeys { edges { node { id name } } } }', {}, as(token));
    expect(listed.json.data.apiKeys.edges).toEqual([{ node: { id: made.apiKey.id, name: 'server' } }]);
    const node = `{ node(id: "${made.apiKey.id}") { id ... on ApiKey { name } } }`;
    expect((await world.graphql(node, {}, as(token))).json.data.node).toEqual({
      id: made.apiKey.id,
      name: 'server',
    });

    const revoke = () => world.graphql(REVOKE, { input: { id: made.apiKey.id } }, as(token));
    expect((await revoke()).json.data.revokeApiKey.apiKey.revokedAt).toBeTruthy();
    expect(code(await revoke())).toBe('not_found');
    const { rows } = await world.context.db.pool.query(
      "select actor, action, subject from audit_log where tenant_id = $1 and action like 'api_key.%' order by id",
      [who.tenantId],
    );
    expect(rows).toEqual([
      { actor: toId('usr', who.userId), action: 'api_key.created', subject: made.apiKey.id },
      { actor: toId('usr', who.userId), action: 'api_key.revoked', subject: made.apiKey.id },
    ]);
  });

  test('a member may not, a bad scope is named, another tenant’s key is not there', async () => {
    const owner = await person();
    const { token } = await login(owner);
    const member = await login(await person('member', owner.tenantId));
    const input = { name: 'x', scopes: ['events:read'] };
    expect(code(await world.graphql(CREATE, { input }, as(member.token)))).toBe('forbidden');
    const bad = await world.graphql(CREATE, { input: { name: 'x', scopes: ['root'] } }, as(token));
    expect(code(bad)).toBe('validation_failed');
    expect(bad.json.errors[0].extensions.details[0].path).toBe('scopes[0]');
    const other = await world.makeKey();
    const id = toId('key', other.keyId);
    expect(code(await world.graphql(REVOKE, { input: { id } }, as(token)))).toBe('not_found');
    expect((await world.graphql(`{ node(id: "${id}") { id } }`, {}, as(token))).json.data.node).toBeNull();
  });
});

describe('messages', () => {
  const LIST = `query($first: Int, $after: String, $last: Int, $before: String, $status: MessageStatus, $to: String) {
    messages(first: $first, after: $after, last: $last, before: $before, status: $status, to: $to) {
      edges { cursor node { id status } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

  test('pages neither skip nor repeat while new ones come, and filters filter', async () => {
    const who = await person();
    const { token } = await login(who);
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) {
      const state = i % 2 ? 'delivered' : 'bounced';
      ids.unshift(
        toId('msg', await makeMessageRow(world.context.db, who.tenantId, { state, to: `R${i}@example.net` })),
      );
    }
    const page = async (variables: unknown) =>
      (await world.graphql(LIST, variables, as(token))).json.data.messages as {
        edges: { cursor: string; node: { id: string } }[];
        pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string; startCursor: string };
      };
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { edges, pageInfo } = await page({ first: 3, after });
      seen.push(...edges.map(({ node }) => node.id));
      await makeMessageRow(world.context.db, who.tenantId, { state: 'queued' });
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual(ids);
    const back = await page({ last: 2 });
    expect(back.edges.map(({ node }) => node.id)).toEqual(ids.slice(-2));
    expect(back.pageInfo.hasPreviousPage).toBe(true);
    expect((await page({ status: 'delivered' })).edges).toHaveLength(3);
    expect((await page({ to: 'r3@example.net' })).edges).toHaveLength(1);
    for (const variables of [
      { first: 101 },
      { first: 0 },
      { after: 'x' },
      { after: 'WyJ4Il0' },
      { first: 1, last: 1 },
    ]) {
      expect(code(await world.graphql(LIST, variables, as(token))), JSON.stringify(variables)).toBe(
        'validation_failed',
      );
    }
  });

  test('attempts and events of a page are read once, and another tenant sees nothing', async () => {
    const who = await person();
    const { token } = await login(who);
    const id = toId('msg', await makeMessageRow(world.context.db, who.tenantId, { state: 'deferred' }));
    await makeMessageRow(world.context.db, who.tenantId, { state: 'queued' });
    const query = `{ messages(first: 100) { edges { node { id tags { name value }
      attempts { at mx smtpCode enhancedCode reply } events { type occurredAt data } } } } }`;
    const { json } = await world.graphql(query, {}, as(token));
    expect(json.data.messages.edges[1].node).toMatchObject({
      id,
      attempts: [],
      events: [{ type: 'accepted' }],
    });
    const one = `query($id: ID!) { message(id: $id) { id deferReason deferredUntil events { type } } node(id: $id) { id } }`;
    expect((await world.graphql(one, { id }, as(token))).json.data.node.id).toBe(id);
    const other = await login(await person());
    const hidden = await world.graphql(one, { id }, as(other.token));
    expect(code(hidden)).toBe('not_found');
    expect(hidden.json.data).toEqual({ message: null, node: null });
    const cancel = `mutation { cancelMessage(input: { id: "${id}" }) { message { status events { type } } } }`;
    expect(code(await world.graphql(cancel, {}, as(other.token)))).toBe('not_found');
    expect((await world.graphql(cancel, {}, as(token))).json.data.cancelMessage.message).toEqual({
      status: 'cancelled',
      events: [{ type: 'accepted' }, { type: 'cancelled' }],
    });
    expect(code(await world.graphql(cancel, {}, as(token)))).toBe('conflict');
  });

  test('sendMessage is the same submission as REST', async () => {
    const { token } = await login(await person());
    const SEND = `mutation($input: SendMessageInput!) { sendMessage(input: $input) {
      id status reason deferredUntil domain warmup { tier cap used } replayed } }`;
    const input = {
      from: 'Shop <shop@example.com>',
      to: 'ann@example.net',
      subject: 'Hi',
      html: '<p>Hi</p>',
      replyTo: 'help@example.com',
      headers: [{ name: 'X-Order', value: '7' }],
      attachments: [{ filename: 'a.txt', content: 'aGk=', contentType: 'text/plain' }],
      trackOpens: false,
      idempotencyKey: 'k1',
    };
    const until = new Date('2030-01-01T00:00:00.000Z');
    world.stub.answer = ({ messageId }) =>
      sent(messageId, { status: 'deferred', reason: 'warmup_cap', deferredUntil: until });
    const taken = await world.graphql(SEND, { input }, as(token));
    expect(taken.json.data.sendMessage).toMatchObject({
      status: 'deferred',
      reason: 'warmup_cap',
      deferredUntil: until.toISOString(),
      warmup: { tier: 0, cap: 50, used: 1 },
    });
    const request = world.stub.requests.at(-1);
    expect(request?.message).toMatchObject({ replyTo: 'help@example.com', trackOpens: false });
    expect(request?.message?.attachments[0]).toMatchObject({
      contentType: 'text/plain',
      content: Buffer.from('hi'),
    });
    expect(request?.idempotency?.key).toBe('k1');

    world.stub.answer = () => failed('quota_exceeded');
    expect(code(await world.graphql(SEND, { input }, as(token)))).toBe('quota_exceeded');
    world.stub.answer = ({ messageId }) => sent(messageId);
    const bad = await world.graphql(
      SEND,
      { input: { ...input, replyTo: 'x', scheduledAt: 'soon' } },
      as(token),
    );
    expect(code(bad)).toBe('validation_failed');
    expect(bad.json.errors[0].extensions.details.map(({ path }: { path: string }) => path)).toEqual([
      'replyTo',
      'scheduledAt',
    ]);
  });
});

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
    const { pool } = world.context.db;
    const query = pool.query;
    pool.query = () => Promise.reject(new Error('secret detail'));
    const answer = await world.graphql(VIEWER, {}, as(token));
    pool.query = query;
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

test('super-admins see every job with its next time; nobody else does', async () => {
  const query = '{ jobs { name does nextSlot last { durationMs summary } } }';
  const boss = await login(await person('super_admin'));
  const seen = await world.graphql(query, {}, as(boss.token));
  expect(seen.json.data.jobs.map((job: { name: string }) => job.name)).toContain('auto-ramp');
  expect(
    seen.json.data.jobs.every((job: { nextSlot: string }) => Date.parse(job.nextSlot) > Date.now()),
  ).toBe(true);
  const owner = await login(await person());
  expect(code(await world.graphql(query, {}, as(owner.token)))).toBe('forbidden');
});

test('a super-admin moves a tier by hand and it is in the history; an owner may not', async () => {
  const account = await makeAccount(world.context.db);
  const ids = {
    tenantId: toId('tnt', account.tenantId),
    domainId: toId('dom', account.domainId),
    reason: 'a test',
  };
  const mutation = `mutation($input: OverrideTierInput!) { overrideTier(input: $input) { warmup { tier cap state } } }`;
  const boss = await login(await person('super_admin'));
  const override = (input: object, token = boss.token) =>
    world.graphql(mutation, { input: { ...ids, ...input } }, as(token));
  const moved = await override({ action: 'advance' });
  expect(moved.json.data.overrideTier.warmup).toEqual({ tier: 1, cap: 100, state: 'active' });
  expect((await override({ tier: 4 })).json.data.overrideTier.warmup.cap).toBe(1000);
  expect(code(await override({ tier: 11 }))).toBe('validation_failed');
  expect(code(await override({ tier: 3, action: 'hold' }))).toBe('validation_failed');
  const owner = await login(await person('owner', account.tenantId));
  expect(code(await override({ action: 'advance' }, owner.token))).toBe('forbidden');
  const { rows } = await world.context.db.pool.query(
    'select action, reason from warmup_history where domain_id = $1 order by id',
    [account.domainId],
  );
  expect(rows).toEqual([
    { action: 'advance', reason: 'a test' },
    { action: 'set', reason: 'a test' },
  ]);
});
