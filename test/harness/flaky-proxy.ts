// A proxy in front of the api that loses answers and refuses, as a bad network and a busy server do: plain HTTP in,
// HTTPS out.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';

import { maybeStored } from '../../core/base/errors.ts';

/**
 * What happens to one request: it passes; the api handles it but the answer is a 503, as after the time limit, or half of it is lost; or the proxy answers
 * with this status itself.
 */
export type Fate =
  | 'pass'
  | 'say 503'
  | 'lose half'
  | { status: number; headers?: Record<string, string>; body?: string };

/** The proxy. */
export interface FlakyProxy {
  /** As `baseUrl`, through the proxy. */
  baseUrl: string;
  /** What came, in order; cleared by `play`. */
  requests: { method: string; path: string; headers: IncomingHttpHeaders }[];
  /** The fates of the next requests; those after them pass. */
  play(...fates: Fate[]): void;
  /** Breaks every connection that is open. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a proxy to the api at `target`, a base URL. */
export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const requests: FlakyProxy['requests'] = [];
  let fates: Fate[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming;
    requests.push({ method, path, headers });
    const fate = fates.shift() ?? 'pass';
    if (typeof fate === 'object') {
      outgoing.writeHead(fate.status, { 'content-type': 'application/json', ...fate.headers });
      return void outgoing.end(fate.body ?? '{}');
    }
    forward(target, incoming, outgoing, fate);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(target).pathname}`,
    requests,
    play(...next) {
      fates = next;
      requests.length = 0;
    },
    cut: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse, fate: Fate): void {
  const { hostname, port } = new URL(target);
  const { method, url: path, headers } = incoming;
  const upstream = httpsRequest(
    { hostname, port, method, path, headers, rejectUnauthorized: false },
    (answer) => {
      if (fate === 'say 503') return void answer.resume().on('end', () => sayMaybeStored(outgoing));
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (fate === 'pass') return void answer.pipe(outgoing);
      answer.once('data', (chunk: Buffer) =>
        outgoing.write(chunk.subarray(0, chunk.length / 2), () => incoming.socket.destroy()),
      );
    },
  );
  upstream.on('error', () => incoming.socket.destroy());
  incoming.pipe(upstream);
}

function sayMaybeStored(outgoing: ServerResponse): void {
  const { code, message, retryAfterSeconds } = maybeStored(null);
  outgoing.writeHead(503, { 'content-type': 'application/json', 'retry-after': String(retryAfterSeconds) });
  outgoing.end(JSON.stringify({ ok: false, error: code, message }));
}
