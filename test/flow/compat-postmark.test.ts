// Postmark's official Node client against us, with nothing but its host and token changed (docs/compat-postmark.md).

import { simpleParser } from 'mailparser';
import { Errors, Models, ServerClient, TemplatedMessage } from 'postmark';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { createKey } from '../../core/key/keys.ts';
import { suppress } from '../../core/suppression/suppressions.ts';
import { createTemplateRenderer, type TemplateRenderer } from '../../core/template/renderer.ts';
import { createTemplate } from '../../core/template/templates.ts';
import { TESTER } from '../harness/actor.ts';
import type { Account } from '../harness/factories.ts';
import { shareStack, type Stack } from '../harness/stack.ts';
import { waitUntil, WITHIN_READS } from '../harness/wait.ts';

let stack: Stack;
let account: Account;
let other: Account;
let renderer: TemplateRenderer;
let client: ServerClient;
let stranger: ServerClient;

const SCOPES = [
  'transactional:send',
  'transactional:read',
  'events:read',
  'suppressions:read',
  'suppressions:write',
];

beforeAll(async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0'); // the certificate of the test is its own
  stack = await shareStack();
  stack.sink.script.rcpt = (to) => (to.startsWith('gone') ? '550 5.1.1 no such user' : '250 ok');
  renderer = createTemplateRenderer({ db: stack.context.db, log: stack.context.log, workers: 1 });
  account = await stack.makeAccount({ tier: 5 });
  other = await stack.makeAccount({ tier: 5 });
  client = clientOf(await keyOf(account.tenantId));
  stranger = clientOf(await keyOf(other.tenantId));
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await renderer.close();
  await stack.close();
});

async function keyOf(tenantId: string, scopes = SCOPES): Promise<string> {
  return (await createKey(stack.context, TESTER, { tenantId, name: 'postmark', scopes })).value;
}

function clientOf(token: string): ServerClient {
  return new ServerClient(token, { requestHost: `${new URL(stack.baseUrl).host}/compat/postmark` });
}

const receive = async (to: string) => {
  const received = () => stack.sink.messages.filter(({ rcptTo }) => rcptTo === to);
  await waitUntil(() => received().length > 0, { what: `mail to ${to}` });
  return simpleParser(received()[0]!.raw);
};
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it was accepted'),
    (reason: unknown) => reason as Errors.HttpError,
  );
const from = () => `shop@${account.domain}`;
const INACTIVE =
  'Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a manual suppression.';

test('the getting-started example sends, and the message reads back with what happened to it', async () => {
  const sent = await client.sendEmail({
    From: from(),
    To: 'test@sink.test',
    Subject: 'Test',
    TextBody: 'Hello from Postmark!',
  });
  expect(sent).toMatchObject({
    To: 'test@sink.test',
    ErrorCode: 0,
    Message: 'OK',
    MessageID: expect.stringMatching(/^msg_/),
  });
  expect((await receive('test@sink.test')).text?.trim()).toBe('Hello from Postmark!');
  const details = () => client.getOutboundMessageDetails(sent.MessageID);
  await waitUntil(async () => (await details()).Status === 'Sent', WITHIN_READS);
  expect(await details()).toMatchObject({
    MessageID: sent.MessageID,
    From: from(),
    To: [{ Email: 'test@sink.test', Name: '' }],
    Recipients: ['test@sink.test'],
    Subject: 'Test',
    TextBody: 'Hello from Postmark!',
    Body: expect.stringContaining('DKIM-Signature'),
    MessageStream: 'outbound',
    MessageEvents: [
      { Type: 'Delivered', Recipient: 'test@sink.test', Details: { DestinationServer: 'mx.sink.test' } },
    ],
  });
  expect((await client.getOutboundMessageDump(sent.MessageID)).Body).toContain('Subject: Test');
  const theirs = await refusal(stranger.getOutboundMessageDetails(sent.MessageID));
  expect([theirs.statusCode, theirs.code]).toEqual([404, 701]);
});

