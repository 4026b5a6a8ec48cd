// One message is one trace, from the caller's traceparent through api and sender to the reply of the mail server, however
// long that takes and whichever sender delivers it; and nobody notices when the traces cannot be sent.

import { randomBytes } from 'node:crypto';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createKey } from '../../core/key/keys.ts';
import { OutgoingMessage } from '../../core/gen/sender/v1/sender.ts';
import { TESTER } from '../harness/actor.ts';
import type { Account } from '../harness/factories.ts';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../harness/otlp-receiver.ts';
import { connectSmtps } from '../harness/smtp-client.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { mail, plain, submit } from '../harness/submission.ts';
import { waitUntil } from '../harness/wait.ts';

const KIND = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };
const SECRETS = { recipient: 'ann.secret', subject: 'Words of the subject', text: 'Words of the text' };

const tls = new Agent({ connect: { rejectUnauthorized: false } });
let receiver: OtlpReceiver;
let stack: Stack;
let account: Account;
let key: string;
let refuses: string | null = null;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  stack = await createStack({
    api: true,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bed',
      TRUSTED_PROXIES: '127.0.0.1', // from where the callers below come
      LOG_LEVEL: 'warn',
      WORKER_LEASE_MS: '1000',
      TEST_RETRY_SCALE: '0.02',
    },
    sink: { rcpt: (to) => (to.startsWith('later') && refuses ? refuses : '250 2.1.5 ok') },
  });
  account = await stack.makeAccount();
  const scopes = ['transactional:send'];
  key = (await createKey(stack.context, TESTER, { tenantId: account.tenantId, name: 'traces', scopes }))
    .value;
});
afterAll(async () => {
  await stack.close();
  await receiver.close();
});

const hex = (octets: number) => randomBytes(octets).toString('hex');
const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId);

async function post(path: string, to: string, headers: Record<string, string>) {
  const response = await fetch(new URL(path, stack.baseUrl), {
    method: 'POST',
    dispatcher: tls,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      from: `shop@${account.domain}`,
      to,
      subject: SECRETS.subject,
      text: SECRETS.text,
    }),
  });
  const body = (await response.json()) as { data?: { id: string }; id?: string };
  return { status: response.status, id: body.data?.id ?? body.id ?? '' };
}

const send = (to: string, headers: Record<string, string> = {}) =>
  post('/api/v1/transactional/send', to, headers);

const untilDelivered = (to: string) =>
  waitUntil(() => stack.sink.messages.some(({ rcptTo }) => rcptTo === to), { what: `mail to ${to}` });

test('a message is one trace, from the request to the reply of the mail server', async () => {
  const [traceId, caller] = [hex(16), hex(8)];
  const to = `${SECRETS.recipient}@sink.test`;
  const tracestate = 'vendor=value';
  const sent = await send(to, { traceparent: `00-${traceId}-${caller}-01`, tracestate });
  expect(sent.status).toBe(202);
  const delivery = await receiver.untilSpan(
    (span) => span.traceId === traceId && span.name === 'deliver transactional',
    'deliver',
  );
  await waitUntil(() => spansOf(traceId).some(({ kind }) => kind === KIND.producer), {
    what: 'spans of api',
  });
  const named = (name: string) => {
    const found = spansOf(traceId).filter((span) => span.name === name);
    expect(found.map((span) => span.name)).toEqual([name]);
    return found[0]!;
  };
  const request = named('POST /api/v1/transactional/send');
  const producer = named('send transactional');
  const accept = named('accept');
  expect(request).toMatchObject({ service: 'postrider-api', kind: KIND.server, parentSpanId: caller });
  expect(request.attributes).toMatchObject({ 'http.response.status_code': 202 });
  expect(producer).toMatchObject({
    service: 'postrider-api',
    kind: KIND.producer,
    parentSpanId: request.spanId,
  });
  const decided = {
    'messaging.message.id': sent.id,
    'postrider.decision': 'queued',
    'postrider.domain': account.domain,
  };
  expect(producer.attributes).toMatchObject(decided);
  expect(accept).toMatchObject({
    service: 'postrider-sender',
    kind: KIND.server,
    parentSpanId: producer.spanId,
  });
  expect(accept.attributes).toMatchObject({ ...decided, 'postrider.warmup.used': 1 });
  for (const phase of ['read', 'gate', 'commit'])
    expect(named(phase)).toMatchObject({ parentSpanId: accept.spanId });

  expect(delivery).toMatchObject({ kind: KIND.consumer, parentSpanId: producer.spanId });
  expect(delivery.links).toEqual([{ traceId, spanId: producer.spanId }]);
  expect(delivery.attributes).toMatchObject({
    'messaging.message.id': sent.id,
    'postrider.attempt': 1,
    'postrider.outcome': 'delivered',
    'smtp.response.code': 250,
  });
  expect(named('compose').parentSpanId).toBe(delivery.spanId);
  const smtp = named('smtp');
  const connect = named('smtp connect');
  expect(smtp).toMatchObject({ kind: KIND.client, parentSpanId: delivery.spanId });
  expect(smtp.attributes).toMatchObject({
    'server.address': 'mx.sink.test',
    'postrider.route': 'direct',
    'postrider.smtp.result': 'delivered',
    'smtp.response.code': 250,
  });
  expect(connect).toMatchObject({ kind: KIND.client, parentSpanId: smtp.spanId });
  expect(repliesOf(connect)).toEqual(['CONNECT 220', 'EHLO 250']);
  expect(repliesOf(smtp)).toEqual(['MAIL 250', 'RCPT 250', 'DATA 354', 'DOT 250']);
  for (const span of spansOf(traceId)) expect(span.endedAt).toBeGreaterThanOrEqual(span.startedAt);

  const all = receiver.bodies.join('\n');
  expect(all).toContain('test bed');
  expect(all).toContain(tracestate);
  for (const secret of [...Object.values(SECRETS), key, stack.context.env['INTERNAL_TOKEN']!])
    expect(all).not.toContain(secret);
});

