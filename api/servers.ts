// The two listeners: HTTPS (HTTP/2 or 1.1, as the client chooses) with the app, plain HTTP with redirects and challenges.

import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import { Server, type AddressInfo, type Socket } from 'node:net';
import { Http2ServerResponse, type Http2ServerRequest } from 'node:http2';
import type { SecureContext, TlsOptions, TLSSocket } from 'node:tls';
import { setImmediate as pollDone } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';

import { monotonicMs } from '../core/base/clock.ts';
import { DRAIN_MS } from '../core/base/lifecycle.ts';
import { SIGN_IN_TLS } from '../core/base/sign-in-tls.ts';
import type { ClientLimits } from './client-limits.ts';
import type { ApiEnv } from './exchange.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { createHttp2, type Http2Connections } from './http2.ts';
import { answerPlainHttp, HOST } from './https-redirect.ts';
import type { Outgoing } from './slice-response.ts';

/** A request handler as @hono/node-server expects it. */
export type Fetch = (request: Request, env: ApiEnv['Bindings']) => Response | Promise<Response>;

/** A listening server. */
export interface ListeningServer {
  port: number;
  /** For the handshakes from now on; only HTTPS has one. */
  setCertificate(tls: { cert: Buffer; key: Buffer }): void;
  /** From now on each answer ends its connection, so that clients open their next one elsewhere. */
  announceStop(): void;
  /** Accepts no new connection, lets requests in flight finish, then closes what is left. */
  close(): Promise<void>;
}

const LIMITS = {
  headersTimeout: 10_000, // ms until all headers are there: against clients that send them byte by byte
  requestTimeout: 120_000, // ms until the body is there: 15 MiB over 1 Mbit/s
  keepAliveTimeout: 65_000, // ms; longer than the 60 s of usual balancers, so that they close first
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384, // bytes
};
const HANDSHAKE_MS = 10_000;
const TARGET = /^\/[\x21\x22\x24-\x5b\x5d-\x7e]*$/; // printable ASCII without # and backslash
const H2 = 'h2'; // its name in ALPN
const IDLE_CHECK_MS = 50;
const ACCEPT_MS = 2_000; // to accept waiting connections before the listener closes; balancers send no new ones by then
// The listener, and a connection after it, is closed when nothing has come for so many checks, which is a second: requests that
// clients sent before they knew have arrived then. Checks, not time, because a busy process reads late.
const QUIET_CHECKS = 20;
const LISTEN_MS = 5_000; // longest for a client that does not care whether we are ready

/** The certificate for a name that a client asks for (SNI); null: our own. */
export type ContextFor = (servername: string) => Promise<SecureContext | null>;

/** Starts the HTTPS server. Port 0 picks a free one. */
export async function startHttps(
  fetch: Fetch,
  tls: { cert: Buffer; key: Buffer },
  listen: { host: string; port: number },
  clients: ClientLimits,
  contextFor: ContextFor = async () => null,
): Promise<ListeningServer> {
  const SNICallback: TlsOptions['SNICallback'] = (servername, done) => {
    contextFor(servername.toLowerCase()).then(
      (context) => done(null, context ?? undefined),
      (error: Error) => done(error),
    );
  };
  const options = {
    ...LIMITS,
    ...tls,
    ...SIGN_IN_TLS,
    ALPNProtocols: [H2, 'http/1.1'],
    SNICallback,
    handshakeTimeout: HANDSHAKE_MS,
  };
  const server = createHttpsServer(options);
  return start(server, serve(server, clients, fetch), listen);
}

/** Starts the plain server. */
export async function startRedirect(
  deps: Parameters<typeof answerPlainHttp>[0],
  httpsPort: () => number,
  listen: { host: string; port: number },
  clients: ClientLimits,
): Promise<ListeningServer> {
  const server = createHttpServer(LIMITS);
  const redirect: Fetch = (_request, { incoming }) => answerPlainHttp(deps, incoming, httpsPort());
  const serving = serve(server, clients, redirect);
  return start(server, serving, listen);
}

// How a listener ends.
interface Serving extends Omit<Http2Connections, 'take'> {
  /** How many connections and requests have come so far. */
  arrived(): number;
  /** Ends all connections, with what is under way there. */
  destroy(): void;
}

