// What a message said, read afterwards over REST and GraphQL: the bytes that the receiver got, their parts without our
// links, nothing of another tenant's, and 410 once the content is gone.

import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { fromId, newUuid, toId } from '../../core/base/ids.ts';
import { deleteEnded } from '../../core/message/content-store.ts';
import { createKey } from '../../core/key/keys.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import type { Answer } from '../harness/api-world.ts';
import type { Account } from '../harness/factories.ts';
import { shareStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const tls = new Agent({ connect: { rejectUnauthorized: false } });

let stack: Stack;
let account: Account;
let key: string;
let token: string;
beforeAll(async () => {
  stack = await shareStack();
  account = await stack.makeAccount({ tier: 5 });
  key = await keyOf(account.tenantId);
  const person = { email: `ann-${newUuid()}@example.net`, password: 'correct horse battery' };
  await createUser(stack.context, TESTER, { ...person, tenantId: account.tenantId, role: 'owner' });
  const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
  token = (await graphql(LOGIN, { input: person })).data.login.accessToken;
});
afterAll(() => stack.close());

async function keyOf(tenantId: string): Promise<string> {
  const scopes = ['transactional:send', 'transactional:read', 'templates:write', 'settings:write'];
  return (await createKey(stack.context, TESTER, { tenantId, name: 'content', scopes })).value;
}

async function rest(method: string, path: string, body?: unknown, by = key) {
  const answer = await fetch(`${stack.baseUrl}${path}`, {
    method,
    dispatcher: tls,
    headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
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

async function graphql(query: string, variables: unknown): Promise<Answer['json']> {
  const answer = await fetch(new URL('/graphql', stack.baseUrl), {
    method: 'POST',
    dispatcher: tls,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return (await answer.json()) as Answer['json'];
}

const CONTENT = `query($id: ID!) { message(id: $id) { id content {
  subject html text headers { name value } attachments { filename contentType sizeBytes } } } }`;

async function send(more: Record<string, unknown>): Promise<string> {
  const body = { from: `Shop <shop@${account.domain}>`, to: 'ann@sink.test', ...more };
  const { status, json } = await rest('POST', '/transactional/send', body);
  expect(status, JSON.stringify(json)).toBe(202);
  return json.data.id;
}

const delivered = (id: string) =>
  waitUntil(async () => (await rest('GET', `/transactional/${id}`)).json.data.status === 'delivered');

test('the source is what the receiver got, byte for byte; the parts are without what we added', async () => {
  const { json } = await rest('POST', '/templates', {
    name: 'Receipt',
    subject: 'Thanks, {{ name }}',
    html: '<p>Hi {{ name }}, <a href="https://shop.example/a?b=1">your order</a></p>',
    text: null,
  });
  const template_id = json.data.id;
  const id = await send({
    template_id,
    variables: { name: 'Äнн' },
    headers: { 'X-Order': '77' },
    attachments: [
      { filename: 'a.pdf', content: Buffer.from('%PDF').toString('base64'), content_type: 'application/pdf' },
    ],
  });
  await delivered(id);
  await rest('PATCH', `/templates/${template_id}`, { subject: 'Changed since' });

  // Accepted with the subject that was sent: events, reads and search have it, whatever became of the template since.
  expect((await rest('GET', `/transactional/${id}`)).json.data.subject).toBe('Thanks, Äнн');
  const found = (await rest('GET', `/transactional?q=${encodeURIComponent('Äнн')}`)).json.data.items;
  expect(found.map((one: { id: string }) => one.id)).toEqual([id]);

  const source = await rest('GET', `/transactional/${id}/raw`);
  expect(source.status).toBe(200);
  const wire = stack.sink.messages.find((one) => one.raw.includes('X-Order: 77'))!.raw;
  expect(withoutSignature(source.bytes)).toBe(withoutSignature(wire));
  expect(source.bytes.toString('latin1')).toContain('DKIM-Signature:');
  expect(Object.fromEntries(source.headers)).toMatchObject({
    'content-type': 'message/rfc822',
    'content-disposition': expect.stringContaining(`attachment; filename="${id}.eml"`),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  });

  const content = (await rest('GET', `/transactional/${id}/content`)).json.data;
  expect(content).toMatchObject({
    subject: 'Thanks, Äнн',
    html: '<p>Hi Äнн, <a href="https://shop.example/a?b=1">your order</a></p>',
    text: expect.stringContaining('Hi Äнн'),
    attachments: [{ filename: 'a.pdf', content_type: 'application/pdf', size_bytes: 4 }],
  });
  expect(content.headers).toContainEqual({ name: 'X-Order', value: '77' });
  const { data } = await graphql(CONTENT, { id });
  expect(data.message.content).toEqual({
    ...content,
    attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', sizeBytes: 4 }],
  });
});

// The time in the signature is that of the attempt, to the second; everything else of it follows from the rest.
function withoutSignature(raw: Buffer): string {
  return raw.toString('latin1').replace(/DKIM-Signature:[^\r]*(\r\n[ \t][^\r]*)*\r\n/g, '');
}

test('another tenant’s message is not found, and one whose content is deleted is gone', async () => {
  const id = await send({ subject: 'Hello', text: 'Hello' });
  const foreign = await keyOf((await stack.makeAccount()).tenantId);
  for (const what of ['content', 'raw']) {
    expect((await rest('GET', `/transactional/${id}/${what}`, undefined, foreign)).status).toBe(404);
    expect((await rest('GET', `/transactional/${toId('msg', newUuid())}/${what}`)).status).toBe(404);
  }
  await delivered(id);
  await stack.context.db.pool.query('delete from message_contents where message_id = $1', [
    fromId('msg', id),
  ]);
  await expectGone(id);
});

test('a tenant that keeps nothing: what a message says is gone when the last of its group has ended', async () => {
  const { pool } = stack.context.db;
  expect((await rest('PATCH', '/settings/messages', { keep_content: false })).json.data).toEqual({
    keep_content: false,
  });
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const subject = 'Nothing is kept';
  const scheduled = { subject, text: 'x', scheduled_at: at, to: ['ann@sink.test', 'bob@sink.test'] };
  const id = await send(scheduled);
  const { recipients } = (await rest('GET', `/transactional/${id}`)).json.data;
  const other = recipients[1].id as string;
  const contents = async () =>
    (await pool.query('select from message_contents where message_id = $1', [fromId('msg', id)])).rowCount;
  const round = () => deleteEnded(pool, '00000000-0000-0000-0000-000000000000', 100);

  expect((await rest('GET', `/transactional/${other}/content`)).json.data.subject).toBe(subject);
  expect(await round()).toMatchObject({ looked: 1, deleted: 0 });
  expect((await rest('DELETE', `/transactional/${id}`)).status).toBe(200);
  await expectGone(id); // at once, while the other still needs what both say
  expect(await round()).toMatchObject({ looked: 1, deleted: 0 });
  expect((await rest('GET', `/transactional/${other}/content`)).json.data.subject).toBe(subject);
  expect(await contents()).toBe(1);
  expect((await rest('DELETE', `/transactional/${other}`)).status).toBe(200);
  expect(await round()).toMatchObject({ looked: 1, deleted: 1 });
  expect(await contents()).toBe(0);
  await expectGone(other);

  const quick = await send({ subject: 'Delivered', text: 'x' });
  await delivered(quick);
  await expectGone(quick);
  expect(await round()).toMatchObject({ deleted: 1 });
  expect(await round()).toMatchObject({ looked: 0 });
});

async function expectGone(id: string): Promise<void> {
  for (const what of ['content', 'raw']) {
    const { status, json } = await rest('GET', `/transactional/${id}/${what}`);
    expect({ status, error: json?.error }).toEqual({ status: 410, error: 'gone' });
  }
  const { data, errors } = await graphql(CONTENT, { id });
  expect(data.message).toEqual({ id, content: null });
  expect(errors[0].extensions.code).toBe('gone');
}
