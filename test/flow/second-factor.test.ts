// A second factor: set up, asked for, lost, taken away, required. Two apis answer in turn, as two processes would.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { addUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import type { ApiWorld, RunningApi } from '../harness/api-world.ts';
import { mailedToken } from '../harness/invitations.ts';
import { openPeopleWorld, PASSWORD, peopleSteps, type Person } from '../harness/people-world.ts';
import { appCode, CONFIRM, setUp } from '../harness/second-factor.ts';
import { code, stranger, words } from '../harness/sign-in.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';

let world: ApiWorld;
let other: RunningApi;
beforeAll(async () => {
  ({ world, other } = await openPeopleWorld());
});
afterAll(() => world.close());
// The apis run in this process. Its clock stands still in each test: a code of the last 30 seconds stays good.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const { person, ask, invited, outWithinASecond } = peopleSteps(() => ({ world, other }));

const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
const login = (
  who: Pick<Person, 'email'>,
  given: object = {},
  api: RunningApi = world,
  headers: Record<string, string> = stranger(),
) => api.graphql(LOGIN, { input: { email: who.email, password: PASSWORD, ...given } }, { headers });
const isIn = async (answer: ReturnType<typeof login>) => {
  const { json, text } = await answer;
  return typeof json.data?.login?.accessToken === 'string' ? true : text;
};
const factorOf = async (who: Pick<Person, 'token'>) => {
  const answer = await ask(who, '{ viewer { secondFactor { since recoveryCodesLeft required } } }');
  return answer.json.data.viewer.secondFactor as { since: string | null; recoveryCodesLeft: number };
};
const auditOf = async ({ tenantId }: Pick<Person, 'tenantId'>) => {
  const { rows } = await world.context.db.pool.query<{ action: string }>(
    "select action from audit_log where tenant_id = $1 and action like 'second_factor%' order by id",
    [tenantId],
  );
  return rows.map(({ action }) => action.replace('second_factor.', ''));
};

