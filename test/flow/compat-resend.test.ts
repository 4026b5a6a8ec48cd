// Resend's official Node client against us, with nothing but its base URL and key changed (docs/compat-resend.md).

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

import { simpleParser } from 'mailparser';
import { Resend } from 'resend';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createKey } from '../../core/key/keys.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { createTemplateRenderer } from '../../core/template/renderer.ts';
import { createTemplate } from '../../core/template/templates.ts';
import { eventHeaders } from '../../core/webhook/standard-webhook.ts';
import { TESTER } from '../harness/actor.ts';
import { shareCampaignWorld, type CampaignWorld } from '../harness/campaign-world.ts';
import { call } from '../harness/api-world.ts';
import type { Account } from '../harness/factories.ts';
import { waitUntil, WITHIN_READS } from '../harness/wait.ts';

let world: CampaignWorld;
let account: Account;
let key: string;
let resend: Resend;
let from: string;

beforeAll(async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0'); // the certificate of the test is its own
  world = await shareCampaignWorld();
  account = await world.stack.makeAccount({ tier: 10 });
  key = await keyOf(account.tenantId);
  resend = clientOf(key);
  from = `Shop <shop@${account.domain}>`;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world?.close();
});

const baseUrl = () => new URL('/compat/resend', world.stack.baseUrl).href;
const clientOf = (value: string) => new Resend(value, { baseUrl: baseUrl() });

async function keyOf(tenantId: string, scopes: readonly string[] = SCOPES): Promise<string> {
  const made = await createKey(world.stack.context, TESTER, {
    tenantId,
    name: 'resend',
    scopes: [...scopes],
  });
  return made.value;
}

// Their client gives refusals as values. A key has 60 requests a minute of a class, so each story has its own.
async function ok<A extends { data: unknown; error: unknown }>(answer: Promise<A>) {
  const { data, error } = await answer;
  expect(error).toBeNull();
  return data as NonNullable<A['data']>;
}
async function refused(answer: Promise<{ error: unknown }>) {
  const { error } = await answer;
  return error as { statusCode: number; name: string; message: string };
}
const received = (to: string) => world.stack.sink.messages.filter(({ rcptTo }) => rcptTo === to);
async function receive(to: string) {
  await waitUntil(() => received(to).length > 0, { what: `mail to ${to}` });
  return simpleParser(received(to)[0]!.raw);
}
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

