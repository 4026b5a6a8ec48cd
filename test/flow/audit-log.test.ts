// The audit log as it is looked for: by person, key, job and time; as a file, for owners only; and by operators, who leave a row in
// the log of the tenant that they look at.

import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { service } from '../../core/audit/actor.ts';
import { change } from '../../core/audit/change.ts';
import { fromId, newUuid, toId } from '../../core/base/ids.ts';
import { startExportLoop } from '../../scheduler/slice-loops.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { code, login, makePerson } from '../harness/sign-in.ts';
import { waitUntil } from '../harness/wait.ts';

const ROWS = `edges { node { actor actorEmail action subject } }`;
const LOG = `query($actor: String, $action: String, $since: DateTime, $until: DateTime) {
  auditLog(first: 50, actor: $actor, action: $action, since: $since, until: $until) { ${ROWS} } }`;
const SUSPEND = 'mutation($input: TenantInput!) { suspendTenant(input: $input) { tenant { id } } }';
const EXPORT = 'mutation($input: CreateExportInput!) { createExport(input: $input) { export { id } } }';

interface Row {
  actor: string;
  actorEmail: string | null;
  action: string;
  subject: string;
}

let world: ApiWorld;
let owner: Awaited<ReturnType<typeof makePerson>> & { token: string };
let operator: typeof owner;
const signedIn = async (person: Awaited<ReturnType<typeof makePerson>>) => ({
  ...person,
  token: (await login(world, person)).token,
});
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1', WORKER_LEASE_MS: '1000' });
  owner = await signedIn(await makePerson(world, 'owner'));
  operator = await signedIn(await makePerson(world, 'super_admin'));
});
afterAll(() => world?.close());

async function ask(who: { token: string }, query: string, variables: object = {}) {
  const { json } = await world.graphql(query, variables, { key: who.token });
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data;
}
const rowsOf = (connection: { edges: { node: Row }[] }) => connection.edges.map(({ node }) => node);
const log = async (filter: object) => rowsOf((await ask(owner, LOG, filter)).auditLog);
const actions = (rows: Row[]) => rows.map(({ action }) => action);

test('by person, also one who runs the service, by job, and by time', async () => {
  const { tenantId } = owner;
  await ask(operator, SUSPEND, { input: { tenantId: toId('tnt', tenantId) } });
  await ask(operator, SUSPEND.replaceAll('suspend', 'reactivate'), {
    input: { tenantId: toId('tnt', tenantId) },
  });
  await change(world.context, service('auto-ramp'), (_client, record) =>
    record({ tenantId, action: 'warmup.advance', subject: 'dom_1' }),
  );
  const byOperator = await log({ actor: operator.email.toUpperCase() });
  expect(byOperator).toEqual([
    expect.objectContaining({ action: 'tenant.reactivated', actorEmail: operator.email }),
    expect.objectContaining({ action: 'tenant.suspended', actorEmail: operator.email }),
  ]);
  expect(actions(await log({ actor: 'auto-ramp' }))).toEqual(['warmup.advance']);
  expect(actions(await log({ actor: owner.email, action: 'session' }))).toEqual(['session.started']);
  expect(await log({ actor: 'nobody@example.com' })).toEqual([]);

  const old = new Date(Date.now() - 3 * 86_400_000);
  const hex = old.getTime().toString(16).padStart(12, '0');
  await world.context.db.pool.query(
    `insert into audit_log (id, tenant_id, actor, action, subject, data, at) values ($1, $2, 'cli', 'tenant.plan_changed', 't', '{}', $3)`,
    [`${hex.slice(0, 8)}-${hex.slice(8)}-7${newUuid().slice(15)}`, tenantId, old],
  );
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
  expect(actions(await log({ since: day(4), until: day(2) }))).toEqual(['tenant.plan_changed']);
  expect(actions(await log({ since: day(1) }))).not.toContain('tenant.plan_changed');
  expect(actions(await log({ until: day(1) }))).toEqual(['tenant.plan_changed']);
});

test('one who was removed is still found by the address', async () => {
  const gone = await signedIn(await makePerson(world, 'owner', { tenantId: owner.tenantId }));
  await ask(owner, 'mutation($input: RemovePersonInput!) { removePerson(input: $input) { id } }', {
    input: { userId: toId('usr', gone.userId) },
  });
  const found = await log({ actor: gone.email });
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found.map(({ actorEmail }) => actorEmail))).toEqual(new Set([gone.email]));
});

