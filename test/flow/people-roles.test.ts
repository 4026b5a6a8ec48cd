// Roles of a tenant’s people: changed, removed, the last owner, and what a viewer may.

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
import { newUuid } from '../../core/base/ids.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';
import type { ApiWorld, RunningApi } from '../harness/api-world.ts';
import { openPeopleWorld, peopleSteps, type Person } from '../harness/people-world.ts';
import { code, words } from '../harness/sign-in.ts';

let world: ApiWorld;
let other: RunningApi;
beforeAll(async () => {
  ({ world, other } = await openPeopleWorld());
});
afterAll(() => world.close());

const { person, login, ask, isOut, outWithinASecond, invited, offer } = peopleSteps(() => ({ world, other }));

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
    await waitUntil(async () => !(await ask(member, '{ invitations { id } }')).json.errors, WITHIN_A_SECOND);
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
