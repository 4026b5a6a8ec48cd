// People of a tenant: invited, given roles, removed; their passwords, sessions and the log of what they did.

import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isRequiredInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ROUTES } from '../../api/rest/routes.ts';

import { fromId, newUuid, toId } from '../../core/base/ids.ts';
import { Stream } from '../../core/gen/sender/v1/sender.ts';
import { userActor } from '../../core/audit/actor.ts';
import { invitePerson } from '../../core/people/invitations.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { addUser, createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type Answer, type ApiWorld, type RunningApi } from '../harness/api-world.ts';
import { mailedToken, makeSystemSender } from '../harness/invitations.ts';
import { failed } from '../harness/stub-sender.ts';
import { waitUntil } from '../harness/wait.ts';

let world: ApiWorld;
let other: RunningApi;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  other = await world.startAnother();
  await makeSystemSender(world);
});
afterAll(() => world.close());

let addresses = 0;
const stranger = () => ({ 'x-forwarded-for': `203.0.113.${++addresses % 250}` });
const code = (answer: Answer) => answer.json?.errors?.[0]?.extensions?.code as unknown;
const words = (answer: Answer) => answer.json?.errors?.[0]?.message as string;
const PASSWORD = 'correct horse battery';

interface Person {
  tenantId: string;
  userId: string;
  id: string;
  email: string;
  password: string;
  token: string;
  cookie: string;
}

async function login(who: { email: string; password: string }, headers: Record<string, string> = {}) {
  const mutation = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
  const input = { email: who.email, password: who.password };
  const answer = await world.graphql(mutation, { input }, { headers: { ...stranger(), ...headers } });
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return { answer, token: answer.json?.data?.login?.accessToken as string, cookie };
}

async function person(role: Role = 'owner', tenantId?: string): Promise<Person> {
  const tenant = tenantId ?? (await world.makeTenant()).id;
  const email = `p${newUuid()}@example.com`;
  const { userId } = await createUser(world.context, TESTER, {
    tenantId: tenant,
    email,
    role,
    password: PASSWORD,
  });
  const { token, cookie } = await login({ email, password: PASSWORD });
  return { tenantId: tenant, userId, id: toId('usr', userId), email, password: PASSWORD, token, cookie };
}

const ask = (who: Pick<Person, 'token'>, query: string, variables: unknown = {}) =>
  world.graphql(query, variables, { key: who.token });
const isOut = async (token: string, api: RunningApi = world) =>
  code(await api.graphql('{ viewer { user { id } } }', {}, { key: token })) === 'unauthorized';
const outWithinASecond = (token: string) =>
  Promise.all([world, other].map((api) => waitUntil(() => isOut(token, api), { limitMs: 1_000 })));

const tenantsOf = async (token: string) => {
  const answer = await ask({ token }, '{ viewer { memberships { role tenant { id name } } } }');
  const memberships = answer.json.data.viewer.memberships as { role: string; tenant: { id: string } }[];
  return memberships.map(({ role, tenant }) => [fromId('tnt', tenant.id), role]);
};

const INVITE = `mutation($input: InvitePersonInput!) { invitePerson(input: $input) {
  invitation { id email role invitedBy createdAt expiresAt mail } } }`;
const ACCEPT = `mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) {
  accessToken expiresAt user { id email role } } }`;