test('as a CSV file, for owners only; a formula is no formula there', async () => {
  const { tenantId } = owner;
  await change(world.context, service('=1+1'), (_client, record) =>
    record({ tenantId, action: 'list.created', subject: 'lst_1', details: { name: '=cmd()' } }),
  );
  const loop = startExportLoop(world.context);
  const input = { kind: 'audit_log', filter: { action: 'list' } };
  const { createExport } = await ask(owner, EXPORT, { input });
  const { id } = createExport.export;
  await waitUntil(async () => {
    const { rows } = await world.context.db.pool.query('select status from list_exports where id = $1', [
      fromId('exp', id),
    ]);
    return rows[0].status === 'completed';
  });
  await loop.stop();
  const file = await world.call('GET', `/exports/${id}/file`, { key: owner.token });
  const [head, row, ...more] = parse(file.text, { bom: true });
  expect(head).toEqual(['id', 'at', 'actor', 'actor_email', 'action', 'subject', 'detail', 'ip']);
  expect(row!.slice(2)).toEqual(["'=1+1", '', 'list.created', 'lst_1', '{"name":"=cmd()"}', '']);
  expect(more).toEqual([]);

  const member = await signedIn(await makePerson(world, 'member', { tenantId }));
  expect(code(await world.graphql(EXPORT, { input }, { key: member.token }))).toBe('forbidden');
  const { key } = await world.makeKey({ tenantId, scopes: ['events:read'] });
  for (const asker of [member.token, key])
    for (const path of [`/exports/${id}`, `/exports/${id}/file`])
      expect((await world.call('GET', path, { key: asker })).json.error).toBe('forbidden');
});

test('an operator reads messages and log of a tenant, and leaves a row of each in it', async () => {
  const theirs = await makePerson(world, 'owner');
  const { tenantId } = theirs;
  const messageId = await makeMessageRow(world.context.db, tenantId, {
    state: 'deferred',
    deferReason: 'brake',
  });
  const id = toId('tnt', tenantId);
  const read = (status: string) =>
    ask(
      operator,
      `query($id: ID!, $status: MessageStatus) { tenant(id: $id) { name
        messages(status: $status) { edges { node { id status deferReason to } } }
        auditLog(first: 50) { ${ROWS} } } }`,
      { id, status },
    );
  const { tenant } = await read('deferred');
  expect(tenant.messages.edges.map(({ node }: { node: object }) => node)).toEqual([
    { id: toId('msg', messageId), status: 'deferred', deferReason: 'brake', to: 'ann@example.net' },
  ]);
  expect((await read('bounced')).tenant.messages.edges).toEqual([]);
  await world.context.db.pool.query(
    `insert into message_attempts (message_id, attempt, tenant_id, at, duration_ms, esp, reply, outcome)
     values ($1, 1, $2, now(), 5, 'direct', '421 later', 'deferred')`,
    [messageId, tenantId],
  );
  const ATTEMPTS =
    'query($id: ID!, $message: ID!) { tenant(id: $id) { messageAttempts(id: $message) { reply } } }';
  const attempts = await ask(operator, ATTEMPTS, { id, message: toId('msg', messageId) });
  expect(attempts.tenant.messageAttempts).toEqual([{ reply: '421 later' }]);
  const elsewhere = { id: toId('tnt', owner.tenantId), message: toId('msg', messageId) };
  expect(code(await world.graphql(ATTEMPTS, elsewhere, { key: operator.token }))).toBe('not_found');
  const { rows } = await world.context.db.pool.query(
    `select action, actor, ip is not null as "hasIp" from audit_log
     where tenant_id = $1 and action like '%opened' order by action`,
    [tenantId],
  );
  const by = { actor: toId('usr', operator.userId), hasIp: true }; // once an hour
  expect(rows).toEqual([
    { action: 'message.attempts_opened', ...by },
    { action: 'tenant.audit_log_opened', ...by },
    { action: 'tenant.messages_opened', ...by },
    { action: 'tenant.opened', ...by },
  ]);
  const refused = await world.graphql(
    `{ tenant(id: "${id}") { messages { edges { cursor } } } }`,
    {},
    {
      key: owner.token,
    },
  );
  expect(code(refused)).toBe('forbidden');
});
