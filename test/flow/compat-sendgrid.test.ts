// SendGrid's official Node clients against us, with nothing but their base URL and key changed (docs/compat-sendgrid.md).

import { request } from 'node:https';

import sendgrid from '@sendgrid/client';
import sgMail from '@sendgrid/mail';
import { simpleParser } from 'mailparser';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { createKey } from '../../core/key/keys.ts';
import { SUPPRESSION_REASONS } from '../../core/suppression/suppression-input.ts';
import { listSuppressions, suppress } from '../../core/suppression/suppressions.ts';
import { createTemplate } from '../../core/template/templates.ts';
import { createTemplateRenderer, type TemplateRenderer } from '../../core/template/renderer.ts';
import { toId } from '../../core/base/ids.ts';
import { TESTER } from '../harness/actor.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { startEndpoint } from '../harness/inbound-world.ts';
import { shareStack, type Stack } from '../harness/stack.ts';
import { waitUntil, WITHIN_READS } from '../harness/wait.ts';

type Client = typeof sendgrid;

let stack: Stack;
let account: Account;
let renderer: TemplateRenderer;
let client: Client;

const SCOPES = ['transactional:send', 'transactional:read', 'suppressions:read', 'suppressions:write'];

beforeAll(async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0'); // the certificate of the test is its own
  vi.spyOn(console, 'warn').mockImplementation(() => {}); // their note that the key is not one of theirs
  stack = await shareStack();
  stack.sink.script.rcpt = (to) => (to.startsWith('gone') ? '550 5.1.1 no such user' : '250 ok');
  account = await stack.makeAccount({ tier: 5 });
  renderer = createTemplateRenderer({ db: stack.context.db, log: stack.context.log, workers: 1 });
  const key = await keyOf(account.tenantId);
  client = clientOf(key);
  // As the page about it says; the property is there, but not in their types.
  sgMail.setApiKey(key);
  const base = new URL('/compat/sendgrid/', stack.baseUrl).href;
  (Reflect.get(sgMail, 'client') as Client).setDefaultRequest('baseUrl', base);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await renderer.close();
  await stack.close();
});

async function keyOf(tenantId: string, scopes = SCOPES): Promise<string> {
  return (await createKey(stack.context, TESTER, { tenantId, name: 'sendgrid', scopes })).value;
}

function clientOf(key: string): Client {
  const made = new (sendgrid.constructor as new () => Client)();
  made.setApiKey(key);
  made.setDefaultRequest('baseUrl', new URL('/compat/sendgrid', stack.baseUrl).href);
  return made;
}

const received = (to: string) => stack.sink.messages.filter(({ rcptTo }) => rcptTo === to);
const receive = async (to: string) => {
  await waitUntil(() => received(to).length > 0, { what: `mail to ${to}` });
  return simpleParser(received(to)[0]!.raw);
};
const stored = async () => {
  const { rows } = await stack.context.db.pool.query<{ n: number }>(
    'select count(*)::int as n from messages where tenant_id = $1',
    [account.tenantId],
  );
  return rows[0]!.n;
};
const refusal = async (call: Promise<unknown>) => {
  const error = (await call.then(
    () => expect.unreachable('it was accepted'),
    (reason: unknown) => reason,
  )) as {
    code: number;
    response: { body: { errors: { message: string; field: string | null; help: null }[] } };
  };
  return { status: error.code, errors: error.response.body.errors };
};

test('the getting-started example sends, and the message reads back', async () => {
  const msg = {
    to: 'test@sink.test',
    from: `test@${account.domain}`,
    subject: 'Sending with Twilio SendGrid is Fun',
    text: 'and easy to do anywhere, even with Node.js',
    html: '<strong>and easy to do anywhere, even with Node.js</strong>',
  };
  const [response] = await sgMail.send(msg);
  expect([response.statusCode, response.body]).toEqual([202, '']);
  const id = response.headers['x-message-id'] as string;
  const mail = await receive('test@sink.test');
  expect([mail.subject, mail.text?.trim(), mail.html]).toEqual([
    msg.subject,
    msg.text,
    expect.stringContaining(msg.html),
  ]);
  const [, shown] = await client.request({
    method: 'GET',
    baseUrl: new URL('/', stack.baseUrl).href,
    url: `/api/v1/transactional/${id}`,
  });
  expect(shown.data).toMatchObject({ id, to: msg.to, subject: msg.subject });
});

