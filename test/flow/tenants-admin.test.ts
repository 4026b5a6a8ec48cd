// Operators create tenants, list them by status, change plans, suspend and reactivate: over REST and GraphQL, with the confirmation
// of people, the audit row, the mail to owners, and the one tenant that cannot be suspended.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createAdminToken } from '../../core/key/admin-tokens.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeAccount } from '../harness/factories.ts';
import { code, login, makePerson, words } from '../harness/sign-in.ts';

const LIST = `query($status: TenantStatus, $name: String) {
  tenants(first: 50, status: $status, name: $name) { edges { node { id plan status suspendedAt } } } }`;
const tell = (verb: string, input: string) =>
  `mutation($input: ${input}!) { ${verb}(input: $input) { tenant { id name plan status } } }`;
const SUSPEND = tell('suspendTenant', 'TenantInput');
const REACTIVATE = tell('reactivateTenant', 'TenantInput');
const PLAN = tell('changePlan', 'ChangePlanInput');
const CREATE = tell('createTenant', 'CreateTenantInput');

let world: ApiWorld;
let admin: string;
let operator: Awaited<ReturnType<typeof makePerson>>;
let token: string;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  admin = (await createAdminToken(world.context, TESTER, { name: 'ops' })).value;
  operator = await makePerson(world, 'super_admin');
  ({ token } = await login(world, operator));
});
afterAll(() => world?.close());

const rows = async (text: string, values: unknown[] = []) =>
  (await world.context.db.pool.query(text, values)).rows;
const rest = (method: string, path: string, body?: unknown, key = admin) =>
  world.call(method, `/admin/tenants${path}`, { key, body });
const graphql = (query: string, input: object) => world.graphql(query, { input }, { key: token });
const auditOf = (tenantId: string) =>
  rows(
    "select actor, action, data, ip from audit_log where tenant_id = $1 and action like 'tenant.%' order by id",
    [tenantId],
  );
const mailsOf = async (tenantId: string) =>
  (
    await rows(
      "select recipient, data from system_mails where tenant_id = $1 and kind = 'change' order by id",
      [tenantId],
    )
  ).map(({ recipient, data }) => [recipient, data.action, data.by]);

test('over REST by an admin token: create, list, plan, suspend, reactivate', async () => {
  const name = `N ${newUuid()}`;
  const { status, json } = await rest('POST', '', { name, plan: 'free' });
  const { id } = json.data;
  expect([status, json.data]).toEqual([
    201,
    { id, name, plan: 'free', status: 'active', suspended_at: null, created_at: expect.any(String) },
  ]);
  const [{ id: uuid }] = await rows('select id from tenants where name = $1', [name]);
  const owner = await makePerson(world, 'owner', { tenantId: uuid });
  await makePerson(world, 'member', { tenantId: uuid });
  const listed = async (query: string) => {
    const page = await rest('GET', `?name=${encodeURIComponent(name)}${query}`);
    return page.json.data.items.map((one: { id: string; status: string }) => `${one.id} ${one.status}`);
  };
  expect(await listed('&status=active')).toEqual([`${id} active`]);
  expect((await rest('POST', `/${id}/plan`, { plan: 'scale' })).json.data.plan).toBe('scale');
  expect((await rest('POST', `/${id}/plan`, { plan: 'scale' })).status).toBe(200); // changes nothing
  expect((await rest('POST', `/${id}/suspend`)).json.data).toMatchObject({
    status: 'suspended',
    suspended_at: expect.any(String),
  });
  expect(await listed('&status=suspended')).toEqual([`${id} suspended`]);
  expect(await listed('&status=active')).toEqual([]);
  expect((await rest('POST', `/${id}/suspend`)).json).toMatchObject({ error: 'conflict' });
  expect((await rest('POST', `/${id}/reactivate`)).json.data.status).toBe('active');
  expect((await rest('POST', `/${id}/reactivate`)).json).toMatchObject({ error: 'conflict' });
  expect(await auditOf(uuid)).toEqual(
    [
      ['tenant.created', { name, plan: 'free' }],
      ['tenant.plan_changed', { from: 'free', to: 'scale' }],
      ['tenant.suspended', {}],
      ['tenant.reactivated', {}],
    ].map(([action, data]) => ({ actor: 'admin token ops', action, data, ip: '127.0.0.1' })),
  );
  expect(await mailsOf(uuid)).toEqual([
    [owner.email, 'tenant.suspended', 'admin token ops'],
    [owner.email, 'tenant.reactivated', 'admin token ops'],
  ]);
});

