// The gRPC API: every method, refusals with ErrorInfo, the token, health and reflection, flow control, deadlines.

import { readFileSync } from 'node:fs';
import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { fromServiceError } from '../../core/clients/grpc-errors.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { openSender, type SenderClient } from '../../core/clients/sender.ts';
import {
  OutgoingMessage,
  OverrideTierRequest_Action as Action,
  SenderServiceClient,
  SendRequest,
  type SendStreamResponse,
} from '../../core/gen/sender/v1/sender.ts';
import { createAccept } from '../../sender/accept/accept.ts';
import { createGate } from '../../sender/accept/gate/gate.ts';
import { createMethods } from '../../sender/grpc/methods.ts';
import { startGrpcServer, type GrpcServer } from '../../sender/grpc/server.ts';
import { ensureTls } from '../../local/tls.ts';
import { createContext, type Context } from '../harness/context.ts';
import { describeService, HealthClient, listServices } from '../harness/grpc-tools.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { tempFolder } from '../harness/temp-folder.ts';
import { waitUntil } from '../harness/wait.ts';

let context: Context;
const nats = { publish: () => false }; // no live view looks on
let redis: RedisConnection;
let server: GrpcServer;
let makeMethods: Parameters<typeof startGrpcServer>[1];
let sender: SenderClient;
let raw: SenderServiceClient;
let account: Account;
const token = new Metadata();

beforeAll(async () => {
  context = await createContext();
  const { config, log, db } = context;
  redis = await openRedis(config, log);
  const gate = createGate(redis, config.KEY_PREFIX, log);
  const worker = newUuid();
  const shared = { pool: db.pool, gate, fail: () => {}, maxAgeMs: 3_600_000, wake: () => {} };
  const accept = createAccept({
    ...shared,
    log,
    workerId: () => worker,
    capacity: () => 0,
    deliver: () => {},
  });
  const bucket = { db, accept, release: shared };
  makeMethods = (stopping) =>
    createMethods({
      nats,
      ofTenant: () => Promise.resolve(bucket),
      list: () => Promise.resolve(['any']),
      releaseIn: () => Promise.resolve(shared),
      routes: ['direct', 'relay'],
      log,
      stopping,
    });
  server = await startGrpcServer(config, makeMethods);
  const address = `127.0.0.1:${server.port}`;
  sender = openSender({ ...config, SENDER_ADDRESSES: [address] }, log);
  raw = new SenderServiceClient(address, credentials.createInsecure());
  token.set('authorization', `Bearer ${config.INTERNAL_TOKEN}`);
  account = await makeAccount(db, { tier: 10 });
});

afterAll(async () => {
  sender.close();
  raw.close();
  await server.stop();
  await redis.close();
  await context.close();
});

const tenantId = () => toId('tnt', account.tenantId);
const message = (more = {}) =>
  OutgoingMessage.fromPartial({
    from: `Shop <a@${account.domain}>`,
    to: ['ann@example.com'],
    subject: 'Hi',
    text: 'Hi',
    ...more,
  });
const unary = (request: SendRequest, metadata = token, options = {}) =>
  new Promise<{ error: ServiceError | null; id?: string }>((resolve) => {
    raw.send(request, metadata, options, (error, answer) =>
      resolve({ error, ...(answer && { id: answer.id }) }),
    );
  });

// Any other method, with errors as our own client reads them.
type Method<Q, A> = (
  client: SenderServiceClient,
) => (
  request: Q,
  metadata: Metadata,
  options: object,
  callback: (error: ServiceError | null, answer: A) => void,
) => unknown;
const ask = <Q, A>(method: Method<Q, A>, request: Q) =>
  new Promise<A>((resolve, reject) => {
    method(raw).call(raw, request, token, {}, (error, answer) =>
      error ? reject(fromServiceError(error)) : resolve(answer),
    );
  });

test('Send answers after the commit, and GetMessage shows the message', async () => {
  const request = SendRequest.fromPartial({ tenantId: tenantId(), clientRef: 'c1', message: message() });
  const { id, error } = await unary(request);
  expect(error).toBeNull();
  const found = await ask((client) => client.getMessage, { tenantId: tenantId(), id: id! });
  expect(found).toMatchObject({ status: 'queued', to: 'ann@example.com', domain: account.domain });
});

