// Mail of the service reaches people whatever a tenant does: dead invitations, a brake, a pause, a cap that is used up.

import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { createKey } from '../../core/key/keys.ts';
import { createUser } from '../../core/people/users.ts';
import { reactivateTenant, suspendTenant } from '../../core/suspension/suspend-tenant.ts';
import { addSuppressions, type SuppressionReason } from '../../core/suppression/suppression-store.ts';
import { mailOwners } from '../../core/system-mail/system-mail-store.ts';
import { TESTER } from '../harness/actor.ts';
import { call } from '../harness/api-world.ts';
import { makeSignedAccount, type Account } from '../harness/factories.ts';
import { resetTokenIn, SYSTEM_DOMAIN } from '../harness/invitations.ts';
import { startService, type Service } from '../harness/service.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const DEAD = 120; // more than the brake needs (100 attempts)
const REQUEST = 'mutation($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { ok } }';
const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
const INVITE = 'mutation($input: InvitePersonInput!) { invitePerson(input: $input) { invitation { mail } } }';

let stack: Stack;
let scheduler: Service;
let carrier: Account; // the tenant that has the domain of SYSTEM_MAIL_FROM
beforeAll(async () => {
  stack = await createStack({
    api: true,
    env: { SYSTEM_MAIL_FROM: `Postrider <no-reply@${SYSTEM_DOMAIN}>` },
    sink: { rcpt: (to) => (to.startsWith('dead') ? '550 5.1.1 no such user' : '250 ok') },
  });
  carrier = await makeSignedAccount(stack.context, { domain: SYSTEM_DOMAIN, tier: 5 });
  const env = { ...stack.context.env, SENDER_ADDRESSES: stack.senderAddresses().join(',') };
  scheduler = await startService('scheduler', env);
});
afterAll(async () => {
  await scheduler?.kill();
  await stack?.close();
});
beforeEach(async () => {
  await rows(`update domains set warmup_state = 'active', brake_state = 'off', tier = 5 where id = $1`, [
    carrier.domainId,
  ]);
});

const rows = async (text: string, values: unknown[] = []) =>
  (await stack.context.db.pool.query(text, values)).rows;
const ask = async (query: string, input: object, key?: string) => {
  const port = Number(stack.api!.env['API_HTTPS_PORT']);
  return (await call(port, 'POST', '/graphql', { key, body: { query, variables: { input } } })).json;
};
const mailsTo = (email: string) => stack.sink.messages.filter(({ rcptTo }) => rcptTo === email);

async function makeOwner(name: string) {
  const { tenantId } = await stack.makeAccount();
  const email = `${name}@sink.test`;
  const { password } = await createUser(stack.context, TESTER, { tenantId, email, role: 'owner' });
  const key = (await ask(LOGIN, { email, password })).data.login.accessToken as string;
  return { email, key, tenantId };
}

const invite = (key: string, email: string) => ask(INVITE, { email, role: 'viewer' }, key);

async function carrierKey(): Promise<string> {
  const by = { tenantId: carrier.tenantId, name: 'shop', scopes: ['transactional:send'] };
  return (await createKey(stack.context, TESTER, by)).value;
}

// Sends mail of the tenant itself that has the domain.
async function send(key: string, to: string[]) {
  const from = `shop@${SYSTEM_DOMAIN}`;
  const messages = to.map((one) => ({ from, to: one, subject: 'Hello', text: 'Hello' }));
  const port = Number(stack.api!.env['API_HTTPS_PORT']);
  const { json } = await call(port, 'POST', '/api/v1/transactional/batch', { key, body: { messages } });
  if (!json.data) return [json] as { status?: string; reason?: string | null; error?: string }[];
  return json.data.items as { status?: string; reason?: string | null; error?: string }[];
}

// Asks for a reset and waits for it.
async function reset(email: string): Promise<void> {
  const before = mailsTo(email).length;
  expect(await ask(REQUEST, { email })).toEqual({ data: { requestPasswordReset: { ok: true } } });
  await waitUntil(() => mailsTo(email).length > before, {
    what: `a reset for ${email}`,
  });
  resetTokenIn((await simpleParser(mailsTo(email).at(-1)!.raw)).text ?? '');
}

