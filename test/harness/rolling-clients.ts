// Clients of services that are restarted under them. They do what the protocols ask and nothing more: choose a process that
// says it takes traffic, repeat a refused connection, come again after 421, resume a stream that ended. Whatever else
// goes wrong is written down as a failure.

import { Metadata } from '@grpc/grpc-js';
import { Agent, request } from 'node:https';

import { sleep } from '../../core/base/clock.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { channelCredentials, tokenMetadata } from '../../core/clients/grpc-credentials.ts';
import {
  OutgoingMessage,
  SenderServiceClient,
  type SendStreamResponse,
} from '../../core/gen/sender/v1/sender.ts';
import type { Context } from './context.ts';
import { openEventStream } from './event-stream.ts';
import type { Account } from './factories.ts';
import type { Service } from './service.ts';
import { connectSmtp, connectSmtps, type SmtpClient } from './smtp-client.ts';
import { plain } from './submission.ts';
import { subscribe } from './sse.ts';
import { waitUntil } from './wait.ts';

/** What all clients share. */
export interface ClientWorld {
  context: Context;
  /** Goes off when they should come to an end. */
  over: AbortSignal;
  /** What went wrong; empty when all is well. */
  failures: string[];
  /** ms of each answer over REST. */
  waits: number[];
}

/** Chooses among processes as a balancer does: the next one that says it takes traffic. */
export interface Balancer {
  next(): Service;
  /** How much is known of one, for the text of a failure. */
  told(service: Service): string;
}

const PROBE_MS = 100;
const PROBE_LIMIT_MS = 5_000; // an api asks its senders for 2 s at most

/** Whether it says so; otherwise `tell` gets what it says. */
export async function takesTraffic({ metricsUrl }: Service, tell?: (text: string) => void): Promise<boolean> {
  const signal = AbortSignal.timeout(PROBE_LIMIT_MS);
  const answer = await fetch(`${metricsUrl}/readyz?for=traffic`, { signal }).catch((error: Error) => error);
  if ('ok' in answer && answer.ok) return true;
  tell?.(
    'ok' in answer
      ? `${answer.status} ${await answer.text()}`
      : `${answer.message} (${String((answer.cause as Error | undefined)?.message)})`,
  );
  return false;
}

/** Asks each process of the list, which may change, ten times a second. */
export function balance(services: Service[], over: AbortSignal): Balancer {
  const ready = new Set(services);
  const answeredAt = new Map<Service, number>();
  let turn = 0;
  const probe = async () => {
    for (const one of services) {
      if (await takesTraffic(one)) ready.add(one);
      else ready.delete(one);
      answeredAt.set(one, performance.now());
    }
  };
  void (async () => {
    for (; !over.aborted; await sleep(PROBE_MS)) await probe();
  })();
  return {
    next: () => {
      const usable = services.filter((one) => ready.has(one));
      const from = usable.length > 0 ? usable : services;
      return from[(turn += 1) % from.length]!;
    },
    told: (one) => {
      const said = ready.has(one) ? 'takes traffic' : `takes none, as ${ready.size} others do`;
      return `${one.pid} said ${Math.round(performance.now() - (answeredAt.get(one) ?? 0))} ms ago that it ${said}`;
    },
  };
}

/** Sends over REST, `perSecond` requests whatever the answers, on kept connections. Resolves with the accepted ids. */
export async function keepSending(
  { over, failures, waits }: ClientWorld,
  apis: Balancer,
  keys: { key: string; domain: string }[],
  perSecond: number,
): Promise<Set<string>> {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const accepted = new Set<string>();
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let n = 0; !over.aborted; n++) {
    await sleep(Math.max(0, startedAt + (n * 1_000) / perSecond - performance.now()));
    const { key, domain } = keys[n % keys.length]!;
    const to = `${domain}-rest-${n}@sink.test`; // tells whose it was
    const body = JSON.stringify({ from: `a@${domain}`, to, subject: 'Restart', text: 'x' });
    const askedAt = performance.now();
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': `192.0.2.${n % keys.length}` };
    const one = post(agent, apis, '/api/v1/transactional/send', headers, body)
      .then((answer) => {
        waits.push(performance.now() - askedAt);
        if (answer.status === 202) accepted.add(to);
        else failures.push(`REST ${n}: ${answer.status} ${answer.text}`);
      })
      .catch((error: Error) => void failures.push(`REST ${n}: ${error.message}`))
      .finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
  agent.destroy();
  return accepted;
}