test('personalizations are messages of their own, with everything that a message may have', async () => {
  const logo = Buffer.from('logo').toString('base64');
  // In lists their client leaves names as they are written: it is `content_id` that says what an image is.
  const files = [
    { content: logo, filename: 'logo.png', type: 'image/png', disposition: 'inline', content_id: 'logo' },
    { content: logo, filename: 'file.txt', disposition: 'attachment' },
  ];
  const before = await stored();
  await sgMail.send({
    from: { email: `shop@${account.domain}`, name: 'Ann & "Sons"' },
    replyTo: `help@${account.domain}`,
    subject: 'Hello {{name}}',
    html: '<p>Dear {{name}}</p><img src="cid:logo">',
    text: 'Dear {{name}}',
    personalizations: [
      {
        to: { email: 'p1@sink.test', name: 'Ann' },
        cc: 'c1@sink.test',
        bcc: 'b1@sink.test',
        substitutions: { name: 'Ann' },
      },
      {
        to: 'p2@sink.test',
        subject: 'Only for {{name}}',
        substitutions: { name: 'Ben' },
        headers: { 'X-Own': '2' },
        customArgs: { order: '2' },
      },
    ],
    headers: { 'X-Own': '1' },
    categories: ['receipt'],
    customArgs: { order: '1' },
    attachments: files,
    trackingSettings: { clickTracking: { enable: false }, openTracking: { enable: false } },
    asm: { groupId: 1 },
  });
  expect(await stored()).toBe(before + 4);
  const first = await receive('p1@sink.test');
  const blind = await receive('b1@sink.test');
  const second = await receive('p2@sink.test');
  expect(first).toMatchObject({
    subject: 'Hello Ann',
    from: { value: [{ name: 'Ann & "Sons"', address: `shop@${account.domain}` }] },
    replyTo: { value: [{ address: `help@${account.domain}` }] },
    cc: { value: [{ address: 'c1@sink.test' }] },
  });
  expect(first.html).toContain('Dear Ann');
  expect(first.headers?.get('x-own')).toBe('1');
  expect(first.attachments.map(({ filename, cid }) => [filename, cid])).toEqual([
    ['logo.png', 'logo'],
    ['file.txt', undefined],
  ]);
  expect(blind.headers?.has('bcc')).toBe(false);
  expect([second.subject, second.headers?.get('x-own')]).toEqual(['Only for Ben', '2']);
  const { rows } = await stack.context.db.pool.query<{ tags: unknown }>(
    "select tags from messages where tenant_id = $1 and rcpt_to = 'p2@sink.test'",
    [account.tenantId],
  );
  expect(rows[0]!.tags).toEqual([
    { name: 'category', value: 'receipt' },
    { name: 'order', value: '2' },
  ]);
});

test('a dynamic template is one of ours; send_at waits; the sandbox only checks', async () => {
  const made = await createTemplate({ ...stack.context, renderer }, TESTER, account.tenantId, {
    name: 'welcome',
    subject: 'Welcome, {{ name }}',
    html: '<p>{{ lines[0].title }}</p>',
    text: null,
    variables: [{ name: 'name', required: true, default: null }],
  });
  const from = `shop@${account.domain}`;
  // `d-` because their client leaves dynamicTemplateData out of everything that does not begin so.
  const templateId = `d-${toId('tpl', made.id)}`;
  await sgMail.send({
    to: 't1@sink.test',
    from,
    templateId,
    dynamicTemplateData: { name: 'Ann', lines: [{ title: 'Tea' }] },
  });
  const mail = await receive('t1@sink.test');
  expect([mail.subject, mail.text?.trim()]).toEqual(['Welcome, Ann', 'Tea']);
  expect(await refusal(sgMail.send({ to: 't1@sink.test', from, templateId }))).toMatchObject({
    status: 400,
    errors: [{ field: 'dynamic_template_data.name', help: null }],
  });

  const before = await stored();
  const sendAt = Math.floor(new Date().getTime() / 1000) + 3_600;
  await sgMail.send({ to: 't2@sink.test', from, subject: 'Later', text: 'x', sendAt });
  const { rows } = await stack.context.db.pool.query<{ state: string; defer_reason: string }>(
    "select state, defer_reason from messages where tenant_id = $1 and rcpt_to = 't2@sink.test'",
    [account.tenantId],
  );
  expect(rows).toEqual([{ state: 'deferred', defer_reason: 'scheduled' }]);

  const mailSettings = { sandboxMode: { enable: true } };
  const [checked] = await sgMail.send({
    to: 't3@sink.test',
    from,
    subject: 'Check',
    text: 'x',
    mailSettings,
  });
  expect(checked.statusCode).toBe(200);
  expect(await stored()).toBe(before + 1);
});