test('over GraphQL by a super-admin who confirmed; another tenant’s owner may not', async () => {
  const created = await graphql(CREATE, { name: 'Over GraphQL', plan: 'pro' });
  const made = created.json.data.createTenant.tenant;
  expect(made).toMatchObject({ name: 'Over GraphQL', plan: 'pro', status: 'active' });
  const input = { tenantId: made.id };
  expect((await graphql(SUSPEND, input)).json.data.suspendTenant.tenant.status).toBe('suspended');
  const { json } = await world.graphql(LIST, { status: 'suspended', name: 'Over GraphQL' }, { key: token });
  expect(json.data.tenants.edges).toEqual([
    { node: { id: made.id, plan: 'pro', status: 'suspended', suspendedAt: expect.any(String) } },
  ]);
  expect((await graphql(REACTIVATE, input)).json.data.reactivateTenant.tenant.status).toBe('active');
  expect((await graphql(PLAN, { ...input, plan: 'scale' })).json.data.changePlan.tenant.plan).toBe('scale');
  const [uuid] = (await rows("select id from tenants where name = 'Over GraphQL'")).map((one) => one.id);
  const audit = await auditOf(uuid);
  expect(audit.map(({ actor, ip }) => [actor, ip])).toEqual(
    audit.map(() => [toId('usr', operator.userId), expect.stringMatching(/^(127|203)\./)]),
  );

  await rows("update sessions set confirmed_at = now() - interval '11 minutes' where tenant_id = $1", [
    operator.tenantId,
  ]);
  const changes: [string, object, string, object | undefined][] = [
    [CREATE, { name: 'X', plan: 'pro' }, '', { name: 'X', plan: 'pro' }],
    [SUSPEND, input, `/${made.id}/suspend`, undefined],
    [REACTIVATE, input, `/${made.id}/reactivate`, undefined],
    [PLAN, { ...input, plan: 'pro' }, `/${made.id}/plan`, { plan: 'pro' }],
  ];
  for (const [mutation, fields, path, body] of changes) {
    expect(code(await graphql(mutation, fields))).toBe('confirmation_required');
    expect((await rest('POST', path, body, token)).json).toMatchObject({ error: 'confirmation_required' });
  }
  const owner = await login(world, await makePerson(world, 'owner'));
  for (const [mutation, fields, path, body] of changes) {
    expect(code(await world.graphql(mutation, { input: fields }, { key: owner.token }))).toBe('forbidden');
    expect((await rest('POST', path, body, owner.token)).json).toMatchObject({ error: 'forbidden' });
  }
  expect(await auditOf(uuid)).toEqual(audit);
  ({ token } = await login(world, operator));
});

test('the tenant that sends the mail of the service cannot be suspended, and why', async () => {
  const { tenantId } = await makeAccount(world.context.db, { domain: 'system.test' });
  const id = toId('tnt', tenantId);
  const { status, json } = await rest('POST', `/${id}/suspend`);
  expect([status, json.error]).toEqual([409, 'conflict']);
  expect(json.message).toMatch(/owns the domain of SYSTEM_MAIL_FROM .*system\.test/);
  expect(words(await graphql(SUSPEND, { tenantId: id }))).toBe(json.message);
  expect(await rows('select suspended_at from tenants where id = $1', [tenantId])).toEqual([
    { suspended_at: null },
  ]);
  expect(await auditOf(tenantId)).toEqual([]);
});
