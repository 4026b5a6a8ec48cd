// /healthz, /readyz and /metrics of one process, over plain HTTP on the metrics port.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { sleep } from './clock.ts';
import type { Registry } from './metrics.ts';

/** A named check of /readyz: resolves true when that store can be used. */
type ReadyCheck = () => Promise<boolean>;

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

// Every store by name.
interface Readiness {
  ready: boolean;
  checks: Record<string, boolean>;
}

const CHECK_MS = 1_800; // a store that takes longer is not ready: /readyz answers within 2 s even while a store is frozen

/** The answer to /readyz; `asked` is its parameter `for`. */
export async function answerReady(
  checks: ReadyChecks,
  asked: string | null,
  isStopping: boolean,
): Promise<{ status: number; body: unknown }> {
  if (isStopping) return { status: 503, body: { ready: false, checks: { stopping: true } } };
  if (asked !== null && asked !== 'traffic')
    return {
      status: 400,
      body: { error: 'validation_failed', message: 'Use /readyz or /readyz?for=traffic.' },
    };
  const body = await readiness(asked === null ? { ...checks.traffic, ...checks.beside } : checks.traffic);
  return { status: body.ready ? 200 : 503, body };
}

async function readiness(checks: Record<string, ReadyCheck>): Promise<Readiness> {
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
}): Promise<HealthServer> {
  let stopping = false;
  const server = createServer((request, response) => {
    const [path, query] = (request.url ?? '/').split('?');
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (path === '/healthz') return json(200, { ok: true });
    if (path === '/readyz') {
      const asked = new URLSearchParams(query).get('for');
      return void answerReady(options.checks, asked, stopping).then(({ status, body }) => json(status, body));
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