test('refusals are statuses with ErrorInfo', async () => {
  const bad = await unary(
    SendRequest.fromPartial({ tenantId: tenantId(), message: message({ to: ['not an address'] }) }),
  );
  expect(bad.error?.code).toBe(status.INVALID_ARGUMENT);
  expect(fromServiceError(bad.error)).toMatchObject({
    code: 'validation_failed',
    details: [{ path: 'to', message: expect.any(String) }],
  });
  const foreign = await unary(
    SendRequest.fromPartial({ tenantId: tenantId(), message: message({ from: 'a@b.test' }) }),
  );
  expect(fromServiceError(foreign.error)).toMatchObject({ code: 'domain_not_verified' });
  expect(foreign.error?.code).toBe(status.FAILED_PRECONDITION);
  const stranger = await makeAccount(context.db);
  await expect(
    ask((client) => client.getMessage, {
      tenantId: toId('tnt', stranger.tenantId),
      id: toId('msg', newUuid()),
    }),
  ).rejects.toMatchObject({ code: 'not_found' });
});

test('without the token, or with another, nothing works', async () => {
  const wrong = new Metadata();
  wrong.set('authorization', 'Bearer nonsense');
  for (const metadata of [new Metadata(), wrong]) {
    const { error } = await unary(
      SendRequest.fromPartial({ tenantId: tenantId(), message: message() }),
      metadata,
    );
    expect(error?.code).toBe(status.UNAUTHENTICATED);
  }
});

test('a batch answers item by item, in order, and replays as a whole', async () => {
  const messages = [
    message(),
    message({ to: ['broken@'] }),
    message({ from: 'a@other.test' }),
    message({ cc: ['ben@example.com'] }),
  ];
  const request = {
    tenantId: tenantId(),
    messages: messages.map((one) => ({ messageId: '', message: one })),
    idempotency: { key: 'batch-1', bodyHash: Buffer.alloc(0) },
    allOrNone: false,
  };
  const first = await sender.sendBatch(request);
  expect(first.items.map((item) => item.outcome?.$case)).toEqual(['sent', 'failure', 'failure', 'sent']);
  const again = await sender.sendBatch(request);
  expect(again.replayed).toBe(true);
  const ids = (answer: typeof first) =>
    answer.items.map(({ outcome }) =>
      outcome?.$case === 'sent' ? [outcome.value.id, ...outcome.value.recipients.map(({ id }) => id)] : null,
    );
  expect(ids(first).map((one) => one?.length)).toEqual([1, undefined, undefined, 3]);
  expect(ids(again)).toEqual(ids(first));
  await expect(sender.sendBatch({ ...request, messages: [] })).rejects.toMatchObject({
    code: 'validation_failed',
  });
});

test('a batch that is accepted together or not at all is refused with its first refusal, and nothing is stored', async () => {
  const stored = async () =>
    (await context.db.pool.query('select count(*)::int as n from messages')).rows[0].n as number;
  const before = await stored();
  const send = (...messages: OutgoingMessage[]) =>
    sender.sendBatch({
      tenantId: tenantId(),
      messages: messages.map((one) => ({ messageId: '', message: one })),
      idempotency: undefined,
      allOrNone: true,
    });
  for (const [bad, code] of [
    [message({ to: ['broken@'] }), 'validation_failed'],
    [message({ from: 'a@other.test' }), 'domain_not_verified'],
    [message({ esp: 'nowhere' }), 'validation_failed'],
  ] as const) {
    const { items, refused } = await send(message(), bad, message());
    expect([items, refused?.code]).toEqual([[], code]);
  }
  expect(await stored()).toBe(before);
  const { items, refused } = await send(message(), message({ to: ['a@example.com', 'b@example.com'] }));
  expect([items.map(({ outcome }) => outcome?.$case), refused]).toEqual([['sent', 'sent'], undefined]);
  expect(await stored()).toBe(before + 3);
});

