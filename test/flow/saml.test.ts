// Signing in with SSO against a real identity provider, and every known way to cheat at it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { userActor } from '../../core/audit/actor.ts';
import { invitePerson } from '../../core/people/invitations.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type Answer, type ApiWorld, type RunningApi } from '../harness/api-world.ts';
import { makeAccount } from '../harness/factories.ts';
import { mailedToken, makeSystemSender } from '../harness/invitations.ts';
import { startSamlIdp, type AnswerChanges, type SamlIdp } from '../harness/saml-idp.ts';
import { watchEventLoop } from '../harness/thread-time.ts';
import { waitUntil } from '../harness/wait.ts';

let world: ApiWorld;
let idp: SamlIdp;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  idp = await startSamlIdp();
  await makeSystemSender(world);
});
afterAll(async () => {
  await idp.close();
  await world.close();
});

let addresses = 0;
const stranger = () => ({ 'x-forwarded-for': `203.0.113.${++addresses % 250}` });
const code = (answer: Answer) => answer.json?.errors?.[0]?.extensions?.code as unknown;
const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
const SAVE = `mutation($input: SaveSamlConnectionInput!) { saveSamlConnection(input: $input) { samlConnection {
  idpEntityId idpSsoUrl certificates { fingerprint notAfter } enabled required emailDomains } } }`;

interface Org {
  tenantId: string;
  owner: { email: string; password: string; userId: string };
  token: string;
  path: string;
}

async function person(tenantId: string, role: Role, email = `p${newUuid()}@example.com`) {
  const made = await createUser(world.context, TESTER, { tenantId, email, role });
  return { email, password: made.password, userId: made.userId };
}

async function login(who: { email: string; password: string }): Promise<Answer> {
  const input = { email: who.email, password: who.password };
  return world.graphql(LOGIN, { input }, { headers: stranger() });
}

async function org(input: object = {}, plan = 'pro', from = idp): Promise<Org> {
  const { id: tenantId } = await world.makeTenant(plan);
  const owner = await person(tenantId, 'owner');
  const token = (await login(owner)).json.data.login.accessToken as string;
  if (plan === 'pro') {
    const saved = await world.graphql(
      SAVE,
      { input: { idpMetadataXml: from.metadataXml, enabled: true, ...input } },
      { key: token },
    );
    expect(saved.json.errors).toBeUndefined();
  }
  return { tenantId, owner, token, path: `//saml/${toId('tnt', tenantId)}` };
}

/** An org with a verified domain whose people its identity provider vouches for. */
async function orgWithDomain(): Promise<Org & { domain: string }> {
  const to = await org();
  const domain = `d${newUuid().slice(-12)}.test`;
  await world.context.db.pool.query(
    "insert into domains (id, tenant_id, name, status, verified_at) values ($1, $2, $3, 'verified', now())",
    [newUuid(), to.tenantId, domain],
  );
  const saved = await save(to, { emailDomains: [domain.toUpperCase()] });
  expect(saved.json.data.saveSamlConnection.samlConnection.emailDomains).toEqual([domain]);
  return { ...to, domain };
}

const save = ({ token }: Org, input: object) => world.graphql(SAVE, { input }, { key: token });

/** The access token that a refresh gives to the session of an answer. */
async function tokenOf(answer: Answer): Promise<string> {
  const cookie = refreshCookie(answer)!.split(';')[0]!;
  const refreshed = await world.graphql(
    'mutation { refresh { accessToken } }',
    {},
    { headers: { cookie, ...stranger() } },
  );
  return refreshed.json.data.refresh.accessToken as string;
}

async function start({ path }: Org, api: RunningApi = world) {
  const answer = await api.call('GET', `${path}/login`, { headers: stranger() });
  expect(answer.status).toBe(302);
  return {
    location: answer.headers.location!,
    cookie: answer.headers['set-cookie']![0]!.split(';')[0]!,
  };
}

async function post({ path }: Org, response: string, cookie: string, api: RunningApi = world) {
  return api.call('POST', `${path}/acs`, {
    raw: new URLSearchParams({ SAMLResponse: response, RelayState: 'https://evil.test' }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie,
      origin: 'https://idp.test',
      'sec-fetch-site': 'cross-site',
      ...stranger(),
    },
  });
}

/** One whole sign-in with changes; the answer of the ACS. */
async function signIn(to: Org, changes: AnswerChanges, from = idp): Promise<Answer> {
  const { location, cookie } = await start(to);
  const request = from === idp ? location : location.replace(idp.url, from.url);
  return post(to, await from.answer(request, changes), cookie);
}

