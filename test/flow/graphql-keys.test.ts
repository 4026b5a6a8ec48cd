// API keys over GraphQL, and what only super-admins may.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { addSystemMail } from '../../core/system-mail/system-mail-store.ts';
import { makeAccount } from '../harness/factories.ts';
import { createApiWorld, type ApiWorld, type Ask } from '../harness/api-world.ts';
import { SYSTEM_DOMAIN } from '../harness/invitations.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { code, login as signIn, makePerson, type Credentials } from '../harness/sign-in.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => world.close());

const person = (role: Role = 'owner', tenantId?: string) => makePerson(world, role, { tenantId });
const login = (who: Credentials) => signIn(world, who);
const as = (token: string): Ask => ({ key: token });

describe('keys', () => {
  const CREATE = `mutation($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { value apiKey { id name scopes createdAt lastUsedAt revokedAt } } }`;
  const REVOKE =
    'mutation($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { apiKey { revokedAt } } }';

  test('an owner makes a key, sees it, uses it, revokes it; the audit log knows', async () => {
    const who = await person();
    const { token } = await login(who);
    const input = { name: 'server', scopes: ['events:read'] };
    const made = (await world.graphql(CREATE, { input }, as(token))).json.data.createApiKey;
    expect(made.value).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
    expect(made.apiKey).toMatchObject({
      name: 'server',
      scopes: ['events:read'],
      lastUsedAt: null,
      revokedAt: null,
    });
    expect((await world.call('GET', '/whoami', { key: made.value })).status).toBe(200);

    const listed = await world.graphql('{ apiKeys { edges { node { id name } } } }', {}, as(token));
    expect(listed.json.data.apiKeys.edges).toEqual([{ node: { id: made.apiKey.id, name: 'server' } }]);
    const node = `{ node(id: "${made.apiKey.id}") { id ... on ApiKey { name } } }`;
    expect((await world.graphql(node, {}, as(token))).json.data.node).toEqual({
      id: made.apiKey.id,
      name: 'server',
    });

    const revoke = () => world.graphql(REVOKE, { input: { id: made.apiKey.id } }, as(token));
    expect((await revoke()).json.data.revokeApiKey.apiKey.revokedAt).toBeTruthy();
    expect(code(await revoke())).toBe('not_found');
    const { rows } = await world.context.db.pool.query(
      "select actor, action, subject from audit_log where tenant_id = $1 and action like 'api_key.%' order by id",
      [who.tenantId],
    );
    expect(rows).toEqual([
      { actor: toId('usr', who.userId), action: 'api_key.created', subject: made.apiKey.id },
      { actor: toId('usr', who.userId), action: 'api_key.revoked', subject: made.apiKey.id },
    ]);
  });

  test('a member may not, a bad scope is named, another tenant’s key is not there', async () => {
    const owner = await person();
    const { token } = await login(owner);
    const member = await login(await person('member', owner.tenantId));
    const input = { name: 'x', scopes: ['events:read'] };
    expect(code(await world.graphql(CREATE, { input }, as(member.token)))).toBe('forbidden');
    const bad = await world.graphql(CREATE, { input: { name: 'x', scopes: ['root'] } }, as(token));
    expect(code(bad)).toBe('validation_failed');
    expect(bad.json.errors[0].extensions.details[0].path).toBe('scopes[0]');
    const other = await world.makeKey();
    const id = toId('key', other.keyId);
    expect(code(await world.graphql(REVOKE, { input: { id } }, as(token)))).toBe('not_found');
    expect((await world.graphql(`{ node(id: "${id}") { id } }`, {}, as(token))).json.data.node).toBeNull();
  });
});

test('super-admins see every job with its next time; nobody else does', async () => {
  const query = '{ jobs { name does nextSlot last { durationMs summary } } }';
  const boss = await login(await person('super_admin'));
  const seen = await world.graphql(query, {}, as(boss.token));
  expect(seen.json.data.jobs.map((job: { name: string }) => job.name)).toContain('auto-ramp');
  expect(
    seen.json.data.jobs.every((job: { nextSlot: string }) => Date.parse(job.nextSlot) > Date.now()),
  ).toBe(true);
  const owner = await login(await person());
  expect(code(await world.graphql(query, {}, as(owner.token)))).toBe('forbidden');
});

test('super-admins see how much mail of the service waits: in the outbox, and for the cap of its domain', async () => {
  const boss = await login(await person('super_admin'));
  const { db } = world.context;
  const waiting = async () =>
    (await world.graphql('{ systemMailWaiting }', {}, as(boss.token))).json.data.systemMailWaiting;
  await db.pool.query('delete from system_mails');
  expect(await waiting()).toBe(0);
  const mail = { kind: 'domain_verified' as const, data: { id: 'dom_1', name: 'new.test' } };
  await addSystemMail(db.pool, { recipient: 'ann@example.com', tenantId: null }, mail);
  const { tenantId, domainId } = await makeAccount(db, { domain: SYSTEM_DOMAIN });
  for (const origin of ['reset', 'api']) {
    const id = await makeMessageRow(db, tenantId, { state: 'deferred', deferReason: 'warmup_cap', domainId });
    await db.pool.query('update messages set origin = $2 where id = $1', [id, origin]);
  }
  expect(await waiting()).toBe(2);
  await db.pool.query('delete from system_mails');
  expect(await waiting()).toBe(1);
});

test('a super-admin moves a tier by hand and it is in the history; an owner may not', async () => {
  const account = await makeAccount(world.context.db);
  const ids = {
    tenantId: toId('tnt', account.tenantId),
    domainId: toId('dom', account.domainId),
    reason: 'a test',
  };
  const mutation = `mutation($input: OverrideTierInput!) { overrideTier(input: $input) { warmup { tier cap state } } }`;
  const boss = await login(await person('super_admin'));
  const override = (input: object, token = boss.token) =>
    world.graphql(mutation, { input: { ...ids, ...input } }, as(token));
  const moved = await override({ action: 'advance' });
  expect(moved.json.data.overrideTier.warmup).toEqual({ tier: 1, cap: 100, state: 'active' });
  expect((await override({ tier: 4 })).json.data.overrideTier.warmup.cap).toBe(1000);
  expect(code(await override({ tier: 11 }))).toBe('validation_failed');
  expect(code(await override({ tier: 3, action: 'hold' }))).toBe('validation_failed');
  const owner = await login(await person('owner', account.tenantId));
  expect(code(await override({ action: 'advance' }, owner.token))).toBe('forbidden');
  const { rows } = await world.context.db.pool.query(
    'select action, reason from warmup_history where domain_id = $1 order by id',
    [account.domainId],
  );
  expect(rows).toEqual([
    { action: 'advance', reason: 'a test' },
    { action: 'set', reason: 'a test' },
  ]);
});
