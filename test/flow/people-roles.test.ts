// Roles of a tenant’s people: changed, removed, the last owner, and what a viewer may.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ROUTES } from '../../api/rest/routes.ts';
import { newUuid } from '../../core/base/ids.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';
import type { ApiWorld, RunningApi } from '../harness/api-world.ts';
import { openPeopleWorld, peopleSteps, type Person } from '../harness/people-world.ts';
import { code } from '../harness/sign-in.ts';

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
  test('may look, and end their own sessions', async () => {
    const viewer = await person('viewer');
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