test('headers that mail libraries add are left out; replies go to several; X-Message-Id keeps its case', async () => {
  const message = {
    personalizations: [
      { to: [{ email: 'lib@sink.test' }], headers: { Date: 'Mon, 01 Jan 2024 00:00:00 +0000' } },
    ],
    from: { email: `shop@${account.domain}` },
    reply_to_list: [{ email: 'help@sink.test', name: 'Help' }, { email: 'sales@sink.test' }],
    subject: 'Library',
    content: [{ type: 'text/plain', value: 'x' }],
    headers: {
      'message-id': '<a@lib.test>',
      'MIME-Version': '1.0',
      Sender: 'shop@elsewhere.test',
      'X-Own': '1',
    },
  };
  const key = await keyOf(account.tenantId);
  const rawHeaders = await new Promise<string[]>((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const options = { method: 'POST', headers, rejectUnauthorized: false };
    request(new URL('/compat/sendgrid/v3/mail/send', stack.baseUrl), options, (answer) => {
      answer.resume().on('end', () => resolve(answer.rawHeaders));
    })
      .on('error', reject)
      .end(JSON.stringify(message));
  });
  expect(rawHeaders).toContain('X-Message-Id');
  const mail = await receive('lib@sink.test');
  expect(mail.replyTo).toMatchObject({ value: [{ name: 'Help' }, { address: 'sales@sink.test' }] });
  expect([mail.headers?.get('x-own'), mail.headers?.has('sender')]).toEqual(['1', false]);
  expect(mail.messageId).toContain(account.domain);
});

test('sends that are scheduled under one batch id are canceled by it', async () => {
  const ask = async (method: 'GET' | 'POST', url: string, body?: object, by = client) =>
    (await by.request({ method, url: `/v3/${url}`, ...(body && { body }) }))[1] as Record<string, string>;
  const { batch_id: batchId } = await ask('POST', 'mail/batch');
  expect(await ask('GET', `mail/batch/${batchId}`)).toEqual({ batch_id: batchId });
  const send = (to: string, more: object) =>
    sgMail.send({ to, from: `shop@${account.domain}`, subject: 'Later', text: 'x', ...more });
  const sendAt = Math.floor(new Date().getTime() / 1000) + 3_600;
  await send('s1@sink.test', { sendAt, batchId });
  await send('s2@sink.test', { sendAt, batchId });
  await send('s3@sink.test', { sendAt });
  const states = async () => {
    const { rows } = await stack.context.db.pool.query<{ state: string }>(
      `select state from messages where tenant_id = $1 and rcpt_to like 's_@sink.test' order by rcpt_to`,
      [account.tenantId],
    );
    return rows.map(({ state }) => state);
  };
  const cancel = { batch_id: batchId, status: 'cancel' };
  const other = await makeAccount(stack.context.db);
  await ask('POST', 'user/scheduled_sends', cancel, clientOf(await keyOf(other.tenantId)));
  expect(await ask('GET', `user/scheduled_sends/${batchId}`)).toEqual([]);
  expect(await states()).toEqual(['deferred', 'deferred', 'deferred']);
  expect(await ask('POST', 'user/scheduled_sends', cancel)).toEqual(cancel);
  expect(await states()).toEqual(['cancelled', 'cancelled', 'deferred']);
  expect(await ask('GET', `user/scheduled_sends/${batchId}`)).toEqual([cancel]);
  const { rows } = await stack.context.db.pool.query(
    "select 1 from audit_log where tenant_id = $1 and action = 'message.cancelled'",
    [account.tenantId],
  );
  expect(rows).toHaveLength(2);
  expect(await refusal(ask('POST', 'user/scheduled_sends', { ...cancel, status: 'pause' }))).toMatchObject({
    status: 400,
    errors: [{ field: 'status' }],
  });
  expect((await refusal(ask('GET', 'user/scheduled_sends/unknown'))).status).toBe(404);
});

