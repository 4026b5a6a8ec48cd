// The pool of a domain, as its tenant sets it over REST and GraphQL.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createAdminToken } from '../../core/key/admin-tokens.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { login, makePerson } from '../harness/sign-in.ts';

const source = (n: number) => [{ address: `192.0.2.${n}`, hostname: `mail${n}.example.com` }];

let world: ApiWorld;
let key: string;
let token: string;
let id: string;

beforeAll(async () => {
  world = await createApiWorld({
    EGRESS_POOLS: JSON.stringify([
      { name: 'main', sources: [{ ...source(1)[0], warmup: true }] },
      { name: 'vip', tenants: [toId('tnt', newUuid())], sources: source(2) },
    ]),
  });
  const made = await world.makeKey({ scopes: [...SCOPES] });
  key = made.key;
  const { tenantId } = made;
  token = (await login(world, await makePerson(world, 'owner', { tenantId }))).token;
  const domain = await world.call('POST', '/mail/domains', { key, body: { name: 'pools.example.com' } });
  id = domain.json.data.id;
});
afterAll(() => world.close());

const patch = (pool: unknown) => world.call('PATCH', `/mail/domains/${id}`, { key, body: { pool } });
const poolNow = async () =>
  (await world.call('GET', `/mail/domains/${id}`, { key })).json.data.pool as string | null;

test('a tenant sets a pool that it may use, takes it off again, and the audit log has it', async () => {
  expect(await poolNow()).toBeNull();
  expect(await patch('main')).toMatchObject({ status: 200, json: { data: { pool: 'main' } } });
  expect(
    await world.call('PATCH', `/mail/domains/${id}`, { key, body: { brake_enabled: true } }),
  ).toMatchObject({ status: 200, json: { data: { pool: 'main' } } });
  expect(await patch(null)).toMatchObject({ status: 200, json: { data: { pool: null } } });
  const { rows } = await world.context.db.pool.query<{ pool: string | null }>(
    `select data->'pool' as pool from audit_log where action = 'domain.changed' and data ? 'pool' order by id`,
  );
  expect(rows.map(({ pool }) => pool)).toEqual(['main', null]);
});

test('one that is kept for others, and one that is not there, are refused alike', async () => {
  for (const pool of ['vip', 'nowhere']) {
    const { status, json } = await patch(pool);
    expect({ status, error: json.error }).toEqual({ status: 422, error: 'validation_failed' });
    expect(json.details).toEqual([
      { path: 'pool', message: 'must be the name of a pool that you may use (there is main), or null' },
    ]);
  }
  expect(await poolNow()).toBeNull();
});

test('GraphQL does the same', async () => {
  const mutation = `mutation ($input: UpdateDomainInput!) { updateDomain(input: $input) { domain { pool } } }`;
  const set = (pool: string | null) => world.graphql(mutation, { input: { id, pool } }, { key: token });
  expect((await set('main')).json.data.updateDomain.domain).toEqual({ pool: 'main' });
  expect((await set('vip')).json.errors[0].extensions.code).toBe('validation_failed');
  expect((await set(null)).json.data.updateDomain.domain).toEqual({ pool: null });
});

test('whoever runs the service sees all sources, over REST and GraphQL', async () => {
  const { value: admin } = await createAdminToken(world.context, TESTER, { name: 'ops' });
  await world.context.db.pool.query(
    `insert into source_rests (address, provider, until, reply) values ('192.0.2.2', 'yahoo', '2100-01-01T00:00:00Z', 'no')`,
  );
  const { json } = await world.call('GET', '/admin/sources', { key: admin });
  expect(json.data.items).toEqual([
    {
      pool: 'main',
      ...source(1)[0],
      warmup: { tier: 0, cap: 50, used: 0, day: expect.any(String) },
      rests: [],
    },
    {
      pool: 'vip',
      ...source(2)[0],
      warmup: null,
      rests: [{ provider: 'yahoo', until: '2100-01-01T00:00:00.000Z', reply: 'no' }],
    },
  ]);
  const { tenantId } = await world.makeKey();
  const person = await login(world, await makePerson(world, 'super_admin', { tenantId }));
  const query =
    '{ sources { pool address hostname warmup { tier cap used day } rests { provider until reply } } }';
  const answer = await world.graphql(query, {}, { key: person.token });
  expect(answer.json.data.sources).toEqual(json.data.items);
  expect((await world.graphql(query, {}, { key: token })).json.errors[0].extensions.code).toBe('forbidden');
});
