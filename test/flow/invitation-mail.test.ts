// An invitation through the real sender to a mailbox, and the api killed before it is mailed.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { call, type Answer } from '../harness/api-world.ts';
import { makeSignedAccount, type Account } from '../harness/factories.ts';
import { SYSTEM_DOMAIN, tokenIn } from '../harness/invitations.ts';
import { simpleParser } from 'mailparser';
import { startService } from '../harness/service.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

let stack: Stack;
let account: Account;
let owner: { email: string; password: string };

beforeAll(async () => {
  stack = await createStack({
    api: true,
    env: { SYSTEM_MAIL_FROM: `Postrider <no-reply@${SYSTEM_DOMAIN}>` },
  });
  await makeSignedAccount(stack.context, { domain: SYSTEM_DOMAIN });
  account = await stack.makeAccount();
  const { tenantId } = account;
  const email = `owner@${account.domain}`;
  const { password } = await createUser(stack.context, TESTER, { tenantId, email, role: 'owner' });
  owner = { email, password };
});
afterAll(() => stack?.close());

const ask = (query: string, variables: object, key?: string, api = stack.api!): Promise<Answer> =>
  call(Number(api.env['API_HTTPS_PORT']), 'POST', '/graphql', { key, body: { query, variables } });
const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
const INVITE = 'mutation($input: InvitePersonInput!) { invitePerson(input: $input) { invitation { mail } } }';
const ACCEPT =
  'mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { user { role } } }';
const signIn = async () => (await ask(LOGIN, { input: owner })).json.data.login.accessToken as string;
const mailsTo = (email: string) => stack.sink.messages.filter(({ rcptTo }) => rcptTo === email);
const mailOf = async (key: string) => (await ask('{ invitations { email mail } }', {}, key)).json.data;

test('the link is in the mailbox, unchanged; its state is listed', async () => {
  const key = await signIn();
  const email = 'new@sink.test';
  const invited = await ask(INVITE, { input: { email, role: 'viewer' } }, key);
  expect(invited.json.data.invitePerson.invitation.mail).toBe('queued');
  await waitUntil(() => mailsTo(email).length === 1);
  const mail = await simpleParser(mailsTo(email)[0]!.raw);
  expect(mail.from?.value[0]).toEqual({ name: 'Postrider', address: `no-reply@${SYSTEM_DOMAIN}` });
  await waitUntil(async () => (await mailOf(key)).invitations[0]?.mail === 'delivered');
  const token = tokenIn(mail.text ?? '');
  expect(mail.html).toContain(`/invite/${token}"`);
  const accepted = await ask(ACCEPT, { input: { token, password: 'chosen by its owner' } });
  expect(accepted.json.data.acceptInvitation.user.role).toBe('viewer');
});

test('an api killed between the invitation and its mail leaves one that says so and can be sent again', async () => {
  const key = await signIn();
  const email = 'late@sink.test';
  const {
    API_HTTPS_PORT: _,
    API_HTTP_PORT: __,
    SUBMISSION_PORT: ___,
    SUBMISSIONS_PORT: ____,
    ...env
  } = stack.api!.env;
  const knobs = { TEST_KNOBS: 'true', TEST_FAILPOINTS: 'invitation.before-mail' };
  const doomed = await startService('api', { ...env, ...knobs });
  const input = { email, role: 'member' };
  await ask(INVITE, { input }, key, doomed).catch(() => null);
  expect(await doomed.ended).toBe('SIGKILL');
  expect(await mailOf(key)).toEqual({ invitations: [{ email, mail: null }] });
  expect(mailsTo(email)).toEqual([]);
  expect((await ask(INVITE, { input }, key)).json.errors).toBeUndefined();
  await waitUntil(() => mailsTo(email).length === 1);
  expect((await mailOf(key)).invitations).toHaveLength(1);
});