test('errors have their shape: what is wrong, all or none, the key, its scopes, another tenant', async () => {
  const from = `shop@${account.domain}`;
  const message = { to: 'e1@sink.test', from, subject: 'x', text: 'x' };
  const other = await makeAccount(stack.context.db);
  const before = await stored();
  const cases: [object, number, string | null][] = [
    [{ ...message, to: 'nobody' }, 400, 'personalizations.0.to.0.email'],
    [{ ...message, subject: 'a\r\nBcc: b@sink.test' }, 400, 'subject'],
    [{ ...message, customArgs: { nul: '\0' } }, 400, 'custom_args.nul'],
    [{ ...message, ipPoolName: 'nowhere' }, 400, 'ip_pool_name'],
    [
      { ...message, mailSettings: { bypassListManagement: { enable: true } } },
      400,
      'mail_settings.bypass_list_management',
    ],
    [{ ...message, from: `shop@${other.domain}` }, 403, 'from'],
    [
      {
        ...message,
        to: undefined,
        personalizations: [{ to: 'e1@sink.test' }, { to: 'e2@sink.test', from: `shop@${other.domain}` }],
      },
      403,
      'from',
    ],
  ];
  for (const [mail, status, field] of cases) {
    const answer = await refusal(sgMail.send(mail as Parameters<typeof sgMail.send>[0]));
    expect([mail, answer.status, answer.errors.map((one) => one.field)]).toEqual([mail, status, [field]]);
  }
  expect(await stored()).toBe(before);

  const request = { method: 'POST' as const, url: '/v3/mail/send', body: {} };
  expect(await refusal(clientOf('SG.nonsense').request(request))).toEqual({
    status: 401,
    errors: [
      {
        message: 'The provided authorization grant is invalid, expired, or revoked',
        field: null,
        help: null,
      },
    ],
  });
  const reader = clientOf(await keyOf(account.tenantId, ['suppressions:read']));
  expect((await refusal(reader.request(request))).status).toBe(403);
  expect((await refusal(client.request({ method: 'GET', url: '/v3/nothing' }))).status).toBe(404);
  const theirs = await createTemplate({ ...stack.context, renderer }, TESTER, other.tenantId, {
    name: 'theirs',
    subject: 'x',
    html: '<p>x</p>',
    text: null,
    variables: [],
  });
  expect(
    await refusal(sgMail.send({ to: 'e1@sink.test', from, templateId: `d-${toId('tpl', theirs.id)}` })),
  ).toMatchObject({ status: 400, errors: [{ field: 'template_id' }] });
});

