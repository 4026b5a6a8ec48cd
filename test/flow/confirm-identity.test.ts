// Sensitive changes need a proof of the last ten minutes of who one is: a sign-in, or the password again.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import type { ApiWorld } from '../harness/api-world.ts';
import { PASSWORD, peopleSteps, type Person } from '../harness/people-world.ts';
import type { SamlIdp } from '../harness/saml-idp.ts';
import { appCode, setUp } from '../harness/second-factor.ts';
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

const URL = 'http://127.0.0.1:9/hook';

const { person, ask, login } = peopleSteps(() => ({ world, other: world }));
const saml = samlSteps(() => ({ world, idp }));

// The time that passes is played in the record.
const age = (tenantId: string, minutes: number) =>
  world.context.db.pool.query(
    'update sessions set confirmed_at = now() - make_interval(secs => $2) where tenant_id = $1',
    [tenantId, minutes * 60],
  );
const confirm = (who: Pick<Person, 'token'>, password = PASSWORD, more: object = {}) =>
  ask(who, 'mutation($input: ConfirmIdentityInput!) { confirmIdentity(input: $input) { ok } }', {
    input: { password, ...more },
  });
const makeHook = async (who: Pick<Person, 'token'>) => {
  const answer = await ask(
    who,
    `mutation { createWebhook(input: { url: "${URL}", eventTypes: ["*"] }) { webhook { id } } }`,
  );
  return answer.json.data.createWebhook.webhook.id as string;
};
const makeKey = (who: Pick<Person, 'token'>) =>
  ask(who, 'mutation { createApiKey(input: { name: "k", scopes: ["domains:read"] }) { value } }');

test('every sensitive change is refused until the password was entered again, and leaves nothing behind', async () => {
  const owner = await person();
  const member = await person('member', owner.tenantId);
  const removed = await person('member', owner.tenantId);
  const hook = await makeHook(owner);
  const change = (name: string, input: string) =>
    ask(owner, `mutation { ${name}(input: { ${input} }) { __typename } }`);
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
    removePerson: () => change('removePerson', `userId: "${removed.id}"`),
    createWebhook: () => change('createWebhook', `url: "${URL}", eventTypes: ["*"]`),
    updateWebhook: () => change('updateWebhook', `id: "${hook}", url: "${URL}/elsewhere"`),
    updateInboundWebhook: () => change('updateInboundWebhook', `webhookUrl: "${URL}"`),
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
  const sameUrl = await change('updateWebhook', `id: "${hook}", url: "${URL}", enabled: false`);
  expect(sameUrl.json.errors).toBeUndefined();

  expect(words(await confirm(owner, 'not this one'))).toBe('password is wrong.');
  expect(code(await makeKey(owner))).toBe('confirmation_required');
  expect((await confirm(owner)).json.data.confirmIdentity.ok).toBe(true);
  for (const [name, change] of Object.entries(changes))
    expect([name, code(await change())]).not.toEqual([name, 'confirmation_required']);
});

test('a webhook’s URL is set over REST by a person who confirmed, and by a key', async () => {
  const owner = await person();
  const { key } = await world.makeKey({
    tenantId: owner.tenantId,
    scopes: ['webhooks:write', 'settings:write'],
  });
  const id = await makeHook(owner);
  const hook = { url: URL, event_types: ['*'] };
  const sets: [method: 'POST' | 'PATCH', path: string, body: object][] = [
    ['POST', '/webhooks', hook],
    ['PATCH', `/webhooks/${id}`, { url: `${URL}/elsewhere` }],
    ['PATCH', '/settings/inbound-webhook', { webhook_url: URL }],
  ];
  await age(owner.tenantId, 10.1);
  const { rows: before } = await world.context.db.pool.query('select url from webhook_endpoints order by id');
  for (const [method, path, body] of sets) {
    const answer = await world.call(method, path, { key: owner.token, body });
    expect([path, answer.status, answer.json.error]).toEqual([path, 403, 'confirmation_required']);
  }
  const { rows: after } = await world.context.db.pool.query('select url from webhook_endpoints order by id');
  expect(after).toEqual(before);
  const paused = await world.call('PATCH', `/webhooks/${id}`, { key: owner.token, body: { enabled: false } });
  expect(paused.status).toBe(200);
  for (const [method, path, body] of sets)
    expect([path, (await world.call(method, path, { key, body })).status]).toEqual([
      path,
      method === 'POST' ? 201 : 200,
    ]);
  expect((await confirm(owner)).json.errors).toBeUndefined();
  for (const [method, path, body] of sets)
    expect([path, (await world.call(method, path, { key: owner.token, body })).status]).toEqual([
      path,
      method === 'POST' ? 201 : 200,
    ]);
});

test('who has a second factor gives a code of it too', async () => {
  const owner = await person();
  const { secret, recoveryCodes } = await setUp((query, variables) => ask(owner, query, variables));
  await age(owner.tenantId, 11);
  expect(code(await confirm(owner))).toBe('second_factor_required');
  expect(words(await confirm(owner, PASSWORD, { code: '000000' }))).toContain('code is wrong');
  expect(words(await confirm(owner, 'not this one', { code: appCode(secret) }))).toBe('password is wrong.');
  expect(code(await makeKey(owner))).toBe('confirmation_required');
  expect((await confirm(owner, PASSWORD, { code: appCode(secret) })).json.errors).toBeUndefined();
  expect((await makeKey(owner)).json.errors).toBeUndefined();
  await age(owner.tenantId, 11);
  expect((await confirm(owner, PASSWORD, { code: recoveryCodes[0] })).json.errors).toBeUndefined();
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
