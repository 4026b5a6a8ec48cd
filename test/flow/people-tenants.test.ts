// One person in two tenants: a token opens one of them, and each keeps its last owner.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { addUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import type { ApiWorld, RunningApi } from '../harness/api-world.ts';
import { openPeopleWorld, peopleSteps } from '../harness/people-world.ts';
import { code, stranger, words } from '../harness/sign-in.ts';

let world: ApiWorld;
let other: RunningApi;
beforeAll(async () => {
  ({ world, other } = await openPeopleWorld());
});
afterAll(() => world.close());

const { person, login, ask, isOut, outWithinASecond, tenantsOf, invited, accept } = peopleSteps(() => ({
  world,
  other,
}));

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