test('several recipients are answered one by one, by all three methods, and again when the id is given again', async () => {
  const group = { to: ['ann@example.com', 'Ben <ben@example.com>'], bcc: ['cy@example.com'] };
  const emails = ['ann@example.com', 'ben@example.com', 'cy@example.com'];
  const messageId = toId('msg', newUuid());
  const request = { tenantId: tenantId(), messageId, message: message(group) };
  const first = await streamed(SendRequest.fromPartial(request));
  if (first?.$case !== 'sent') throw new Error('refused');
  expect(first.value.recipients.map(({ email }) => email)).toEqual(emails);
  expect(first.value).toMatchObject({ id: messageId, status: first.value.recipients[0]!.status });
  expect(first.value.recipients[0]!.id).toBe(messageId);
  // As after a crash that lost the answer: nothing is stored or counted twice.
  const used = () =>
    context.db.pool.query('select used from tenant_usage where tenant_id = $1', [account.tenantId]);
  const before = (await used()).rows;
  const again = await sender.sendBatch({
    ...request,
    messages: [{ messageId, message: request.message }],
    idempotency: undefined,
    allOrNone: false,
  });
  const [item] = again.items;
  expect(item?.outcome?.$case === 'sent' && item.outcome.value.recipients).toEqual(first.value.recipients);
  expect((await used()).rows).toEqual(before);

  const found = await ask((client) => client.getMessage, {
    tenantId: tenantId(),
    id: first.value.recipients[2]!.id,
  });
  expect(found).toMatchObject({
    to: 'cy@example.com',
    headerTo: emails.slice(0, 2),
    cc: [],
    bcc: emails.slice(2),
  });
  expect(found.recipients.map(({ id }) => id)).toEqual(first.value.recipients.map(({ id }) => id));

  for (const other of [{ to: [...group.to, 'dee@example.com'] }, { ...group, to: ['ann@example.com'] }]) {
    const refused = await unary(SendRequest.fromPartial({ ...request, message: message(other) }));
    expect(fromServiceError(refused.error)).toMatchObject({ code: 'conflict' });
  }
});

test('a route that does not exist is refused, item by item in a batch', async () => {
  const [good, bad] = ['relay', 'nowhere'].map((esp) => message({ esp }));
  const details = [{ path: 'esp', message: 'must be one of direct, relay, not nowhere' }];
  const { error } = await unary(SendRequest.fromPartial({ tenantId: tenantId(), message: bad! }));
  expect(fromServiceError(error)).toMatchObject({ code: 'validation_failed', details });
  const messages = [good!, bad!].map((one) => ({ messageId: '', message: one }));
  const { items } = await sender.sendBatch({
    tenantId: tenantId(),
    messages,
    idempotency: undefined,
    allOrNone: false,
  });
  expect(items.map(({ outcome }) => outcome?.$case)).toEqual(['sent', 'failure']);
  expect(items[1]!.outcome!.value).toMatchObject({ code: 'validation_failed', details });
});

test('a batch has at most 5000 recipients', async () => {
  const to = Array.from({ length: 50 }, (_, n) => `r${n}@example.com`);
  const messages = Array.from({ length: 101 }, () => ({ messageId: '', message: message({ to }) }));
  const batch = { tenantId: tenantId(), messages, idempotency: undefined, allOrNone: false };
  await expect(sender.sendBatch(batch)).rejects.toMatchObject({ code: 'validation_failed' });
  const all = await sender.sendBatch({ ...batch, messages: messages.slice(1) });
  const sent = all.items.flatMap(({ outcome }) =>
    outcome?.$case === 'sent' ? outcome.value.recipients : [],
  );
  expect(new Set(sent.map(({ id }) => id)).size).toBe(5000);
});

async function streamed(request: SendRequest): Promise<SendStreamResponse['outcome']> {
  const call = raw.sendStream(token);
  const answer = new Promise<SendStreamResponse>((resolve) => call.on('data', resolve));
  call.write(request);
  call.end();
  return (await answer).outcome;
}

test('a stream answers every request under its client_ref, however fast it is written', async () => {
  const call = raw.sendStream(token);
  const answers: SendStreamResponse[] = [];
  call.on('data', (answer: SendStreamResponse) => answers.push(answer));
  const ended = new Promise((resolve) => call.on('end', resolve));
  const count = 3_000;
  for (let i = 0; i < count; i++) {
    call.write(SendRequest.fromPartial({ tenantId: tenantId(), clientRef: `r${i}`, message: message() }));
  }
  call.end();
  await ended;
  expect(new Set(answers.map((one) => one.clientRef)).size).toBe(count);
  expect(answers.every((one) => one.outcome?.$case === 'sent')).toBe(true);
});