const invite = (by: Person, email: string, role = 'member') => ask(by, INVITE, { input: { email, role } });
/** Invites, and reads the token as the owner of the mailbox does. */
const invited = async (by: Person, email: string, role = 'member') => {
  const { invitation } = (await invite(by, email, role)).json.data.invitePerson;
  return { invitation, token: mailedToken(world, email) };
};
const accept = (token: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  world.graphql(ACCEPT, { input: { token, password } }, { headers: { ...stranger(), ...headers } });
const offer = async (token: string) =>
  (
    await world.graphql(
      'query($token: String!) { invitation(token: $token) { tenantName email role expiresAt } }',
      { token },
      { headers: stranger() },
    )
  ).json.data.invitation as object | null;

describe('invitations', () => {
  test('from link to signed-in person; only the hash is stored; once', async () => {
    const owner = await person();
    const email = `New.${newUuid()}@Example.com`;
    const answer = await invite(owner, email);
    const token = mailedToken(world, email);
    expect(answer.text).not.toContain(token);
    expect(answer.text).not.toContain('/invite/');
    const made = { ...answer.json.data.invitePerson, token };
    expect(world.stub.batches.at(-1)!.messages[0]!.message).toMatchObject({
      from: 'Postrider <no-reply@system.test>',
      to: email.replace('Example.com', 'example.com'),
      subject: 'Invitation to Acme',
      text: expect.stringContaining(`https://api.test/invite/${token}`),
      ...{ trackOpens: false, trackClicks: false, stream: Stream.STREAM_TRANSACTIONAL },
    });
    expect(made.invitation).toMatchObject({
      email: email.toLowerCase(),
      role: 'member',
      invitedBy: owner.email,
    });
    const days = Date.parse(made.invitation.expiresAt) - Date.parse(made.invitation.createdAt);
    expect(days / 86_400_000).toBeCloseTo(7, 3);
    const { rows } = await world.context.db.pool.query('select * from invitations where tenant_id = $1', [
      owner.tenantId,
    ]);
    expect(rows[0].token_hash).toHaveLength(32);
    expect(await offer(made.token)).toMatchObject({ tenantName: 'Acme', email: email.toLowerCase() });
    const listed = await ask(owner, '{ invitations { id } }');
    expect(listed.json.data.invitations).toEqual([{ id: made.invitation.id }]);

    const short = await accept(made.token, 'short');
    expect([code(short), words(short)]).toEqual([
      'validation_failed',
      'password must have 12 to 256 characters.',
    ]);
    const foreign = await accept(made.token, PASSWORD, { origin: 'https://evil.test' });
    expect(code(foreign)).toBe('forbidden');
    const both = await Promise.all([accept(made.token), accept(made.token)]);
    const accepted = both.find(({ json }) => !json.errors)!;
    expect(both.filter((one) => code(one) === 'not_found')).toHaveLength(1);
    expect(accepted.json.data.acceptInvitation.user).toMatchObject({
      email: email.toLowerCase(),
      role: 'member',
    });
    expect(accepted.headers['set-cookie']?.[0]).toContain('SameSite=Strict');
    expect(await offer(made.token)).toBeNull();
    expect((await login({ email, password: PASSWORD })).token).toBeTruthy();
    expect((await ask(owner, '{ invitations { id } }')).json.data.invitations).toEqual([]);
  });

  test('replaced, revoked, over, made up: none works', async () => {
    const owner = await person();
    const email = `x${newUuid()}@example.com`;
    const first = await invited(owner, email);
    const second = await invited(owner, email, 'owner');
    expect(code(await accept(first.token))).toBe('not_found');
    const REVOKE = 'mutation($input: RevokeInvitationInput!) { revokeInvitation(input: $input) { id } }';
    const revoke = (by: Person) => ask(by, REVOKE, { input: { id: second.invitation.id } });
    expect(code(await revoke(await person()))).toBe('not_found');
    expect((await revoke(owner)).json.data.revokeInvitation.id).toBe(second.invitation.id);
    expect(code(await revoke(owner))).toBe('not_found');
    expect(code(await accept(second.token))).toBe('not_found');
    const third = await invited(owner, email);
    await world.context.db.pool.query('update invitations set expires_at = now() where tenant_id = $1', [
      owner.tenantId,
    ]);
    for (const token of [third.token, 'A'.repeat(43), '', 'x y']) {
      expect([code(await accept(token)), await offer(token)]).toEqual(['not_found', null]);
    }
  });

  test('not for a person of the tenant, not by members, not to super_admin by an owner', async () => {
    const owner = await person();
    const here = await person('viewer', owner.tenantId);
    expect(code(await invite(owner, here.email.toUpperCase()))).toBe('conflict');
    expect(code(await invite(owner, 'no address'))).toBe('validation_failed');
    expect(code(await invite(owner, 'a@example.com', 'super_admin'))).toBe('forbidden');
    expect(code(await invite(await person('member', owner.tenantId), 'a@example.com'))).toBe('forbidden');
  });

  test('a mail that was refused leaves an invitation that says so, and is sent again by inviting again', async () => {
    const owner = await person();
    const email = `r${newUuid()}@example.com`;
    const { answerBatch } = world.stub;
    world.stub.answerBatch = ({ messages }) => ({
      items: messages.map(() => ({ outcome: failed('quota_exceeded') })),
      quota: undefined,
      replayed: false,
      refused: undefined,
    });
    const refused = await invited(owner, email);
    world.stub.answerBatch = answerBatch;
    expect(refused.invitation.mail).toBeNull();
    const listed = await ask(owner, '{ invitations { email mail } }');
    expect(listed.json.data.invitations).toEqual([{ email, mail: null }]);
    expect((await invited(owner, email)).invitation.mail).toBe('queued');
    for (let times = 3; times <= 5; times++) await invited(owner, email);
    expect(code(await invite(owner, email))).toBe('rate_limited');
  });

  test('without a verified sender the answer says which setting to set', async () => {
    const owner = await person();
    const { config } = world.deps;
    const tried = ['Postrider <no-reply@unverified.test>', undefined].map(async (from) => {
      const deps = { ...world.deps, config: { ...config, SYSTEM_MAIL_FROM: from } };
      const by = userActor({ id: owner.userId, email: owner.email }, null);
      const manager = { tenantId: owner.tenantId, role: 'owner' as const };
      const input = { email: 'a@example.com', role: 'member' as const };
      return invitePerson(deps, by, manager, input).catch((error) => error);
    });
    for (const refusal of await Promise.all(tried)) {
      expect(refusal).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('SYSTEM_MAIL_FROM'),
      });
    }
    expect((await ask(owner, '{ invitations { id } }')).json.data.invitations).toEqual([]);
  });

  test('a person of another tenant proves their own password, and is in both', async () => {
    const owner = await person();
    const elsewhere = await person();
    const stranger = `s${newUuid()}@example.com`;
    const asked = await Promise.all([invite(owner, elsewhere.email), invite(owner, stranger)]);
    const shapes = asked.map(({ json }) => {
      const { invitation, ...rest } = json.data.invitePerson;
      return [Object.keys(rest), Object.keys(invitation)];
    });
    expect(shapes[0]).toEqual(shapes[1]);
    const token = mailedToken(world, elsewhere.email);
    const chosen = await accept(token, 'a password that the inviter would choose');
    expect([code(chosen), words(chosen)]).toEqual(['validation_failed', 'password is wrong.']);
    expect((await login(elsewhere)).token).toBeTruthy();
    const accepted = (await accept(token, elsewhere.password)).json.data.acceptInvitation;
    expect(accepted.user).toMatchObject({ id: elsewhere.id, role: 'member' });
    expect(await tenantsOf(accepted.accessToken)).toEqual([
      [owner.tenantId, 'member'],
      [elsewhere.tenantId, 'owner'],
    ]);
  });
});

