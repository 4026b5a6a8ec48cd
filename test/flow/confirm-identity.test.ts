// Sensitive changes need a proof of the last ten minutes of who one is: a sign-in, or the password again.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import type { ApiWorld } from '../harness/api-world.ts';
import { PASSWORD, peopleSteps, type Person } from '../harness/people-world.ts';
import type { SamlIdp } from '../harness/saml-idp.ts';
import { openSamlWorld, refreshCookie, samlSteps } from '../harness/saml-world.ts';
import { code, words } from '../harness/sign-in.ts';

let world: ApiWorld;
let idp: SamlIdp;
beforeAll(async () => {
  ({ world, idp } = await openSamlWorld());
});
afterAll(async () => {
  await world.close();
  await idp.close();
});

const { person, ask, login } = peopleSteps(() => ({ world, other: world }));
const saml = samlSteps(() => ({ world, idp }));

// The time that passes is played in the record.
const age = (tenantId: string, minutes: number) =>
  world.context.db.pool.query(
    'update sessions set confirmed_at = now() - make_interval(secs => $2) where tenant_id = $1',
    [tenantId, minutes * 60],
  );
const confirm = (who: Pick<Person, 'token'>, password = PASSWORD) =>
  ask(who, 'mutation($input: ConfirmIdentityInput!) { confirmIdentity(input: $input) { ok } }', {
    input: { password },
  });
const makeKey = (who: Pick<Person, 'token'>) =>
  ask(who, 'mutation { createApiKey(input: { name: "k", scopes: ["domains:read"] }) { value } }');

test('every sensitive change is refused until the password was entered again, and leaves nothing behind', async () => {
  const owner = await person();
  const member = await person('member', owner.tenantId);
  const invite = (role: string) =>
    ask(
      owner,
      `mutation { invitePerson(input: { email: "n${newUuid()}@example.com", role: ${role} }) { invitation { id } } }`,
    );
  const changes: Record<string, () => ReturnType<typeof ask>> = {
    createApiKey: () => makeKey(owner),
    saveSamlConnection: () =>
      ask(owner, 'mutation { saveSamlConnection(input: {}) { samlConnection { required } } }'),
    deleteSamlConnection: () => ask(owner, 'mutation { deleteSamlConnection { id } }'),
    changeRole: () =>
      ask(owner, `mutation { changeRole(input: { userId: "${member.id}", role: viewer }) { user { id } } }`),
    invitePerson: () => invite('owner'),
    startSecondFactor: () => ask(owner, 'mutation { startSecondFactor { secret } }'),
    resetSecondFactor: () =>
      ask(owner, `mutation { resetSecondFactor(input: { userId: "${member.id}" }) { user { id } } }`),
    requireSecondFactor: () =>
      ask(owner, 'mutation { requireSecondFactor(input: { required: false }) { tenant { id } } }'),
  };
  await age(owner.tenantId, 9.9);
  expect((await makeKey(owner)).json.errors).toBeUndefined();
  await age(owner.tenantId, 10.1);
  const { rows: before } = await world.context.db.pool.query('select count(*) as n from audit_log');
  for (const [name, change] of Object.entries(changes)) {
    const answer = await change();
    expect([name, code(answer)]).toEqual([name, 'confirmation_required']);
    expect(words(answer)).toContain('10 minutes');
  }
  const { rows: after } = await world.context.db.pool.query('select count(*) as n from audit_log');
  expect(after).toEqual(before);
  expect((await invite('member')).json.errors).toBeUndefined(); // no more than everybody knows them for

  expect(words(await confirm(owner, 'not this one'))).toBe('password is wrong.');
  expect(code(await makeKey(owner))).toBe('confirmation_required');
  expect((await confirm(owner)).json.data.confirmIdentity.ok).toBe(true);
  for (const [name, change] of Object.entries(changes))
    expect([name, code(await change())]).not.toEqual([name, 'confirmation_required']);
});

test('it counts for the session in which it was entered alone, and guessing is slowed', async () => {
  const owner = await person();
  const elsewhere = await login(owner);
  await age(owner.tenantId, 11);
  expect((await confirm(owner)).json.errors).toBeUndefined();
  expect(code(await makeKey(elsewhere))).toBe('confirmation_required');
  const guesses: unknown[] = [];
  for (let guess = 0; guess < 11; guess++)
    guesses.push(code(await confirm(elsewhere, `wrong password ${guess}`)));
  expect([guesses[0], guesses.at(-1)]).toEqual(['validation_failed', 'rate_limited']);
  expect(code(await makeKey(elsewhere))).toBe('confirmation_required');
});

test('who signed in with SSO signs in with SSO again', async () => {
  const org = await saml.orgWithDomain();
  const email = `boss@${org.domain}`;
  await saml.signIn(org, { email });
  await world.context.db.pool.query(
    `update memberships m set role = 'owner' from users u where u.id = m.user_id and u.email = $1`,
    [email],
  );
  const first = { token: await saml.tokenOf(await saml.signIn(org, { email })) };
  expect((await makeKey(first)).json.errors).toBeUndefined();
  await age(org.tenantId, 11);
  const refused = await makeKey(first);
  expect([code(refused), words(refused)]).toEqual([
    'confirmation_required',
    'This change needs a sign-in of the last 10 minutes. Sign in with SSO again.',
  ]);
  expect(code(await confirm(first))).toBe('conflict');
  const answer = await saml.signIn(org, { email });
  expect(refreshCookie(answer)).toBeDefined();
  expect((await makeKey({ token: await saml.tokenOf(answer) })).json.errors).toBeUndefined();
});