test('dead invitations of one tenant stop nobody else: no rate of the domain shows them', async () => {
  const attacker = await makeOwner('attacker');
  const other = await makeOwner('other');
  const errors: { message: string; extensions: { code: string } }[] = [];
  for (let i = 0; i < DEAD; i += 10) {
    const answers = Array.from({ length: 10 }, (_, n) => invite(attacker.key, `dead${i + n}@sink.test`));
    for (const { errors: found = [] } of await Promise.all(answers)) errors.push(...found);
  }
  await waitUntil(async () => {
    const [open] = await rows(
      `select count(*)::int as n from messages where rcpt_to like 'dead%' and state <> 'bounced'`,
    );
    return (
      open.n === 0 ||
      (await rows(`select 1 from domains where id = $1 and brake_state <> 'off'`, [carrier.domainId]))
        .length > 0
    );
  });
  await reset(other.email);
  expect((await invite(other.key, 'colleague@sink.test')).errors).toBeUndefined();
  await waitUntil(() => mailsTo('colleague@sink.test').length === 1);

  const [domain] = await rows('select brake_state, warmup_state from domains where id = $1', [
    carrier.domainId,
  ]);
  expect(domain).toEqual({ brake_state: 'off', warmup_state: 'active' });
  expect(
    await rows('select sent, delivered, bounced from domain_days where domain_id = $1', [carrier.domainId]),
  ).toEqual([]);
  const [attempts] = await rows(
    `select coalesce(sum(attempted), 0)::int as attempted, coalesce(sum(delivered), 0)::int as delivered,
       coalesce(sum(bounced), 0)::int as bounced from attempt_days where domain_id = $1`,
    [carrier.domainId],
  );
  expect(attempts).toEqual({ attempted: 0, delivered: 0, bounced: 0 });
  const refused = await invite(attacker.key, 'dead-again@sink.test');
  expect(refused.errors[0]).toMatchObject({
    message: expect.stringMatching(/invitations .* bounced.*Check the addresses/),
    extensions: { code: 'rate_limited' },
  });
  expect((await invite(other.key, 'one-more@sink.test')).errors).toBeUndefined();
});

test('neither a pause of the domain nor its brake holds a reset, a notice or an invitation', async () => {
  const owner = await makeOwner('paused-owner');
  const key = await carrierKey();
  for (const [n, state] of [
    `warmup_state = 'paused', paused_reason = 'bounces'`,
    `brake_state = 'all', brake_since = now(), brake_enabled = true`,
  ].entries()) {
    await rows(`update domains set ${state} where id = $1`, [carrier.domainId]);
    const ordinary = await send(key, [`held${n}@sink.test`]);
    if (n === 0) expect(ordinary[0]).toMatchObject({ error: 'domain_paused' });
    await reset(owner.email);
    await mailOwners(stack.context.db.pool, owner.tenantId, {
      kind: 'domain_verified',
      data: { id: `dom_${n}`, name: `notice${n}.test` },
    });
    expect((await invite(owner.key, `new${n}@sink.test`)).errors).toBeUndefined();
    await waitUntil(() => mailsTo(`new${n}@sink.test`).length === 1);
    await waitUntil(() => mailsTo(owner.email).length === 2 * (n + 1));
  }
});

test('a reset that waits is released while the domain is paused, before other mail', async () => {
  const owner = await makeOwner('waiting-owner');
  await rows('update warmup_days set cap = used where domain_id = $1', [carrier.domainId]);
  expect(await ask(REQUEST, { email: owner.email })).toMatchObject({ data: {} });
  const waits = () =>
    rows(`select id from messages where rcpt_to = $1 and defer_reason = 'warmup_cap'`, [owner.email]);
  await waitUntil(async () => (await waits()).length === 1);
  await rows(`update domains set warmup_state = 'paused' where id = $1`, [carrier.domainId]);
  await rows('update warmup_days set cap = used + 1 where domain_id = $1', [carrier.domainId]);
  await rows(`update messages set deferred_until = now() where rcpt_to = $1`, [owner.email]);
  await waitUntil(() => mailsTo(owner.email).length === 1);
});