const refreshCookie = (answer: Answer) =>
  answer.headers['set-cookie']?.find((line) => line.startsWith('postrider_refresh='));

async function whyRefused({ tenantId }: Org): Promise<string> {
  const { rows } = await world.context.db.pool.query<{ data: { why: string } }>(
    "select data from audit_log where tenant_id = $1 and action = 'sign_in.failed' order by id desc limit 1",
    [tenantId],
  );
  return rows[0]?.data.why ?? '';
}

describe('an honest sign-in', () => {
  test('by metadata, with the session’s cookie, on another process than it began', async () => {
    const to = await org();
    const member = await person(to.tenantId, 'member');
    const other = await world.startAnother();
    const { location, cookie } = await start(to);
    expect(location.startsWith(`${idp.url}/sso?SAMLRequest=`)).toBe(true);
    const answer = await post(to, await idp.answer(location, { email: member.email }), cookie, other);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('content="0;url=/"');
    expect(answer.text).not.toContain('evil');
    const line = refreshCookie(answer)!;
    expect(line).toMatch(/; Path=\/graphql; HttpOnly; Secure; SameSite=Strict; Max-Age=\d+$/);
    const refreshed = await world.graphql(
      'mutation { refresh { accessToken user { email hasPassword } } }',
      {},
      { headers: { cookie: line.split(';')[0]!, ...stranger() } },
    );
    expect(refreshed.json.data.refresh.user.email).toBe(member.email);
    const key = refreshed.json.data.refresh.accessToken as string;
    const sessions = await world.graphql('{ sessions { method current } }', {}, { key });
    expect(sessions.json.data.sessions).toEqual([{ method: 'saml', current: true }]);
  });

  test('one sign-in with the response signed as well, another with SHA-512', async () => {
    const to = await org();
    const { email } = await person(to.tenantId, 'member');
    const algorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512';
    expect((await signIn(to, { email, sign: 'both' })).status).toBe(200);
    expect((await signIn(to, { email, algorithm })).status).toBe(200);
  });

  test('the page of the identity provider posts itself', async () => {
    const { location } = await start(await org());
    const page = await (await fetch(location)).text();
    expect(page).toContain('/acs"');
    expect(page).toContain('name="SAMLResponse"');
  });

  test('our metadata says what to enter; nothing on a plan without SSO', async () => {
    const to = await org();
    const metadata = await world.call('GET', `${to.path}/metadata`, { headers: stranger() });
    expect(metadata.headers['content-type']).toBe('application/samlmetadata+xml');
    const provider = await world.graphql(
      '{ samlServiceProvider { entityId acsUrl metadataUrl loginUrl available } }',
      {},
      { key: to.token },
    );
    const { entityId, acsUrl, available } = provider.json.data.samlServiceProvider;
    expect(available).toBe(true);
    for (const part of [entityId, acsUrl, 'WantAssertionsSigned="true"'])
      expect(metadata.text).toContain(part);
    const poor = await org({}, 'starter');
    const saved = await world.graphql(
      SAVE,
      { input: { idpMetadataXml: idp.metadataXml } },
      { key: poor.token },
    );
    expect(code(saved)).toBe('forbidden');
    for (const name of ['metadata', 'login']) {
      expect((await world.call('GET', `${poor.path}/${name}`, { headers: stranger() })).status).toBe(404);
    }
  });
});

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
    await pool.query("update domains set status = 'failed' where name = $1", [rival.domain]);
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
      { limitMs: 1_500 },
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
      { limitMs: 1_500 },
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