test('a request that is sent again under its Idempotency-Key gets the first answer', async () => {
  const send = async () => {
    const answer = await fetch(new URL('/compat/postmark/email', stack.baseUrl), {
      method: 'POST',
      headers: {
        'X-Postmark-Server-Token': await repeated,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'once',
      },
      body: JSON.stringify({ From: from(), To: 'once@sink.test', Subject: 'Once', TextBody: 'x' }),
    });
    return [answer.headers.get('idempotent-replayed'), await answer.json()];
  };
  const repeated = keyOf(account.tenantId);
  const [, first] = await send();
  expect(first).toMatchObject({ ErrorCode: 0, SubmittedAt: expect.stringMatching(/^20.*Z$/) });
  expect(await send()).toEqual(['true', first]);
});

test('a message has everything that Postmark’s may have', async () => {
  const Content = Buffer.from('logo').toString('base64');
  const sent = await client.sendEmail({
    From: `"Ann, of \\"Sons\\"" <${from()}>`,
    To: '"Ben, first" <m1@sink.test>, m2@sink.test',
    Cc: 'Cy <m3@sink.test>',
    Bcc: 'm4@sink.test',
    ReplyTo: `help@${account.domain}`,
    Subject: 'Everything',
    HtmlBody: '<p>Hello</p><img src="cid:logo"><a href="{{{ pm:unsubscribe_url }}}">leave</a>',
    TextBody: 'Hello {{{pm:unsubscribe}}}',
    Tag: 'receipt',
    Metadata: { order: '1' },
    TrackOpens: false,
    TrackLinks: Models.LinkTrackingOptions.None,
    Headers: [{ Name: 'X-Own', Value: '1' }],
    Attachments: [
      { Name: 'logo.png', Content, ContentType: 'image/png', ContentID: 'cid:logo' },
      { Name: 'file.txt', Content, ContentType: 'text/plain', ContentID: null },
    ],
    MessageStream: 'broadcast',
  });
  expect([sent.To, sent.Cc]).toEqual(['"Ben, first" <m1@sink.test>, m2@sink.test', 'Cy <m3@sink.test>']);
  const mail = await receive('m4@sink.test');
  expect(mail).toMatchObject({
    from: { value: [{ name: 'Ann, of "Sons"', address: from() }] },
    to: { value: [{ name: 'Ben, first', address: 'm1@sink.test' }, { address: 'm2@sink.test' }] },
    cc: { value: [{ name: 'Cy', address: 'm3@sink.test' }] },
    replyTo: { value: [{ address: `help@${account.domain}` }] },
  });
  expect(mail.headers?.get('x-own')).toBe('1');
  expect(mail.headers?.has('bcc')).toBe(false);
  expect(mail.attachments.map(({ filename, cid }) => [filename, cid])).toEqual([
    ['logo.png', 'logo'],
    ['file.txt', undefined],
  ]);
  expect(mail.html).toMatch(/<a href="https?:[^"]*\/u\/[^"]*">leave/);
  expect(mail.text).toMatch(/Hello https?:\S*\/u\//);
  const shown = await client.getOutboundMessageDetails(sent.MessageID);
  expect(shown).toMatchObject({
    Tag: 'receipt',
    Metadata: { order: '1' },
    MessageStream: 'broadcast',
    TrackOpens: false,
    TrackLinks: 'None',
    To: [{ Email: 'm1@sink.test' }, { Email: 'm2@sink.test' }],
    Cc: [{ Email: 'm3@sink.test' }],
    Bcc: [{ Email: 'm4@sink.test' }],
    Recipients: ['m1@sink.test', 'm2@sink.test', 'm3@sink.test', 'm4@sink.test'],
    Attachments: ['logo.png', 'file.txt'],
  });
});

test('a message may lack a subject, and addresses in To; metadata may be numbers', async () => {
  const nobody = { From: from(), HtmlBody: '<p>x</p>' };
  const copied = await client.sendEmail({
    ...nobody,
    Cc: 'o1@sink.test',
    Subject: '',
    Metadata: { order: 7 as never },
  });
  expect([copied.ErrorCode, 'To' in copied, copied.Cc]).toEqual([0, false, 'o1@sink.test']);
  const first = await receive('o1@sink.test');
  expect(first).toMatchObject({ cc: { value: [{ address: 'o1@sink.test' }] } });
  expect([first.to, first.subject]).toEqual([undefined, undefined]);
  await client.sendEmail({ ...nobody, Bcc: 'o2@sink.test' } as Models.Message);
  await receive('o2@sink.test');
  const blind = stack.sink.messages.find(({ rcptTo }) => rcptTo === 'o2@sink.test');
  expect(blind!.raw.toString()).toContain('\r\nTo: undisclosed-recipients:;\r\n');
  expect(await client.getOutboundMessageDetails(copied.MessageID)).toMatchObject({
    Subject: '',
    Metadata: { order: '7' },
    TrackOpens: true,
    TrackLinks: 'HtmlOnly',
  });
  const { Messages } = await client.getOutboundMessages({ recipient: 'o1@sink.test' });
  expect(Messages[0]).toMatchObject({ TrackOpens: true, TrackLinks: 'HtmlOnly' });
});

test('a bulk request has its content once, with names that each recipient has values for', async () => {
  const bulk = {
    From: from(),
    Subject: 'For {{ name }}',
    HtmlBody:
      '<p>{{name}} {{{ name }}} {{ order.id }}{{ missing }}</p><a href="{{{ pm:unsubscribe_url }}}">leave</a>',
    TextBody: 'For {{name}}',
    MessageStream: 'broadcast',
    Metadata: { run: '1', kind: 'news' },
    Messages: [
      { To: 'k1@sink.test', TemplateModel: { name: 'A & B', order: { id: 7 } }, Metadata: { run: '2' } },
      { To: 'k2@sink.test', Cc: 'k3@sink.test', TemplateModel: { name: 'Cy' } },
    ],
  };
  const answer = await client.sendBulkEmail(bulk);
  expect(answer).toMatchObject({ Status: 'Accepted', Id: expect.stringMatching(/^msg_.*-2$/) });
  const mail = await receive('k1@sink.test');
  expect([mail.subject, mail.text?.trim()]).toEqual(['For A & B', 'For A & B']);
  expect(mail.html).toMatch(/<p>A &amp; B A & B 7<\/p><a href="https?:[^"]*\/u\//);
  expect((await receive('k3@sink.test')).subject).toBe('For Cy');
  expect(await client.getBulkEmailStatus(answer.Id)).toMatchObject({
    Id: answer.Id,
    Status: 'Completed',
    TotalMessages: 2,
    PercentageCompleted: 100,
    Subject: 'For A & B',
  });
  const details = await client.getOutboundMessageDetails(answer.Id.slice(0, -2));
  expect(details.Metadata).toEqual({ run: '2', kind: 'news' });
  const wrong = async (more: object) => (await refusal(client.sendBulkEmail({ ...bulk, ...more }))).message;
  expect(await wrong({ HtmlBody: '{{#each lines}}x{{/each}}' })).toMatch(
    /^Messages\[0\]\.TemplateModel cannot fill HtmlBody/,
  );
  expect(await wrong({ Messages: [{ To: 'k4@sink.test' }, { To: 'nobody' }] })).toBe(
    "Invalid 'To' address: 'nobody'. It has no @.",
  );
  expect(stack.sink.messages.filter(({ rcptTo }) => rcptTo === 'k4@sink.test')).toEqual([]);
  expect((await refusal(stranger.getBulkEmailStatus(answer.Id))).statusCode).toBe(404);
});

test('the token POSTMARK_API_TEST has requests checked and answered; nothing is sent', async () => {
  const tester = clientOf('POSTMARK_API_TEST');
  const email = { From: 'a@example.com', To: 'test-token@sink.test', Subject: 'x', TextBody: 'x' };
  expect(await tester.sendEmail(email)).toMatchObject({
    ErrorCode: 0,
    Message: 'Test job accepted',
    To: email.To,
    MessageID: expect.stringMatching(/^msg_/),
  });
  expect(
    (await tester.sendEmailBatch([email, { ...email, To: 'nobody' }])).map(({ ErrorCode }) => ErrorCode),
  ).toEqual([0, 300]);
  expect(await tester.sendBulkEmail({ ...email, Messages: [{ To: email.To }] })).toMatchObject({
    Status: 'Accepted',
  });
  expect(await refusal(tester.sendEmail({ ...email, From: '' }))).toMatchObject({
    code: 300,
    statusCode: 422,
  });
  expect(await refusal(tester.getOutboundMessages())).toBeInstanceOf(Errors.InvalidAPIKeyError);
  const { rows } = await stack.context.db.pool.query('select 1 from messages where rcpt_to = $1', [email.To]);
  expect(rows).toEqual([]);
});

test('templates are ours; batches answer email by email', async () => {
  const made = await createTemplate({ ...stack.context, renderer }, TESTER, account.tenantId, {
    name: 'welcome',
    subject: 'Welcome, {{ name }}',
    html: '<p>{{ lines[0].title }}</p>',
    text: null,
    variables: [{ name: 'name', required: true, default: null }],
  });
  const alias = toId('tpl', made.id);
  const model = { name: 'Ann', lines: [{ title: 'Tea' }] };
  await client.sendEmailWithTemplate(new TemplatedMessage(from(), alias, model, 't1@sink.test'));
  const mail = await receive('t1@sink.test');
  expect([mail.subject, mail.text?.trim()]).toEqual(['Welcome, Ann', 'Tea']);
  expect(
    await refusal(client.sendEmailWithTemplate(new TemplatedMessage(from(), 1234, model, 't1@sink.test'))),
  ).toMatchObject({
    statusCode: 422,
    code: 1101,
  });
  const theirs = new TemplatedMessage(`shop@${other.domain}`, alias, model, 't1@sink.test');
  expect(await refusal(stranger.sendEmailWithTemplate(theirs))).toMatchObject({
    statusCode: 422,
    code: 1101,
  });

  const email = { From: from(), To: 't2@sink.test', Subject: 'Batch', TextBody: 'x' };
  const answers = await client.sendEmailBatch([
    email,
    { ...email, To: 'nobody' },
    { ...email, From: 'a@elsewhere.test' },
    email,
  ]);
  expect(answers.map(({ ErrorCode, MessageID }) => [ErrorCode, typeof MessageID])).toEqual([
    [0, 'string'],
    [300, 'undefined'],
    [400, 'undefined'],
    [0, 'string'],
  ]);
  const both = await client.sendEmailBatchWithTemplates([
    new TemplatedMessage(from(), alias, model, 't3@sink.test'),
    new TemplatedMessage(from(), alias, {}, 't4@sink.test'),
  ]);
  expect(both.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 300]);
  expect(await refusal(client.sendEmailBatch(Array.from({ length: 501 }, () => email)))).toMatchObject({
    code: 410,
  });
});

