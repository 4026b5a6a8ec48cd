// A message sent again, sent to somebody else to look at, and tried now, through a real sender: what arrives, what is refused
// and why, what the audit log says, and that one key sends once.

import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { fromId, newUuid, toId } from '../../core/base/ids.ts';
import { createKey } from '../../core/key/keys.ts';
import { TESTER } from '../harness/actor.ts';
import type { Account } from '../harness/factories.ts';
import { shareStack, type Stack } from '../harness/stack.ts';
import { waitUntil, WITHIN_READS } from '../harness/wait.ts';

const tls = new Agent({ connect: { rejectUnauthorized: false } });
const PDF = Buffer.from('%PDF-1.7 ünï');

let stack: Stack;
let account: Account;
let key: string;
beforeAll(async () => {
  stack = await shareStack();
  account = await stack.makeAccount({ tier: 5 });
  key = await keyOf(account.tenantId);
});
afterAll(() => stack.close());

async function keyOf(tenantId: string): Promise<string> {
  const scopes = ['transactional:send', 'transactional:read', 'templates:write'];
  return (await createKey(stack.context, TESTER, { tenantId, name: 'again', scopes })).value;
}

async function rest(method: string, path: string, body?: unknown, more: { by?: string; once?: string } = {}) {
  const answer = await fetch(`${stack.baseUrl}${path}`, {
    method,
    dispatcher: tls,
    headers: {
      authorization: `Bearer ${more.by ?? key}`,
      'content-type': 'application/json',
      ...(more.once && { 'idempotency-key': more.once }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    json: isJson ? JSON.parse(bytes.toString()) : null,
  };
}

async function send(more: Record<string, unknown>): Promise<string> {
  const body = { from: `Shop <shop@${account.domain}>`, to: 'ann@sink.test', subject: 'Hello', ...more };
  const { status, json } = await rest('POST', '/transactional/send', body);
  expect(status, JSON.stringify(json)).toBe(202);
  return json.data.id;
}

const read = async (id: string) => (await rest('GET', `/transactional/${id}`)).json.data;
const until = (id: string, status: string) =>
  waitUntil(async () => (await read(id)).status === status, WITHIN_READS);

async function resend(id: string, body: unknown = {}, more: Parameters<typeof rest>[3] = {}) {
  const answer = await rest('POST', `/transactional/${id}/resend`, body, more);
  if (answer.status === 202) await until(answer.json.data.id, 'delivered');
  return answer;
}

const content = async (id: string) => {
  const { headers: _, ...rest_ } = (await rest('GET', `/transactional/${id}/content`)).json.data;
  return rest_;
};
const arrivals = (to: string) => stack.sink.messages.filter((one) => one.rcptTo === to);
const audits = async (action: string) => {
  const { rows } = await stack.context.db.pool.query<{ subject: string; details: Record<string, unknown> }>(
    'select subject, data as details from audit_log where tenant_id = $1 and action = $2 order by id',
    [account.tenantId, action],
  );
  return rows;
};

test('the words of the version that it was sent with, its files, its recipient as the header named it', async () => {
  const template = await rest('POST', '/templates', {
    name: 'Receipt',
    subject: 'Thanks, {{ name }}',
    html: '<p>Hi {{ name }}, <a href="{{ unsubscribe_url }}">leave</a></p>',
    text: null,
  });
  const id = await send({
    to: ['Ann <ann@sink.test>', 'bob@sink.test'],
    bcc: ['cy@sink.test'],
    subject: undefined,
    template_id: template.json.data.id,
    variables: { name: 'Äнн' },
    unsubscribe: true,
    tags: [{ name: 'kind', value: 'receipt' }],
    attachments: [{ filename: 'a.pdf', content: PDF.toString('base64'), content_type: 'application/pdf' }],
  });
  await until(id, 'delivered');
  await rest('PATCH', `/templates/${template.json.data.id}`, { subject: 'Changed since', html: 'x' });

  const again = await resend(id);
  expect(again.json.data).toMatchObject({ status: 'queued' });
  const made = await read(again.json.data.id);
  expect(made).toMatchObject({
    to: 'ann@sink.test',
    subject: 'Thanks, Äнн',
    cc: [],
    bcc: [],
    tags: [{ name: 'kind', value: 'receipt' }],
  });
  const copy = arrivals('ann@sink.test').at(-1)!.raw.toString();
  expect(copy).toContain('To: Ann <ann@sink.test>\r\n');
  expect(copy).not.toMatch(/bob@|cy@/);

  const [first, second] = [await content(id), await content(again.json.data.id)];
  const link = /href="([^"]+)"/;
  expect(second.html.replace(link, '')).toBe(first.html.replace(link, ''));
  expect(link.exec(second.html)![1]).toMatch(/^https:\/\/.*\/u\//);
  expect(link.exec(second.html)![1]).not.toBe(link.exec(first.html)![1]); // leaving by the copy is not leaving for another
  expect({ ...second, html: '', text: '' }).toEqual({ ...first, html: '', text: '' });
  const file = await rest('GET', `/transactional/${again.json.data.id}/attachments/0`);
  expect([file.status, file.bytes, file.headers.get('content-type')]).toEqual([200, PDF, 'application/pdf']);
  expect(file.headers.get('content-disposition')).toContain('attachment; filename="a.pdf"');
  expect((await rest('GET', `/transactional/${id}/attachments/1`)).status).toBe(404);
  expect(await audits('message.sent_again')).toEqual([
    { subject: again.json.data.id, details: { of: id, to: 'Ann <ann@sink.test>' } },
  ]);

  const { recipients } = await read(id);
  const blind = await resend(recipients[2].id);
  expect(await read(blind.json.data.id)).toMatchObject({ to: 'cy@sink.test', header_to: ['cy@sink.test'] });
});

test('to another address, once for one key, and another body under the same key is refused', async () => {
  const id = await send({ text: 'To be looked at' });
  await until(id, 'delivered');
  const ask = () => resend(id, { to: 'me@sink.test' }, { once: 'look-1' });
  const [one, two] = [await ask(), await ask()];
  expect(two.json.data).toEqual(one.json.data);
  expect(two.headers.get('idempotent-replayed')).toBe('true');
  expect(arrivals('me@sink.test')).toHaveLength(1);
  expect((await resend(id, { to: 'you@sink.test' }, { once: 'look-1' })).status).toBe(409);
  expect((await audits('message.sent_again')).filter(({ details }) => details['of'] === id)).toHaveLength(1);
  expect((await resend(id, { to: 'nobody' })).json).toMatchObject({ error: 'validation_failed' });
});

test('ready-made mail goes again as it is, and its files can be read', async () => {
  const raw = [
    `From: shop@${account.domain}`,
    'To: list@elsewhere.test',
    'Subject: Ready',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Words',
    '--b',
    'Content-Type: text/html; name="../../evil.html"',
    'Content-Disposition: attachment',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('<script>1</script>').toString('base64'),
    '--b--',
    '',
  ].join('\r\n');
  const id = await send({ from: undefined, subject: undefined, raw: Buffer.from(raw).toString('base64') });
  await until(id, 'delivered');
  const file = await rest('GET', `/transactional/${id}/attachments/0`);
  expect(file.bytes.toString()).toBe('<script>1</script>');
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="[^/\\]+"/);
  expect(file.headers.get('content-security-policy')).toContain('sandbox');
  const again = await resend(id);
  expect(again.status).toBe(202);
  expect(arrivals('ann@sink.test').at(-1)!.raw.toString()).toContain('To: list@elsewhere.test\r\n');
});

test('what is not kept, confidential or another tenant’s is not sent again; a suppressed recipient gets nothing', async () => {
  const { pool } = stack.context.db;
  const id = await send({ text: 'x' });
  await until(id, 'delivered');
  const foreign = await keyOf((await stack.makeAccount()).tenantId);
  for (const what of ['resend', 'retry', 'attachments/0'])
    expect(
      (
        await rest(what.startsWith('a') ? 'GET' : 'POST', `/transactional/${id}/${what}`, undefined, {
          by: foreign,
        })
      ).status,
    ).toBe(404);
  await pool.query(
    `insert into suppressions (tenant_id, email, reason) values ($1, 'ann@sink.test', 'manual')`,
    [account.tenantId],
  );
  const dropped = await rest('POST', `/transactional/${id}/resend`);
  expect(dropped.json.data).toMatchObject({ status: 'dropped', reason: 'suppressed' });
  await pool.query('delete from suppressions where tenant_id = $1', [account.tenantId]);
  await pool.query('delete from message_contents where message_id = $1', [fromId('msg', id)]);
  expect((await rest('POST', `/transactional/${id}/resend`)).json).toMatchObject({ error: 'gone' });
  expect((await rest('GET', `/transactional/${id}/attachments/0`)).json).toMatchObject({ error: 'gone' });
  expect((await rest('POST', `/transactional/${toId('msg', newUuid())}/resend`)).status).toBe(404);
});

test('try now: what waits for a retry goes at once; too soon, a brake, a pause and the cap are said', async () => {
  const { pool } = stack.context.db;
  let busy = true;
  stack.sink.script.rcpt = (to) =>
    busy && to.startsWith('busy') ? '451 4.7.1 Later, please' : '250 2.1.5 ok';
  const id = await send({ to: 'busy@sink.test', text: 'x' });
  // The next attempt of the quick sender of tests would be within a second.
  const postpone = `update messages set next_attempt_at = now() + interval '1 hour'
    where id = $1 and state = 'deferred' and claimed_by is null`;
  await waitUntil(async () => (await pool.query(postpone, [fromId('msg', id)])).rowCount === 1);
  const retry = () => rest('POST', `/transactional/${id}/retry`);
  const refusal = async () => {
    const { status, json } = await retry();
    expect(status).toBe(409);
    return json.message as string;
  };
  expect(await refusal()).toMatch(/tried \d+ s ago\. Wait until a minute/);
  await pool.query(`update message_attempts set at = now() - interval '2 minutes' where message_id = $1`, [
    fromId('msg', id),
  ]);

  const domain = (set: string) => pool.query(`update domains set ${set} where id = $1`, [account.domainId]);
  await domain(`brake_state = 'all', brake_since = now()`);
  expect(await refusal()).toContain(`the same-day brake of ${account.domain} holds it`);
  await domain(`brake_state = 'off', brake_since = null, warmup_state = 'paused'`);
  expect(await refusal()).toContain('is paused or not verified');
  await domain(`warmup_state = 'active'`);
  const day = (set: string) => pool.query(`update messages set ${set} where id = $1`, [fromId('msg', id)]);
  // Tomorrow, because the running sender would at once take yesterday's admission back, and give one of today.
  await day(`admitted_day = admitted_day + 1`);
  expect(await refusal()).toContain('the cap of an earlier day is gone');
  await day(`admitted_day = admitted_day - 1`);
  expect((await read(id)).status).toBe('deferred');

  busy = false;
  const { status, json } = await retry();
  expect([status, json.data?.id], json.message).toEqual([200, id]);
  await until(id, 'delivered');
  expect(await refusal()).toBe('The message cannot be tried now: it is delivered.');
  expect(await audits('message.tried_now')).toEqual([{ subject: id, details: {} }]);
  const { decisions, answer } = (await rest('GET', `/transactional/${id}/explain`)).json.data;
  expect(decisions.map(({ rule }: { rule: string }) => rule)).toEqual([
    'accepted',
    'retry',
    'try_now',
    'delivered',
  ]);
  expect(answer.split('\n')).toEqual([
    `The message “Hello” from Shop <shop@${account.domain}> to busy@sink.test:`,
    expect.stringMatching(/^- \d{4}-.* UTC: We accepted it for delivery\.$/),
    expect.stringMatching(
      /: The recipient’s mail server mx\.sink\.test asked us to try again later and answered: “451 4\.7\.1 Later, please”\.$/,
    ),
    expect.stringMatching(
      /: The recipient’s mail server mx\.sink\.test accepted it and answered: “250 .*”\.$/,
    ),
    expect.stringContaining('The mail server of the recipient has it.'),
    `Reference: ${id}`,
  ]);

  const scheduled = await send({ text: 'x', scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
  const answered = await rest('POST', `/transactional/${scheduled}/retry`);
  expect(answered.json.message).toMatch(/does not wait for a retry\. Scheduled for .* UTC\.$/);
});
