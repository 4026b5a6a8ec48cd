// PostgreSQL that answers and cannot write, read-only as after a failover or with a full disk, and PostgreSQL that answers
// nobody. Every way in stores or says 503 with Retry-After (451 over SMTP), readiness says 503, and senders send nothing that
// they could not record: nothing is lost, and only what was in DATA at the time goes out twice, when its sender dies.

import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { Agent, fetch } from 'undici';

import { newUuid, toId } from '../../core/base/ids.ts';
import { openSender } from '../../core/clients/sender.ts';
import { OutgoingMessage, SendRequest } from '../../core/gen/sender/v1/sender.ts';
import { createKey } from '../../core/key/keys.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import type { Account } from '../harness/factories.ts';
import { sendMail } from '../harness/inbound-world.ts';
import { fillDisk, makeReadOnly } from '../harness/refuse-writes.ts';
import { startService, type Service } from '../harness/service.ts';
import { createStack, type Stack, type StackOptions } from '../harness/stack.ts';
import { mail, signedIn, submit } from '../harness/submission.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { waitUntil } from '../harness/wait.ts';

const LEASE_MS = 2_000;
const TROUBLE_MS = 5_000; // longer than the lease
const MESSAGES = 120;
const SLACK_MS = 300; // from a verdict to its record, and from an answer of PostgreSQL to DATA, on a busy machine

/** One DATA at the mail server: from its "go ahead" to its verdict. */
interface Data {
  to: string;
  from: number;
  until: number;
}

let stack: Stack;
let account: Account;
let postgres: TcpProxy;
let datas: Data[];
let delayMs: { rcpt: number; dot: number };

beforeEach(async () => {
  const { hostname, port } = new URL(inject('databaseUrl'));
  postgres = await startTcpProxy(hostname, Number(port));
  datas = [];
  delayMs = { rcpt: 0, dot: 200 };
});

/** Starts senders that reach PostgreSQL through the proxy, and a mail server that takes its time. */
async function start(options: StackOptions): Promise<void> {
  stack = await createStack({
    databasePort: postgres.port,
    env: { WORKER_LEASE_MS: String(LEASE_MS), TEST_RETRY_SCALE: '0.02' },
    sink: {
      rcpt: () => ({ reply: '250 2.1.5 ok', afterMs: delayMs.rcpt }),
      dot: ({ rcptTo }) => {
        const from = performance.now();
        datas.push({ to: rcptTo, from, until: from + delayMs.dot });
        return { reply: '250 2.0.0 taken', afterMs: delayMs.dot };
      },
    },
    ...options,
  });
  account = await stack.makeAccount({ tier: 5 });
}

afterEach(async () => {
  await stack.close();
  await postgres.close();
});

/** Messages to recipients of their own, over gRPC. */
async function accept(count: number): Promise<void> {
  const config = { ...stack.context.config, SENDER_ADDRESSES: stack.senderAddresses() };
  const client = openSender(config, stack.context.log);
  const requests = Array.from({ length: count }, (_, n) => ({
    tenantId: toId('tnt', account.tenantId),
    messageId: toId('msg', newUuid()),
    message: OutgoingMessage.fromPartial({
      from: `a@${account.domain}`,
      to: [`r${n}@sink.test`],
      subject: 's',
      text: 'x',
    }),
  }));
  // Refused for now on a busy machine, it is asked again under the same id.
  const isSent = async (request: (typeof requests)[number]) =>
    (await client.send(SendRequest.fromPartial(request))).outcome?.$case === 'sent';
  await Promise.all(requests.map((one) => waitUntil(() => isSent(one))));
  client.close();
}

const allDelivered = (count: number) =>
  waitUntil(async () => (await stack.countByState(account))['delivered'] === count, {
    limitMs: 60_000,
    what: () => `all to be delivered; ${datas.length} were sent`,
  });
const repeated = () => {
  const seen = new Set<string>();
  return datas.map(({ to }) => to).filter((to) => seen.has(to) || !seen.add(to));
};
// What all of them say, also to a balancer.
const readiness = async (services: Service[]) => {
  const asked = services.flatMap(({ metricsUrl }) =>
    ['', '?for=traffic'].map((of) => `${metricsUrl}/readyz${of}`),
  );
  const statuses = await Promise.all(asked.map(async (url) => (await fetch(url)).status));
  return [...new Set(statuses)];
};

test.each([
  ['read-only', makeReadOnly],
  ['disk full', fillDisk],
] as const)('%s: senders stop, keep what they know, and record it afterwards', async (_how, refuse) => {
  await start({ senders: 2 });
  await accept(MESSAGES);
  await waitUntil(() => datas.length > 20);
  const allow = await refuse(stack.context);
  const since = performance.now();
  await waitUntil(() => performance.now() - since > TROUBLE_MS);
  const late = datas.filter(({ from }) => from > since + 1_000);
  expect(late).toEqual([]);
  expect(datas.length).toBeLessThan(MESSAGES);
  await allow();
  await allDelivered(MESSAGES);
  expect(repeated()).toEqual([]);
});