test('the getting-started example, pasted, sends and reads back', async () => {
  const program = `
    import { Resend } from 'resend';
    const resend = new Resend(process.env.RESEND_API_KEY);
    const { data, error } = await resend.emails.send({
      from: ${JSON.stringify(from)},
      to: ['started@sink.test'],
      subject: 'hello world',
      html: '<p>it works!</p>',
    });
    if (error) throw new Error(JSON.stringify(error));
    console.log(JSON.stringify((await resend.emails.get(data.id)).data));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--no-warnings', '-e', program],
    { env: { ...process.env, RESEND_BASE_URL: baseUrl(), RESEND_API_KEY: key } },
  );
  expect(JSON.parse(stdout)).toMatchObject({
    object: 'email',
    to: ['started@sink.test'],
    subject: 'hello world',
    html: '<p>it works!</p>',
  });
  expect((await receive('started@sink.test')).subject).toBe('hello world');
});

test('a whole email: several recipients, attachments, tags, headers, once per idempotency key', async () => {
  const email = {
    from,
    to: ['Ann <ann@sink.test>', 'ben@sink.test'],
    cc: 'cy@sink.test',
    bcc: ['dee@sink.test'],
    replyTo: `help@${account.domain}`,
    subject: 'Your order',
    html: '<p>Here <img src="cid:logo"></p>',
    text: 'Here',
    headers: { 'X-Order': '42' },
    tags: [{ name: 'kind', value: 'receipt' }],
    attachments: [
      { filename: 'bill.txt', content: Buffer.from('9 CHF'), contentType: 'text/plain' },
      { filename: 'logo.png', content: Buffer.from('png').toString('base64'), contentId: 'logo' },
    ],
  };
  const { id } = await ok(resend.emails.send(email, { idempotencyKey: 'order-42' }));
  const again = await resend.emails.send(email, { idempotencyKey: 'order-42' });
  expect(again.data?.id).toBe(id);
  expect(again.headers?.['idempotent-replayed']).toBe('true');
  const other = await refused(resend.emails.send({ ...email, subject: 'x' }, { idempotencyKey: 'order-42' }));
  expect(other).toMatchObject({ statusCode: 409, name: 'invalid_idempotent_request' });

  const mail = await receive('dee@sink.test');
  const files = mail.attachments.map((one) => [one.filename, one.content.toString(), one.cid]);
  expect(new Set(files)).toEqual(
    new Set([
      ['bill.txt', '9 CHF', undefined],
      ['logo.png', 'png', 'logo'],
    ]),
  );
  expect([mail.replyTo, mail.headers?.get('x-order')]).toMatchObject([
    { value: [{ address: `help@${account.domain}` }] },
    '42',
  ]);
  await waitUntil(async () => (await ok(resend.emails.get(id))).last_event === 'delivered', WITHIN_READS);
  expect(await ok(resend.emails.get(id))).toEqual({
    object: 'email',
    id,
    message_id: mail.messageId,
    from,
    to: ['ann@sink.test', 'ben@sink.test'],
    cc: ['cy@sink.test'],
    bcc: ['dee@sink.test'],
    reply_to: [`help@${account.domain}`],
    subject: 'Your order',
    html: email.html,
    text: 'Here',
    tags: email.tags,
    created_at: expect.stringMatching(/Z$/),
    scheduled_at: null,
    last_event: 'delivered',
  });
  expect(received('ann@sink.test')).toHaveLength(1);
});

test('a template’s subject is replaced by one beside it; replies go to several; a file has the type of its name', async () => {
  const { context } = world.stack;
  const renderer = createTemplateRenderer({ db: context.db, log: context.log, workers: 1 });
  const made = await createTemplate({ ...context, renderer }, TESTER, account.tenantId, {
    name: 'welcome',
    subject: 'Welcome, {{ name }}',
    html: '<p>{{ name }}</p>',
    text: null,
    variables: [],
  });
  await renderer.close();
  const template = { id: toId('tpl', made.id), variables: { name: 'Ann' } };
  const replyTo = ['Help <help@sink.test>', 'sales@sink.test'];
  const attachments = [{ filename: 'bill.PDF', content: 'JVBERg==' }];
  const send = async (to: string, more: object) =>
    (await ok(resend.emails.send({ from, to, template, ...more }))).id;
  const id = await send('own@sink.test', { subject: 'Own {{ name }}', replyTo, attachments });
  await send('none@sink.test', { subject: '' });
  const mail = await receive('own@sink.test');
  expect([mail.subject, mail.text?.trim()]).toEqual(['Own {{ name }}', 'Ann']);
  expect(mail.replyTo).toMatchObject({
    value: [{ name: 'Help', address: 'help@sink.test' }, { address: replyTo[1] }],
  });
  expect(mail.attachments.map(({ contentType }) => contentType)).toEqual(['application/pdf']);
  expect((await receive('none@sink.test')).subject).toBe('Welcome, Ann');
  expect(await ok(resend.emails.get(id))).toMatchObject({ subject: 'Own {{ name }}', reply_to: replyTo });
});

test('what is scheduled can be moved and cancelled, for all of its recipients', async () => {
  const to = ['later1@sink.test', 'later2@sink.test'];
  const { id } = await ok(
    resend.emails.send({ from, to, subject: 'Later', text: 'x', scheduledAt: 'in 1 hour' }),
  );
  const first = await ok(resend.emails.get(id));
  expect(first.last_event).toBe('scheduled');
  expect(Date.parse(first.scheduled_at!) - Date.now()).toBeGreaterThan(3_500_000);
  const moved = inAnHour();
  expect(await ok(resend.emails.update({ id, scheduledAt: moved }))).toEqual({ object: 'email', id });
  expect((await ok(resend.emails.get(id))).scheduled_at).toBe(moved);
  expect(await ok(resend.emails.cancel(id))).toEqual({ object: 'email', id });
  expect((await ok(resend.emails.get(id))).last_event).toBe('canceled');
  const states = await world.stack.context.db.pool.query(
    'select distinct state from messages where tenant_id = $1 and rcpt_to = any($2)',
    [account.tenantId, to],
  );
  expect(states.rows).toEqual([{ state: 'cancelled' }]);
  for (const late of [resend.emails.cancel(id), resend.emails.update({ id, scheduledAt: moved })])
    expect(await refused(late)).toMatchObject({ statusCode: 422, name: 'validation_error' });

  const soon = await ok(
    resend.emails.send({ from, to: to[0]!, subject: 'Soon', text: 'x', scheduledAt: moved }),
  );
  await ok(resend.emails.update({ id: soon.id, scheduledAt: new Date(Date.now() + 500).toISOString() }));
  expect((await receive('later1@sink.test')).subject).toBe('Soon');
  const far = new Date(Date.now() + 40 * 86_400_000).toISOString();
  for (const scheduledAt of ['next tuesday', far])
    expect(
      await refused(resend.emails.send({ from, to: to[0]!, subject: 'x', text: 'x', scheduledAt })),
    ).toMatchObject({
      name: 'validation_error',
      message: expect.stringContaining('scheduled_at'),
    });
});

test('emails are listed once each, whatever their recipients, and paged both ways', async () => {
  const mine = await world.stack.makeAccount({ tier: 10 });
  const client = clientOf(await keyOf(mine.tenantId));
  const ids: string[] = [];
  for (const n of [0, 1, 2, 3, 4]) {
    const to = [`page${n}@sink.test`, `page${n}b@sink.test`];
    const sent = await ok(client.emails.send({ from: `a@${mine.domain}`, to, subject: `${n}`, text: 'x' }));
    ids.unshift(sent.id);
  }
  const page = async (options: Parameters<typeof client.emails.list>[0]) => {
    const { data, has_more } = await ok(client.emails.list(options));
    return [data.map(({ id }) => id), has_more];
  };
  expect(await page({})).toEqual([ids, false]);
  expect(await page({ limit: 2 })).toEqual([ids.slice(0, 2), true]);
  expect(await page({ limit: 2, after: ids[1]! })).toEqual([ids.slice(2, 4), true]);
  expect(await page({ limit: 2, after: ids[3]! })).toEqual([ids.slice(4), false]);
  expect(await page({ limit: 2, before: ids[4]! })).toEqual([ids.slice(2, 4), true]);
  expect(await page({ before: ids[2]! })).toEqual([ids.slice(0, 2), false]);
  expect((await ok(client.emails.list({ limit: 1 }))).data[0]!.to).toEqual([
    'page4@sink.test',
    'page4b@sink.test',
  ]);
  expect(await refused(client.emails.list({ limit: 101 }))).toMatchObject({ statusCode: 422 });
});

test('a batch is all or none, or what is good of it', async () => {
  const email = (to: string) => ({ from, to, subject: 'Batch', text: 'x' });
  const bad = { ...email('b2@sink.test'), from: 'x@elsewhere.test' };
  const { data } = await ok(resend.batch.send([email('b1@sink.test'), email('b2@sink.test')]));
  expect(data).toHaveLength(2);
  expect((await ok(resend.emails.get(data[1]!.id))).to).toEqual(['b2@sink.test']);
  for (const broken of [bad, { ...email('nobody'), to: 'nobody' }]) {
    expect((await refused(resend.batch.send([email('b3@sink.test'), broken]))).name).toBe('validation_error');
  }
  const some = await ok(
    resend.batch.send([bad, email('b4@sink.test'), { ...email('nobody') }], {
      batchValidation: 'permissive',
    }),
  );
  expect(some.data).toHaveLength(1);
  expect(some.errors.map(({ index }) => index)).toEqual([0, 2]);
  await receive('b4@sink.test');
  const sent = await world.stack.context.db.pool.query('select from messages where rcpt_to = $1', [
    'b3@sink.test',
  ]);
  expect(sent.rowCount).toBe(0);
});

test('domains', async () => {
  const { id, records, status, name } = await ok(resend.domains.create({ name: 'mail.resend-user.example' }));
  expect([name, status]).toEqual(['mail.resend-user.example', 'not_started']);
  expect(new Set(records.map(({ record }) => record))).toEqual(
    new Set(['DKIM', 'SPF', 'Receiving MX']), // a typed client refuses the whole answer for any other kind
  );
  expect(await ok(resend.domains.verify(id))).toEqual({ object: 'domain', id });
  expect((await ok(resend.domains.get(id))).status).toBe('pending');
  const receiving = { capabilities: { receiving: 'enabled' as const } };
  await ok(resend.domains.update({ id, ...receiving }));
  expect((await ok(resend.domains.get(id))).capabilities).toEqual({
    sending: 'enabled',
    receiving: 'enabled',
  });
  expect(await refused(resend.domains.update({ id, tls: 'enforced' }))).toMatchObject({ statusCode: 422 });
  expect((await ok(resend.domains.list())).data.map((one) => one.id)).toContain(id);
  expect(await ok(resend.domains.remove(id))).toEqual({ object: 'domain', id, deleted: true });
  expect(await refused(resend.domains.get(id))).toMatchObject({ statusCode: 404, name: 'not_found' });
});

test('contacts, segments and audiences', async () => {
  const client = clientOf(await keyOf(account.tenantId));
  const segment = await ok(client.segments.create({ name: 'Customers' }));
  expect(segment).toMatchObject({ object: 'segment', name: 'Customers' });
  const audience = await ok(client.audiences.create({ name: 'Old name' }));
  const made = await ok(
    client.contacts.create({
      email: 'eve@sink.test',
      firstName: 'Eve',
      unsubscribed: false,
      properties: { company: 'Acme', size: 7 },
      segments: [{ id: segment.id }],
    }),
  );
  const { id } = made;
  const again = await ok(
    client.contacts.create({ audienceId: audience.id, email: 'EVE@sink.test', lastName: 'Doe' }),
  );
  expect(again.id).toBe(id);
  expect(await ok(client.contacts.get({ email: 'eve@sink.test' }))).toEqual({
    object: 'contact',
    id,
    email: 'eve@sink.test',
    first_name: 'Eve',
    last_name: 'Doe',
    unsubscribed: false,
    created_at: expect.any(String),
    properties: { company: { type: 'string', value: 'Acme' }, size: { type: 'number', value: 7 } },
  });
  await ok(client.contacts.update({ email: 'eve@sink.test', unsubscribed: true, properties: { size: 8 } }));
  const after = await ok(client.contacts.get({ id, audienceId: audience.id }));
  expect([after.unsubscribed, after.properties['company'], after.properties['size']]).toEqual([
    true,
    { type: 'string', value: 'Acme' },
    { type: 'number', value: 8 },
  ]);
  for (const options of [{ segmentId: segment.id }, { audienceId: audience.id }, {}])
    expect((await ok(client.contacts.list(options))).data.map((one) => one.id)).toEqual([id]);
  expect(
    (await ok(client.contacts.segments.list({ contactId: id }))).data.map((one) => one.name).sort(),
  ).toEqual(['Customers', 'Old name']);
  await ok(client.contacts.segments.remove({ contactId: id, segmentId: segment.id }));
  expect((await ok(client.contacts.list({ segmentId: segment.id }))).data).toEqual([]);
  await ok(client.contacts.segments.add({ email: 'eve@sink.test', segmentId: segment.id }));
  await ok(client.contacts.remove({ id, audienceId: audience.id })); // off that list, and still there
  expect(await ok(client.contacts.remove({ email: 'eve@sink.test' }))).toEqual({
    object: 'contact',
    contact: id,
    deleted: true,
  });
  expect((await refused(client.contacts.get({ id }))).statusCode).toBe(404);
  expect((await ok(client.audiences.list({ limit: 1 }))).data).toMatchObject([{ name: 'Old name' }]);
  expect((await ok(client.segments.get(segment.id))).name).toBe('Customers');
  expect(await ok(client.audiences.remove(audience.id))).toMatchObject({ id: audience.id, deleted: true });
});

test('a broadcast reaches its segment, with names and a way out', async () => {
  const client = clientOf(await keyOf(account.tenantId));
  const { id: segmentId } = await ok(client.segments.create({ name: 'News' }));
  for (const [email, firstName] of [
    ['news-gil@sink.test', 'Gil'],
    ['news-hal@sink.test', undefined],
  ] as const)
    await ok(
      client.contacts.create({ email, ...(firstName && { firstName }), segments: [{ id: segmentId }] }),
    );
  const { id } = await ok(
    client.broadcasts.create({
      name: 'June',
      segmentId,
      from,
      subject: 'News for {{{FIRST_NAME|you}}}',
      html: '<p>Hi {{{contact.first_name|there}}}, 50% {{ off }} <a href="{{{RESEND_UNSUBSCRIBE_URL}}}">out</a></p>',
    }),
  );
  await ok(client.broadcasts.update(id, { name: 'July' }));
  expect(await ok(client.broadcasts.get(id))).toMatchObject({
    name: 'July',
    status: 'draft',
    segment_id: segmentId,
  });
  expect(await ok(client.broadcasts.send(id))).toEqual({ id });
  const [gil, hal] = await Promise.all([receive('news-gil@sink.test'), receive('news-hal@sink.test')]);
  expect([gil.subject, hal.subject]).toEqual(['News for Gil', 'News for you']);
  expect(hal.text).toContain('Hi there, 50% {{ off }}');
  expect(gil.html).toMatch(/href="https:\/\/[^"]+\/u\//);
  await waitUntil(async () => (await ok(client.broadcasts.get(id))).status === 'sent', WITHIN_READS);
  const later = await ok(
    client.broadcasts.create({
      segmentId,
      from,
      subject: 'Later',
      text: 'x',
      send: true,
      scheduledAt: 'in 2 days',
    }),
  );
  expect(await ok(client.broadcasts.get(later.id))).toMatchObject({ status: 'queued', name: 'Later' });
  expect((await ok(client.broadcasts.list())).data.map((one) => one.id)).toEqual([later.id, id]);
  expect(await ok(client.broadcasts.remove(later.id))).toEqual({
    object: 'broadcast',
    id: later.id,
    deleted: true,
  });
  expect((await refused(client.broadcasts.remove(id))).name).toBe('validation_error');
});

test('what would change the meaning, or is broken, is refused in its own shape', async () => {
  const email = { from, to: 'x@sink.test', subject: 'x', text: 'x' };
  const raw = async (body: string | Buffer | object, headers: Record<string, string> = {}) => {
    const { port } = new URL(world.stack.baseUrl);
    const ask = typeof body === 'string' || Buffer.isBuffer(body) ? { raw: body } : { body };
    const answer = await call(Number(port), 'POST', '/compat/resend/emails', { key, headers, ...ask });
    expect(answer.headers['x-request-id']).toMatch(/^req_/);
    expect(answer.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
    expect(answer.headers['ratelimit-remaining']).toBe(answer.headers['x-ratelimit-remaining']);
    expect(answer.headers['ratelimit-reset']).toMatch(/^\d+$/);
    return [answer.status, answer.json.name, answer.json.message];
  };
  const has = (text: string) => expect.stringContaining(text) as unknown;
  expect(await raw({ ...email, region: 'eu', unknown: { deep: [1] } })).toEqual([200, undefined, undefined]);
  for (const [body, status, name, message] of [
    [{ ...email, topic_id: 'top_1' }, 422, 'validation_error', has('topic_id')],
    [
      { ...email, attachments: [{ path: 'https://a.test/b' }] },
      422,
      'invalid_attachment',
      has('attachments[0].path'),
    ],
    [{ ...email, from: undefined }, 422, 'missing_required_field', has('from')],
    [{ ...email, from: 'nobody' }, 422, 'invalid_from_address', has('from')],
    [{ ...email, from: 'a@elsewhere.test' }, 403, 'validation_error', has('elsewhere.test')],
    [{ ...email, to: 7 }, 422, 'validation_error', has('to')],
    [
      { ...email, to: Array.from({ length: 51 }, (_, n) => `a${n}@sink.test`) },
      422,
      'validation_error',
      has('50'),
    ],
    [{ ...email, subject: 'a\u0000b' }, 422, 'validation_error', has('subject')],
    [{ ...email, tags: [{ name: 'a\u0000', value: 'b' }] }, 422, 'validation_error', has('tags')],
    [{ ...email, headers: { 'X-A': 'b\r\nBcc: c@d.test' } }, 422, 'validation_error', has('headers')],
    [{ ...email, reply_to: ['a@sink.test', 'b'] }, 422, 'validation_error', has('reply_to[1]')],
    [{ ...email, text: '' }, 422, 'missing_required_field', 'html is required: give html, text or template.'],
    [{ from, to: email.to, template: { id: 'x' } }, 422, 'validation_error', has('template.id')],
    [[], 422, 'validation_error', has('object')],
    ['{"from":', 400, 'validation_error', has('JSON')],
    [`${'['.repeat(100)}${']'.repeat(100)}`, 400, 'validation_error', has('nested')],
    ['{"from":"a","from":"b"}', 400, 'validation_error', has('twice')],
    [Buffer.from([0x7b, 0xff, 0x7d]), 400, 'validation_error', has('UTF-8')],
  ] as const)
    expect(await raw(body as object)).toEqual([status, name, message]);
  expect(await raw(email, { 'idempotency-key': 'ä' })).toEqual([
    400,
    'invalid_idempotency_key',
    has('Idempotency-Key'),
  ]);

  expect(await refused(clientOf('re_123').emails.send(email))).toMatchObject({
    statusCode: 403,
    name: 'invalid_api_key',
  });
  const { port } = new URL(world.stack.baseUrl);
  const without = await call(Number(port), 'POST', '/compat/resend/emails', { body: email });
  expect([without.status, without.json.name]).toEqual([401, 'missing_api_key']);
  const readOnly = clientOf(await keyOf(account.tenantId, ['domains:read']));
  expect(await refused(readOnly.emails.send(email))).toMatchObject({
    statusCode: 401,
    name: 'restricted_api_key',
  });
  // A key that may send sees what it sent by id, and nothing of what others sent.
  const sendOnly = clientOf(await keyOf(account.tenantId, ['transactional:send']));
  const { id } = await ok(sendOnly.emails.send(email));
  expect((await ok(sendOnly.emails.get(id))).id).toBe(id);
  expect(await refused(sendOnly.emails.list())).toMatchObject({ name: 'restricted_api_key' });
  expect(await refused(resend.apiKeys.list())).toMatchObject({ statusCode: 404, name: 'not_found' });
  const wrong = await call(Number(port), 'PUT', '/compat/resend/emails', { key, body: email });
  expect([wrong.status, wrong.json.name, wrong.headers['allow']]).toEqual([
    405,
    'method_not_allowed',
    'GET, HEAD, POST',
  ]);
});

test('another tenant sees nothing of it', async () => {
  const other = await world.stack.makeAccount({ tier: 10 });
  const theirs = clientOf(await keyOf(other.tenantId));
  const mine = clientOf(await keyOf(account.tenantId));
  const scheduledAt = inAnHour();
  const { id } = await ok(
    mine.emails.send({ from, to: 'wall@sink.test', subject: 'x', text: 'x', scheduledAt }),
  );
  const { id: segmentId } = await ok(mine.segments.create({ name: 'Walls' }));
  const contact = await ok(mine.contacts.create({ email: 'wall@sink.test', segments: [{ id: segmentId }] }));
  const broadcast = await ok(mine.broadcasts.create({ segmentId, from, subject: 'x', text: 'x' }));
  const domain = await ok(mine.domains.create({ name: 'mail.wall.example' }));
  const email = 'wall@sink.test';
  const asked: Promise<{ error: unknown }>[] = [
    theirs.emails.get(id),
    theirs.emails.update({ id, scheduledAt }),
    theirs.emails.cancel(id),
    theirs.domains.get(domain.id),
    theirs.domains.verify(domain.id),
    theirs.domains.update({ id: domain.id, capabilities: { receiving: 'enabled' } }),
    theirs.domains.remove(domain.id),
    theirs.segments.get(segmentId),
    theirs.segments.remove(segmentId),
    theirs.contacts.get({ id: contact.id }),
    theirs.contacts.get({ email }),
    theirs.contacts.update({ id: contact.id, firstName: 'x' }),
    theirs.contacts.remove({ id: contact.id }),
    theirs.contacts.list({ segmentId }),
    theirs.contacts.segments.list({ contactId: contact.id }),
    theirs.contacts.segments.add({ contactId: contact.id, segmentId }),
    theirs.broadcasts.get(broadcast.id),
    theirs.broadcasts.update(broadcast.id, { name: 'x' }),
    theirs.broadcasts.send(broadcast.id),
    theirs.broadcasts.cancel(broadcast.id),
    theirs.broadcasts.remove(broadcast.id),
  ];
  for (const [at, answer] of asked.entries())
    expect({ at, ...(await refused(answer)) }).toMatchObject({ at, statusCode: 404, name: 'not_found' });
  expect(await refused(theirs.contacts.create({ email, segments: [{ id: segmentId }] }))).toMatchObject({
    statusCode: 422,
  });
  for (const list of [
    theirs.emails.list(),
    theirs.contacts.list(),
    theirs.segments.list(),
    theirs.broadcasts.list(),
  ])
    expect((await ok<{ data: { data: unknown[] } | null; error: unknown }>(list)).data).toEqual([]);
  expect((await ok(mine.emails.get(id))).last_event).toBe('scheduled');
});

test('their webhooks.verify believes what we sign', () => {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const payload = JSON.stringify({ type: 'message.delivered', data: {} });
  const signed = eventHeaders(newUuid(), new Date(), Buffer.from(payload), [secret]);
  const headers = {
    id: signed['webhook-id']!,
    timestamp: signed['webhook-timestamp']!,
    signature: signed['webhook-signature']!,
  };
  expect(resend.webhooks.verify({ payload, headers, webhookSecret: secret })).toMatchObject({
    type: 'message.delivered',
  });
  expect(() => resend.webhooks.verify({ payload: `${payload} `, headers, webhookSecret: secret })).toThrow();
});
