// What everybody does with their own account, their sessions and password, and the log of what they did.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import type { ApiWorld, RunningApi } from '../harness/api-world.ts';
import { openPeopleWorld, peopleSteps, PASSWORD, type Person } from '../harness/people-world.ts';
import { code, stranger, words } from '../harness/sign-in.ts';

let world: ApiWorld;
let other: RunningApi;
beforeAll(async () => {
  ({ world, other } = await openPeopleWorld());
});
afterAll(() => world.close());

const { person, login, ask, isOut, outWithinASecond, invited, accept } = peopleSteps(() => ({
  world,
  other,
}));

describe('one’s own', () => {
  const SESSIONS = '{ sessions { id userAgent ip createdAt lastUsedAt current method } }';
  const CHANGE = 'mutation($input: ChangePasswordInput!) { changePassword(input: $input) { ok } }';

  test('sessions: the list, one revoked, all others revoked', async () => {
    const me = await person('member');
    const phone = await login(me, { 'user-agent': 'Phone', 'x-forwarded-for': '198.51.100.7' });
    const tablet = await login(me, { 'user-agent': 'Tablet' });
    const listed = (await ask(me, SESSIONS)).json.data.sessions as { id: string; userAgent: string }[];
    expect(listed.map(({ userAgent }) => userAgent)).toEqual(['Tablet', 'Phone', '']);
    expect(listed[1]).toMatchObject({ ip: '198.51.100.7', current: false, method: 'password' });
    expect(listed[2]).toMatchObject({ current: true });
    const own = await ask(me, '{ viewer { session { id current } permissions user { hasPassword } } }');
    expect(own.json.data.viewer).toMatchObject({
      session: { id: listed[2]!.id, current: true },
      permissions: [],
      user: { hasPassword: true },
    });

    const REVOKE = 'mutation($input: RevokeSessionInput!) { revokeSession(input: $input) { id } }';
    const revoke = (who: Person) => ask(who, REVOKE, { input: { id: listed[1]!.id } });
    expect(await isOut(phone.token, other)).toBe(false);
    expect(code(await revoke(await person()))).toBe('not_found');
    expect((await revoke(me)).json.data.revokeSession.id).toBe(listed[1]!.id);
    await outWithinASecond(phone.token);
    const refresh = await world.graphql(
      'mutation { refresh { accessToken } }',
      {},
      { headers: { cookie: phone.cookie, ...stranger() } },
    );
    expect(code(refresh)).toBe('unauthorized');
    const others = await ask(me, 'mutation { revokeOtherSessions { count } }');
    expect(others.json.data.revokeOtherSessions.count).toBe(1);
    await outWithinASecond(tablet.token);
    expect((await ask(me, SESSIONS)).json.data.sessions).toHaveLength(1);
  });

  test('a new password ends all other sessions; guessing the old one is slowed', async () => {
    const me = await person();
    const stolen = await login(me);
    const change = (currentPassword: string, newPassword: string) =>
      ask(me, CHANGE, { input: { currentPassword, newPassword } });
    expect(words(await change(PASSWORD, 'short'))).toBe('newPassword must have 12 to 256 characters.');
    expect(words(await change(PASSWORD, 'x'.repeat(257)))).toContain('12 to 256');
    expect(code(await change(PASSWORD, PASSWORD))).toBe('validation_failed');
    const next = 'another long password';
    expect((await change(PASSWORD, next)).json.data.changePassword.ok).toBe(true);
    await outWithinASecond(stolen.token);
    expect(await isOut(me.token)).toBe(false);
    expect(code((await login(me)).answer)).toBe('unauthorized');
    expect((await login({ ...me, password: next })).token).toBeTruthy();
    const guesses: unknown[] = [];
    for (let guess = 0; guess < 11; guess++)
      guesses.push(code(await change(`wrong password ${guess}`, PASSWORD)));
    expect([guesses[0], guesses.at(-1)]).toEqual(['validation_failed', 'rate_limited']);
  });

  test('an unknown address, or nonsense, gets the same answer as a wrong password', async () => {
    const me = await person();
    const tried = [
      me.email,
      `nobody${newUuid()}@example.com`,
      'nonsense',
      `${'x'.repeat(5_000)}@example.com`,
    ];
    const answers = await Promise.all(tried.map((email) => login({ email, password: 'a wrong password' })));
    const said = new Set(answers.map(({ answer }) => JSON.stringify([code(answer), words(answer)])));
    expect([...said]).toEqual([JSON.stringify(['unauthorized', 'The email address or password is wrong.'])]);
  });
});

describe('the audit log', () => {
  const LOG = `query($action: String, $first: Int, $after: String) {
    auditLog(action: $action, first: $first, after: $after) {
      edges { cursor node { id at actor actorEmail action subject detail ip } } pageInfo { hasNextPage } } }`;

  test('has who, what, to what, from where; pages; no secret; owners only', async () => {
    const owner = await person();
    await login({ ...owner, password: 'a wrong password' }, { 'x-forwarded-for': '198.51.100.9' });
    const { token } = await invited(owner, `z${newUuid()}@example.com`);
    await accept(token);
    const key = await ask(
      owner,
      `mutation { createApiKey(input: { name: "web", scopes: ["domains:write"] }) { value apiKey { id } } }`,
    );
    const made = key.json.data.createApiKey;
    await world.call('POST', '/mail/domains', {
      key: made.value,
      body: { name: `d${newUuid().slice(-12)}.example` },
      headers: { 'x-forwarded-for': '198.51.100.8' },
    });
    const all = (await ask(owner, LOG)).json.data.auditLog.edges.map(({ node }: { node: object }) => node);
    expect(all.map(({ action }: { action: string }) => action)).toEqual([
      'domain.created',
      'api_key.created',
      'session.started',
      'user.created',
      'invitation.created',
      'sign_in.failed',
      'session.started',
      'user.created',
      'tenant.created',
    ]);
    expect(all[0]).toMatchObject({ actor: made.apiKey.id, actorEmail: null, ip: '198.51.100.8' });
    expect(all[1]).toMatchObject({ actor: owner.id, actorEmail: owner.email, subject: made.apiKey.id });
    expect(all[5]).toMatchObject({ actor: 'nobody', subject: owner.id, ip: '198.51.100.9' });
    expect(all[7]).toMatchObject({ actor: 'test', ip: null });
    const requested = all.slice(0, 7) as { ip: string | null }[];
    expect(requested.filter(({ ip }) => ip === null)).toEqual([]);
    const text = JSON.stringify(all);
    for (const secret of [PASSWORD, token, made.value, 'a wrong password'])
      expect(text).not.toContain(secret);

    const first = (await ask(owner, LOG, { first: 1, action: 'session' })).json.data.auditLog;
    expect([first.edges.length, first.pageInfo.hasNextPage]).toEqual([1, true]);
    const rest = await ask(owner, LOG, { first: 5, action: 'session', after: first.edges[0].cursor });
    expect(rest.json.data.auditLog.edges).toHaveLength(1);
    expect(code(await ask(await person('member', owner.tenantId), LOG))).toBe('forbidden');
    expect((await ask(await person(), LOG, { action: 'invitation' })).json.data.auditLog.edges).toEqual([]);
  });
});
