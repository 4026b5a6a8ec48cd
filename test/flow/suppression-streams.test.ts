// Somebody who unsubscribed gets no marketing mail, and all other mail, whichever way it is sent. A bounce stops all mail, and
// what clears it leaves the unsubscribe.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openSender } from '../../core/clients/sender.ts';
import { createKey } from '../../core/key/keys.ts';
import { parseSendInput } from '../../core/message/send-input.ts';
import { submitMessage } from '../../core/message/submit-message.ts';
import { addSuppressions, removeSuppressions } from '../../core/suppression/suppression-store.ts';
import { TESTER } from '../harness/actor.ts';
import { shareCampaignWorld, type CampaignWorld, type Tenant } from '../harness/campaign-world.ts';
import { mail, signedIn, submit } from '../harness/submission.ts';
import { waitUntil } from '../harness/wait.ts';

const LEAVE = '<https://shop.example/leave>';

let world: CampaignWorld;
beforeAll(async () => {
  world = await shareCampaignWorld();
  world.stack.sink.script.rcpt = (to) => (to.startsWith('dead') ? '550 5.1.1 no such user' : '250 ok');
});
afterAll(() => world?.close());

const pool = () => world.stack.context.db.pool;
const unsubscribed = (tenant: Tenant, email: string) =>
  tenant.ask('POST', '/suppressions', { email, reason: 'unsubscribe' });
const entryOf = async (tenant: Tenant, email: string) =>
  (await tenant.ask('GET', `/suppressions?email=${email}`)).items[0];
const subjectsTo = (local: string) =>
  world
    .received(`${local}@`)
    .map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1] ?? '')
    .toSorted((one, other) => one.localeCompare(other));

async function overSubmission(tenant: Tenant, to: string, subject: string, more: string[] = []) {
  const by = { tenantId: tenant.tenantId, name: 'smtp', scopes: ['transactional:send'] };
  const { value } = await createKey(world.stack.context, TESTER, by);
  const client = await signedIn({ tlsPort: Number(world.stack.api!.env['SUBMISSIONS_PORT']) }, value);
  const text = mail(`shop@${tenant.domain}`, more).replace('Subject: Hello', `Subject: ${subject}`);
  const reply = await submit(client, text, [to]);
  client.close();
  return reply;
}

test('who unsubscribed gets what has no way to unsubscribe, over REST, gRPC and submission, and nothing that has one', async () => {
  const tenant = await world.makeTenant();
  const from = `shop@${tenant.domain}`;
  const to = 'left@sink.test';
  expect(await unsubscribed(tenant, to)).toMatchObject({ reason: 'unsubscribe', stream: 'bulk' });

  const send = (body: object) => tenant.ask('POST', '/transactional/send', { from, to, text: 'x', ...body });
  const raw = (subject: string, more = '') =>
    Buffer.from(`From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\n${more}\r\nx\r\n`).toString('base64');
  const { context, senderAddresses } = world.stack;
  const sender = openSender({ ...context.config, SENDER_ADDRESSES: senderAddresses() }, context.log);
  const overGrpc = async (subject: string, headers = {}) => {
    const parsed = parseSendInput({ from, to, subject, text: 'x', headers }, new Date());
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.details));
    const sent = { tenantId: tenant.tenantId, onlyDomain: null, input: parsed.input };
    const answer = await submitMessage(sender, sent);
    return answer.ok ? answer.reason : answer;
  };

  expect(await send({ subject: 'rest' })).toMatchObject({ status: 'queued', reason: null });
  expect(await tenant.ask('POST', '/transactional/send', { to, raw: raw('raw') })).toMatchObject({
    reason: null,
  });
  expect(await overGrpc('grpc')).toBeNull();
  expect(await overSubmission(tenant, to, 'smtp')).toMatch(/^250 2\.0\.0 Ok: queued as msg_\w+$/);

  const dropped = { status: 'dropped', reason: 'suppressed' };
  const headers = { 'List-Unsubscribe': LEAVE };
  expect(await send({ subject: 'no', unsubscribe: true })).toMatchObject(dropped);
  expect(await send({ subject: 'no', headers })).toMatchObject(dropped);
  const own = raw('no', `list-unsubscribe: ${LEAVE}\r\n`);
  expect(await tenant.ask('POST', '/transactional/send', { to, raw: own })).toMatchObject(dropped);
  const asked = { to, raw: raw('no'), unsubscribe: true };
  expect(await tenant.ask('POST', '/transactional/send', asked)).toMatchObject(dropped);
  expect(await overGrpc('no', headers)).toBe('suppressed');
  for (const field of [`List-Unsubscribe: ${LEAVE}`, 'X-Postrider-Unsubscribe: true'])
    expect(await overSubmission(tenant, to, 'no', [field])).toMatch(/dropped \(suppressed\)$/);
  sender.close();

  await waitUntil(() => subjectsTo('left').length === 4);
  expect(subjectsTo('left')).toEqual(['grpc', 'raw', 'rest', 'smtp']);
  const { rows } = await pool().query(
    `select decisions from messages where tenant_id = $1 and state = 'dropped'`,
    [tenant.tenantId],
  );
  for (const { decisions } of rows)
    expect(decisions).toMatchObject([{ rule: 'suppressed', inputs: { stream: 'bulk' } }]);
});