test('a call that is past its deadline, or cancelled, stores the message whole or not at all', async () => {
  const ids = Array.from({ length: 30 }, () => toId('msg', newUuid()));
  const results = await Promise.all(
    ids.map((messageId, i) =>
      unary(SendRequest.fromPartial({ tenantId: tenantId(), messageId, message: message() }), token, {
        deadline: Date.now() + i,
      }),
    ),
  );
  for (const [i, result] of results.entries()) {
    if (result.error) expect([status.DEADLINE_EXCEEDED, status.CANCELLED]).toContain(result.error.code);
    else expect(result.id).toBe(ids[i]);
  }
  const again = await Promise.all(
    ids.map((messageId) =>
      unary(SendRequest.fromPartial({ tenantId: tenantId(), messageId, message: message() })),
    ),
  );
  expect(again.map((one) => one.id)).toEqual(ids);
});

test('the tier is moved by hand, with history, and a pause is lifted', async () => {
  const own = await makeAccount(context.db);
  const ref = { tenantId: toId('tnt', own.tenantId), domain: own.domain, actor: 'root', reason: 'test' };
  await sender.send(
    SendRequest.fromPartial({
      tenantId: ref.tenantId,
      messageId: toId('msg', newUuid()),
      message: message({ from: `a@${own.domain}` }),
    }),
  );
  const advanced = await ask((client) => client.overrideTier, {
    ...ref,
    change: { $case: 'action', value: Action.ACTION_ADVANCE },
  });
  expect(advanced).toMatchObject({ tier: 1, cap: 100, used: 1 });
  expect(
    await ask((client) => client.overrideTier, { ...ref, change: { $case: 'tier', value: 4 } }),
  ).toMatchObject({
    cap: 1000,
  });
  await expect(
    ask((client) => client.overrideTier, { ...ref, change: { $case: 'tier', value: 11 } }),
  ).rejects.toMatchObject({
    code: 'validation_failed',
  });
  await context.db.pool.query("update domains set warmup_state = 'paused' where id = $1", [own.domainId]);
  expect(await ask((client) => client.resumeDomain, ref)).toMatchObject({ state: 'active', tier: 4 });
  await expect(ask((client) => client.resumeDomain, ref)).rejects.toMatchObject({ code: 'conflict' });
  const { rows } = await context.db.pool.query(
    'select actor, action, from_tier, to_tier from warmup_history where domain_id = $1 order by id',
    [own.domainId],
  );
  expect(rows).toEqual([
    { actor: 'root', action: 'advance', from_tier: 0, to_tier: 1 },
    { actor: 'root', action: 'set', from_tier: 1, to_tier: 4 },
    { actor: 'root', action: 'resume', from_tier: 4, to_tier: 4 },
  ]);
  expect(
    await ask((client) => client.getWarmup, { tenantId: ref.tenantId, domain: toId('dom', own.domainId) }),
  ).toMatchObject({
    domain: own.domain,
  });
});

test('scheduled mail waits without an admission, and is released at its time by the clock of the run', async () => {
  const own = await makeAccount(context.db);
  const at = new Date(Date.now() + 3_600_000);
  const { outcome } = await sender.send(
    SendRequest.fromPartial({
      tenantId: toId('tnt', own.tenantId),
      messageId: toId('msg', newUuid()),
      message: message({ from: `a@${own.domain}`, scheduledAt: at }),
    }),
  );
  expect(outcome).toMatchObject({ value: { status: 'deferred', reason: 'scheduled', warmup: { used: 0 } } });
  const early = await sender.releaseDeferred({
    now: new Date(at.getTime() - 1),
    tenantId: toId('tnt', own.tenantId),
  });
  expect(early).toMatchObject({ released: 0n, done: true });
  const due = await sender.releaseDeferred({ now: at, tenantId: toId('tnt', own.tenantId) });
  expect(due).toMatchObject({ released: 1n, done: true });
});

