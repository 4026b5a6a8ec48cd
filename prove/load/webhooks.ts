// The customers' endpoint for inbound mail: checks the signature as a receiver should, writes down what came, and now and
// then says no to a first attempt.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';

import type { Journal } from '../journal.ts';

/** The listening endpoint. */
export interface Webhooks {
  /** Ends in a slash; the tenant's name comes behind it. */
  url: string;
  /** Tells the secret of a tenant. */
  trust(name: string, secret: string): void;
  /** Recipients that were accepted so far. */
  got: Set<string>;
  close(): void;
}

const EVERY = 10; // of so many deliveries one is refused at first with 503, and one with 429 and Retry-After
const RETRY_AFTER_S = 45;
const NOBODY_WAITS = 499; // what nginx writes down: we were so late that the peer hung up, and no answer was given

/** Listens on a free port of loopback. */
export async function startWebhooks(journal: Journal): Promise<Webhooks> {
  const secrets = new Map<string, string>();
  const got = new Set<string>();
  const refused = new Set<string>();
  let deliveries = 0;
  const server = createServer((incoming, answer) => {
    const post = async () => {
      const body = await read(incoming);
      await nextRound(); // whether the peer has hung up is known then
      const of = (name: string) => String(incoming.headers[`x-svc-inbound-${name}`] ?? '');
      const secret = secrets.get(incoming.url?.slice(1) ?? '');
      const attempt = Number(of('attempt'));
      const said = attempt === 1 && !refused.has(of('delivery')) ? firstAnswer(deliveries++) : 204;
      if (said !== 204) refused.add(of('delivery')); // a 429 leaves the number of the attempt as it is
      const status = incoming.socket.destroyed ? NOBODY_WAITS : said;
      const retryAfterSeconds = status === 429 ? RETRY_AFTER_S : null;
      journal.append({
        kind: 'webhook',
        delivery: of('delivery'),
        message: of('message'),
        tenant: of('tenant'),
        recipient: of('recipient'),
        attempt,
        sha256: createHash('sha256').update(body).digest('hex'),
        octets: body.length,
        signed: secret !== undefined && isSigned(body, secret, of('sig')),
        status,
        retryAfterSeconds,
      });
      if (status === 204) got.add(of('recipient'));
      if (retryAfterSeconds !== null) answer.setHeader('retry-after', retryAfterSeconds);
      answer.writeHead(status).end();
    };
    void post().catch(() => {}); // cut off before its end: its sender died, and nothing came
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    trust: (name, secret) => void secrets.set(name, secret),
    got,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function firstAnswer(n: number): number {
  if (n % EVERY === 3) return 503;
  return n % EVERY === 6 ? 429 : 204;
}

function isSigned(body: Buffer, secret: string, signature: string): boolean {
  const right = Buffer.from(`hmac-sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === right.length && timingSafeEqual(given, right);
}

async function read(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
