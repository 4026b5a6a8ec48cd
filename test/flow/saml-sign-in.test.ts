// Signing in with SSO against a real identity provider, and setting it up.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ApiWorld } from '../harness/api-world.ts';
import type { SamlIdp } from '../harness/saml-idp.ts';
import { openSamlWorld, refreshCookie, samlSteps, SAVE_CONNECTION as SAVE } from '../harness/saml-world.ts';
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

const { person, login, org, start, post, signIn } = samlSteps(() => ({ world, idp }));

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