test('errors are of the client’s own classes', async () => {
  const email = { From: from(), To: 'e1@sink.test', Subject: 'x', TextBody: 'x' };
  const cases: [object, number, string][] = [
    [{ ...email, To: '' }, 300, 'Zero recipients specified.'],
    [
      { ...email, To: 'e1@sink.test, Ann <a@b@c>' },
      300,
      "Invalid 'To' address: 'a@b@c'. It has more than one @.",
    ],
    [{ ...email, Bcc: 'nobody' }, 300, "Invalid 'Bcc' address: 'nobody'. It has no @."],
    [{ ...email, From: 'nobody' }, 300, "Invalid 'From' address: 'nobody'. It has no @."],
    [{ ...email, Subject: 'a\r\nBcc: b@sink.test' }, 300, 'Subject'],
    [{ ...email, Metadata: { nul: '\0' } }, 300, 'Metadata.nul'],
    [{ ...email, Headers: [{ Name: 'Received', Value: 'x' }] }, 300, 'Headers'],
    [{ ...email, Attachments: [{ Name: 'a', Content: '%' }] }, 300, 'Attachments[0].Content'],
    [{ ...email, MessageStream: 'other' }, 1235, 'MessageStream'],
    [{ ...email, From: `shop@${other.domain}` }, 400, other.domain],
  ];
  for (const [body, code, words] of cases) {
    const error = await refusal(client.sendEmail(body as Models.Message));
    expect([body, error.code, error.statusCode]).toEqual([body, code, 422]);
    expect(error.message).toContain(words);
  }
  const invalid = await refusal(clientOf('nonsense').sendEmail(email));
  expect(invalid).toBeInstanceOf(Errors.InvalidAPIKeyError);
  expect(invalid.code).toBe(10);
  const reader = clientOf(await keyOf(account.tenantId, ['events:read']));
  expect(await refusal(reader.sendEmail(email))).toBeInstanceOf(Errors.InvalidAPIKeyError);
  expect((await refusal(client.getServer())).statusCode).toBe(404);
});

