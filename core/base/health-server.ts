// /healthz, /readyz and /metrics of one process, over plain HTTP on the metrics port.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { sleep } from './clock.ts';
import type { Registry } from './metrics.ts';
import { equalInConstantTime } from './secrets.ts';

/** A named check of /readyz: resolves true when that store can be used. */
export type ReadyCheck = () => Promise<boolean>;

/** What /readyz asks. */
export interface ReadyChecks {
  /** Without these nothing should be sent here: all that /readyz?for=traffic asks. */
  traffic: Record<string, ReadyCheck>;
  /** What may be lost while the service goes on. */
  beside: Record<string, ReadyCheck>;
}

/** A listening health server. */
export interface HealthServer {
  port: number;
  /** From now on /readyz says 503, so that balancers send nothing new. */
  setStopping(): void;
  close(): Promise<void>;
}

/** Every store by its name, and whether all of them are ready. */
export interface Readiness {
  ready: boolean;
  checks: Record<string, boolean>;
}

const CHECK_MS = 1_800; // a store that takes longer is not ready: /readyz answers within 2 s even while a store is frozen

/** A request for /readyz. */
export interface ReadyRequest {
  /** Its parameter `for`. */
  asked: string | null;
  /** Its header. The answer names the stores only to a caller with the internal token. */
  authorization: string | undefined;
}

/** The answer to /readyz. `token` is the internal token; a service without one names its stores to nobody. */
export async function answerReady(
  checks: ReadyChecks,
  { asked, authorization = '' }: ReadyRequest,
  { isStopping, token }: { isStopping: boolean; token: string | null },
): Promise<{ status: number; body: unknown }> {
  const isOurs = token !== null && equalInConstantTime(authorization, `Bearer ${token}`);
  const answer = ({ ready, checks: named }: Readiness) => ({
    status: ready ? 200 : 503,
    body: isOurs ? { ready, checks: named } : { ready },
  });
  if (isStopping) return answer({ ready: false, checks: { stopping: true } });
  if (asked !== null && asked !== 'traffic')
    return {
      status: 400,
      body: { error: 'validation_failed', message: 'Use /readyz or /readyz?for=traffic.' },
    };
  return answer(await askAll(asked === null ? { ...checks.traffic, ...checks.beside } : checks.traffic));
}

/** Asks every check. One that fails or takes longer than CHECK_MS is not ready. */
export async function askAll(checks: Record<string, ReadyCheck>): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await passes(check)] as const),
  );
  return { ready: results.every(([, ok]) => ok), checks: Object.fromEntries(results) };
}

async function passes(check: ReadyCheck): Promise<boolean> {
  const waiting = new AbortController();
  const late = sleep(CHECK_MS, waiting.signal).then(() => false);
  return Promise.race([check().catch(() => false), late]).finally(() => waiting.abort());
}

/** Starts the server. Port 0 picks a free one. */
export async function startHealthServer(options: {
  host: string;
  port: number;
  metrics: Registry;
  checks: ReadyChecks;
  /** The internal token, of a service that has it. */
  token: string | null;
}): Promise<HealthServer> {
  let stopping = false;
  const server = createServer((request, response) => {
    const [path, query] = (request.url ?? '/').split('?');
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (path === '/healthz') return json(200, { ok: true });
    if (path === '/readyz') {
      const { authorization } = request.headers;
      const ready = { asked: new URLSearchParams(query).get('for'), authorization };
      const { checks, token } = options;
      return void answerReady(checks, ready, { isStopping: stopping, token }).then(({ status, body }) =>
        json(status, body),
      );
    }
    if (path === '/metrics') {
      return void options.metrics.metrics().then((text) => {
        response.writeHead(200, { 'content-type': options.metrics.contentType }).end(text);
      });
    }
    return json(404, { error: 'not_found', message: 'Only /healthz, /readyz and /metrics are here.' });
  });
  await listen(server, options.port, options.host);
  return {
    port: (server.address() as AddressInfo).port,
    setStopping: () => {
      stopping = true;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