test('other mail and invitations leave a part of the cap for resets; no quota concerns them', async () => {
  const owner = await makeOwner('capped-owner');
  const key = await carrierKey();
  await rows('update warmup_days set cap = used + 15 where domain_id = $1', [carrier.domainId]);
  await rows(`update tenants set plan = 'free' where id = $1`, [carrier.tenantId]);
  const to = Array.from({ length: 8 }, (_, n) => `ordinary${n}@sink.test`);
  const sent = await send(key, to);
  expect(sent.map(({ status, reason }) => reason ?? status)).toEqual([
    ...Array.from({ length: 5 }, () => 'queued'),
    ...Array.from({ length: 3 }, () => 'warmup_cap'),
  ]);
  const invited = await invite(owner.key, 'late@sink.test');
  expect(invited.data.invitePerson.invitation.mail).toBe('deferred');
  const used = async () =>
    (await rows('select used from tenant_usage where tenant_id = $1', [carrier.tenantId]))[0].used;
  await rows('update tenant_usage set used = 1000 where tenant_id = $1', [carrier.tenantId]); // all of the plan
  expect((await send(key, ['over@sink.test']))[0]).toMatchObject({ error: 'quota_exceeded' });
  await reset(owner.email);
  expect(Number(await used())).toBe(1000);
});

test('a reset reaches who unsubscribed, and an address to which mail bounced once, and no other suppressed address', async () => {
  const left = await makeOwner('left-owner');
  const both = await makeOwner('both-owner');
  const bounced = await makeOwner('bounced-owner');
  const complained = await makeOwner('complained-owner');
  const add = (email: string, reason: SuppressionReason) =>
    addSuppressions(stack.context.db.pool, [
      { tenantId: carrier.tenantId, email, reason, sourceMessageId: null },
    ]);
  await add(left.email, 'unsubscribe');
  await add(both.email, 'unsubscribe');
  await add(both.email, 'bounce');
  await add(bounced.email, 'bounce');
  await add(complained.email, 'complaint');
  await ask(REQUEST, { email: complained.email });
  await reset(bounced.email);
  await reset(left.email);
  await reset(both.email);
  const found = await rows(
    'select email, reason, stream from suppressions where tenant_id = $1 and email like $2 order by email',
    [carrier.tenantId, '%-owner@sink.test'],
  );
  expect(found).toEqual([
    { email: both.email, reason: 'unsubscribe', stream: 'bulk' },
    { email: complained.email, reason: 'complaint', stream: 'all' },
    { email: left.email, reason: 'unsubscribe', stream: 'bulk' },
  ]);
  const audit = await rows(
    `select actor, action, subject from audit_log where tenant_id = $1 and action = 'suppression.removed' order by id`,
    [carrier.tenantId],
  );
  expect(audit).toEqual(
    [bounced, both].map(({ email }) => ({ actor: 'sender', action: 'suppression.removed', subject: email })),
  );
  await waitUntil(
    async () =>
      (await rows(`select 1 from messages where rcpt_to = $1 and state = 'dropped'`, [complained.email]))
        .length === 1,
  );
  expect(mailsTo(complained.email)).toEqual([]);
});

test('the suspension of a tenant is mailed to its owners, and holds neither that nor their resets', async () => {
  const owner = await makeOwner('suspended');
  const subjects = async () => {
    const parsed = await Promise.all(mailsTo(owner.email).map(({ raw }) => simpleParser(raw)));
    return parsed.map(({ subject }) => subject);
  };
  await suspendTenant(stack.context, TESTER, owner.tenantId);
  await waitUntil(async () => (await subjects()).includes('Mail was suspended in Test'));
  await reset(owner.email);
  await reactivateTenant(stack.context, TESTER, owner.tenantId);
  await waitUntil(async () => (await subjects()).includes('Mail was reactivated in Test'));
  await expect(suspendTenant(stack.context, TESTER, carrier.tenantId)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('SYSTEM_MAIL_FROM'),
  });
});
