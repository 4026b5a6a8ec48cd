// What the stories about inbound share: inbound itself in this process, a client that sends exactly what a test says,
// and webhook endpoints whose answers a test sets.

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Config } from '../../core/base/config.ts';
import { deriveKeys } from '../../core/base/secrets.ts';
import { newUuid } from '../../core/base/ids.ts';
import { createMetrics } from '../../core/base/metrics.ts';
import { createGuardedHttp, type GuardedHttp } from '../../core/clients/guarded-http.ts';
import { openNats, type Nats } from '../../core/clients/nats.ts';
import { makeReturnPath } from '../../core/mail/return-path.ts';
import { changeWebhook } from '../../core/webhook/settings.ts';
import { openInbound, type Inbound } from '../../inbound/open-inbound.ts';
import { makeOwnCertificate } from '../../inbound/own-certificate.ts';
import { TESTER } from './actor.ts';
import { createContext, type Context } from './context.ts';
import { makeAccount, type Account } from './factories.ts';
import { connectSmtp } from './smtp-client.ts';
import { waitUntil } from './wait.ts';

/** Inbound at work, with its own database. */
export interface InboundWorld {
  context: Context;
  inbound: Inbound;
  nats: Nats;
  http: GuardedHttp;
  port: number;
  close(): Promise<void>;
}

/** Starts another inbound on the stores of a world, with other settings. */
export async function openAnother(
  world: InboundWorld,
  changes: Partial<Config>,
  log = world.context.log,
): Promise<Inbound> {
  const { config, buckets } = world.context;
  return openInbound({
    config: { ...config, ...changes },
    buckets,
    log,
    nats: world.nats,
    http: world.http,
    tls: await makeOwnCertificate('mx.test'),
    fail: () => {},
    metrics: createMetrics('inbound'),
  });
}

/** Starts inbound in this process, on a context of its own or on one that is there. */
export async function openWorld(
  overrides: Record<string, string> = {},
  given?: Context,
): Promise<InboundWorld> {
  const context = given ?? (await createContext(overrides));
  const { config, buckets, log } = context;
  const nats = openNats(config, log);
  const http = createGuardedHttp(config);
  const inbound = await openInbound({
    config,
    buckets,
    nats,
    http,
    log,
    tls: await makeOwnCertificate('mx.test'),
    fail: () => {},
    metrics: createMetrics('inbound'),
  });
  return {
    context,
    inbound,
    nats,
    http,
    port: inbound.port,
    close: async () => {
      await inbound.stop();
      await http.close();
      await nats.close();
      if (!given) await context.close();
    },
  };
}

/** Sends one message the ordinary way; returns the reply to the final dot. */
export async function sendMail(
  port: number,
  mail: { from?: string; utf8?: boolean; to: string | string[]; data: string | Buffer },
): Promise<string> {
  const client = await connectSmtp(port);
  try {
    await client.say('EHLO client.test');
    const utf8 = mail.utf8 === true ? ' SMTPUTF8' : '';
    await client.say(`MAIL FROM:<${mail.from ?? 'ann@sender.test'}>${utf8}`);
    for (const to of [mail.to].flat()) {
      const reply = await client.say(`RCPT TO:<${to}>`);
      if (!reply.startsWith('250')) return reply;
    }
    await client.say('DATA');
    client.write(stuffed(mail.data));
    return await client.reply();
  } finally {
    client.close();
  }
}

/** A message as it goes over the wire: dots stuffed (RFC 5321 section 4.5.2), and the end. */
export function stuffed(data: string | Buffer): Buffer {
  const text = typeof data === 'string' ? data : data.toString('latin1');
  const lines = text.replace(/(^|\r\n)\./g, '$1..');
  return Buffer.from(`${lines}${lines === '' || lines.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1');
}

/** The bytes of every stored raw, oldest first. */
export async function storedRaws(context: Context): Promise<Buffer[]> {
  const { rows } = await context.db.pool.query<{ bytes: Buffer | null }>(
    `select (select string_agg(bytes, ''::bytea order by seq) from inbound_chunks c where c.raw_id = r.id) as bytes
     from inbound_raws r order by r.received_at, r.id`,
  );
  return rows.map((row) => row.bytes ?? Buffer.alloc(0));
}

/** A request that an endpoint got. */
export interface Hit {
  at: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A webhook endpoint. */
export interface Endpoint {
  url: string;
  hits: Hit[];
  close(): Promise<void>;
}

/** What an endpoint does with its nth request (from 1); `hang` never answers. */
export type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'hang';

/** Starts an endpoint. */
export async function startEndpoint(answer: (n: number, hit: Hit) => Answer): Promise<Endpoint> {
  const hits: Hit[] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const hit = { at: Date.now(), headers: request.headers, body: Buffer.concat(parts) };
      hits.push(hit);
      const said = answer(hits.length, hit);
      if (said === 'hang') return;
      response.writeHead(said.status, said.headers).end(said.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    hits,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Turns a tenant's webhook on; returns its secret. */
export async function hook(world: InboundWorld, account: Account, url: string): Promise<string> {
  const { context, http } = world;
  const { secret } = await changeWebhook(
    { db: context.db, config: context.config, http },
    TESTER,
    account.tenantId,
    {
      webhookUrl: url,
      enabled: true,
      rotate: true,
    },
  );
  return secret!;
}

/** A message of an account as the sender leaves it, and the return path that it had. */
export async function makeSent(
  context: Context,
  account: Account,
  more: { id?: string; state?: string; rcptTo?: string } = {},
): Promise<{ id: string; rcptTo: string; returnPath: string }> {
  const id = more.id ?? newUuid();
  const rcptTo = more.rcptTo ?? `r${id.slice(-12)}@remote.test`;
  await context.db.pool.query(
    `insert into messages (id, tenant_id, domain_id, stream, state, header_from, rcpt_to, subject, tags, attempts)
     values ($1, $2, $3, 'transactional', $4, $5, $6, 'Hello', '[]', 1)`,
    [id, account.tenantId, account.domainId, more.state ?? 'delivered', `shop@${account.domain}`, rcptTo],
  );
  const [key] = deriveKeys(context.config, 'return-path');
  return {
    id,
    rcptTo,
    returnPath: makeReturnPath({ messageId: id, key, domain: `bounces.${account.domain}` }),
  };
}

/** Waits until `check` gives something. */
export async function until<T>(
  check: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  options: { limitMs?: number } = {},
): Promise<T> {
  let found: Awaited<ReturnType<typeof check>>;
  const isThere = async () => {
    found = await check();
    return found !== null && found !== undefined && found !== false;
  };
  await waitUntil(isThere, { ...options, what: () => check.toString() });
  return found as T;
}

export { makeAccount };