describe('roles', () => {
  const CHANGE = 'mutation($input: ChangeRoleInput!) { changeRole(input: $input) { user { id role } } }';
  const REMOVE = 'mutation($input: RemovePersonInput!) { removePerson(input: $input) { id } }';
  const change = (by: Person, who: Person, role: Role) =>
    ask(by, CHANGE, { input: { userId: who.id, role } });
  const remove = (by: Person, who: Person) => ask(by, REMOVE, { input: { userId: who.id } });

  test('count at once; the last owner stays one, whatever is tried together', async () => {
    const owner = await person();
    const member = await person('member', owner.tenantId);
    expect(code(await change(owner, owner, 'member'))).toBe('conflict');
    expect(code(await remove(owner, owner))).toBe('conflict');
    expect((await change(owner, member, 'owner')).json.data.changeRole.user.role).toBe('owner');
    await waitUntil(async () => !(await ask(member, '{ invitations { id } }')).json.errors, {
      limitMs: 1_000,
    });
    const both = await Promise.all([change(owner, member, 'member'), change(member, owner, 'member')]);
    const { rows } = await world.context.db.pool.query(
      "select count(*)::int as n from memberships where tenant_id = $1 and role = 'owner'",
      [owner.tenantId],
    );
    expect([rows[0].n, both.filter((one) => code(one) === 'conflict').length]).toEqual([1, 1]);
  });

  test('no owner makes, changes or removes a super_admin; other tenants are not there', async () => {
    const owner = await person();
    const member = await person('member', owner.tenantId);
    const boss = await person('super_admin', owner.tenantId);
    expect(code(await change(owner, member, 'super_admin'))).toBe('forbidden');
    expect(code(await change(owner, boss, 'member'))).toBe('forbidden');
    expect(code(await remove(owner, boss))).toBe('forbidden');
    expect(code(await change(member, owner, 'member'))).toBe('forbidden');
    expect(code(await remove(member, owner))).toBe('forbidden');
    const far = await person();
    expect(code(await change(owner, far, 'member'))).toBe('not_found');
    expect(code(await remove(owner, far))).toBe('not_found');
    expect((await change(boss, member, 'super_admin')).json.errors).toBeUndefined();
  });

  test('whoever is removed is out within a second on every process, and so are their invitations', async () => {
    const owner = await person();
    const gone = await person('owner', owner.tenantId);
    const pending = await invited(gone, `y${newUuid()}@example.com`);
    expect(await isOut(gone.token, other)).toBe(false);
    expect((await remove(owner, gone)).json.data.removePerson.id).toBe(gone.id);
    await outWithinASecond(gone.token);
    expect((await login(gone)).token).toBeUndefined();
    expect(await offer(pending.token)).toBeNull();
    const people = await ask(owner, '{ people(first: 1) { edges { node { id lastSignedInAt } } } }');
    expect(people.json.data.people.edges).toEqual([
      { node: { id: owner.id, lastSignedInAt: expect.any(String) } },
    ]);
    const log = await ask(owner, '{ auditLog(action: "session") { edges { node { actor actorEmail } } } }');
    const nodes = log.json.data.auditLog.edges.map(({ node }: { node: object }) => node);
    expect(nodes).toContainEqual({ actor: gone.id, actorEmail: gone.email });
  });
});

