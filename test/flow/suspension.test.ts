// A tenant that an operator suspends: nothing is accepted at any way in, what waits stays, and goes on after reactivation
// within the cap.

import { credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { nowDate } from '../../core/base/clock.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { fromServiceError } from '../../core/clients/grpc-errors.ts';
import {
  OutgoingMessage,
  SendBatchRequest,
  SenderServiceClient,
  SendRequest,
} from '../../core/gen/sender/v1/sender.ts';
import { createAdminToken } from '../../core/key/admin-tokens.ts';
import { createKey } from '../../core/key/keys.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { TENANT_SUSPENDED } from '../../core/tenant/suspended.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { call, type Answer } from '../harness/api-world.ts';
import { shareCampaignWorld, type CampaignWorld, type Tenant } from '../harness/campaign-world.ts';
import { mail, signedIn, submit } from '../harness/submission.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';

const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
const SEND = 'mutation($input: SendMessageInput!) { sendMessage(input: $input) { id } }';
const LAUNCH = 'mutation($input: LaunchCampaignInput!) { launchCampaign(input: $input) { campaign { id } } }';

let world: CampaignWorld;
let admin: string;
let grpc: SenderServiceClient;
beforeAll(async () => {
  world = await shareCampaignWorld();
  admin = (await createAdminToken(world.stack.context, TESTER)).value;
  grpc = new SenderServiceClient(world.stack.senderAddresses()[0]!, credentials.createInsecure());
});
afterAll(async () => {
  grpc?.close();
  await world?.close();
});

let tenant: Tenant;
let key: string;
beforeEach(async () => {
  tenant = await world.makeTenant({ tier: 3 });
  const made = { tenantId: tenant.tenantId, name: 'all', scopes: [...SCOPES] };
  key = (await createKey(world.stack.context, TESTER, made)).value;
});

const port = () => Number(world.stack.api!.env['API_HTTPS_PORT']);
const submission = () => ({ tlsPort: Number(world.stack.api!.env['SUBMISSIONS_PORT']) });
const api = (method: string, path: string, body?: unknown, as = key): Promise<Answer> =>
  call(port(), method, path, { key: as, body });
const rest = (path: string, body: unknown) => api('POST', `/api/v1${path}`, body);
const ofRest = async (path: string, body: unknown) => {
  const { status, json } = await rest(path, body);
  return `${status} ${json.error ?? ''}`;
};
const graphql = async (query: string, input: object, as?: string) =>
  (await call(port(), 'POST', '/graphql', { key: as, body: { query, variables: { input } } })).json;
const ofGraphql = async (query: string, input: object, as: string): Promise<string> =>
  (await graphql(query, input, as)).errors?.[0].extensions.code ?? 'ok';
const rows = async (text: string, values: unknown[] = []) =>
  (await world.stack.context.db.pool.query(text, values)).rows;
const count = async () =>
  (await rows('select count(*)::int as n from messages where tenant_id = $1', [tenant.tenantId]))[0].n;
const set = async (verb: 'suspend' | 'reactivate', of = tenant) => {
  const answer = await api(
    'POST',
    `/api/v1/admin/tenants/${toId('tnt', of.tenantId)}/${verb}`,
    undefined,
    admin,
  );
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
};
const letter = (to: string, more = {}) => ({
  from: `shop@${tenant.domain}`,
  to,
  subject: 'Hello',
  text: 'Hello',
  ...more,
});

// Sends over gRPC, and gives the status and code of a refusal.
async function overGrpc(method: 'send' | 'sendBatch', to: string): Promise<string> {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${world.stack.context.config.INTERNAL_TOKEN}`);
  const message = OutgoingMessage.fromPartial({ ...letter(to), to: [to] });
  const one = { tenantId: toId('tnt', tenant.tenantId), messageId: toId('msg', newUuid()), message };
  return new Promise((resolve) => {
    const refused = (error: ServiceError) => resolve(`${status[error.code]} ${fromServiceError(error).code}`);
    if (method === 'send')
      grpc.send(SendRequest.fromPartial(one), metadata, (error) => (error ? refused(error) : resolve('ok')));
    else
      grpc.sendBatch(
        SendBatchRequest.fromPartial({ tenantId: one.tenantId, messages: [one] }),
        metadata,
        (error, answer) => (error ? refused(error) : resolve(answer.refused?.code ?? 'ok')),
      );
  });
}

async function draft(): Promise<string> {
  const { id } = await tenant.ask('POST', '/campaigns', {
    name: `C ${newUuid()}`,
    from: `shop@${tenant.domain}`,
    subject: 'News',
    text: 'News',
    audience: { all: true },
  });
  return id as string;
}

test('nothing is accepted at any way in, within a second; people sign in and read, and all goes on afterwards', async () => {
  await tenant.importCsv('email\nann@sink.test\n');
  const email = `${newUuid()}@sink.test`;
  const person = { tenantId: tenant.tenantId, email, role: 'owner' } as const;
  const { password } = await createUser(world.stack.context, TESTER, person);
  const signIn = async () => (await graphql(LOGIN, { email, password })).data.login.accessToken as string;
  const jwt = await signIn();
  const earlier = (await rest('/transactional/send', letter('before@sink.test'))).json.data.id as string;
  const campaign = await draft();
  const open = await signedIn(submission(), key);
  const tomorrow = new Date(nowDate().getTime() + 86_400_000).toISOString();

  // What each answers: the status, and the code of a refusal in the words of that way in.
  const two = { messages: [letter('a@sink.test'), letter('b@sink.test')] };
  const ways: Record<string, [attempt: () => Promise<string>, refused: string]> = {
    REST: [() => ofRest('/transactional/send', letter('a@sink.test')), '403 tenant_suspended'],
    'REST, for later': [
      () => ofRest('/transactional/send', letter('a@sink.test', { scheduled_at: tomorrow })),
      '403 tenant_suspended',
    ],
    'REST batch': [() => ofRest('/transactional/batch', two), '403 tenant_suspended'],
    'REST, sent again': [() => ofRest(`/transactional/${earlier}/resend`, {}), '403 tenant_suspended'],
    'campaign test': [
      () => ofRest(`/campaigns/${campaign}/test`, { to: 'me@sink.test' }),
      '403 tenant_suspended',
    ],
    'campaign launch': [async () => ofRest(`/campaigns/${await draft()}/launch`, {}), '403 tenant_suspended'],
    GraphQL: [() => ofGraphql(SEND, letter('a@sink.test'), jwt), 'tenant_suspended'],
    'GraphQL launch': [async () => ofGraphql(LAUNCH, { id: await draft() }, jwt), 'tenant_suspended'],
    gRPC: [() => overGrpc('send', 'a@sink.test'), 'PERMISSION_DENIED tenant_suspended'],
    'gRPC batch': [() => overGrpc('sendBatch', 'a@sink.test'), 'tenant_suspended'],
    Resend: [
      async () => {
        const { status, json } = await api('POST', '/compat/resend/emails', letter('a@sink.test'));
        return `${status} ${json.name}`;
      },
      '403 invalid_permission',
    ],
    SendGrid: [
      async () => {
        const from = { email: `shop@${tenant.domain}` };
        const personalizations = [{ to: [{ email: 'a@sink.test' }] }];
        const content = [{ type: 'text/plain', value: 'Hello' }];
        const body = { from, personalizations, subject: 'Hello', content };
        const { status, json } = await api('POST', '/compat/sendgrid/v3/mail/send', body);
        return `${status} ${json?.errors[0].message}`;
      },
      `403 ${TENANT_SUSPENDED}`,
    ],
    Postmark: [
      async () => {
        const headers = { 'x-postmark-server-token': key };
        const body = {
          From: `shop@${tenant.domain}`,
          To: 'a@sink.test',
          Subject: 'Hello',
          TextBody: 'Hello',
        };
        const { status, json } = await call(port(), 'POST', '/compat/postmark/email', { headers, body });
        return `${status} ${json.ErrorCode}`;
      },
      '422 413',
    ],
    submission: [() => submit(open, mail(`shop@${tenant.domain}`)), `550 5.7.1 ${TENANT_SUSPENDED}`],
  };
  const tryAll = async () => {
    const answers: Record<string, string> = {};
    for (const [name, [attempt]] of Object.entries(ways)) answers[name] = await attempt();
    return answers;
  };
  const refused = Object.fromEntries(Object.entries(ways).map(([name, [, answer]]) => [name, answer]));
  const allAccepted = Object.fromEntries(
    Object.keys(ways).map((name) => [name, expect.stringMatching(/^(2\d\d|ok)/)]),
  );

  expect(await tryAll()).toEqual(allAccepted);
  await set('suspend');
  const isKnown = async () =>
    (await submit(open, mail(`shop@${tenant.domain}`))).startsWith('550') &&
    (await ofRest('/transactional/send', letter('a@sink.test'))).startsWith('403');
  await waitUntil(isKnown, WITHIN_A_SECOND);
  const before = await count();
  expect(await tryAll()).toEqual(refused);
  expect(await count()).toBe(before);

  expect((await api('GET', '/api/v1/whoami')).status).toBe(200);
  expect((await api('GET', '/api/v1/transactional')).status).toBe(200);
  expect(await ofRest('/contacts', { email: 'new@sink.test' })).toMatch(/^201/);
  const me = await graphql('{ viewer { tenant { status suspendedAt } } }', {}, await signIn());
  expect(me.data.viewer.tenant).toEqual({ status: 'suspended', suspendedAt: expect.any(String) });

  await set('reactivate');
  const isOver = async () => (await submit(open, mail(`shop@${tenant.domain}`))).startsWith('250');
  await waitUntil(isOver, WITHIN_A_SECOND);
  expect(await tryAll()).toEqual(allAccepted);
  open.close();
});

test('a request that was accepted before the suspension is answered again', async () => {
  const headers = { 'idempotency-key': newUuid() };
  const send = () =>
    call(port(), 'POST', '/api/v1/transactional/send', { key, headers, body: letter('once@sink.test') });
  const first = await send();
  await set('suspend');
  await waitUntil(async () => (await rest('/transactional/send', letter('a@sink.test'))).status === 403);
  expect((await send()).json).toEqual(first.json);
});