/** The access token of a person who signs in. */
export async function signIn(
  apis: Balancer,
  credentials: { email: string; password: string },
): Promise<string> {
  const query = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
  const body = JSON.stringify({ query, variables: { input: credentials } });
  const { text } = await post(new Agent({ rejectUnauthorized: false }), apis, '/graphql', {}, body);
  return JSON.parse(text).data.login.accessToken as string;
}

type Headers = Record<string, string>;

async function post(agent: Agent, apis: Balancer, path: string, own: Headers, body: string): Promise<Answer> {
  for (;;) {
    const api = apis.next();
    try {
      return await postTo(Number(api.env['API_HTTPS_PORT']), agent, path, own, body);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ECONNREFUSED') throw new Error(`${message} (${apis.told(api)})`, { cause: error });
      await sleep(PROBE_MS);
    }
  }
}

interface Answer {
  status: number;
  text: string;
}

function postTo(port: number, agent: Agent, path: string, own: Headers, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...own };
    const options = { host: '127.0.0.1', port, method: 'POST', path, headers, agent };
    const outgoing = request(options, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/**
 * Submits over SendStream, 20 a second. When a sender ends the stream, what it did not answer goes to another one as new
 * messages. Resolves with the recipients of the answered ones.
 */
export async function keepStreaming(
  { context, over, failures }: ClientWorld,
  senders: Balancer,
  account: Account,
): Promise<Set<string>> {
  const accepted = new Set<string>();
  const unanswered = new Map<string, string>();
  let n = 0;
  while (!over.aborted) {
    const client = new SenderServiceClient(
      `127.0.0.1:${senders.next().env['SENDER_GRPC_PORT']}`,
      channelCredentials(context.config),
    );
    const stream = client.sendStream(tokenMetadata(context.config) ?? new Metadata());
    let open = true;
    let refused = false;
    stream.on('data', ({ clientRef, outcome }: SendStreamResponse) => {
      const to = unanswered.get(clientRef)!;
      if (outcome?.$case === 'sent') accepted.add(to);
      else failures.push(`SendStream ${to}: ${JSON.stringify(outcome)}`);
      unanswered.delete(clientRef);
    });
    stream.on('error', (error) => {
      refused = error.message.includes('ECONNREFUSED');
      if (!refused) failures.push(`SendStream: ${error.message}`);
      open = false;
    });
    stream.on('end', () => (open = false));
    const write = (to: string) => {
      const clientRef = String((n += 1));
      unanswered.set(clientRef, to);
      const message = OutgoingMessage.fromPartial({
        from: `a@${account.domain}`,
        to: [to],
        subject: 'Restart',
        text: 'x',
      });
      stream.write({
        clientRef,
        tenantId: toId('tnt', account.tenantId),
        messageId: toId('msg', newUuid()),
        message,
        idempotency: undefined,
      });
    };
    const again = [...unanswered.values()];
    unanswered.clear();
    for (const to of again) write(to);
    while (open && !over.aborted) {
      write(`${account.domain}-stream-${n}@sink.test`);
      await sleep(50);
    }
    if (open) stream.end();
    await waitUntil(() => !open, { what: () => `the end of a stream with ${unanswered.size} unanswered` });
    client.close();
  }
  for (const to of unanswered.values()) failures.push(`SendStream ${to}: no answer`);
  return accepted;
}

/** How a client mails: to whom it connects, what it says first, and its messages. */
export interface MailWay {
  connect(): Promise<SmtpClient>;
  /** Commands with the replies that are expected. */
  hello: [command: string, wanted: string][];
  from: string;
  to(n: number): string;
}

/** Mail from another server to `to`. */
export function intoInbound(inbounds: Balancer, to: string): MailWay {
  return {
    connect: () => connectSmtp(Number(inbounds.next().env['INBOUND_SMTP_PORT'])),
    hello: [['EHLO peer.test', '250']],
    from: 'a@peer.test',
    to: () => to,
  };
}

/** Mail that a customer submits with a key. */
export function throughSubmission(apis: Balancer, { key, domain }: { key: string; domain: string }): MailWay {
  return {
    connect: () => connectSmtps(Number(apis.next().env['SUBMISSIONS_PORT'])),
    hello: [
      ['EHLO client.test', '250'],
      [`AUTH PLAIN ${plain(key)}`, '235'],
    ],
    from: `a@${domain}`,
    to: (n) => `${domain}-smtp-${n}@sink.test`,
  };
}

/** Mails over SMTP, a few messages in each session. Resolves with the recipient of each message that got 250. */
export async function keepMailing({ over, failures }: ClientWorld, way: MailWay): Promise<string[]> {
  const taken: string[] = [];
  let tries = 0;
  while (!over.aborted) {
    const client = await way.connect();
    const refused = client.socket.errored?.message.includes('ECONNREFUSED') ?? false;
    // 421 may answer what begins something, and nothing else (RFC 5321 section 3.8).
    const say = async (command: string, wanted: string, mayEnd = false) => {
      const reply = await client.say(command);
      if (reply.startsWith(wanted)) return true;
      if (!(mayEnd && reply.startsWith('421'))) failures.push(`SMTP ${command.slice(0, 10)}: ${reply}`);
      return false;
    };
    const greet = async () => {
      for (const [command, wanted] of way.hello) if (!(await say(command, wanted, true))) return false;
      return true;
    };
    const one = async () => {
      const to = way.to((tries += 1));
      const is =
        (await say(`MAIL FROM:<${way.from}>`, '250', true)) &&
        (await say(`RCPT TO:<${to}>`, '250')) &&
        (await sleep(20).then(() => true)) &&
        (await say('DATA', '354')) &&
        (await sleep(20).then(() => true)) &&
        (await say(`From: ${way.from}\r\nTo: ${to}\r\nSubject: restart\r\n\r\nx\r\n.`, '250'));
      if (is) taken.push(to);
      return is;
    };
    if (refused) await sleep(PROBE_MS);
    else if (await greet()) {
      for (let n = 0; n < 10 && !over.aborted && (await one()); n++) await sleep(20);
    }
    client.close();
  }
  return taken;
}

/** Follows a tenant's deliveries, resuming after each end: the recipients go to `delivered` in order. */
export async function keepFollowing(
  { over, failures }: ClientWorld,
  apis: Balancer,
  key: string,
  delivered: string[],
): Promise<void> {
  let last: string | undefined;
  while (!over.aborted) {
    const headers = last === undefined ? undefined : { 'last-event-id': last };
    const port = Number(apis.next().env['API_HTTPS_PORT']);
    const stream = await openEventStream(port, key, '?types=delivered', headers).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    if (!('events' in stream)) {
      if (stream.code !== 'ECONNREFUSED') failures.push(`events: ${stream.code} ${stream.message}`);
      await sleep(PROBE_MS);
      continue;
    }
    if (stream.status !== 200) failures.push(`events: ${stream.status} ${stream.text()}`);
    const take = () => delivered.push(...stream.events.splice(0).map(({ data }) => data.recipient as string));
    for (; stream.ended() === null && !over.aborted; await sleep(20)) take();
    take();
    if (stream.ended() === 'cut') failures.push('events: the stream was cut off');
    stream.hangUp();
    last = stream.lastId() ?? last;
  }
}

/** Watches a live view of the dashboard, opening it again after each end. Resolves with how many ends there were. */
export async function keepWatching(
  { over, failures }: ClientWorld,
  apis: Balancer,
  token: string,
): Promise<number> {
  for (let ends = 0; ; ends++) {
    const port = Number(apis.next().env['API_HTTPS_PORT']);
    const view = await subscribe(port, token, 'subscription { messageUpdated { id } }');
    while (!view.ended() && !over.aborted) await sleep(20);
    const refused = view.code() === 'ECONNREFUSED';
    if (view.cut() && !refused) failures.push(`live view: cut off (${view.code()})`);
    for (const why of view.refused) failures.push(`live view: ${why}`);
    view.hangUp();
    if (over.aborted) return ends;
    if (refused) await sleep(PROBE_MS);
  }
}