describe('one person in two tenants', () => {
  const SWITCH = `mutation($input: SwitchTenantInput!) { switchTenant(input: $input) {
    accessToken expiresAt user { id role } } }`;
  const switchTo = (token: string, tenantId: string) =>
    ask({ token }, SWITCH, { input: { tenantId: toId('tnt', tenantId) } });
  const switched = async (token: string, tenantId: string) =>
    (await switchTo(token, tenantId)).json.data.switchTenant.accessToken as string;
  const tenantOf = async (token: string) => {
    const answer = await ask({ token }, '{ viewer { tenant { id } user { role } } }');
    const viewer = answer.json.data?.viewer;
    return viewer ? [viewer.tenant.id, viewer.user.role] : null;
  };
  const REFRESH = 'mutation { refresh { accessToken } }';
  const refreshed = async (cookie: string) =>
    world.graphql(REFRESH, {}, { headers: { cookie, ...stranger() } });

  async function inTwo(role: Role = 'member') {
    const ann = await person('owner');
    const { id: second } = await world.makeTenant();
    await person('owner', second);
    const { db } = world.context;
    await addUser({ db }, TESTER, { tenantId: second, email: ann.email, role });
    return { ann, first: ann.tenantId, second, inFirst: ann.token };
  }

  test('a session whose tenant was left goes on in another one, and its log is there', async () => {
    const { ann, first, second } = await inTwo();
    const boss = await person('owner', first);
    const REMOVE = 'mutation($input: RemovePersonInput!) { removePerson(input: $input) { id } }';
    expect((await ask(boss, REMOVE, { input: { userId: ann.id } })).json.errors).toBeUndefined();
    const fresh = await refreshed(ann.cookie);
    expect(await tenantOf(fresh.json.data.refresh.accessToken)).toEqual([toId('tnt', second), 'member']);
    const cookie = fresh.headers['set-cookie']![0]!.split(';')[0]!;
    await world.graphql('mutation { logout { ok } }', {}, { headers: { cookie, ...stranger() } });
    const { rows } = await world.context.db.pool.query(
      `select tenant_id, action from audit_log where actor = $1 and tenant_id = any($2) order by at`,
      [ann.id, [first, second]],
    );
    expect(rows).toEqual([
      { tenant_id: first, action: 'session.started' },
      { tenant_id: second, action: 'session.switched' },
      { tenant_id: second, action: 'session.ended' },
    ]);
  });

  test('a token opens its tenant only; switching and refreshing keep the tenant; the next sign-in too', async () => {
    const { ann, first, second, inFirst } = await inTwo('viewer');
    expect(await tenantsOf(inFirst)).toEqual([
      [first, 'owner'],
      [second, 'viewer'],
    ]);
    const inSecond = await switched(inFirst, second);
    expect(await tenantOf(inFirst)).toEqual([toId('tnt', first), 'owner']);
    expect(await tenantOf(inSecond)).toEqual([toId('tnt', second), 'viewer']);
    const [here, there] = await Promise.all(
      [first, second].map(async (tenantId) => {
        const { key } = await world.makeKey({ tenantId, scopes: ['templates:write'] });
        const body = { name: `only ${tenantId}`, subject: 'Hi', html: '<p>Hi</p>' };
        return (await world.call('POST', '/templates', { key, body })).json.data.id as string;
      }),
    );
    for (const [token, own, foreign] of [
      [inFirst, here, there],
      [inSecond, there, here],
    ] as const) {
      expect((await world.call('GET', `/templates/${own}`, { key: token })).status).toBe(200);
      expect((await world.call('GET', `/templates/${foreign}`, { key: token })).status).toBe(404);
      const byNode = 'query($id: ID!) { node(id: $id) { id } }';
      expect((await ask({ token }, byNode, { id: own })).json.data.node).toEqual({ id: own });
      const answer = await ask({ token }, byNode, { id: foreign });
      expect(answer.json.data?.node ?? null).toBeNull();
    }
    const fresh = await refreshed(ann.cookie);
    expect(await tenantOf(fresh.json.data.refresh.accessToken)).toEqual([toId('tnt', second), 'viewer']);
    expect(await tenantOf((await login(ann)).token)).toEqual([toId('tnt', second), 'viewer']);
    const far = await switchTo(inSecond, (await world.makeTenant()).id);
    expect(code(far)).toBe('not_found');
    expect(code(await ask({ token: inSecond }, SWITCH, { input: { tenantId: 'x' } }))).toBe('not_found');
  });

  test('removed from one, that token is dead within a second on every process, and the other works on', async () => {
    const { ann, first, second, inFirst } = await inTwo();
    const inSecond = await switched(inFirst, second);
    const boss = await person('owner', first);
    const REMOVE = 'mutation($input: RemovePersonInput!) { removePerson(input: $input) { id } }';
    expect(await isOut(inFirst, other)).toBe(false);
    await ask(boss, REMOVE, { input: { userId: ann.id } });
    await outWithinASecond(inFirst);
    expect(await tenantOf(inSecond)).toEqual([toId('tnt', second), 'member']);
    expect(code(await switchTo(inSecond, first))).toBe('not_found');
    expect(await tenantOf((await login(ann)).token)).toEqual([toId('tnt', second), 'member']);
    // Out of the last tenant: nothing is left to sign in to, and the answer is that to a wrong password.
    const last = await person('owner', second);
    await ask(last, REMOVE, { input: { userId: ann.id } });
    await outWithinASecond(inSecond);
    expect(code(await refreshed(ann.cookie))).toBe('unauthorized');
    expect(words((await login(ann)).answer)).toBe('The email address or password is wrong.');
    const again = await invited(last, ann.email);
    const welcome = await accept(again.token, 'chosen anew after all that');
    expect(welcome.json.data.acceptInvitation.user).toMatchObject({ id: ann.id, role: 'member' });
  });

  test('the last owner of each tenant stays, whatever they are elsewhere', async () => {
    const { ann, second, inFirst } = await inTwo('owner');
    const CHANGE = 'mutation($input: ChangeRoleInput!) { changeRole(input: $input) { user { role } } }';
    const demote = (token: string) => ask({ token }, CHANGE, { input: { userId: ann.id, role: 'viewer' } });
    expect(code(await demote(inFirst))).toBe('conflict');
    const inSecond = await switched(inFirst, second);
    expect((await demote(inSecond)).json.data.changeRole.user.role).toBe('viewer');
    expect((await tenantOf(inFirst))?.[1]).toBe('owner');
  });
});