function repliesOf({ events }: ReceivedSpan): string[] {
  return events.map(
    ({ attributes }) => `${String(attributes['smtp.command'])} ${String(attributes['smtp.response.code'])}`,
  );
}

test('the trace goes on after the sender that accepted the message has died', async () => {
  const [traceId, caller] = [hex(16), hex(8)];
  refuses = '450 4.2.0 later';
  await send('later@sink.test', { traceparent: `00-${traceId}-${caller}-01` });
  await receiver.untilSpan(
    (span) => span.traceId === traceId && span.attributes['postrider.outcome'] === 'deferred',
    'the first attempt',
  );
  await stack.senders[0]!.kill();
  refuses = null;
  const { SENDER_GRPC_PORT } = stack.senders[0]!.env;
  await stack.addSender({ SENDER_GRPC_PORT: SENDER_GRPC_PORT! });
  const delivered = await receiver.untilSpan(
    (span) => span.traceId === traceId && span.attributes['postrider.outcome'] === 'delivered',
    'the last attempt',
  );
  await waitUntil(() => spansOf(traceId).some(({ kind }) => kind === KIND.producer), {
    what: 'spans of api',
  });
  const producer = spansOf(traceId).find(({ kind }) => kind === KIND.producer)!;
  expect(delivered.links).toEqual([{ traceId, spanId: producer.spanId }]);
  expect(Number(delivered.attributes['postrider.attempt'])).toBeGreaterThan(1);
  const first = spansOf(traceId).find((span) => span.attributes['postrider.outcome'] === 'deferred')!;
  expect(first.attributes).toMatchObject({
    'smtp.response.code': 450,
    'postrider.bounce_class': expect.any(String),
  });
});

test('what is not sampled stays so, and its message keeps nothing of it', async () => {
  const traceId = hex(16);
  const to = 'unsampled@sink.test';
  await send(to, { traceparent: `00-${traceId}-${hex(8)}-00` });
  await untilDelivered(to);
  const after = hex(16);
  await send('sampled@sink.test', { traceparent: `00-${after}-${hex(8)}-01` });
  await receiver.untilSpan((span) => span.traceId === after && span.kind === KIND.consumer, 'a later one');
  expect(spansOf(traceId)).toEqual([]);
  const { rows } = await stack.context.db.pool.query<{ rcpt_to: string; content: Buffer }>(
    `select m.rcpt_to, c.content from messages m join message_contents c on c.message_id = m.id
     where m.rcpt_to in ($1, 'sampled@sink.test')`,
    [to],
  );
  const kept = Object.fromEntries(
    rows.map(({ rcpt_to: rcptTo, content }) => [rcptTo, OutgoingMessage.decode(content).trace]),
  );
  expect(kept[to]).toBeUndefined();
  expect(kept['sampled@sink.test']?.traceparent).toMatch(new RegExp(`^00-${after}-[0-9a-f]{16}-01$`));
});

