// HTTP/2 (RFC 9113) beside HTTP/1.1, on connections whose client chose it (ALPN). Requests look to what is above as those
// of HTTP/1.1 do; the same limits hold, for each connection and for each request of it.

import {
  constants,
  createServer,
  Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
  type ServerHttp2Session,
  type ServerOptions,
} from 'node:http2';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';

import { sleep } from '../core/base/clock.ts';

/** Takes connections that speak HTTP/2. */
export interface Http2Connections {
  take(socket: TLSSocket): void;
  /** From now on a connection ends with the next answer on it: the client asks the rest on a new one. */
  announceStop(): void;
  /** Ends the connections on which nothing is asked now. */
  endIdle(): void;
}

/** What holds for a connection and its requests. */
interface Limits {
  /** ms without a request. */
  keepAliveTimeout: number;
  /** ms until the body of a request is there. */
  requestTimeout: number;
  /** Bytes of the headers of a request. */
  maxHeaderSize: number;
}

/** What happens on the connections. */
interface Events {
  request(incoming: Http2ServerRequest, outgoing: Http2ServerResponse): void;
  /** A stream begins on the connection, or ended there. */
  begin(socket: TLSSocket): void;
  end(socket: TLSSocket): void;
}

// Requests of a connection at once. A client without a valid key or session gets fewer than the 100 that RFC 9113 section
// 6.5.2 recommends: each may hold a response that nobody reads.
const MAX_STREAMS = { anonymous: 16, known: 100 };
// Bytes that a client may send before we have read: uploads over 50 ms reach 5 MB/s with it.
const WINDOW_BYTES = { stream: 256 * 1024, connection: 1024 * 1024 };
const LET_GO_MS = 1_000; // for a client to close after it was asked to
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024; // of a request body after its response; the largest JSON body (15 MiB) fits
const END_POLL_MS = 20; // between two looks at whether the end of a response was sent
const QUICK_LOOKS = 20; // one each turn of the event loop, before that: a fast client reaches MAX_STREAMS within 20 ms

/** Makes it; each request, also one that expects 100, goes to `events.request`. */
export function createHttp2(limits: Limits, events: Events): Http2Connections {
  const options: ServerOptions = {
    settings: {
      maxConcurrentStreams: MAX_STREAMS.anonymous,
      maxHeaderListSize: limits.maxHeaderSize,
      initialWindowSize: WINDOW_BYTES.stream,
    },
  };
  const server = createServer(options);
  const sessions = new Map<ServerHttp2Session, { socket: TLSSocket; open: number; idle: NodeJS.Timeout }>();
  let stopping = false;
  let taken: TLSSocket | null = null;

  const end = (session: ServerHttp2Session) => {
    session.close();
    setTimeout(() => sessions.get(session)?.socket.destroy(), LET_GO_MS).unref();
  };
  const waitFor = (session: ServerHttp2Session) =>
    setTimeout(() => end(session), limits.keepAliveTimeout).unref();

  server.on('session', (session) => {
    if (!taken) return session.destroy();
    session.setLocalWindowSize(WINDOW_BYTES.connection);
    sessions.set(session, { socket: taken, open: 0, idle: waitFor(session) });
    session.once('close', () => {
      clearTimeout(sessions.get(session)?.idle);
      sessions.delete(session);
    });
  });
  server.on('stream', (stream) => {
    const { session } = stream;
    const one = session && sessions.get(session as ServerHttp2Session);
    if (!one) return;
    clearTimeout(one.idle);
    one.open += 1;
    events.begin(one.socket);
    stream.once('close', () => {
      one.open -= 1;
      events.end(one.socket);
      if (stopping) session.close();
      else if (one.open === 0 && !session.destroyed) one.idle = waitFor(session as ServerHttp2Session);
    });
  });
  const request: Events['request'] = (incoming, outgoing) => {
    likeHttp1(incoming);
    if (!incoming.stream.endAfterHeaders) limitBody(incoming, limits.requestTimeout);
    events.request(incoming, outgoing);
  };
  server.on('request', request);
  server.on('checkContinue', request);

  return {
    take(socket) {
      taken = socket; // the session of it is made while this is emitted
      server.emit('connection', socket);
      taken = null;
    },
    announceStop() {
      stopping = true;
    },
    endIdle() {
      for (const [session, { open }] of sessions) if (open === 0 && !session.closed) end(session);
    },
  };
}

// A body without its length is what `chunked` says in HTTP/1.1, and the authority is the host.
function likeHttp1({ headers, stream }: Http2ServerRequest): void {
  const { ':authority': authority } = headers;
  if (authority !== undefined) headers.host ??= authority;
  if (!stream.endAfterHeaders && headers['content-length'] === undefined)
    headers['transfer-encoding'] = 'chunked';
}

// A body that comes too slowly ends its request. The rest of one that nobody reads is discarded once the response has
// ended: a client that may not send its body waits for that (Java), or fails (httpx), although it has the response.
function limitBody(incoming: Http2ServerRequest, ms: number): void {
  const { stream } = incoming;
  stream.read(0); // Node resets a stream that nobody has read from, right after its response
  const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), ms).unref();
  incoming.once('end', () => clearTimeout(late));
  stream.once('close', () => clearTimeout(late));
  stream.once('finish', () => void discardBody(incoming));
}

// A reset before END_STREAM makes clients discard the response (RFC 9113 section 8.1), so it waits until that frame was sent.
// Node has no event for that. A response that cannot be sent is cut off elsewhere (response-limits.ts).
async function discardBody(incoming: Http2ServerRequest): Promise<void> {
  const { stream } = incoming;
  await nextTurn();
  for (let looks = 1; !stream.closed && stream.state.localClose !== 1; looks++)
    await (looks < QUICK_LOOKS ? nextTurn() : sleep(END_POLL_MS));
  let discarded = 0;
  incoming.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED_BYTES) stream.close(constants.NGHTTP2_NO_ERROR);
  });
  incoming.resume();
}

const known = new WeakSet<Http2Session>();

/** Allows more requests at once on the connection of a request that came with a valid key or session. */
export function trustClient(incoming: object): void {
  const session = incoming instanceof Http2ServerRequest ? incoming.stream.session : undefined;
  if (!session || session.destroyed || known.has(session)) return;
  known.add(session);
  session.settings({ maxConcurrentStreams: MAX_STREAMS.known });
}

/** Whether a request was cut off before its body ended: a stream of HTTP/2 that is reset looks as if it had ended. */
export function wasCutOff(incoming: object): boolean {
  return incoming instanceof Http2ServerRequest && incoming.aborted;
}