describe('a viewer', () => {
  // What everybody does with their own session and password.
  const OWN = [
    ...['login', 'refresh', 'logout', 'acceptInvitation', 'acceptInvitationForSso', 'switchTenant'],
    ...['changePassword', 'revokeSession', 'revokeOtherSessions'],
  ];
  const CHANGES_NOTHING = ['previewTemplate'];

  test('may look, and is refused by every mutation that changes more than their own account', async () => {
    const viewer = await person('viewer');
    const introspection = await ask(viewer, getIntrospectionQuery());
    const schema = buildClientSchema(introspection.json.data);
    const mutations = Object.values(schema.getMutationType()!.getFields());
    const allowed = [...OWN, ...CHANGES_NOTHING];
    expect(mutations.map(({ name }) => name)).toEqual(expect.arrayContaining(allowed));
    const refused = mutations.filter(({ name }) => !allowed.includes(name));
    expect(refused.length).toBeGreaterThan(30);
    for (const { name, type, args } of refused) {
      const input = args.length === 0 ? '' : `(${args.map((arg) => `${arg.name}: $${arg.name}`).join(', ')})`;
      const variables = Object.fromEntries(args.map((arg) => [arg.name, anyValue(arg.type)]));
      const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
      const query = `mutation${declared && `(${declared})`} { ${name}${input} ${selection(type)} }`;
      const answer = await ask(viewer, query, variables);
      expect([name, code(answer), words(answer)]).toEqual([
        name,
        'forbidden',
        'Your role does not allow this.',
      ]);
    }
    expect((await ask(viewer, '{ templates { edges { node { id } } } }')).json.errors).toBeUndefined();
    expect((await ask(viewer, 'mutation { revokeOtherSessions { count } }')).json.errors).toBeUndefined();
    const preview = 'mutation { previewTemplate(input: { subject: "s", text: "Hi" }) { text } }';
    expect((await ask(viewer, preview)).json.data.previewTemplate).toEqual({ text: 'Hi' });
  });

  test('has the read scopes of REST only', async () => {
    const viewer = await person('viewer');
    expect((await world.call('GET', '/templates', { key: viewer.token })).status).toBe(200);
    expect((await world.call('GET', '/whoami', { key: viewer.token })).json.data.user.role).toBe('viewer');
    for (const route of ROUTES.filter(({ access }) => !access.endsWith(':read') && access !== 'any')) {
      const path = route.path.replaceAll(/\{[^}]+\}/g, 'x');
      const answer = await world.call(route.method, path, { key: viewer.token, body: {} });
      expect([route.path, answer.status]).toEqual([route.path, 403]);
    }
  });
});

// Some value that the type of an argument allows.
function anyValue(type: GraphQLInputType): unknown {
  const inner = getNullableType(type);
  if (isListType(inner)) return [];
  if (isEnumType(inner)) return inner.getValues()[0]!.name;
  if (isInputObjectType(inner)) {
    const needed = Object.values(inner.getFields()).filter((field) => isRequiredInputField(field));
    return Object.fromEntries(needed.map((field) => [field.name, anyValue(field.type)]));
  }
  const scalars: Record<string, unknown> = { Int: 1, Float: 1, Boolean: true, JSON: {} };
  return scalars[String(inner)] ?? (String(inner) === 'DateTime' ? '2030-01-01T00:00:00.000Z' : 'x');
}

function selection(type: GraphQLOutputType): string {
  return isLeafType(getNamedType(type)) ? '' : '{ __typename }';
}

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