test('with a CA, both sides must show a certificate', async () => {
  const { caFile, certFile, keyFile } = await ensureTls(await tempFolder());
  const tls = { GRPC_CERT_FILE: certFile, GRPC_KEY_FILE: keyFile, GRPC_CA_FILE: caFile };
  const config = { ...context.config, ...tls };
  const secured = await startGrpcServer(config, makeMethods);
  const address = `localhost:${secured.port}`;
  const wanted = { tenantId: tenantId(), domain: account.domain };
  const trusted = openSender({ ...config, SENDER_ADDRESSES: [address] }, context.log);
  await waitUntil(() => trusted.ready());
  trusted.close();
  const anonymous = new SenderServiceClient(address, credentials.createSsl(readFileSync(caFile)));
  const refused = await new Promise<ServiceError | null>((resolve) => {
    anonymous.getWarmup(wanted, token, { deadline: Date.now() + 2_000 }, (error) => resolve(error));
  });
  expect([status.UNAVAILABLE, status.DEADLINE_EXCEEDED]).toContain(refused?.code);
  anonymous.close();
  await secured.stop();
});

test('a sender that has a name and is not there, as one that may be scaled up to, is passed over', async () => {
  const addresses = [
    'sender-3.sender.invalid:50051',
    `127.0.0.1:${server.port}`,
    'sender-4.sender.invalid:50051',
  ];
  const some = openSender({ ...context.config, SENDER_ADDRESSES: addresses }, context.log);
  expect(await some.ready()).toBe(true);
  for (let i = 0; i < 5; i++) {
    const { outcome } = await some.send(
      SendRequest.fromPartial({
        tenantId: tenantId(),
        messageId: toId('msg', newUuid()),
        message: message(),
      }),
    );
    expect(outcome).toMatchObject({ value: { status: expect.stringMatching(/sent|queued|deferred/) } });
  }
  some.close();
});

test('health needs no token, reflection does and can be turned off', async () => {
  const health = new HealthClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
  const answer = await new Promise<{ status: string }>((resolve, reject) => {
    health.check({ service: 'sender.v1.SenderService' }, (error, value) =>
      error ? reject(error) : resolve(value),
    );
  });
  expect(answer.status).toBe('SERVING');
  health.close();
  const address = `127.0.0.1:${server.port}`;
  const services = ['grpc.health.v1.Health', 'sender.v1.SenderService'];
  expect((await listServices(address, token)).toSorted()).toEqual(services);
  await expect(listServices(address, new Metadata())).rejects.toMatchObject({ code: status.UNAUTHENTICATED });

  const silent = await startGrpcServer({ ...context.config, GRPC_REFLECTION: false }, makeMethods);
  const refused = listServices(`127.0.0.1:${silent.port}`, token);
  await expect(refused).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  await silent.stop();
});

test('reflection has every type of every service, so that clients need no .proto files', async () => {
  const address = `127.0.0.1:${server.port}`;
  const own = await describeService(address, token, 'sender.v1.SenderService');
  expect(own.method['send']!.input.field['message']!.message!.field['variables']!.message).toMatchObject({
    typeName: 'google.protobuf.Struct',
  });
  const health = await describeService(address, token, 'grpc.health.v1.Health');
  expect(Object.keys(health.method)).toContain('check');
});

test('bytes that are no message are the caller’s mistake, in calls and in streams', async () => {
  const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
  const garbage = Buffer.from('ff ff ff ff ff ff'.replaceAll(' ', ''), 'hex');
  const asIs = (bytes: Buffer) => bytes;
  const called = new Promise<ServiceError | null>((resolve) => {
    client.makeUnaryRequest('/sender.v1.SenderService/Send', asIs, asIs, garbage, token, {}, resolve);
  });
  const streamed = new Promise<ServiceError>((resolve) => {
    const stream = client.makeBidiStreamRequest('/sender.v1.SenderService/SendStream', asIs, asIs, token, {});
    stream.on('error', (error) => resolve(error as ServiceError));
    stream.resume();
    stream.write(garbage);
  });
  for (const error of await Promise.all([called, streamed])) {
    expect(error?.code).toBe(status.INVALID_ARGUMENT);
    expect(fromServiceError(error).code).toBe('validation_failed');
  }
  client.close();
});

test('the client sees a server come back', async () => {
  await waitUntil(() => sender.ready());
  expect(await sender.ready()).toBe(true);
});