test('suppressions are listed by reason, looked up, added and removed, and only the tenant’s own', async () => {
  const { context } = stack;
  const other = await makeAccount(context.db);
  for (const reason of SUPPRESSION_REASONS) {
    await suppress(context, TESTER, account.tenantId, [`${reason}@sink.test`], reason);
    await suppress(context, TESTER, other.tenantId, [`theirs-${reason}@sink.test`], reason);
  }
  await sgMail.send({ to: 'gone@sink.test', from: `shop@${account.domain}`, subject: 'x', text: 'x' });
  type Entry = { email: string; created: number; reason?: string; status?: string };
  const ask = async (path: string, more: Partial<Parameters<Client['request']>[0]> = {}) => {
    const [response, body] = await client.request({ method: 'GET', url: `/v3/${path}`, ...more });
    return { status: response.statusCode, body: body as Entry[] };
  };
  const emails = async (path: string, qs = {}) => (await ask(path, { qs })).body.map(({ email }) => email);
  await waitUntil(async () => (await emails('suppression/bounces')).length === 2, WITHIN_READS);
  const [bounce] = (await ask('suppression/bounces/gone@sink.test')).body;
  expect(bounce).toMatchObject({
    email: 'gone@sink.test',
    status: '5.1.1',
    reason: expect.stringContaining('no such user'),
  });
  expect(await emails('suppression/bounces', { limit: 1, offset: 1 })).toEqual(['bounce@sink.test']);
  expect(await emails('suppression/bounces', { start_time: bounce!.created + 3_600 })).toEqual([]);
  expect(await emails('suppression/spam_reports')).toEqual(['complaint@sink.test']);
  expect((await emails('suppression/unsubscribes')).sort()).toEqual([
    'manual@sink.test',
    'unsubscribe@sink.test',
  ]);

  // Only what is in the list that is named.
  const remove = (path: string, body?: object) => ask(path, { method: 'DELETE', ...(body && { body }) });
  expect((await refusal(remove('suppression/bounces/complaint@sink.test'))).status).toBe(404);
  expect((await refusal(remove('suppression/bounces/theirs-bounce@sink.test'))).status).toBe(404);
  expect((await remove('suppression/bounces/gone@sink.test')).status).toBe(204);
  expect(
    (await remove('suppression/bounces', { emails: ['bounce@sink.test', 'complaint@sink.test'] })).status,
  ).toBe(204);
  expect(await emails('suppression/bounces')).toEqual([]);
  expect((await refusal(remove('suppression/bounces', {}))).errors[0]!.field).toBe('emails');
  expect(await refusal(remove('suppression/spam_reports', { delete_all: true }))).toMatchObject({
    status: 400,
    errors: [{ field: 'delete_all', message: expect.stringContaining('cannot be used for spam reports') }],
  });
  expect(await emails('suppression/spam_reports')).toEqual(['complaint@sink.test']);

  const added = await ask('asm/suppressions/global', {
    method: 'POST',
    body: { recipient_emails: ['Me@sink.test'] },
  });
  expect([added.status, added.body]).toEqual([201, { recipient_emails: ['Me@sink.test'] }]);
  expect((await ask('asm/suppressions/global/me@sink.test')).body).toEqual({
    recipient_email: 'me@sink.test',
  });
  const [me] = await listSuppressions(context.db, account.tenantId, { email: 'me@sink.test', limit: 1 });
  expect(me).toMatchObject({ reason: 'unsubscribe', stream: 'all' });
  expect((await remove('suppression/unsubscribes', { delete_all: true })).status).toBe(204);
  expect((await ask('asm/suppressions/global/me@sink.test')).body).toEqual({});
  const { rows } = await context.db.pool.query('select email from suppressions where tenant_id = $1', [
    other.tenantId,
  ]);
  expect(rows).toHaveLength(SUPPRESSION_REASONS.length);
});

test('a webhook with the format sendgrid is posted SendGrid’s events, under our signature', async () => {
  const receiver = await startEndpoint(() => ({ status: 200 }));
  try {
    const scopes = ['webhooks:read', 'webhooks:write'];
    const ours = clientOf(await keyOf(account.tenantId, scopes));
    ours.setDefaultRequest('baseUrl', `${stack.baseUrl}/`);
    const [, made] = await ours.request({
      method: 'POST',
      url: 'webhooks',
      body: { url: receiver.url, event_types: ['*'], format: 'sendgrid' },
    });
    const { id, secret } = made.data;
    const sample = (event_type: string) =>
      ours.request({ method: 'POST', url: `webhooks/${id}/test`, body: { event_type } });
    const [, tested] = await sample('message.bounced');
    expect(tested.data.passed).toBe(true);
    const [got] = receiver.hits;
    const body = got!.body.toString();
    expect(new Webhook(secret).verify(body, got!.headers as Record<string, string>)).toEqual([
      expect.objectContaining({ event: 'bounce', type: 'bounce', status: '5.1.1', kind: 'receipt' }),
    ]);
    await expect(sample('domain.verified')).rejects.toMatchObject({ code: 409 });
  } finally {
    await receiver.close();
  }
});
