// An endpoint that fails for five days is turned off, and its owners read about it; turned on, it has five fresh days.

import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { createLogger } from '../../core/base/log.ts';
import { createGuardedHttp } from '../../core/clients/guarded-http.ts';
import { openSender, type SenderClient } from '../../core/clients/sender.ts';
import { createUser } from '../../core/people/users.ts';
import { endpointChange, newEndpoint } from '../../core/webhook/endpoint-input.ts';
import { changeEndpoint, createEndpoint, getEndpoint } from '../../core/webhook/endpoints.ts';
import { deleteOldDeliveries } from '../../core/webhook/turned-off-store.ts';
import { turnOffAndTell } from '../../core/webhook/turned-off.ts';
import { TESTER } from '../harness/actor.ts';
import { makeSignedAccount } from '../harness/factories.ts';
import { SYSTEM_DOMAIN } from '../harness/invitations.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

let stack: Stack;
let sender: SenderClient;
beforeAll(async () => {
  stack = await createStack({
    api: true,
    env: { SYSTEM_MAIL_FROM: `Postrider <no-reply@${SYSTEM_DOMAIN}>` },
  });
  await makeSignedAccount(stack.context, { domain: SYSTEM_DOMAIN });
  const SENDER_ADDRESSES = stack.api!.env['SENDER_ADDRESSES']!.split(',');
  sender = openSender(
    { ...stack.context.config, SENDER_ADDRESSES },
    createLogger({ LOG_LEVEL: 'silent' }, 'test'),
  );
});
afterAll(async () => {
  sender?.close();
  await stack?.close();
});

test('five days without a success: off, told once, and fresh when it is turned on', async () => {
  const { context } = stack;
  const { pool } = context.db;
  const { tenantId } = await stack.makeAccount();
  const email = 'owner@sink.test';
  await createUser(context, TESTER, { tenantId, email, role: 'owner' });
  await createUser(context, TESTER, { tenantId, email: 'member@sink.test', role: 'member' });
  const deps = { ...context, http: createGuardedHttp({ ...context.config, WEBHOOK_ALLOW_PRIVATE: true }) };
  const config = { ...context.config, SYSTEM_MAIL_FROM: `Postrider <no-reply@${SYSTEM_DOMAIN}>` };
  const input = newEndpoint.parse({ url: 'http://127.0.0.1:9/a\nb', event_types: ['*'] });
  const { endpoint } = await createEndpoint(deps, TESTER, tenantId, input);
  const failFor = (interval: string) =>
    pool.query(`update webhook_endpoints set failing_since = now() - $2::interval where id = $1`, [
      endpoint.id,
      interval,
    ]);
  const read = () => getEndpoint(context.db, tenantId, endpoint.id);
  const tell = async () => {
    while (await turnOffAndTell({ db: context.db, sender, config, log: context.log }));
  };
  const mails = () => stack.sink.messages.filter(({ rcptTo }) => rcptTo.endsWith('@sink.test'));

  await failFor('4 days 23 hours');
  await tell();
  expect((await read()).enabled).toBe(true);
  await failFor('5 days 1 minute');
  const move = endpointChange.parse({ url: 'http://127.0.0.1:9/\nelsewhere' });
  await changeEndpoint(deps, TESTER, tenantId, endpoint.id, move); // it was the URL before that failed
  await tell();
  expect(await read()).toMatchObject({ enabled: true, failingSince: null });
  await failFor('5 days 1 minute');
  await changeEndpoint(deps, TESTER, tenantId, endpoint.id, move);
  await tell();
  expect(await read()).toMatchObject({ enabled: false, disabledReason: 'failing' });
  await waitUntil(() => mails().length === 1);
  await tell();
  const mail = await simpleParser(mails()[0]!.raw);
  expect(mails().map(({ rcptTo }) => rcptTo)).toEqual([email]);
  expect(mail.text).toContain('No event could be delivered to it for 5 days');
  const { rows } = await pool.query(
    `select action from audit_log where tenant_id = $1 and action = 'webhook.turned_off'`,
    [tenantId],
  );
  expect(rows).toHaveLength(1);

  await changeEndpoint(deps, TESTER, tenantId, endpoint.id, endpointChange.parse({ enabled: true }));
  await tell();
  expect(await read()).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });

  const insert = (days: number, state: string) =>
    pool.query(
      `insert into webhook_deliveries (id, tenant_id, endpoint_id, event_id, event_type, body, state, created_at)
       values ($1, $2, $3, $1, 'campaign.sent', '{}', $4, now() - make_interval(days => $5))`,
      [newUuid(), tenantId, endpoint.id, state, days],
    );
  for (const [days, state] of [
    [31, 'accepted'],
    [31, 'pending'],
    [29, 'dead'],
  ] as const)
    await insert(days, state);
  expect(await deleteOldDeliveries(pool, 30, 10)).toBe(1);
  expect(await deleteOldDeliveries(pool, 30, 10)).toBe(0);
});