test('a campaign leaves out who is suppressed for marketing mail, and reaches the others', async () => {
  const tenant = await world.makeTenant();
  for (const name of ['stays', 'goes']) await tenant.ask('POST', '/contacts', { email: `${name}@sink.test` });
  const made = await tenant.ask('POST', '/suppressions', { email: 'goes@sink.test', stream: 'bulk' });
  expect(made).toMatchObject({ reason: 'manual', stream: 'bulk' });
  const { id } = await tenant.ask('POST', '/campaigns', {
    name: 'n',
    from: `news@${tenant.domain}`,
    subject: 'news',
    html: '<a href="{{ unsubscribe_url }}">Leave</a>',
    audience: { all: true },
  });
  await tenant.ask('POST', `/campaigns/${id}/launch`);
  expect((await tenant.untilStatus(id, 'sent')).stats).toMatchObject({ recipients: 2, dropped: 1 });
  await waitUntil(() => subjectsTo('stays').length === 1);
  expect(subjectsTo('goes')).toEqual([]);
});

test('a bounce after an unsubscribe stops all mail; what clears it leaves the unsubscribe', async () => {
  const tenant = await world.makeTenant();
  const email = 'dead@sink.test';
  const send = (body: object = {}) =>
    tenant.ask('POST', '/transactional/send', {
      from: `shop@${tenant.domain}`,
      to: email,
      subject: 's',
      text: 'x',
      ...body,
    });
  const first = await unsubscribed(tenant, email);
  const { id } = await send();
  await waitUntil(async () => (await entryOf(tenant, email)).stream === 'all');
  expect(await entryOf(tenant, email)).toEqual({
    email,
    reason: 'bounce',
    stream: 'all',
    source_message_id: id,
    created_at: first.created_at,
  });
  expect(await send()).toMatchObject({ status: 'dropped', reason: 'suppressed' });

  // Unsubscribing once more, or by another way, does not make it less.
  expect(await unsubscribed(tenant, email)).toMatchObject({ reason: 'bounce', stream: 'all' });
  const clear = () => removeSuppressions(pool(), tenant.tenantId, { reasons: ['bounce'], emails: [email] });
  expect(await clear()).toBe(1);
  expect(await entryOf(tenant, email)).toMatchObject({
    reason: 'unsubscribe',
    stream: 'bulk',
    source_message_id: null,
    created_at: first.created_at,
  });
  expect(await clear()).toBe(0);
  expect(await send({ unsubscribe: true })).toMatchObject({ status: 'dropped' });

  // A bounce before the unsubscribe is the same; its removal by hand removes all.
  await addSuppressions(pool(), [
    { tenantId: tenant.tenantId, email, reason: 'bounce', sourceMessageId: null },
  ]);
  expect(await entryOf(tenant, email)).toMatchObject({ reason: 'bounce', stream: 'all' });
  await tenant.ask('DELETE', `/suppressions/${email}`);
  expect(await entryOf(tenant, email)).toBeUndefined();
  expect(await clear()).toBe(0);
});

test('a contact of somebody who unsubscribed is unsubscribed, also while a bounce stands in front', async () => {
  const tenant = await world.makeTenant();
  const email = 'later@sink.test';
  for (const reason of ['bounce', 'unsubscribe'])
    await tenant.ask('POST', '/suppressions', { email, reason });
  expect(await entryOf(tenant, email)).toMatchObject({ reason: 'bounce' });
  expect(await tenant.ask('POST', '/contacts', { email })).toMatchObject({ status: 'unsubscribed' });

  const there = 'there@sink.test';
  const { id } = await tenant.ask('POST', '/contacts', { email: there });
  await tenant.ask('POST', '/suppressions', { email: there, reason: 'bounce' });
  expect(await tenant.ask('GET', `/contacts/${id}`)).toMatchObject({ status: 'subscribed' });
  await tenant.ask('POST', '/suppressions', { email: there, reason: 'unsubscribe' });
  expect(await tenant.ask('GET', `/contacts/${id}`)).toMatchObject({ status: 'unsubscribed' });

  await tenant.ask('POST', '/suppressions', { emails: ['csv@sink.test'], reason: 'bounce' });
  await tenant.ask('POST', '/suppressions', { emails: ['csv@sink.test'], reason: 'unsubscribe' });
  await tenant.importCsv('email\ncsv@sink.test\n');
  const { items } = await tenant.ask('GET', '/contacts?email=csv@sink.test');
  expect(items).toMatchObject([{ status: 'unsubscribed' }]);
});

test('a service of the release before writes no stream: its unsubscribe becomes one of marketing mail', async () => {
  const tenant = await world.makeTenant();
  const add = `insert into suppressions as s (tenant_id, email, reason) values ($1, $2, $3)
    on conflict (tenant_id, email) do update set reason = excluded.reason`;
  await pool().query(add, [tenant.tenantId, 'new@sink.test', 'unsubscribe']);
  await pool().query(add, [tenant.tenantId, 'old@sink.test', 'bounce']);
  await pool().query(add, [tenant.tenantId, 'old@sink.test', 'unsubscribe']);
  const { rows } = await pool().query(
    'select email, stream, unsubscribed from suppressions where tenant_id = $1 order by email',
    [tenant.tenantId],
  );
  expect(rows).toEqual([
    { email: 'new@sink.test', stream: 'bulk', unsubscribed: true },
    { email: 'old@sink.test', stream: 'all', unsubscribed: true },
  ]);
});