// With a listener for checkContinue Node does not answer 100 by itself: the body is asked for once it is wanted.
function serve(server: HttpServer | HttpsServer, clients: ClientLimits, fetch: Fetch): Serving {
  const { connections, responses, addressOf } = clients;
  const open = new Set<ServerResponse>();
  const unused = new Set<Socket>(); // nothing was ever asked there, which Node does not call idle
  let arrived = 0;
  const opened = (socket: Socket) => {
    arrived++;
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  };
  let stopping = false;
  const onFetch = (request: Request, env: unknown) => fetch(request, env as ApiEnv['Bindings']);
  const listener = getRequestListener(onFetch);
  const listener2 = getRequestListener(onFetch, { autoCleanupIncoming: false }); // http2.ts does
  const watch = (incoming: IncomingMessage | Http2ServerRequest, outgoing: Outgoing) => {
    arrived++;
    responses.watch(outgoing, () => addressOf(incoming as IncomingMessage));
  };
  const http2 = createHttp2(LIMITS, {
    begin: connections.begin,
    end: connections.end,
    request(incoming, outgoing) {
      watch(incoming, outgoing);
      if (hasTwoHosts(incoming)) return refuseTwoHosts(outgoing);
      makeReadable(incoming);
      void listener2(incoming, outgoing);
    },
  });
  if (server instanceof HttpsServer) {
    divide(server, opened, http2.take);
    server.prependListener('secureConnection', connections.handshaken);
  } else server.on('connection', opened);
  const sockets = admit(server, connections, () => arrived++);
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    unused.delete(socket);
    connections.begin(socket);
    outgoing.once('close', () => connections.end(socket));
    watch(incoming, outgoing);
    if (hasTwoHosts(incoming)) return refuseTwoHosts(outgoing);
    makeReadable(incoming);
    outgoing.shouldKeepAlive &&= !stopping;
    open.add(outgoing);
    outgoing.on('close', () => open.delete(outgoing));
    void listener(incoming, outgoing);
  };
  server.on('request', onRequest);
  server.on('checkContinue', onRequest);
  return {
    arrived: () => arrived,
    announceStop() {
      stopping = true;
      for (const outgoing of open) outgoing.shouldKeepAlive = false;
      http2.announceStop();
    },
    endIdle() {
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
      http2.endIdle();
    },
    destroy() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

// Node's own listener takes every connection for HTTP/1.1: it gets those that are.
function divide(server: HttpsServer, opened: (socket: Socket) => void, take: Http2Connections['take']): void {
  const [http1] = server.listeners('secureConnection') as ((socket: TLSSocket) => void)[];
  if (!http1) throw new Error('https.Server listens to its connections in another way than it did');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol === H2) return take(socket);
    opened(socket);
    http1.call(server, socket);
  });
}

// A connection over a limit reaches no listener. Returns all open connections, including
// those that wait for a TLS handshake.
function admit(
  server: HttpServer | HttpsServer,
  connections: ConnectionLimits,
  accepted: () => void,
): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    accepted();
    if (!connections.enter(socket)) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const accept = () => listeners.forEach((listener) => listener.call(server, socket));
    if (server instanceof HttpsServer) connections.handshake(socket, accept);
    else accept();
  });
  return sockets;
}

// RFC 9112 3.2, RFC 9113 8.3.1. Node keeps the first; a proxy before us may have gone by the other.
function hasTwoHosts({ rawHeaders }: IncomingMessage | Http2ServerRequest): boolean {
  const values = (name: string) =>
    rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === name);
  const hosts = values('host');
  const [authority = hosts[0]] = values(':authority');
  return hosts.length > 1 || hosts[0] !== (hosts.length === 0 ? undefined : authority);
}

function refuseTwoHosts(outgoing: ServerResponse | Http2ServerResponse): void {
  const type = { 'content-type': 'text/plain; charset=utf-8' };
  const text = 'The request has two Host fields. Send one.\n';
  if (outgoing instanceof Http2ServerResponse) outgoing.writeHead(400, type).end(text);
  else outgoing.writeHead(400, { ...type, connection: 'close' }).end(text);
}

// A target or Host that is no URL would be refused below us, without our headers. As what nothing matches they get
// our own answers.
function makeReadable(incoming: IncomingMessage | Http2ServerRequest): void {
  const { headers } = incoming;
  if (!HOST.test(headers.host ?? '')) headers.host = 'invalid';
  if (':authority' in headers) headers[':authority'] = headers.host;
  if (!TARGET.test(incoming.url ?? '')) incoming.url = '/invalid';
}

async function start(
  server: HttpServer | HttpsServer,
  serving: Serving,
  listen: { host: string; port: number },
): Promise<ListeningServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listen.port, listen.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    setCertificate({ cert, key }) {
      if (server instanceof HttpsServer) server.setSecureContext({ cert, key, ...SIGN_IN_TLS });
    },
    announceStop: serving.announceStop,
    close: () => close(server, serving),
  };
}

// A connection that is closed with a request unread, or on its way, is a reset to the client, and so is one that waits to be
// accepted when the listener closes. So the listener stays open until nothing comes any more: a balancer on a busy machine
// learns late that others are to be asked. `close` of HTTP servers would end all at once.
async function close(
  server: HttpServer | HttpsServer,
  { arrived, endIdle, destroy }: Serving,
): Promise<void> {
  const closed = once(server, 'close');
  const startedAt = monotonicMs();
  let listens = true;
  let before = arrived();
  let quietChecks = 0;
  const check = () => {
    quietChecks = arrived() === before ? quietChecks + 1 : 0;
    before = arrived();
    const isQuiet = quietChecks >= QUIET_CHECKS || before === 0;
    if (isQuiet && !listens) return endIdle();
    if (!listens || (!isQuiet && monotonicMs() - startedAt < LISTEN_MS)) return;
    listens = false;
    void acceptWaiting(arrived).then(() => Server.prototype.close.call(server));
  };
  check();
  const checks = setInterval(check, IDLE_CHECK_MS);
  const hurry = setTimeout(destroy, DRAIN_MS);
  await closed;
  clearInterval(checks);
  clearTimeout(hurry);
}

// libuv accepts one connection per turn of the event loop. On a busy process, connections can wait for seconds.
async function acceptWaiting(arrived: () => number): Promise<void> {
  const startedAt = monotonicMs();
  for (let before = -1; before < arrived() && monotonicMs() - startedAt < ACCEPT_MS;) {
    before = arrived();
    await pollDone(); // may end the turn in which it is called
    await pollDone();
  }
}