test('killed while PostgreSQL answers nobody: only what was in DATA then goes out twice', async () => {
  delayMs = { rcpt: 1_000, dot: 1_000 };
  await start({ senders: 1 });
  await accept(MESSAGES);
  // Connections go in step: now they wait for the answer to RCPT TO, and nothing is in DATA.
  await waitUntil(() => datas.length > 12 && performance.now() > datas.at(-1)!.until + 2 * SLACK_MS);
  const since = performance.now();
  postgres.freeze();
  await waitUntil(() => performance.now() - since > 4_000);
  await stack.senders[0]!.kill();
  postgres.thaw();
  delayMs = { rcpt: 0, dot: 0 };
  const sentBefore = new Set(datas.map(({ to }) => to));
  const inData = datas.filter(({ from, until }) => from < since + SLACK_MS && until > since - SLACK_MS);
  await stack.addSender();
  await allDelivered(MESSAGES);
  expect(sentBefore.size).toBeLessThan(MESSAGES);
  const others = repeated().filter((to) => !inData.some((one) => one.to === to));
  expect(others).toEqual([]);
});

test('read-only: every way in refuses for now, readiness says no, and all of it works again afterwards', async () => {
  await start({ senders: 1, api: true });
  const inbound = await startService('inbound', { ...stack.context.env, LOG_LEVEL: 'warn' });
  const services = [stack.api!, stack.senders[0]!, inbound];
  const doors = await openDoors(inbound);
  const ask = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(doors).map(async ([name, door]) => [name, await door()] as const)),
    );
  const all = (answer: string) => Object.fromEntries(Object.keys(doors).map((name) => [name, answer]));

  const allow = await makeReadOnly(stack.context);
  await waitUntil(async () => String(await readiness(services)) === '503');
  for (let round = 0; round < 3; round += 1) expect(await ask()).toEqual(all('later'));
  await allow();
  await waitUntil(async () => String(await readiness(services)) === '200');
  await waitUntil(async () => Object.values(await ask()).every((answer) => answer === 'stored'));
  await inbound.stop();
});

type Door = () => Promise<string>;

/** Every way in: `stored`, `later` for the refusal that asks to come again, or what was said instead. */
async function openDoors(inbound: Service): Promise<Record<string, Door>> {
  const { context, api } = stack;
  const { tenantId, domain } = account;
  const { value: key } = await createKey(context, TESTER, { tenantId, name: 'all', scopes: [...SCOPES] });
  const email = `p${newUuid()}@example.com`;
  const { password } = await createUser(context, TESTER, { tenantId, email, role: 'owner' });
  const sending = openSender({ ...context.config, SENDER_ADDRESSES: stack.senderAddresses() }, context.log);
  const root = stack.baseUrl.replace('/api/v1', '');
  const tls = new Agent({ connect: { rejectUnauthorized: false } });
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${root}${path}`, {
      method: 'POST',
      dispatcher: tls,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    const isLater = answer.status === 503 && Number(answer.headers.get('retry-after')) > 0;
    if (isLater || text.includes('"code":"unavailable"')) return 'later';
    return answer.ok && !text.includes('"errors"') ? 'stored' : `${answer.status} ${text}`;
  };
  const smtp = (reply: string) =>
    reply.startsWith('451') ? 'later' : reply.startsWith('250') ? 'stored' : reply;
  const message = () => ({ from: `a@${domain}`, to: 'ann@sink.test', subject: 's', text: 'x' });
  const withKey = () => ({ 'idempotency-key': newUuid() });
  const submission = {
    port: Number(api!.env['SUBMISSION_PORT']),
    tlsPort: Number(api!.env['SUBMISSIONS_PORT']),
    stop: () => Promise.resolve(),
  };
  const open = await signedIn(submission, key);
  return {
    'a send': () => post('/api/v1/transactional/send', message()),
    'a send with a key': () => post('/api/v1/transactional/send', message(), withKey()),
    'a batch': () => post('/api/v1/transactional/batch', { messages: [message(), message()] }, withKey()),
    'a create': () => post('/api/v1/contacts', { email: `${newUuid()}@example.com` }),
    'a create with a key': () =>
      post('/api/v1/templates', { name: newUuid(), subject: 's', text: 'x' }, withKey()),
    GraphQL: () =>
      post('/graphql', {
        query: 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }',
        variables: { input: { email, password } },
      }),
    'another service’s client': () => post('/compat/resend/emails', message()),
    gRPC: async () => {
      const { outcome } = await sending.send(
        SendRequest.fromPartial({
          tenantId: toId('tnt', tenantId),
          messageId: toId('msg', newUuid()),
          message: OutgoingMessage.fromPartial({ ...message(), to: ['ann@sink.test'] }),
        }),
      );
      if (outcome?.$case === 'sent') return 'stored';
      return outcome!.value.code === 'unavailable' ? 'later' : outcome!.value.code;
    },
    submission: async () => smtp(await submit(open, mail(`Shop <orders@${domain}>`))),
    inbound: async () =>
      smtp(
        await sendMail(Number(inbound.env['INBOUND_SMTP_PORT']), {
          to: `bob@${domain}`,
          data: 'From: a@b.test\r\nSubject: s\r\n\r\nx\r\n',
        }),
      ),
  };
}
