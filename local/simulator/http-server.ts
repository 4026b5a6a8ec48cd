// The simulator over HTTP, for people and for programs: what it caught, and the records that its DNS answers.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

import type { MessageStore } from './message-store.ts';
import { mailPage, overviewPage, PAGE_HEADERS } from './page.ts';
import { parseZoneText } from './zone-text.ts';
import { dnsRecords, type Zone } from './zone.ts';

/** A listening HTTP server. */
export interface HttpListener {
  port: number;
  stop(): Promise<void>;
}

const MAX_BODY_OCTETS = 1024 * 1024;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;
const SHOWN_ON_PAGE = 100;

const messagesQuery = z.object({
  to: z.string().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
});

interface Answer {
  status: number;
  /** JSON, or a page as text. */
  body: unknown;
  page?: true;
}

/** Listens on 127.0.0.1. Port 0 picks a free one. */
export async function startHttpServer(store: MessageStore, zone: Zone, port: number): Promise<HttpListener> {
  const server = createServer((request, response) => {
    answer(store, zone, request).then(
      (result) => write(response, result),
      (error: unknown) =>
        write(response, { status: 500, body: { error: 'internal_error', message: String(error) } }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(store: MessageStore, zone: Zone, request: IncomingMessage): Promise<Answer> {
  const refused = refuseOthers(request);
  if (refused) return refused;
  const url = new URL(request.url ?? '/', 'http://simulator');
  const mail = /^\/mail\/(\d+)$/.exec(url.pathname);
  if (mail && request.method === 'GET') return showMail(store, mail[1]!);
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /':
      return showOverview(store, zone, 200, null);
    case 'POST /zone':
      return publish(store, zone, request);
    case 'GET /messages': {
      const query = messagesQuery.safeParse(Object.fromEntries(url.searchParams));
      if (!query.success) return invalid(query.error);
      return {
        status: 200,
        body: { items: store.list(query.data.limit, query.data.to), total: store.total },
      };
    }
    case 'POST /dns':
    case 'DELETE /dns': {
      const body = dnsRecords.safeParse(await readJson(request));
      if (!body.success) return invalid(body.error);
      if (request.method === 'DELETE')
        return { status: 200, body: { removed: await zone.remove(body.data.records) } };
      await zone.add(body.data.records);
      return { status: 200, body: { added: body.data.records.length } };
    }
    case 'GET /healthz':
      return { status: 200, body: { ok: true } };
    default:
      return {
        status: 404,
        body: {
          error: 'not_found',
          message: 'GET / is a page; GET /messages?to=&limit=, POST /dns and DELETE /dns are for programs.',
        },
      };
  }
}

// A page of another site must not read caught mail under a name of its own that leads here (DNS rebinding), nor change what
// domains are found to own. Programs send neither Origin nor Sec-Fetch-Site.
function refuseOthers({ method, headers, socket }: IncomingMessage): Answer | null {
  const { host = '', origin } = headers;
  const ours = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
  if (!ours.includes(host.toLowerCase()))
    return { status: 421, body: { error: 'misdirected_request', message: `Ask for ${ours.join(' or ')}.` } };
  if (method === 'GET') return null;
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  if (site === 'same-origin' && (origin === undefined || origin === `http://${host}`)) return null;
  return { status: 403, body: { error: 'forbidden', message: 'Use the form on this page.' } };
}

async function showOverview(
  store: MessageStore,
  zone: Zone,
  status: number,
  said: { error: boolean; text: string } | null,
  draft?: string,
): Promise<Answer> {
  const body = await overviewPage(store.list(SHOWN_ON_PAGE), store.total, zone.all(), said, draft);
  return { status, body, page: true };
}

async function showMail(store: MessageStore, id: string): Promise<Answer> {
  const message = store.find(id);
  if (message) return { status: 200, body: await mailPage(message), page: true };
  return { status: 404, body: { error: 'not_found', message: 'This message is not here any more.' } };
}

async function publish(store: MessageStore, zone: Zone, request: IncomingMessage): Promise<Answer> {
  const draft = new URLSearchParams(await readText(request)).get('zone') ?? '';
  const parsed = parseZoneText(draft);
  if ('error' in parsed) return showOverview(store, zone, 422, { error: true, text: parsed.error }, draft);
  await zone.add(parsed.records);
  const text = `Published: ${parsed.records.length}. Verify the domain in the dashboard now.`;
  return showOverview(store, zone, 200, { error: false, text });
}

function invalid(error: z.ZodError): Answer {
  const details = error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  return { status: 422, body: { error: 'validation_failed', message: details[0]?.message, details } };
}

/** The body as JSON, or undefined when it is none: that fails the check that follows. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse(await readText(request));
  } catch {
    return undefined;
  }
}

/** The body, or nothing when it is too long. */
async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of request) {
    octets += (chunk as Buffer).length;
    if (octets <= MAX_BODY_OCTETS) chunks.push(chunk as Buffer);
  }
  return octets > MAX_BODY_OCTETS ? '' : Buffer.concat(chunks).toString('utf8');
}

function write(response: ServerResponse, { status, body, page }: Answer): void {
  if (page) response.writeHead(status, PAGE_HEADERS).end(body);
  else
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(body));
}
