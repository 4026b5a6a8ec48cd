// What spans are sent to (OTLP over HTTP, JSON), as a collector would take them.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { waitUntil } from './wait.ts';

/** One span as it came. */
export interface ReceivedSpan {
  service: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: Record<string, unknown>;
  events: { name: string; attributes: Record<string, unknown> }[];
  links: { traceId: string; spanId: string }[];
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt: number;
}

/** A receiver at work. */
export interface OtlpReceiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: ReceivedSpan[];
  /** Everything that came, as text. */
  bodies: string[];
  /** Requests that were begun. */
  requests(): number;
  /** From now on it takes requests and never answers. */
  freeze(): void;
  /** Waits for a span, and gives it. */
  untilSpan(what: (span: ReceivedSpan) => boolean, name: string): Promise<ReceivedSpan>;
  close(): Promise<void>;
}

/** Starts one on a free port. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  let frozen = false;
  let requests = 0;
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    requests += 1;
    if (frozen) return;
    void readText(request).then((text) => {
      bodies.push(text);
      spans.push(...readSpans(JSON.parse(text) as Request));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    requests: () => requests,
    freeze: () => {
      frozen = true;
    },
    untilSpan: async (what, name) => {
      await waitUntil(() => spans.some(what), {
        what: () => `the span ${name}; there are ${spans.map((span) => span.name).join(', ')}`,
      });
      return spans.find(what)!;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Value = Record<string, unknown>;
type Pairs = { key: string; value: Value }[];
interface Request {
  resourceSpans: {
    resource: { attributes: Pairs };
    scopeSpans: {
      spans: (Pick<ReceivedSpan, 'name' | 'kind' | 'traceId' | 'spanId' | 'links'> & {
        parentSpanId?: string;
        attributes: Pairs;
        events: { name: string; attributes: Pairs }[];
        startTimeUnixNano: string;
        endTimeUnixNano: string;
      })[];
    }[];
  }[];
}

function readSpans({ resourceSpans }: Request): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        service: String(readPairs(resource.attributes)['service.name']),
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        attributes: readPairs(span.attributes),
        events: span.events.map((event) => ({ name: event.name, attributes: readPairs(event.attributes) })),
        links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
        startedAt: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
        endedAt: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
      })),
    ),
  );
}

// `{ stringValue: 'x' }` and the like.
function readPairs(pairs: Pairs): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