describe('one’s own', () => {
  test('is asked for at the sign-in; each code is good once, on whichever process', async () => {
    const me = await person();
    const elsewhere = await login(me);
    const { secret, url, used, recoveryCodes } = await setUp((query, variables) => ask(me, query, variables));
    expect(url).toContain(`otpauth://totp/Postrider:${encodeURIComponent(me.email)}?`);
    expect(new Set(recoveryCodes).size).toBe(10);
    await outWithinASecond(elsewhere.json.data.login.accessToken as string);
    expect(await factorOf(me)).toMatchObject({ since: expect.any(String), recoveryCodesLeft: 10 });

    expect(code(await login(me))).toBe('second_factor_required');
    expect(code(await login(me, { code: ' ' }))).toBe('second_factor_required');
    expect(code(await login(me, { password: 'not this one', code: appCode(secret) }))).toBe('unauthorized');
    expect(code(await login(me, { code: used }))).toBe('validation_failed');
    expect(code(await login(me, { code: appCode(secret, 40) }))).toBe('validation_failed');

    const now = appCode(secret);
    const both = await Promise.all([login(me, { code: now }), login(me, { code: now }, other)]);
    expect(both.filter(({ json }) => json.data?.login).length).toBe(1);
    expect(code(await login(me, { code: now }, other))).toBe('validation_failed');
    const next = appCode(secret, 1);
    expect(await isIn(login(me, { code: `${next.slice(0, 3)} ${next.slice(3)}` }, other))).toBe(true);
    expect(await auditOf(me)).toEqual(['started', 'turned_on']);
  });

  test('recovery codes work once each, until new ones are made; the store has neither them nor the secret', async () => {
    const me = await person();
    const { secret, recoveryCodes } = await setUp((query, variables) => ask(me, query, variables));
    const [first = '', second = '', third = ''] = recoveryCodes;
    const tries = await Promise.all([login(me, { code: first }), login(me, { code: first }, other)]);
    expect(tries.filter(({ json }) => json.data?.login).length).toBe(1);
    expect(await isIn(login(me, { code: second.toUpperCase().replaceAll('-', ' ') }))).toBe(true);
    expect((await factorOf(me)).recoveryCodesLeft).toBe(8);

    const REPLACE =
      'mutation($input: ReplaceRecoveryCodesInput!) { replaceRecoveryCodes(input: $input) { recoveryCodes } }';
    expect(code(await ask(me, REPLACE, { input: { code: '000000' } }))).toBe('validation_failed');
    const replaced = await ask(me, REPLACE, { input: { code: appCode(secret) } });
    const fresh = replaced.json.data.replaceRecoveryCodes.recoveryCodes as string[];
    expect(code(await login(me, { code: third }))).toBe('validation_failed');
    expect(await isIn(login(me, { code: fresh[0] }))).toBe(true);

    const { rows } = await world.context.db.pool.query<{ text: string }>(
      `select (select string_agg(f::text, '') from second_factors f) || (select string_agg(r::text, '') from recovery_codes r)
         || (select string_agg(a::text, '') from audit_log a) as text`,
    );
    const bytes = Buffer.from(secret).toString('hex');
    for (const kept of [
      secret,
      bytes,
      ...fresh,
      ...fresh.map((one) => one.replaceAll('-', '').toUpperCase()),
    ])
      expect(rows[0]!.text).not.toContain(kept);
  });

  test('guessing codes ends after ten wrong ones, although the password is right in between', async () => {
    const me = await person();
    await setUp((query, variables) => ask(me, query, variables));
    const from = { 'x-forwarded-for': '198.51.100.40' };
    const answers: unknown[] = [];
    for (let guess = 0; guess < 11; guess++) {
      answers.push(code(await login(me, {}, world, from))); // does not take the wrong ones off the books
      answers.push(code(await login(me, { code: String(guess).padStart(6, '7') }, world, from)));
    }
    expect(answers.slice(0, 4)).toEqual([
      ...['second_factor_required', 'validation_failed', 'second_factor_required', 'validation_failed'],
    ]);
    expect(answers.filter((one) => one === 'validation_failed')).toHaveLength(10);
    expect(answers.at(-1)).toBe('rate_limited');
  });

  test('is turned off with password and code; another one cannot be set up over it', async () => {
    const me = await person();
    const { secret } = await setUp((query, variables) => ask(me, query, variables));
    expect(code(await ask(me, 'mutation { startSecondFactor { secret } }'))).toBe('conflict');
    const OFF = 'mutation($input: TurnOffSecondFactorInput!) { turnOffSecondFactor(input: $input) { ok } }';
    const off = (input: object) => ask(me, OFF, { input });
    const wrong = await off({ password: 'not this one', code: appCode(secret) });
    expect(words(wrong)).toBe('password is wrong.');
    expect(words(await off({ password: PASSWORD, code: 'nonsense' }))).toContain('code is wrong');
    expect((await off({ password: PASSWORD, code: appCode(secret) })).json.data.turnOffSecondFactor.ok).toBe(
      true,
    );
    expect(await isIn(login(me))).toBe(true);
    expect(await factorOf(me)).toMatchObject({ since: null, recoveryCodesLeft: 0 });
  });

  test('does not count before a code of it was entered', async () => {
    const me = await person();
    expect(code(await ask(me, CONFIRM, { input: { code: '123456' } }))).toBe('conflict');
    await ask(me, 'mutation { startSecondFactor { secret } }');
    expect(code(await ask(me, CONFIRM, { input: { code: '12345x' } }))).toBe('validation_failed');
    expect(await isIn(login(me))).toBe(true);
  });

  test('is asked for by an invitation that a known person accepts', async () => {
    const me = await person();
    const { secret } = await setUp((query, variables) => ask(me, query, variables));
    const { token } = await invited(await person(), me.email);
    expect(token).toBe(mailedToken(world, me.email));
    const ACCEPT =
      'mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { accessToken } }';
    const accept = (more: object) =>
      world.graphql(ACCEPT, { input: { token, password: PASSWORD, ...more } }, { headers: stranger() });
    expect(code(await accept({}))).toBe('second_factor_required');
    expect(code(await accept({ code: 'nonsense' }))).toBe('validation_failed');
    expect((await accept({ code: appCode(secret) })).json.data.acceptInvitation.accessToken).toBeTruthy();
  });
});