test('suppressed recipients are inactive: an error when all are, a note when some are; the list is kept', async () => {
  await suppress(stack.context, TESTER, account.tenantId, ['spam@sink.test'], 'complaint');
  await suppress(stack.context, TESTER, other.tenantId, ['theirs@sink.test'], 'manual');
  const listed = async (filter?: object) =>
    (await client.getSuppressions('outbound', filter)).Suppressions.map((one) => one.EmailAddress).sort();
  const created = await client.createSuppressions('outbound', {
    Suppressions: [{ EmailAddress: 'Off@sink.test' }, { EmailAddress: 'nobody' }],
  });
  expect(created.Suppressions.map(({ Status }) => Status)).toEqual(['Suppressed', 'Failed']);
  expect(await listed()).toEqual(['off@sink.test', 'spam@sink.test']);
  expect(await listed({ suppressionReason: 'SpamComplaint' })).toEqual(['spam@sink.test']);
  expect(await listed({ emailAddress: 'theirs@sink.test' })).toEqual([]);

  const email = { From: from(), To: 'off@sink.test', Subject: 'x', TextBody: 'x' };
  const error = await refusal(client.sendEmail(email));
  expect(error).toBeInstanceOf(Errors.InactiveRecipientsError);
  expect((error as Errors.InactiveRecipientsError).recipients).toEqual(['off@sink.test']);
  expect(error.message).toBe(
    `You tried to send to recipient(s) that have been marked as inactive. Found inactive addresses: off@sink.test. ${INACTIVE}`,
  );
  const some = await client.sendEmail({ ...email, To: 'off@sink.test, on@sink.test' });
  expect([some.ErrorCode, some.Message]).toEqual([
    0,
    `Message OK, but will not deliver to these inactive addresses: off@sink.test. ${INACTIVE}`,
  ]);

  const deleted = await client.deleteSuppressions('broadcast', {
    Suppressions: [
      { EmailAddress: 'off@sink.test' },
      { EmailAddress: 'spam@sink.test' },
      { EmailAddress: 'theirs@sink.test' },
    ],
  });
  expect(deleted.Suppressions.map(({ Status }) => Status)).toEqual(['Deleted', 'Failed', 'Deleted']);
  expect(await listed()).toEqual(['spam@sink.test']);
  expect((await stranger.getSuppressions('outbound')).Suppressions).toHaveLength(1);
});

