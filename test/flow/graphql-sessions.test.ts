// Signing in over GraphQL with a password: tokens, cookies, refreshing, guessing, other sites.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { createAdminToken } from '../../core/key/admin-tokens.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { TESTER } from '../harness/actor.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';
import { createApiWorld, type ApiWorld, type Ask } from '../harness/api-world.ts';
import {
  code,
  cookieOf,
  login as signIn,
  makePerson,
  stranger,
  type Credentials,
} from '../harness/sign-in.ts';

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

describe('sessions', () => {
  test('login gives an access token and a cookie that scripts and other sites never see', async () => {
    const who = await person();
    const { answer, token } = await login(who);
    expect(answer.json.data.login.user).toMatchObject({ email: who.email, role: 'owner' });
    const left = Date.parse(answer.json.data.login.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(890_000);
    expect(left).toBeLessThanOrEqual(900_000);
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^__Secure-postrider_refresh=[^;]+; Path=\/graphql; HttpOnly; Secure; SameSite=Strict; Max-Age=\d+$/,
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

  test('guessing one address’s password from one network ends after ten, also when tried at once', async () => {
    const who = await person();
    const from = { 'x-forwarded-for': '198.51.100.30' };
    const guesses = await Promise.all(
      Array.from({ length: 16 }, () => signIn(world, { ...who, password: 'guess guess 1' }, from)),
    );
    const codes = guesses.map(({ answer }) => code(answer));
    expect(codes.filter((one) => one === 'unauthorized')).toHaveLength(10);
    expect(codes.filter((one) => one === 'rate_limited')).toHaveLength(6);
    const right = await signIn(world, who, from);
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
    await waitUntil(
      async () => code(await world.graphql(VIEWER, {}, as(token))) === 'unauthorized',
      WITHIN_A_SECOND,
    );
    expect(code(await refresh(''))).toBe('unauthorized');
    expect(code(await refresh('__Secure-postrider_refresh=made.up.token'))).toBe('unauthorized');
  });

  test('logout ends the session; twice is fine', async () => {
    const { cookie, token } = await login(await person());
    const logout = () =>
      world.graphql('mutation { logout(input: {}) { ok } }', {}, { headers: { cookie, ...stranger() } });
    expect((await logout()).json.data.logout.ok).toBe(true);
    expect((await logout()).json.data.logout.ok).toBe(true);
    await waitUntil(
      async () => code(await world.graphql(VIEWER, {}, as(token))) === 'unauthorized',
      WITHIN_A_SECOND,
    );
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
