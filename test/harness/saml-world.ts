// Tenants that sign in with SSO against a real identity provider: what their stories share.

import { toId } from '../../core/base/ids.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { createApiWorld, type Answer, type ApiWorld, type RunningApi } from './api-world.ts';
import { makeAccount } from './factories.ts';
import { makeSystemSender } from './invitations.ts';
import { startSamlIdp, type AnswerChanges, type SamlIdp } from './saml-idp.ts';
import { login, makePerson, stranger, type Credentials, type MadePerson } from './sign-in.ts';

/** An api, and an identity provider that a tenant may configure. */
export interface SamlWorld {
  world: ApiWorld;
  idp: SamlIdp;
}

/** A tenant with SSO. */
export interface Org {
  tenantId: string;
  owner: MadePerson;
  /** Of the owner, who signed in with a password. */
  token: string;
  /** Where its pages for SSO are. */
  path: string;
}

/** Starts both. */
export async function openSamlWorld(): Promise<SamlWorld> {
  const world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  const idp = await startSamlIdp();
  await makeSystemSender(world);
  return { world, idp };
}

/** The mutation that sets SSO up. */
export const SAVE_CONNECTION = `mutation($input: SaveSamlConnectionInput!) { saveSamlConnection(input: $input) { samlConnection {
  idpEntityId idpSsoUrl certificates { fingerprint notAfter } enabled required emailDomains } } }`;

/** The line that sets the session's cookie, if there is one. */
export const refreshCookie = (answer: Answer) =>
  answer.headers['set-cookie']?.find((line) => line.startsWith('__Secure-postrider_refresh='));

/** What tests do with SSO; `of` gives the world once it is there. */
export function samlSteps(of: () => SamlWorld) {
  const person = (tenantId: string, role: Role, email?: string) =>
    makePerson(of().world, role, { tenantId, email });
  const save = ({ token }: Pick<Org, 'token'>, input: object) =>
    of().world.graphql(SAVE_CONNECTION, { input }, { key: token });

  async function org(input: object = {}, plan = 'pro', from = of().idp): Promise<Org> {
    const { id: tenantId } = await of().world.makeTenant(plan);
    const owner = await person(tenantId, 'owner');
    const { token } = await login(of().world, owner);
    if (plan === 'pro')
      savedOf(await save({ token }, { idpMetadataXml: from.metadataXml, enabled: true, ...input }));
    return { tenantId, owner, token, path: `//saml/${toId('tnt', tenantId)}` };
  }

  async function start({ path }: Org, api: RunningApi = of().world) {
    const answer = await api.call('GET', `${path}/login`, { headers: stranger() });
    if (answer.status !== 302) throw new Error(`${answer.status} ${answer.text}`);
    return {
      location: answer.headers.location!,
      cookie: answer.headers['set-cookie']![0]!.split(';')[0]!,
    };
  }

  const post = ({ path }: Org, response: string, cookie: string, api: RunningApi = of().world) =>
    api.call('POST', `${path}/acs`, {
      raw: new URLSearchParams({ SAMLResponse: response, RelayState: 'https://evil.test' }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie,
        origin: 'https://idp.test',
        'sec-fetch-site': 'cross-site',
        ...stranger(),
      },
    });

  return {
    person,
    save,
    org,
    start,
    post,
    login: async (who: Credentials) => (await login(of().world, who)).answer,
    /** An org with a verified domain whose people its identity provider vouches for. */
    async orgWithDomain(): Promise<Org & { domain: string }> {
      const to = await org();
      const { domain } = await makeAccount(of().world.context.db, { tenantId: to.tenantId });
      const saved = savedOf(await save(to, { emailDomains: [domain.toUpperCase()] }));
      if (saved.emailDomains.join() !== domain) throw new Error(`saved as ${JSON.stringify(saved)}`);
      return { ...to, domain };
    },
    /** The access token that a refresh gives to the session of an answer. */
    async tokenOf(answer: Answer): Promise<string> {
      const cookie = refreshCookie(answer)!.split(';')[0]!;
      const headers = { cookie, ...stranger() };
      const refreshed = await of().world.graphql('mutation { refresh { accessToken } }', {}, { headers });
      return refreshed.json.data.refresh.accessToken as string;
    },
    /** One whole sign-in with changes; the answer of the ACS. */
    async signIn(to: Org, changes: AnswerChanges, from = of().idp): Promise<Answer> {
      const { location, cookie } = await start(to);
      const request = from === of().idp ? location : location.replace(of().idp.url, from.url);
      return post(to, await from.answer(request, changes), cookie);
    },
    /** The reason in the audit log for the last sign-in that failed. */
    async whyRefused({ tenantId }: Org): Promise<string> {
      const { rows } = await of().world.context.db.pool.query<{ data: { why: string } }>(
        "select data from audit_log where tenant_id = $1 and action = 'sign_in.failed' order by id desc limit 1",
        [tenantId],
      );
      return rows[0]?.data.why ?? '';
    },
  };
}

function savedOf({ json, text }: Answer): { emailDomains: string[] } {
  if (json.errors) throw new Error(text);
  return json.data.saveSamlConnection.samlConnection;
}