test('a suppression in broadcast stops marketing mail only, and outbound has those that stop all', async () => {
  const own = await stack.makeAccount({ tier: 5 });
  const mine = clientOf(await keyOf(own.tenantId));
  const email = 'news@sink.test';
  const listed = async (stream: string) =>
    (await mine.getSuppressions(stream)).Suppressions.map((one) => one.EmailAddress);
  const change = { Suppressions: [{ EmailAddress: email }] };
  await mine.createSuppressions('broadcast', change);
  expect([await listed('broadcast'), await listed('outbound')]).toEqual([[email], []]);
  const mail = { From: `shop@${own.domain}`, To: email, Subject: 'x', TextBody: 'x' };
  expect((await mine.sendEmail(mail)).ErrorCode).toBe(0);
  expect(await refusal(mine.sendEmail({ ...mail, MessageStream: 'broadcast' }))).toBeInstanceOf(
    Errors.InactiveRecipientsError,
  );

  await suppress(stack.context, TESTER, own.tenantId, [email], 'unsubscribe');
  await mine.createSuppressions('outbound', change);
  expect([await listed('broadcast'), await listed('outbound')]).toEqual([[email], [email]]);
  const statuses = async (stream: string) =>
    (await mine.deleteSuppressions(stream, change)).Suppressions.map(({ Status }) => Status);
  expect(await statuses('outbound')).toEqual(['Deleted']);
  expect([await listed('broadcast'), await listed('outbound')]).toEqual([[email], []]);
  expect(await statuses('outbound')).toEqual(['Deleted']); // there is none
  expect(await listed('broadcast')).toEqual([email]);
  expect(await statuses('broadcast')).toEqual(['Deleted']);
  expect(await listed('broadcast')).toEqual([]);
});

