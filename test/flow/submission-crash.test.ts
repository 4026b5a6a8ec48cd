// Submission with all that is behind it: an api that is killed, stores that are away, a quota that does not hold all. What
// was answered with 250 is there once, what was not is there at most once, and a client that comes again with an
// idempotency key makes no second message.

import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createKey } from '../../core/key/keys.ts';
import { TESTER } from '../harness/actor.ts';
import type { Account } from '../harness/factories.ts';
import { startService, type Service } from '../harness/service.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { mail, signedIn, submit } from '../harness/submission.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { waitUntil } from '../harness/wait.ts';

let stack: Stack;
let account: Account;
let key: string;
let postgres: TcpProxy;

beforeAll(async () => {
  const { hostname, port } = new URL(inject('databaseUrl'));
  postgres = await startTcpProxy(hostname, Number(port));
  stack = await createStack({ api: true, databasePort: postgres.port });
  account = await stack.makeAccount({ tier: 5 });
  const scopes = ['transactional:send'];
  key = (await createKey(stack.context, TESTER, { tenantId: account.tenantId, name: 'smtp', scopes })).value;
});
afterAll(async () => {
  await stack.close();
  await postgres.close();
});

const portsOf = ({ env }: Service) => ({
  port: Number(env['SUBMISSION_PORT']),
  tlsPort: Number(env['SUBMISSIONS_PORT']),
  stop: () => Promise.resolve(),
});
const stored = async () => {
  const { rows } = await stack.context.db.pool.query<{ rcpt_to: string }>(
    'select rcpt_to from messages where tenant_id = $1 order by rcpt_to',
    [account.tenantId],
  );
  return rows.map((row) => row.rcpt_to);
};
const anotherApi = (failpoint?: string) => {
  const own = ['API_HTTPS_PORT', 'API_HTTP_PORT', 'SUBMISSION_PORT', 'SUBMISSIONS_PORT'];
  const env = Object.fromEntries(Object.entries(stack.api!.env).filter(([name]) => !own.includes(name)));
  return startService('api', { ...env, ...(failpoint && { TEST_FAILPOINTS: failpoint }) });
};
const message = (...fields: string[]) => mail(`Shop <orders@${account.domain}>`, fields);

test('killed in DATA, and with the whole message in hand: nothing is stored', async () => {
  const doomed = await anotherApi();
  const open = await signedIn(portsOf(doomed), key);
  await open.say('MAIL FROM:<a@example.com>');
  await open.say('RCPT TO:<half@sink.test>');
  await open.say('DATA');
  open.write(message());
  await doomed.kill();
  const next = await anotherApi('submission.before-submit');
  const reply = submit(await signedIn(portsOf(next), key), message(), ['whole@sink.test']);
  expect(await next.ended).toBe('SIGKILL');
  expect(await reply).toBe('closed');
  expect(await stored()).toEqual([]);
});

test('killed between COMMIT and 250: who comes again with the key gets the first 250', async () => {
  const doomed = await anotherApi('submission.before-reply');
  const data = message('X-Postrider-Idempotency-Key: order-1');
  const to = ['one@sink.test', 'two@sink.test'];
  expect(await submit(await signedIn(portsOf(doomed), key), data, to)).toBe('closed');
  expect(await stored()).toEqual(to);
  const open = await signedIn(portsOf(stack.api!), key);
  const again = await submit(open, data, to);
  expect(again).toMatch(/^250 2\.0\.0 Ok: queued as msg_\w+,msg_\w+$/);
  expect(await submit(open, data, to)).toBe(again);
  expect(await submit(open, data.replace('Hello.', 'Other.'), to)).toBe(
    '550 5.6.0 This key was used with another request body.',
  );
  expect(await stored()).toEqual(to);
  await waitUntil(() => stack.sink.messages.filter(({ rcptTo }) => to.includes(rcptTo)).length === 2);
  // Each says where it came in, under the id of its recipient's message, and nothing of its client.
  const ids = again.match(/msg_\w+/g)!;
  for (const [n, rcptTo] of to.entries()) {
    const { raw } = stack.sink.messages.find((one) => one.rcptTo === rcptTo)!;
    const [, field] = /^Received: ([^]*?)\r\n(?! )/m.exec(raw.toString())!;
    const { hostname } = new URL(stack.context.config.PUBLIC_URL);
    expect(field!.replaceAll('\r\n', '')).toMatch(
      new RegExp(
        `^by ${hostname} with ESMTPSA id ${ids[n]}; \\w{3}, \\d\\d \\w{3} \\d{4} [\\d:]{8} \\+0000$`,
      ),
    );
  }
});

test('a hundred recipients are a hundred messages and one content, or none where the quota holds fewer', async () => {
  const to = Array.from({ length: 100 }, (_, n) => `hundred${n}@sink.test`);
  const open = await signedIn(portsOf(stack.api!), key);
  expect(await submit(open, message(), to)).toMatch(/^250 2\.0\.0 Ok: queued as msg_/);
  expect((await stored()).filter((address) => to.includes(address))).toHaveLength(100);
  const { rows } = await stack.context.db.pool.query<{ n: number }>(
    `select count(*)::int as n from message_contents c join messages m on m.id = c.message_id
     where m.tenant_id = $1 and m.rcpt_to like 'hundred%'`,
    [account.tenantId],
  );
  expect(rows).toEqual([{ n: 1 }]);
  const poor = await stack.makeAccount({ tier: 5, plan: 'free' });
  const scopes = ['transactional:send'];
  const made = await createKey(stack.context, TESTER, { tenantId: poor.tenantId, name: 'smtp', scopes });
  await stack.context.db.pool.query(
    "insert into tenant_usage (tenant_id, month, used) values ($1, date_trunc('month', now() at time zone 'utc')::date, 950)",
    [poor.tenantId],
  );
  const second = await signedIn(portsOf(stack.api!), made.value);
  const mailOfPoor = mail(`orders@${poor.domain}`);
  expect(await submit(second, mailOfPoor, to)).toMatch(/^452 4\.2\.2 /);
  expect(await submit(second, mailOfPoor, to.slice(0, 50))).toMatch(/^250/);
});

test('without PostgreSQL 451 and 454, and the same session goes on when it is back', async () => {
  const open = await signedIn(portsOf(stack.api!), key);
  await open.say('MAIL FROM:<a@example.com>');
  await open.say('RCPT TO:<away@sink.test>');
  await open.say('DATA');
  open.write(message());
  postgres.cut();
  expect(await open.say('.')).toMatch(/^451 4\.3\.0 /);
  // Once what was known of the key is no longer believed.
  await waitUntil(() =>
    signedIn(portsOf(stack.api!), key).then(
      () => false,
      (error: Error) => error.message.startsWith('454 4.7.0 '),
    ),
  );
  postgres.mend();
  await waitUntil(async () => (await submit(open, message(), ['back@sink.test'])).startsWith('250'));
  const after = await stored();
  expect(after).toContain('back@sink.test');
  expect(after).not.toContain('away@sink.test');
});
