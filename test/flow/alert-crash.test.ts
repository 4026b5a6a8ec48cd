// Alerts through real schedulers that are killed: an alert opens once, its mail is sent once, and the chat has it.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { changeAlertSettings, createAlertRule } from '../../core/alert/alert-rules.ts';
import { newAlertRule } from '../../core/alert/alert-input.ts';
import { createGuardedHttp } from '../../core/clients/guarded-http.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { makeSignedAccount } from '../harness/factories.ts';
import { startEndpoint, type Endpoint } from '../harness/inbound-world.ts';
import { SYSTEM_DOMAIN } from '../harness/invitations.ts';
import { startService, type Service } from '../harness/service.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

let stack: Stack;
let chat: Endpoint;
let scheduler: Service | undefined;
beforeAll(async () => {
  stack = await createStack({ env: { SYSTEM_MAIL_FROM: `Postrider <no-reply@${SYSTEM_DOMAIN}>` } });
  await makeSignedAccount(stack.context, { domain: SYSTEM_DOMAIN });
  chat = await startEndpoint(() => ({ status: 200 }));
});
afterAll(async () => {
  await scheduler?.kill();
  await chat?.close();
  await stack?.close();
});

test('killed before the commit and after the chat answered: one alert, one mail, the chat told under one key', async () => {
  const { context } = stack;
  const { pool } = context.db;
  const { tenantId } = await stack.makeAccount();
  const email = 'ann@sink.test';
  await createUser(context, TESTER, { tenantId, email, role: 'owner' });
  const http = createGuardedHttp(context.config);
  const deps = { ...context, http };
  await changeAlertSettings(deps, TESTER, tenantId, { chat_webhook_url: chat.url });
  const input = newAlertRule.parse({ kind: 'dns_broken', threshold: 0 });
  await createAlertRule(deps, TESTER, tenantId, input);
  await http.close();
  await pool.query(`update domains set verified_at = now(), failing_since = now() where tenant_id = $1`, [
    tenantId,
  ]);

  const env = { ...context.env, SENDER_ADDRESSES: stack.senderAddresses().join(',') };
  const die = async (step: string) => {
    const knobs = { TEST_KNOBS: 'true', TEST_FAILPOINTS: step };
    const doomed = await startService('scheduler', { ...env, ...knobs }, { until: 'started' });
    expect(await doomed.ended).toBe('SIGKILL');
  };
  const count = async (table: string) =>
    (await pool.query(`select count(*)::int as n from ${table} where tenant_id = $1`, [tenantId])).rows[0].n;
  await die('alert.before-commit');
  expect([await count('alerts'), await count('alert_chats')]).toEqual([0, 0]);
  await die('alert.after-chat');
  expect([await count('alerts'), await count('alert_chats'), chat.hits.length]).toEqual([1, 1, 1]);

  scheduler = await startService('scheduler', env);
  const mails = () => stack.sink.messages.filter(({ rcptTo }) => rcptTo === email);
  await waitUntil(async () => (await count('alert_chats')) === 0 && mails().length > 0);
  await pool.query('update domains set failing_since = null where tenant_id = $1', [tenantId]);
  await waitUntil(async () => (await count('alert_chats')) === 0 && mails().length > 1, { limitMs: 60_000 });
  const keys = chat.hits.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toBe(keys[1]);
  expect(new Set(keys).size).toBe(2);
  expect(mails().map(({ raw }) => /^Subject: (Alert|Resolved)/m.exec(raw.toString())?.[1])).toEqual([
    'Alert',
    'Resolved',
  ]);
  expect(await count('alerts')).toBe(1);
});