test('messages and bounces are listed by count and offset, with filters, and only the tenant’s own', async () => {
  const { tenantId, domain } = await stack.makeAccount({ tier: 5 });
  const mine = clientOf(await keyOf(tenantId));
  const send = (name: string, more: object = {}) =>
    mine.sendEmail({
      From: `shop@${domain}`,
      To: `${name}@sink.test`,
      Subject: `Order ${name}`,
      TextBody: 'x',
      ...more,
    });
  const ids: string[] = [];
  for (const name of ['l1', 'l2', 'gone1']) ids.push((await send(name, { Tag: name })).MessageID);
  await send('l3', { From: `other@${domain}`, MessageStream: 'broadcast' });
  const list = async (filter: object) => {
    const { TotalCount, Messages } = await mine.getOutboundMessages(filter);
    return [Number(TotalCount), Messages.map(({ Subject }) => Subject.slice(6))] as const;
  };
  expect(await list({})).toEqual([4, ['l3', 'gone1', 'l2', 'l1']]);
  expect(await list({ count: 1, offset: 1 })).toEqual([3, ['gone1']]);
  expect(await list({ recipient: 'l2@sink.test' })).toEqual([1, ['l2']]);
  expect(await list({ fromEmail: `other@${domain}` })).toEqual([1, ['l3']]);
  expect(await list({ tag: 'l1' })).toEqual([1, ['l1']]);
  expect(await list({ subject: 'gone1' })).toEqual([1, ['gone1']]);
  expect(await list({ messageStream: 'broadcast' })).toEqual([1, ['l3']]);
  expect(await list({ fromDate: '2020-01-01', toDate: '2020-01-31' })).toEqual([0, []]);
  expect(await refusal(mine.getOutboundMessages({ offset: 9_900 }))).toMatchObject({ code: 300 });
  expect(await refusal(mine.getOutboundMessages({ fromDate: 'yesterday' }))).toMatchObject({
    code: 300,
  });

  const bounces = async (filter: object = {}) => (await mine.getBounces(filter)).Bounces;
  await waitUntil(async () => (await bounces()).length === 1, WITHIN_READS);
  const [bounce] = await bounces({ type: 'HardBounce', inactive: true, emailFilter: 'GONE', tag: 'gone1' });
  expect(bounce).toMatchObject({
    RecordType: 'Bounce',
    Type: 'HardBounce',
    TypeCode: 1,
    MessageID: ids[2],
    Email: 'gone1@sink.test',
    From: `shop@${domain}`,
    Subject: 'Order gone1',
    Tag: 'gone1',
    Inactive: true,
    CanActivate: true,
    Details: expect.stringContaining('no such user'),
  });
  expect(Number.isSafeInteger(bounce!.ID)).toBe(true);
  expect(await mine.getBounce(bounce!.ID)).toEqual(bounce);
  expect(await refusal(mine.getBounce(bounce!.ID + 1))).toMatchObject({ statusCode: 404, code: 701 });
  expect(await refusal(stranger.getBounce(bounce!.ID))).toMatchObject({ statusCode: 404, code: 701 });
  expect(await bounces({ messageID: ids[0] })).toEqual([]);
  expect(await bounces({ type: 'SoftBounce' })).toEqual([]);
  await waitUntil(async () => (await list({ status: 'queued' }))[0] === 0, WITHIN_READS);
  expect((await list({ status: 'sent' }))[0]).toBe(4);
  expect((await stranger.getBounces()).Bounces).toEqual([]);
  expect((await stranger.getBounces({ messageID: ids[2]! })).Bounces).toEqual([]);
});