describe('refused', () => {
  let to: Org;
  let email: string;
  beforeAll(async () => {
    to = await org();
    email = (await person(to.tenantId, 'member')).email;
  });

  const replaceAll = (from: string | RegExp, into: string) => (xml: string) => xml.replaceAll(from, into);
  const HOUR = 3_600_000;
  test.each<[string, AnswerChanges, RegExp]>([
    ['over', { shiftMs: -HOUR / 6 }, /expired|over|subject confirmation/],
    ['of tomorrow', { shiftMs: HOUR }, /not yet valid|over/],
    [
      'for another audience',
      { before: replaceAll(/<saml:Audience>[^<]+/g, '<saml:Audience>https://x.test') },
      /audience/,
    ],
    [
      'for another recipient',
      { before: replaceAll(/Recipient="[^"]+"/g, 'Recipient="https://x.test/acs"') },
      /recipient/,
    ],
    [
      'for another destination',
      { before: replaceAll(/Destination="[^"]+"/g, 'Destination="https://x.test"') },
      /destination/,
    ],
    [
      'of another issuer',
      { before: replaceAll(/<saml:Issuer>[^<]+/g, '<saml:Issuer>https://x.test') },
      /issuer/,
    ],
    ['without conditions', { before: replaceAll(/<saml:Conditions.*<\/saml:Conditions>/g, '') }, /./],
    [
      'without an audience',
      { before: replaceAll(/<saml:AudienceRestriction.*<\/saml:AudienceRestriction>/g, '') },
      /[Aa]udience/,
    ],
    [
      'without a confirmation',
      { before: replaceAll(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/g, '') },
      /./,
    ],
    [
      'without a sign-in',
      { before: replaceAll(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/g, '') },
      /signed in/,
    ],
    ['unsigned', { sign: 'nothing' }, /signature/],
    ['with a signed response only', { sign: 'response' }, /signature/],
    ['signed with SHA-1', { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }, /SHA-256/],
    ['changed after signing', { after: replaceAll(/(<saml:NameID[^>]*>)/g, '$1x') }, /signature/i],
    [
      'with a changed signature',
      { after: replaceAll('<ds:SignatureValue>', '<ds:SignatureValue>AAAA') },
      /signature/i,
    ],
    ['saying that it failed', { before: replaceAll('status:Success', 'status:Responder') }, /status/],
    ['with a DTD', { after: (xml) => `<!DOCTYPE r [<!ENTITY e "x">]>${xml}` }, /plain XML/],
    ['with CDATA', { after: replaceAll(/(<saml:NameID[^>]*>)([^<]+)/g, '$1<![CDATA[$2]]>') }, /plain XML/],
    ['with an instruction', { after: replaceAll('<saml:Subject>', '<?x y?><saml:Subject>') }, /plain XML/],
    [
      'with two assertions',
      { after: replaceAll(/(<saml:Assertion.*<\/saml:Assertion>)/g, '$1$1') },
      /one assertion/,
    ],
  ])('an answer %s', async (_name, changes, why) => {
    const answer = await signIn(to, { email, ...changes });
    expect([answer.status, refreshCookie(answer)]).toEqual([
      answer.text.includes('Start the sign-in again') ? 400 : 403,
      undefined,
    ]);
    expect(answer.text).not.toMatch(/at .*\.(ts|js):\d+/);
    // A document that is not read names no request, so nobody's log has it.
    if (!/plain XML/.test(why.source)) expect(await whyRefused(to)).toMatch(why);
  });

  test('a comment in the NameID: signed as one name, read as another', async () => {
    const evil = await signIn(to, {
      email: `${email}.evil.test`,
      after: replaceAll(email, `${email}<!---->`),
    });
    expect([evil.status, refreshCookie(evil)]).toEqual([400, undefined]);
  });

  test('a second use: of the request, of the assertion, by another browser, for another tenant', async () => {
    const { location, cookie } = await start(to);
    const response = await idp.answer(location, { email });
    const stolen = await start(to);
    expect((await post(to, response, stolen.cookie)).status).toBe(400);
    expect((await post(to, response, '')).status).toBe(400);
    expect((await post(await org(), response, cookie)).status).toBe(400);
    expect((await post(to, response, cookie)).status).toBe(200);
    expect((await post(to, response, cookie)).status).toBe(400);

    const { pool } = world.context.db;
    const again = await start(to);
    const id = /InResponseTo="([^"]+)"/.exec(Buffer.from(response, 'base64').toString())![1];
    await pool.query(
      `insert into saml_requests select $1, tenant_id, browser_hash from saml_requests
       where tenant_id = $2 order by created_at desc limit 1`,
      [id, to.tenantId],
    );
    const replayed = await post(to, response, again.cookie);
    expect([replayed.status, replayed.text]).toEqual([403, expect.stringContaining('already used')]);
  });

  test('of ten answers to one request at the same moment one works', async () => {
    const { location, cookie } = await start(to);
    const response = await idp.answer(location, { email });
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(to, response, cookie)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('an answer that nobody asked for, or later than ten minutes', async () => {
    const { location, cookie } = await start(to);
    const unasked = await idp.answer(location, { email, before: replaceAll(/ InResponseTo="[^"]+"/g, '') });
    expect((await post(to, unasked, cookie)).status).toBe(400);
    await world.context.db.pool.query("update saml_requests set created_at = now() - interval '11 minutes'");
    expect((await post(to, await idp.answer(location, { email }), cookie)).status).toBe(400);
  });

  test('another identity provider, even under the same name', async () => {
    const evil = await startSamlIdp({ entityId: idp.entityId });
    try {
      const answer = await signIn(to, { email }, evil);
      expect([answer.status, refreshCookie(answer)]).toEqual([403, undefined]);
      expect(await whyRefused(to)).toMatch(/signature/i);
      const own = await org({}, 'pro', evil);
      const { location, cookie } = await start(own);
      const forOther = await evil.answer(location, { email });
      expect((await post(own, forOther, cookie)).status).toBe(403); // nobody of that address in its own tenant
    } finally {
      await evil.close();
    }
  });

  test('bodies that are too large, of another kind, or nonsense', async () => {
    const { cookie } = await start(to);
    expect((await post(to, 'A'.repeat(300_000), cookie)).status).toBe(413);
    expect((await post(to, '%%%', cookie)).status).toBe(400);
    expect((await post(to, Buffer.from('<a>'.repeat(1000)).toString('base64'), cookie)).status).toBe(400);
    const wide = Buffer.from(`<a>${'<b/>'.repeat(30_000)}</a>`).toString('base64');
    const busy = watchEventLoop();
    expect((await post(to, wide, cookie)).status).toBe(400);
    expect(await busy.stop()).toBeLessThan(5_000); // most of a minute when all of it is looked at
    const json = await world.call('POST', `${to.path}/acs`, { body: {}, headers: { cookie, ...stranger() } });
    expect([json.status, json.headers['content-type']]).toEqual([415, 'text/html; charset=utf-8']);
    expect((await world.call('GET', '//saml/tnt_nothing/login', { headers: stranger() })).status).toBe(404);
  });
});

// The forms of Somorovsky et al., "On Breaking SAML" (2012): where the signed assertion goes, and where the forged one.
describe('wrapped signatures', () => {
  let to: Org;
  let email: string;
  beforeAll(async () => {
    to = await org();
    email = (await person(to.tenantId, 'member')).email;
  });

  const assertionOf = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)![0];
  const signatureOf = (xml: string) => /<ds:Signature .*<\/ds:Signature>/s.exec(xml)![0];
  const forge = (assertion: string) =>
    assertion.replace(/ID="[^"]+"/, 'ID="_forged"').replace(/(<saml:NameID[^>]*>)[^<]+/, `$1${email}`);
  const bare = (assertion: string) => assertion.replace(/<ds:Signature .*<\/ds:Signature>/s, '');
  const swap = (xml: string, into: string) => xml.replace(assertionOf(xml), () => into);
  const inside = (element: string, what: string, end: string) => element.replace(end, () => `${what}${end}`);
  const object = (what: string) =>
    `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${what}</ds:Object>`;
  const forgeResponse = (xml: string) =>
    swap(xml, bare(forge(assertionOf(xml)))).replace(/ID="_response/, 'ID="_forged_response');

  test.each<[string, NonNullable<AnswerChanges['sign']>, (xml: string) => string]>([
    [
      '1: the signed response inside the signature of a forged one',
      'both',
      (xml) => {
        const signature = inside(
          signatureOf(xml),
          object(xml.replace(/<ds:Signature .*?<\/ds:Signature>/s, '')),
          '</ds:Signature>',
        );
        return forgeResponse(xml).replace('</saml:Issuer>', () => `</saml:Issuer>${signature}`);
      },
    ],
    [
      '2: the signed response beside its signature',
      'both',
      (xml) => {
        const original = xml.replace(/<ds:Signature .*?<\/ds:Signature>/s, '');
        return forgeResponse(xml).replace(
          '</saml:Issuer>',
          () => `</saml:Issuer>${signatureOf(xml)}${original}`,
        );
      },
    ],
    [
      '3: the forged assertion before the signed one',
      'assertion',
      (xml) => swap(xml, bare(forge(assertionOf(xml))) + assertionOf(xml)),
    ],
    [
      '4: the signed assertion inside the forged one',
      'assertion',
      (xml) => swap(xml, inside(bare(forge(assertionOf(xml))), assertionOf(xml), '</saml:Assertion>')),
    ],
    [
      '5: the forged assertion with the signature, the signed one at the end',
      'assertion',
      (xml) => {
        const original = assertionOf(xml);
        const forged = forge(original);
        return inside(swap(xml, forged), bare(original), '</samlp:Response>');
      },
    ],
    [
      '6: the signed assertion inside the signature of the forged one',
      'assertion',
      (xml) => {
        const original = assertionOf(xml);
        const forged = inside(forge(original), '', '</saml:Assertion>');
        return swap(
          xml,
          forged.replace('</ds:SignedInfo>', () => `</ds:SignedInfo>${bare(original)}`),
        );
      },
    ],
    [
      '7: the forged assertion inside extensions',
      'assertion',
      (xml) =>
        xml.replace(
          '<samlp:Status>',
          () => `<samlp:Extensions>${bare(forge(assertionOf(xml)))}</samlp:Extensions><samlp:Status>`,
        ),
    ],
    [
      '8: the signed assertion inside an object of the forged one’s signature',
      'assertion',
      (xml) => {
        const original = assertionOf(xml);
        return swap(xml, inside(forge(original), object(bare(original)), '</ds:Signature>'));
      },
    ],
    [
      'with the id of the signed one',
      'assertion',
      (xml) => {
        const original = assertionOf(xml);
        const id = /ID="([^"]+)"/.exec(original)![1]!;
        return swap(xml, forge(original).replace('_forged', id) + original);
      },
    ],
    [
      'with the forged one under another prefix',
      'assertion',
      (xml) => {
        const forged = bare(forge(assertionOf(xml)))
          .replaceAll('saml:', 'a:')
          .replaceAll('xmlns:saml', 'xmlns:a');
        return swap(xml, forged + assertionOf(xml));
      },
    ],
  ])('form %s', async (_name, sign, after) => {
    const answer = await signIn(to, { email: 'eve@elsewhere.test', sign, after });
    expect([answer.status, refreshCookie(answer)]).toEqual([403, undefined]);
    expect(await whyRefused(to)).not.toContain('nobody here');
  });
});

describe('setting up', () => {
  test.each([
    ['a DTD', () => `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${idp.metadataXml}`, /DTD/],
    ['no XML', () => 'hello', /XML/],
    ['too much of it', () => idp.metadataXml + ' <!-- -->'.repeat(50_000), /256 KiB|larger/],
    ['no identity provider', () => '<EntityDescriptor entityID="x"/>', /exactly one/],
    ['no redirect', () => idp.metadataXml.replaceAll('HTTP-Redirect', 'HTTP-POST'), /HTTP-Redirect/],
    ['plain HTTP', () => idp.metadataXml.replaceAll(idp.url, 'http://idp.test'), /https/],
    [
      'a bad certificate',
      () => idp.metadataXml.replaceAll(/(<[^>]*X509Certificate>)[^<]+/g, '$1AAAA'),
      /certificate/,
    ],
  ])('metadata with %s is refused', async (_name, make, message) => {
    const { token } = await org();
    const saved = await world.graphql(SAVE, { input: { idpMetadataXml: make() } }, { key: token });
    expect(saved.json.errors[0].message).toMatch(message);
  });

  test('by fields as well; members may not; the log has who and what; removing it ends SSO', async () => {
    const to = await org();
    const fields = {
      idpEntityId: 'https://idp.test',
      idpSsoUrl: 'https://idp.test/sso',
      certificatePem: idp.certificate,
    };
    const saved = await world.graphql(SAVE, { input: fields }, { key: to.token });
    expect(saved.json.data.saveSamlConnection.samlConnection).toMatchObject({
      idpEntityId: 'https://idp.test',
      enabled: true,
      certificates: [{ fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/) }],
    });
    const member = (await login(await person(to.tenantId, 'member'))).json.data.login.accessToken as string;
    expect(code(await world.graphql(SAVE, { input: fields }, { key: member }))).toBe('forbidden');
    expect(code(await world.graphql('{ samlConnection { enabled } }', {}, { key: member }))).toBe(
      'forbidden',
    );
    await world.graphql('mutation { deleteSamlConnection { id } }', {}, { key: to.token });
    expect((await world.graphql('{ samlConnection { enabled } }', {}, { key: to.token })).json.data).toEqual({
      samlConnection: null,
    });
    expect((await world.call('GET', `${to.path}/login`, { headers: stranger() })).status).toBe(404);
    const log = await world.graphql(
      '{ auditLog(action: "sso") { edges { node { action actorEmail } } } }',
      {},
      { key: to.token },
    );
    expect(log.json.data.auditLog.edges.map(({ node }: { node: object }) => node)).toEqual([
      { action: 'sso.connection_deleted', actorEmail: to.owner.email },
      { action: 'sso.connection_saved', actorEmail: to.owner.email },
      { action: 'sso.connection_saved', actorEmail: to.owner.email },
    ]);
  });
});