test.each([
  ['none', {}],
  ['one that is no traceparent', { traceparent: 'hello' }],
  ['one of version ff', { traceparent: `ff-${hex(16)}-${hex(8)}-01` }],
  ['one of zeros', { traceparent: `00-${'0'.repeat(32)}-${hex(8)}-01` }],
])('with a traceparent that is %s a message begins a trace of its own', async (_what, headers) => {
  const { id, status } = await send('own@sink.test', headers);
  expect(status).toBe(202);
  const delivered = await receiver.untilSpan(
    (span) => span.kind === KIND.consumer && span.attributes['messaging.message.id'] === id,
    'its delivery',
  );
  await receiver.untilSpan(
    (span) => span.traceId === delivered.traceId && span.kind === KIND.server && span.parentSpanId === '',
    'the request, which has no parent',
  );
});

test('the trace of a caller behind no trusted proxy is a link, and its word on sampling does not count', async () => {
  const stranger = new Agent({ connect: { rejectUnauthorized: false }, localAddress: '127.0.0.2' });
  const traceId = hex(16);
  const spanId = hex(8);
  // Not through a balancer (two apis have one), which passes on another address.
  const response = await fetch(`https://127.0.0.1:${stack.api!.env['API_HTTPS_PORT']}/graphql`, {
    method: 'POST',
    dispatcher: stranger,
    headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-${spanId}-00` },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  expect(response.status).toBe(200);
  const span = await receiver.untilSpan(
    ({ links }) => links.some((link) => link.traceId === traceId),
    'the request, which has a link',
  );
  expect(span).toMatchObject({ name: 'POST /graphql', parentSpanId: '', links: [{ traceId, spanId }] });
  expect(spansOf(traceId)).toEqual([]);
  await stranger.close();
});

test("GraphQL and other services' clients are in the caller's trace too, and SMTP submission begins one", async () => {
  const traceId = hex(16);
  const sent = await post('/compat/resend/emails', 'compat@sink.test', {
    traceparent: `00-${traceId}-${hex(8)}-01`,
  });
  expect(sent.status).toBe(200);
  await receiver.untilSpan((span) => span.traceId === traceId && span.kind === KIND.consumer, 'its delivery');
  await receiver.untilSpan(
    (span) => span.traceId === traceId && span.name === 'POST /compat/resend/emails',
    'the request',
  );
  const queried = hex(16);
  await fetch(new URL('/graphql', stack.baseUrl), {
    method: 'POST',
    dispatcher: tls,
    headers: { 'content-type': 'application/json', traceparent: `00-${queried}-${hex(8)}-01` },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  await receiver.untilSpan((span) => span.traceId === queried && span.name === 'POST /graphql', 'GraphQL');

  const client = await connectSmtps(Number(stack.api!.env['SUBMISSIONS_PORT']));
  await client.say('EHLO client.test');
  await client.say(`AUTH PLAIN ${plain(key)}`);
  expect(await submit(client, mail(`shop@${account.domain}`), ['submitted@sink.test'])).toMatch(/^250/);
  client.close();
  await untilDelivered('submitted@sink.test');
  const { rows } = await stack.context.db.pool.query<{ content: Buffer }>(
    `select c.content from messages m join message_contents c on c.message_id = m.id
     where m.rcpt_to = 'submitted@sink.test'`,
  );
  const own = OutgoingMessage.decode(rows[0]!.content).trace!.traceparent.split('-')[1]!;
  const producer = await receiver.untilSpan(
    (span) => span.traceId === own && span.kind === KIND.producer,
    'the submission',
  );
  expect(producer.parentSpanId).toBe('');
});

test('a line of the log names the trace that it belongs to', async () => {
  const traceId = hex(16);
  const doomed = [...stack.senders];
  await Promise.all(doomed.map((sender) => sender.kill()));
  expect((await send('nobody@sink.test', { traceparent: `00-${traceId}-${hex(8)}-01` })).status).toBe(503);
  const line = stack.apis.flatMap((api) => api.output().split('\n')).find((one) => one.includes(traceId));
  expect(JSON.parse(line!)).toMatchObject({
    trace_id: traceId,
    span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  const ports = new Set(doomed.map(({ env }) => env['SENDER_GRPC_PORT']!)); // one that died before has its port from then on
  for (const port of ports) await stack.addSender({ SENDER_GRPC_PORT: port });
  await waitUntil(async () => (await send('again@sink.test')).status === 202, { what: 'the new sender' });
});

test('while nobody answers who takes the traces, mail goes on, and services stop in time', async () => {
  receiver.freeze();
  const before = receiver.requests();
  for (let n = 0; n < 20; n += 1) expect((await send(`frozen${n}@sink.test`)).status).toBe(202);
  for (let n = 0; n < 20; n += 1) await untilDelivered(`frozen${n}@sink.test`);
  await waitUntil(() => receiver.requests() > before, { what: 'a request that is not answered' });
  const startedAt = performance.now();
  await Promise.all([stack.api!.stop(), stack.senders.at(-1)!.stop()]);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});
