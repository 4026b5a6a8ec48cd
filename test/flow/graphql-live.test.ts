// Subscriptions over several apis: what happens anywhere is seen everywhere, by its own tenant alone, until the person
// leaves or may no longer look.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { createAdminToken } from '../../core/key/admin-tokens.ts';
import { createUser } from '../../core/people/users.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { createApiWorld, type ApiWorld, type RunningApi } from '../harness/api-world.ts';
import { startDnsPeer, type DnsPeer } from '../harness/dns-peer.ts';
import { makeSignedAccount, type Account } from '../harness/factories.ts';
import { startService, type Service } from '../harness/service.ts';
import { startSmtpPeer, type SmtpPeer } from '../harness/smtp-peer.ts';
import { subscribe } from '../harness/sse.ts';
import { waitUntil } from '../harness/wait.ts';
import { TESTER } from '../harness/actor.ts';

let world: ApiWorld;
let other: RunningApi;
let sink: SmtpPeer;
let dns: DnsPeer;
let sender: Service;
beforeAll(async () => {
  sink = await startSmtpPeer({});
  dns = await startDnsPeer({
    'sink.test': { mx: [[10, 'mx.sink.test']] },
    'mx.sink.test': { a: ['127.0.0.1'] },
  });
  const port = String(await freePort());
  world = await createApiWorld({
    SENDER_ADDRESSES: `127.0.0.1:${port}`,
    DNS_SERVERS: dns.address,
    OUTBOUND_SMTP_PORT: String(sink.port),
    TRUSTED_PROXIES: '127.0.0.1',
  });
  other = await world.startAnother();
  sender = await startService('sender', { ...world.context.env, SENDER_GRPC_PORT: port });
});
afterAll(async () => {
  await sender?.kill();
  await world?.close();
  await Promise.all([sink?.close(), dns?.close()]);
});

const noneOpen = () => other.deps.streams.count() === 0;

interface Person extends Account {
  token: string;
  refreshCookie: string;
  key: string;
}

let addresses = 0;
async function person(): Promise<Person> {
  const account = await makeSignedAccount(world.context, { tier: 3 });
  const email = `p@${account.domain}`;
  const role = 'owner';
  const { password } = await createUser(world.context, TESTER, { tenantId: account.tenantId, email, role });
  const answer = await world.graphql(
    'mutation($input: LoginInput!) { login(input: $input) { accessToken } }',
    { input: { email, password } },
    { headers: { 'x-forwarded-for': `198.51.100.${++addresses}` } },
  );
  const scopes = ['transactional:send', 'campaigns:write', 'contacts:write'];
  const { key } = await world.makeKey({ tenantId: account.tenantId, scopes });
  const refreshCookie = answer.headers['set-cookie']![0]!.split(';')[0]!;
  return { ...account, token: answer.json.data.login.accessToken, refreshCookie, key };
}

async function send(from: Person): Promise<string> {
  const body = { from: `a@${from.domain}`, to: 'r@sink.test', subject: 'Hi', text: 'Hi' };
  const answer = await world.call('POST', '/transactional/send', { key: from.key, body });
  expect(answer.status, answer.text).toBe(202);
  return answer.json.data.id;
}

test('a message is seen on its way over another api, and by no other tenant', async () => {
  const [me, stranger] = [await person(), await person()];
  const MESSAGES = 'subscription { messageUpdated { id status to } }';
  const mine = await subscribe(other.port, me.token, MESSAGES);
  const events = await subscribe(other.port, me.token, 'subscription { eventAdded { type messageId } }');
  const theirs = await subscribe(other.port, stranger.token, MESSAGES);
  const id = await send(me);
  await mine.until(({ messageUpdated: { id: seen, status } }) => seen === id && status === 'delivered');
  await events.until(({ eventAdded: { type, messageId } }) => messageId === id && type === 'delivered');
  const own = await send(stranger);
  await theirs.until(({ messageUpdated }) => messageUpdated.id === own);
  expect(theirs.received.every(({ messageUpdated }) => messageUpdated.id === own)).toBe(true);
  for (const one of [mine, events, theirs]) one.hangUp();
  await waitUntil(noneOpen, { what: 'no stream left' });
});

test('one message alone can be watched; a wrong id is reported', async () => {
  const me = await person();
  const id = await send(me);
  const ONE = 'subscription($id: ID) { messageUpdated(id: $id) { id } }';
  const wrong = await subscribe(other.port, me.token, ONE, { id: 'msg_nonsense' });
  await waitUntil(() => wrong.refused.length > 0);
  expect(wrong.refused).toEqual(['not_found']);
  const one = await subscribe(other.port, me.token, ONE, { id });
  const all = await subscribe(other.port, me.token, 'subscription { messageUpdated { id status } }');
  const later = await send(me);
  await all.until(({ messageUpdated: { id: seen, status } }) => seen === later && status === 'delivered');
  expect(one.received.every(({ messageUpdated }) => messageUpdated.id === id)).toBe(true);
  for (const stream of [one, all]) stream.hangUp();
});

test('a campaign and a tier changed over REST are seen at once', async () => {
  const me = await person();
  const campaigns = await subscribe(
    other.port,
    me.token,
    'subscription { campaignProgress { name status stats { recipients } } }',
  );
  await world.call('POST', '/contacts', { key: me.key, body: { email: 'reader@sink.test' } });
  const made = await world.call('POST', '/campaigns', {
    key: me.key,
    body: {
      name: 'June',
      from: `a@${me.domain}`,
      subject: 'June',
      html: '<p>June</p>',
      audience: { all: true },
    },
  });
  expect(made.status, made.text).toBe(201);
  await world.call('POST', `/campaigns/${made.json.data.id}/launch`, { key: me.key });
  await campaigns.until(({ campaignProgress: { name, status } }) => name === 'June' && status !== 'draft');

  const warmup = await subscribe(
    other.port,
    me.token,
    'subscription { warmupChanged { domain { name warmup { tier } } } }',
  );
  const { value: key } = await createAdminToken(world.context, TESTER, { name: 'ops' });
  const path = `/admin/tenants/${toId('tnt', me.tenantId)}/domains/${toId('dom', me.domainId)}/tier`;
  const changed = await world.call('POST', path, { key, body: { tier: 7, reason: 'moved here' } });
  expect(changed.status, changed.text).toBe(200);
  await warmup.until(
    ({ warmupChanged: { domain } }) => domain.name === me.domain && domain.warmup.tier === 7,
  );
  for (const one of [campaigns, warmup]) one.hangUp();
});

test('nobody without a sign-in receives anything; a session that is ended receives no more', async () => {
  const me = await person();
  const WARMUP = 'subscription { warmupChanged { domain { name } } }';
  const nobody = await subscribe(other.port, 'no-token', WARMUP);
  await waitUntil(() => nobody.ended());
  expect(nobody.received).toEqual([]);
  const stream = await subscribe(other.port, me.token, WARMUP);
  expect(other.deps.streams.count()).toBe(1);
  await world.graphql(
    'mutation { logout { ok } }',
    {},
    { key: me.token, headers: { cookie: me.refreshCookie } },
  );
  await waitUntil(() => stream.ended(), { what: 'the end of the stream of a session that is over' });
  await waitUntil(noneOpen);
});
