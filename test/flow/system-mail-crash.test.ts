// Mail of the service through real processes: a scheduler that is killed sends nothing twice, the link that arrives works,
// and nobody of the tenant that sends it can read it.

import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { createKey } from '../../core/key/keys.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { call } from '../harness/api-world.ts';
import { makeSignedAccount } from '../harness/factories.ts';
import { resetTokenIn, SYSTEM_DOMAIN } from '../harness/invitations.ts';
import { startService, type Service } from '../harness/service.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

let stack: Stack;
let carrier: string; // the tenant that sends
let scheduler: Service | undefined;
beforeAll(async () => {
  stack = await createStack({
    api: true,
    env: { SYSTEM_MAIL_FROM: `Postrider <no-reply@${SYSTEM_DOMAIN}>` },
  });
  carrier = (await makeSignedAccount(stack.context, { domain: SYSTEM_DOMAIN })).tenantId;
});
afterAll(async () => {
  await scheduler?.kill();
  await stack?.close();
});

const ask = async (query: string, input: object) => {
  const port = Number(stack.api!.env['API_HTTPS_PORT']);
  return (await call(port, 'POST', '/graphql', { body: { query, variables: { input } } })).json;
};

test('killed between the submission and the commit, another one sends nothing twice; only its recipient reads it', async () => {
  const { tenantId } = await stack.makeAccount();
  const email = 'ann@sink.test';
  await createUser(stack.context, TESTER, { tenantId, email, role: 'owner' });
  const REQUEST =
    'mutation($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { ok } }';
  expect(await ask(REQUEST, { email })).toEqual({ data: { requestPasswordReset: { ok: true } } });
  const env = { ...stack.context.env, SENDER_ADDRESSES: stack.senderAddresses().join(',') };
  const knobs = { TEST_KNOBS: 'true', TEST_FAILPOINTS: 'system-mail.after-submit' };
  const doomed = await startService('scheduler', { ...env, ...knobs }, { until: 'started' });
  expect(await doomed.ended).toBe('SIGKILL');
  const mails = () => stack.sink.messages.filter(({ rcptTo }) => rcptTo === email);
  await waitUntil(() => mails().length === 1);
  const token = resetTokenIn((await simpleParser(mails()[0]!.raw)).text ?? '');
  const id = await expectUnreadable();

  scheduler = await startService('scheduler', env);
  const { pool } = stack.context.db;
  await waitUntil(async () => (await pool.query('select 1 from system_mails')).rowCount === 0);
  const RESET = 'mutation($input: ResetPasswordInput!) { resetPassword(input: $input) { email } }';
  expect(await ask(RESET, { token, password: 'another long password' })).toEqual({
    data: { resetPassword: { email } },
  });
  const { rows } = await pool.query('select id from messages');
  expect([mails().length, rows]).toEqual([1, [{ id }]]);
  await waitUntil(async () => (await pool.query('select 1 from message_contents')).rowCount === 0);
});

/** Reads the one message with a key of the tenant that sends it. */
async function expectUnreadable(): Promise<string> {
  const { pool } = stack.context.db;
  const { rows } = await pool.query(
    'select m.id from messages m join message_contents c on c.message_id = m.id',
  );
  expect(rows).toHaveLength(1);
  const scopes = ['transactional:read'];
  const { value: key } = await createKey(stack.context, TESTER, {
    tenantId: carrier,
    name: 'curious',
    scopes,
  });
  const port = Number(stack.api!.env['API_HTTPS_PORT']);
  for (const what of ['content', 'raw']) {
    const path = `/api/v1/transactional/${toId('msg', rows[0].id)}/${what}`;
    const { status, json } = await call(port, 'GET', path, { key });
    expect([status, json.message]).toEqual([410, expect.stringContaining('for its recipient alone')]);
  }
  return rows[0].id as string;
}
