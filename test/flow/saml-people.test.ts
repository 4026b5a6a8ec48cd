// Whom SSO lets in: by verified domain or invitation, into which tenant, and when it is a duty.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { userActor } from '../../core/audit/actor.ts';
import { invitePerson } from '../../core/people/invitations.ts';
import { makeAccount } from '../harness/factories.ts';
import { mailedToken } from '../harness/invitations.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';
import type { ApiWorld } from '../harness/api-world.ts';
import type { SamlIdp } from '../harness/saml-idp.ts';
import {
  openSamlWorld,
  refreshCookie,
  samlSteps,
  SAVE_CONNECTION as SAVE,
  type Org,
} from '../harness/saml-world.ts';
import { code, stranger } from '../harness/sign-in.ts';

let world: ApiWorld;
let idp: SamlIdp;
beforeAll(async () => {
  ({ world, idp } = await openSamlWorld());
});
afterAll(async () => {
  await idp.close();
  await world.close();
});

const { person, login, org, orgWithDomain, save, tokenOf, signIn } = samlSteps(() => ({ world, idp }));

describe('who', () => {
  test('unknown people join by a verified domain, or by an invitation whose link they opened', async () => {
    const to = await orgWithDomain();
    const { domain } = to;
    expect((await signIn(to, { email: `Ann@${domain}` })).status).toBe(200);
    const stranded = await signIn(to, { email: 'ann@elsewhere.test' });
    expect(stranded.status).toBe(403);
    expect(stranded.text).toContain('ask an owner to invite you');

    const by = userActor({ id: to.owner.userId, email: to.owner.email }, null);
    const manager = { tenantId: to.tenantId, role: 'owner' as const };
    const carl = `carl@${domain}`;
    await invitePerson(world.deps, by, manager, { email: carl, role: 'viewer' });
    expect((await signIn(to, { email: carl })).status).toBe(200);
    const bob = 'bob@elsewhere.test';
    await invitePerson(world.deps, by, manager, { email: bob, role: 'owner' });
    // The identity provider alone does not prove an address of a domain that is not the tenant's: the link does.
    expect((await signIn(to, { email: bob })).status).toBe(403);
    const ACCEPT =
      'mutation($input: AcceptInvitationForSsoInput!) { acceptInvitationForSso(input: $input) { loginUrl } }';
    const input = { token: mailedToken(world, bob) };
    const accepted = await world.graphql(ACCEPT, { input }, { headers: stranger() });
    expect(accepted.json.data.acceptInvitationForSso.loginUrl).toBe(
      `https://api.test${to.path.slice(1)}/login`,
    );
    expect((await signIn(to, { email: bob })).status).toBe(200);
    const people = await world.graphql(
      '{ people { edges { node { email role hasPassword } } } }',
      {},
      { key: to.token },
    );
    expect(people.json.data.people.edges.map(({ node }: { node: object }) => node)).toEqual([
      { email: bob, role: 'owner', hasPassword: false },
      { email: carl, role: 'viewer', hasPassword: false },
      { email: `ann@${domain}`, role: 'member', hasPassword: false },
      { email: to.owner.email, role: 'owner', hasPassword: true },
    ]);
    const boss = await person(to.tenantId, 'super_admin');
    const refused = await signIn(to, { email: boss.email });
    expect([refused.status, refreshCookie(refused)]).toEqual([403, undefined]);
  });

  test('only for domains that the tenant has verified, when saved and at each sign-in', async () => {
    const to = await orgWithDomain();
    const rival = await orgWithDomain();
    for (const domain of ['gmail.com', rival.domain, `sub.${to.domain}`]) {
      const refused = await save(to, { emailDomains: [to.domain, domain] });
      expect([code(refused), refused.json.errors[0].message]).toEqual([
        'validation_failed',
        expect.stringContaining(`${domain} is not a verified domain of this tenant`),
      ]);
    }
    // Saved before this was checked, or verified no more: nobody gets in by it, known or not.
    const { pool } = world.context.db;
    await pool.query("update saml_connections set email_domains = '{gmail.com}' where tenant_id = $1", [
      to.tenantId,
    ]);
    expect((await signIn(to, { email: 'somebody@gmail.com' })).status).toBe(403);
    const ann = `ann@${rival.domain}`;
    expect((await signIn(rival, { email: ann })).status).toBe(200);
    await pool.query('update domain_claims set held = false where name = $1', [rival.domain]);
    for (const email of [ann, `new@${rival.domain}`]) {
      const refused = await signIn(rival, { email });
      expect([refused.status, refreshCookie(refused)]).toEqual([403, undefined]);
      expect(refused.text).toContain('Your domain is not verified any more');
    }
    const { rows } = await pool.query('select email from users where email = any($1)', [
      ['somebody@gmail.com', `new@${rival.domain}`],
    ]);
    expect(rows).toEqual([]);
  });

  test('an identity provider opens its own tenant, and nothing else of a person', async () => {
    const to = await orgWithDomain();
    const home = await org();
    const ann = await person(home.tenantId, 'owner', `ann@${to.domain}`);
    const own = (await login(ann)).json.data.login.accessToken as string;
    const vouched = await signIn(to, { email: ann.email });
    expect(vouched.status).toBe(200);
    const token = await tokenOf(vouched);
    const seen = await world.graphql(
      '{ viewer { tenant { id } user { id role } memberships { tenant { id } role } } sessions { current } }',
      {},
      { key: token },
    );
    expect(seen.json.data).toEqual({
      viewer: {
        tenant: { id: toId('tnt', to.tenantId) },
        user: { id: toId('usr', ann.userId), role: 'member' },
        memberships: [{ tenant: { id: toId('tnt', to.tenantId) }, role: 'member' }],
      },
      sessions: [{ current: true }],
    });
    const SWITCH = 'mutation($input: SwitchTenantInput!) { switchTenant(input: $input) { accessToken } }';
    const goTo = (key: string, { tenantId }: Org) =>
      world.graphql(SWITCH, { input: { tenantId: toId('tnt', tenantId) } }, { key });
    const refused = await goTo(token, home);
    expect([code(refused), refused.json.errors[0].message]).toEqual([
      'forbidden',
      expect.stringContaining('Sign in again'),
    ]);
    await world.graphql('mutation { revokeOtherSessions { count } }', {}, { key: token });
    expect((await world.graphql('{ viewer { user { id } } }', {}, { key: own })).json.errors).toBeUndefined();
    // A password opens both, until the other tenant insists on SSO.
    expect((await goTo(own, to)).json.errors).toBeUndefined();
    expect((await save(to, { required: true })).json.errors).toBeUndefined();
    expect(code(await goTo(own, to))).toBe('forbidden');
    const again = await world.graphql(
      '{ viewer { tenant { id } } }',
      {},
      { key: (await login(ann)).json.data.login.accessToken },
    );
    expect(again.json.data.viewer.tenant.id).toBe(toId('tnt', home.tenantId));
  });

  test('when SSO is a duty, members’ passwords and password sessions end; owners keep theirs', async () => {
    const to = await org();
    const member = await person(to.tenantId, 'member');
    const key = (await login(member)).json.data.login.accessToken as string;
    const save = (input: object) => world.graphql(SAVE, { input }, { key: to.token });
    expect((await save({ required: true })).json.data.saveSamlConnection.samlConnection.required).toBe(true);
    await waitUntil(
      async () => code(await world.graphql('{ viewer { user { id } } }', {}, { key })) === 'unauthorized',
      WITHIN_A_SECOND,
    );
    const refused = await login(member);
    expect([code(refused), refused.json.errors[0].message]).toEqual([
      'forbidden',
      expect.stringContaining('Sign in with SSO'),
    ]);
    expect(code(await login({ ...member, password: 'a wrong password' }))).toBe('unauthorized');
    expect((await login(to.owner)).json.errors).toBeUndefined();
    const second = await person(to.tenantId, 'owner');
    const demoted = (await login(second)).json.data.login.accessToken as string;
    const change = { userId: toId('usr', second.userId), role: 'member' };
    const CHANGE = 'mutation($input: ChangeRoleInput!) { changeRole(input: $input) { user { role } } }';
    await world.graphql(CHANGE, { input: change }, { key: to.token });
    await waitUntil(
      async () => code(await world.graphql('{ sessions { id } }', {}, { key: demoted })) === 'unauthorized',
      WITHIN_A_SECOND,
    );
    expect((await signIn(to, { email: member.email })).status).toBe(200);
    await save({ required: false });
    expect((await login(member)).json.errors).toBeUndefined();
  });

  test('the login page finds SSO by a verified domain only', async () => {
    const account = await makeAccount(world.context.db, { plan: 'pro' });
    const owner = await person(account.tenantId, 'owner');
    const key = (await login(owner)).json.data.login.accessToken as string;
    await world.graphql(SAVE, { input: { idpMetadataXml: idp.metadataXml, enabled: true } }, { key });
    const find = async (email: string) =>
      (
        await world.graphql(
          'query($email: String!) { ssoUrl(email: $email) }',
          { email },
          { headers: stranger() },
        )
      ).json.data.ssoUrl as string | null;
    const loginUrl = `https://api.test/saml/${toId('tnt', account.tenantId)}/login`;
    expect(await find(`Anybody@${account.domain.toUpperCase()}`)).toBe(loginUrl);
    expect(await find('anybody@example.com')).toBeNull();
    expect(await find('nonsense')).toBeNull();
    expect(await find(`a@${'x'.repeat(300)}.test`)).toBeNull();
    await world.graphql(SAVE, { input: { enabled: false } }, { key });
    expect(await find(`a@${account.domain}`)).toBeNull();
  });
});