describe('that of others', () => {
  const RESET =
    'mutation($input: ResetSecondFactorInput!) { resetSecondFactor(input: $input) { user { hasSecondFactor } } }';
  const reset = (by: Person, who: Person) => ask(by, RESET, { input: { userId: who.id } });

  test('an owner takes it away from a member; their sessions end, and the log has it', async () => {
    const owner = await person();
    const member = await person('member', owner.tenantId);
    await setUp((query, variables) => ask(member, query, variables));
    const listed = await ask(owner, '{ people { edges { node { id hasSecondFactor } } } }');
    expect(listed.json.data.people.edges).toContainEqual({ node: { id: member.id, hasSecondFactor: true } });
    expect(code(await reset(member, owner))).toBe('forbidden');
    expect(code(await reset(await person(), member))).toBe('not_found');
    const done = await reset(owner, member);
    expect(done.json.data.resetSecondFactor.user).toEqual({ hasSecondFactor: false });
    await outWithinASecond(member.token);
    expect(await isIn(login(member))).toBe(true);
    expect(await auditOf(owner)).toEqual(['started', 'turned_on', 'reset']);
    expect(code(await reset(owner, member))).toBe('conflict');
  });

  test('but not from somebody who belongs to other tenants too, nor from a super_admin', async () => {
    const owner = await person();
    const far = await person();
    await setUp((query, variables) => ask(far, query, variables));
    const { tenantId } = owner;
    await addUser(world.context, TESTER, { tenantId, email: far.email, role: 'viewer' });
    expect(code(await reset(owner, far))).toBe('conflict');
    const boss = await person('super_admin', tenantId);
    await setUp((query, variables) => ask(boss, query, variables));
    expect(code(await reset(owner, boss))).toBe('forbidden');
    expect((await reset(boss, far)).json.data.resetSecondFactor.user.hasSecondFactor).toBe(false);
  });
});

describe('where it is required', () => {
  const REQUIRE = `mutation($input: RequireSecondFactorInput!) {
    requireSecondFactor(input: $input) { tenant { secondFactorRequired } } }`;
  const require = (by: Person, required = true) => ask(by, REQUIRE, { input: { required } });

  test('who has none can set one up, and nothing else, over GraphQL and REST', async () => {
    const owner = await person();
    const member = await person('member', owner.tenantId);
    expect(code(await require(member))).toBe('forbidden');
    expect(code(await require(owner))).toBe('conflict'); // they would lock themselves out
    await setUp((query, variables) => ask(owner, query, variables));
    expect((await require(owner)).json.data.requireSecondFactor.tenant.secondFactorRequired).toBe(true);

    const templates = () => ask(member, '{ templates { edges { node { id } } } }');
    await waitUntil(async () => code(await templates()) === 'second_factor_missing', WITHIN_A_SECOND);
    const rest = await world.call('GET', '/templates', { key: member.token });
    expect([rest.status, rest.json.error]).toEqual([403, 'second_factor_missing']);
    expect((await factorOf(member)).since).toBeNull();
    expect(await isIn(login(member))).toBe(true);
    const { secret } = await setUp((query, variables) => ask(member, query, variables));
    await waitUntil(async () => !(await templates()).json.errors, WITHIN_A_SECOND);
    const OFF = 'mutation($input: TurnOffSecondFactorInput!) { turnOffSecondFactor(input: $input) { ok } }';
    const off = await ask(member, OFF, { input: { password: PASSWORD, code: appCode(secret) } });
    expect(code(off)).toBe('conflict');
    const { key } = await world.makeKey({ tenantId: owner.tenantId, scopes: ['templates:read'] });
    expect((await world.call('GET', '/templates', { key })).status).toBe(200);
  });

  test('somebody who leaves their last tenant begins anew', async () => {
    const owner = await person();
    const gone = await person('member', owner.tenantId);
    await setUp((query, variables) => ask(gone, query, variables));
    const REMOVE = 'mutation($input: RemovePersonInput!) { removePerson(input: $input) { id } }';
    expect((await ask(owner, REMOVE, { input: { userId: gone.id } })).json.errors).toBeUndefined();
    const { rows } = await world.context.db.pool.query('select from second_factors where user_id = $1', [
      gone.userId,
    ]);
    expect(rows).toEqual([]);
    const { tenantId } = owner;
    await addUser(world.context, TESTER, { tenantId, email: gone.email, role: 'viewer', password: PASSWORD });
    expect(await isIn(login(gone))).toBe(true);
  });
});
