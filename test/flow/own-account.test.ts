// A person does not belong to a tenant: what is theirs changes only in a session that they opened with their password.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { buildSchema } from '../../api/graphql/schema.ts';
import { fromId, newUuid, toId } from '../../core/base/ids.ts';
import { addUser } from '../../core/people/users.ts';
import { ACCOUNT_MUTATIONS, TENANT_MUTATIONS } from '../fixtures/account-mutations.ts';
import { TESTER } from '../harness/actor.ts';
import type { ApiWorld } from '../harness/api-world.ts';
import type { SamlIdp } from '../harness/saml-idp.ts';
import { openSamlWorld, samlSteps, type Org } from '../harness/saml-world.ts';
import { appCode, setUp } from '../harness/second-factor.ts';
import { code, login, stranger, words, type MadePerson } from '../harness/sign-in.ts';

let world: ApiWorld;
let idp: SamlIdp;
beforeAll(async () => {
  ({ world, idp } = await openSamlWorld());
});
afterAll(async () => {
  await idp.close();
  await world.close();
});

const { org, orgWithDomain, person, signIn, tokenOf } = samlSteps(() => ({ world, idp }));
const ask = (key: string, query: string, variables: unknown = {}) => world.graphql(query, variables, { key });

/** A guest of a tenant with SSO, who has a tenant of their own. */
async function guest(): Promise<{ me: MadePerson; home: Org; to: Org }> {
  const to = await orgWithDomain();
  const home = await org();
  const me = await person(home.tenantId, 'owner', `ann@${to.domain}`);
  await addUser(world.context, TESTER, { tenantId: to.tenantId, email: me.email, role: 'owner' });
  return { me, home, to };
}
const SWITCH = 'mutation($input: SwitchTenantInput!) { switchTenant(input: $input) { accessToken } }';
const switched = async (key: string, { tenantId }: Pick<Org, 'tenantId'>) => {
  const answer = await ask(key, SWITCH, { input: { tenantId: toId('tnt', tenantId) } });
  return answer.json.data.switchTenant.accessToken as string;
};
const bySso = async (to: Org, email: string) => tokenOf(await signIn(to, { email }));
const withFactor = async (me: MadePerson) => {
  const { token } = await login(world, me);
  const { secret } = await setUp((query, variables) => ask(token, query, variables));
  const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
  const input = { email: me.email, password: me.password, code: appCode(secret) };
  const answer = await world.graphql(LOGIN, { input }, { headers: stranger() });
  return answer.json.data.login.accessToken as string;
};

// Every kind of session, by who opened it.
const SESSIONS: Record<string, { own: boolean; open: () => Promise<{ token: string; me: MadePerson }> }> = {
  'the password': {
    own: true,
    open: async () => {
      const { me } = await guest();
      return { me, token: (await login(world, me)).token };
    },
  },
  'the password and the second factor': {
    own: true,
    open: async () => {
      const { me } = await guest();
      return { me, token: await withFactor(me) };
    },
  },
  'the password, switched to the tenant with SSO': {
    own: true,
    open: async () => {
      const { me, to } = await guest();
      return { me, token: await switched((await login(world, me)).token, to) };
    },
  },
  SSO: {
    own: false,
    open: async () => {
      const { me, to } = await guest();
      return { me, token: await bySso(to, me.email) };
    },
  },
  'SSO, while the person has a second factor': {
    own: false,
    open: async () => {
      const { me, to } = await guest();
      await withFactor(me);
      return { me, token: await bySso(to, me.email) };
    },
  },
  'SSO, switched to its own tenant': {
    own: false,
    open: async () => {
      const { me, to } = await guest();
      return { me, token: await switched(await bySso(to, me.email), to) };
    },
  },
};

const sessionOf = async (key: string) => {
  const answer = await ask(key, '{ viewer { session { id } } }');
  return fromId('ses', answer.json.data.viewer.session.id);
};

/** All that belongs to a person, and what guessing leaves behind. */
async function belongings({ userId }: MadePerson): Promise<unknown> {
  const { rows } = await world.context.db.pool.query(
    `select (select jsonb_agg(to_jsonb(u)) from users u where u.id = $1) as person,
            (select jsonb_agg(to_jsonb(f)) from second_factors f where f.user_id = $1) as factor,
            (select jsonb_agg(to_jsonb(r) order by r.code_hash) from recovery_codes r where r.user_id = $1) as codes,
            (select jsonb_agg(s.ended_at order by s.id) from sessions s where s.user_id = $1) as sessions,
            (select count(*) from sign_in_failures) as failures`,
    [userId],
  );
  return rows[0];
}

test('every mutation is about the account of a person or about a tenant, and none is missing', () => {
  const names = Object.keys(buildSchema().getMutationType()!.getFields()).sort();
  expect([...Object.keys(ACCOUNT_MUTATIONS), ...TENANT_MUTATIONS].sort()).toEqual(names);
});

describe.each(Object.entries(SESSIONS))('in a session opened by %s', (_kind, { own, open }) => {
  test(`what belongs to the person ${own ? 'can be changed' : 'is refused, and stays as it is'}`, async () => {
    const { me, token } = await open();
    await login(world, me);
    const { rows } = await world.context.db.pool.query<{ id: string }>(
      `select id from sessions where user_id = $1 and ended_at is null and id <> $2 order by id desc`,
      [me.userId, await sessionOf(token)],
    );
    const before = await belongings(me);
    for (const [name, row] of Object.entries(ACCOUNT_MUTATIONS)) {
      if (row.needs !== 'own session') continue;
      const sessionId = rows[0]?.id ?? newUuid();
      const answer = await ask(token, row.query, { input: row.input?.({ sessionId }) });
      const refused = [code(answer), words(answer)];
      const advice = [
        row.refusal ?? 'forbidden',
        expect.stringMatching(/Sign in with (your password|SSO again)/),
      ];
      if (own) {
        expect([name, refused]).not.toEqual([name, advice]);
        expect([name, code(answer)]).not.toEqual([name, 'unauthorized']);
      } else expect([name, refused]).toEqual([name, advice]);
    }
    if (!own) expect(await belongings(me)).toEqual(before);
  });
});

test('who has no password may end sessions that the same SSO opened, and change nothing else of theirs', async () => {
  const to = await orgWithDomain();
  const email = `sso@${to.domain}`;
  const [first, second] = [await bySso(to, email), await bySso(to, email)];
  const zone = await ask(second, ACCOUNT_MUTATIONS['updateProfile']!.query, { input: { timeZone: 'UTC' } });
  expect([code(zone), words(zone)]).toEqual(['forbidden', expect.stringContaining('has no password')]);
  const ended = await ask(second, 'mutation { revokeOtherSessions { count } }');
  expect(ended.json.data.revokeOtherSessions.count).toBe(1);
  const { rows } = await world.context.db.pool.query(
    `select s.ended_at is null as live from sessions s join users u on u.id = s.user_id where u.email = $1 order by s.id`,
    [email],
  );
  expect(rows).toEqual([{ live: false }, { live: true }]);
  expect(first).toBeTruthy();
});

test('a session by SSO sees none that the person opened with their password, in its tenant neither', async () => {
  const { me, to } = await guest();
  await switched((await login(world, me)).token, to);
  const seen = await ask(await bySso(to, me.email), '{ sessions { method current } }');
  expect(seen.json.data.sessions).toEqual([{ method: 'saml', current: true }]);
});
