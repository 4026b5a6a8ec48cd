// The simulator's HTTP interface: what it caught, and the records that its DNS answers.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

import type { MessageStore } from './message-store.ts';
import { dnsRecords, type Zone } from './zone.ts';

/** A listening HTTP server. */
export interface HttpListener {
  port: number;
  stop(): Promise<void>;
}

const MAX_BODY_OCTETS = 1024 * 1024;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

const messagesQuery = z.object({
  to: z.string().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
});

interface Answer {
  status: number;
  body: unknown;
}

/** Listens on 127.0.0.1. Port 0 takes a free one. */
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
  const url = new URL(request.url ?? '/', 'http://simulator');
  switch (`${request.method} ${url.pathname}`) {
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
          message: 'GET /messages?to=&limit=, POST /dns and DELETE /dns are here.',
        },
      };
  }
}

function invalid(error: z.ZodError): Answer {
  const details = error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  return { status: 422, body: { error: 'validation_failed', message: details[0]?.message, details } };
}

/** The body, or undefined when it is no JSON or too long: both fail the check that follows. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of request) {
    octets += (chunk as Buffer).length;
    if (octets <= MAX_BODY_OCTETS) chunks.push(chunk as Buffer);
  }
  try {
    return octets > MAX_BODY_OCTETS ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

function write(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
