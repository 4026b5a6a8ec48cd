// One SMTP connection, ready for MAIL FROM: TCP, greeting, EHLO, STARTTLS and AUTH are behind it. The protocol is
// nodemailer's; what is added is which failure it was, and STARTTLS as the setting wants it (RFC 3207).

import { connect, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';

import { monotonicMs } from '../../core/base/clock.ts';
import type { SmtpCommand } from '../../core/mail/smtp-reply.ts';
import type { TlsPolicy } from '../../core/message/outcome.ts';
import { endAfter, inSpan, startSpan, currentSpan } from '../../core/base/trace.ts';
import { judgePeer } from './judge-peer.ts';
import { readTls, type TlsFacts } from './peer-certificate.ts';
import { openedAttributes, startDialogueTrace, type DialogueTrace } from './trace-dialogue.ts';
import type { TlsDemand } from './tls-demand.ts';
import {
  failed,
  readError,
  refusalRead,
  refusedByPolicy,
  type ConnectionError,
  type Failed,
  type Refused,
} from './failure.ts';

/** Where and how to connect. */
export interface Endpoint {
  /** Name of the host, for TLS and for the record. */
  host: string;
  /** The address itself: the name is never looked up again. */
  address: string;
  port: number;
  implicitTls: boolean;
  startTls: 'opportunistic' | 'required' | 'off';
  /** Whether the certificate must fit the name. For an MX it need not: without DANE or MTA-STS the name is hearsay. */
  verify: boolean;
  /** What the recipient's domain asks for; null when it asks for nothing. */
  demand: TlsDemand | null;
  auth: { user: string; pass: string } | null;
  /** Our name in EHLO. */
  helo: string;
  /** Our address; null leaves it to the operating system. */
  localAddress: string | null;
  /** Longest silence of the peer. */
  timeoutMs: number;
  /** The same after the final dot, when the peer scans and stores the message. */
  dotTimeoutMs: number;
}

/** An open connection. One message at a time. */
export interface Connection {
  smtp: Smtp;
  host: string;
  address: string;
  /** Null for plain text. */
  tls: TlsFacts | null;
  /** The policy that it meets; null when none asks for anything. */
  policy: TlsPolicy | null;
  smtputf8: boolean;
  eightBit: boolean;
  /** Recipients' domains for whose reports it was counted. */
  reported: Set<string>;
  /** Messages that went over it. */
  used: number;
  /** A transaction was aborted and has to be reset at the peer (RSET). */
  needsReset: boolean;
  /** Monotonic clock. */
  idleSince: number;
  /** Left out in a process without traces. */
  trace?: DialogueTrace | undefined;
  alive(): boolean;
  /** The final dot was sent: from now on the peer may be silent for `dotTimeoutMs`. */
  awaitVerdict(): void;
  /** The answer to the dot came: silence counts as before. */
  verdictCame(): void;
  /** Breaks it when a transaction of so many octets takes too long. Returns what ends the limit. */
  limit(octets: number): () => void;
  /** Ends what the last message left at the peer (RSET). False: the connection is of no use any more. */
  reset(): Promise<boolean>;
  /** Ends it politely when it is idle, at once otherwise. */
  close(): void;
  /** Calls back when it is closed, which a peer may delay for two seconds. */
  whenClosed(listener: () => void): void;
  /** Breaks it; a message on its way fails for this reason. */
  abort(reason: string): void;
}

const CLOSE_TIMEOUT_MS = 2_000; // for a peer that does not close its side
const CONNECT_TIMEOUT_MS = 15_000; // of TCP alone: a host that is there answers within a second or two
// A peer that says an octet now and then is never silent. So all that comes before the final dot may take three times the
// longest silence in all, and the message itself as long as it needs over the slowest of lines.
const LONGEST_SILENCES = 3;
const SLOWEST_OCTETS_PER_MS = 8;

interface Commands {
  _sendCommand(command: string | Buffer, logged?: string): void;
}

/** nodemailer's protocol, which by itself asks for SMTPUTF8 only when an address of the envelope is not ASCII. */
class Smtp extends SMTPConnection implements Commands {
  /** Whether the next message has a header that is not ASCII (RFC 6531 section 3.4). */
  utf8Header = false;

  _sendCommand(command: string | Buffer, logged?: string): void {
    const asks = this.utf8Header && typeof command === 'string' && command.startsWith('MAIL FROM:');
    const whole = asks && !command.includes(' SMTPUTF8') ? `${command} SMTPUTF8` : command;
    (SMTPConnection.prototype as unknown as Commands)._sendCommand.call(this, whole, logged);
  }
}

/** A connection, or why there is none. */
type Opened = { ok: true; connection: Connection } | { ok: false; failure: Refused | Failed };

/** Opens a connection. A peer without working STARTTLS gets plain text when that is allowed. */
export function openConnection(endpoint: Endpoint): Promise<Opened> {
  if (currentSpan() === undefined) return openAsAllowed(endpoint);
  const { host, address, port } = endpoint;
  const attributes = { 'server.address': host, 'network.peer.address': address, 'network.peer.port': port };
  const span = startSpan('smtp connect', { kind: 'client', attributes });
  return endAfter(
    span,
    inSpan(span, () => openAsAllowed(endpoint)),
    openedAttributes,
  );
}

async function openAsAllowed(endpoint: Endpoint): Promise<Opened> {
  const first = await open(endpoint);
  if (first.ok || endpoint.startTls !== 'opportunistic') return first;
  if (first.failure.kind === 'failed' && first.failure.stage === 'tls' && !endpoint.implicitTls) {
    return open({ ...endpoint, startTls: 'off' });
  }
  return first;
}

// `anchors` are the authorities that DANE names for the certificate (PEM), once they are known; else those of Node count.
async function open(endpoint: Endpoint, anchors: string[] | null = null): Promise<Opened> {
  const socket = await openSocket(endpoint);
  if (!socket.ok) return socket;
  const trace = startDialogueTrace();
  const smtp = new Smtp(options(endpoint, socket.socket, anchors, trace));
  smtp.on('error', () => {}); // one arrives beside every callback's error, and when an idle connection breaks
  const endLimit = limit(smtp, LONGEST_SILENCES * endpoint.timeoutMs);
  const opened = await prepare(smtp, endpoint, anchors);
  endLimit();
  if (opened.kind === 'ready') return { ok: true, connection: wrap(smtp, endpoint, opened.tls, trace) };
  trace?.follow(undefined);
  smtp.close();
  return opened.kind === 'again' ? open(endpoint, opened.anchors) : { ok: false, failure: opened };
}

type Prepared =
  | { kind: 'ready'; tls: TlsFacts | null }
  | { kind: 'again'; anchors: string[] }
  | Refused
  | Failed;

// Greeting to AUTH. A certificate that fails is told in words, and shown in the attempt.
async function prepare(smtp: Smtp, endpoint: Endpoint, anchors: string[] | null): Promise<Prepared> {
  const { demand, host } = endpoint;
  const problem = await step(smtp, 'CONNECT', (done) => smtp.connect(done));
  if (problem) return byPolicy(demand, problem);
  // 421 closes the connection (RFC 5321 section 3.8), also as an answer to STARTTLS, which nodemailer takes for "no TLS here".
  const closing = refusalRead(smtp);
  if (closing?.startsWith('421')) return refusedStartTls(closing);
  const socket = smtp.secure && smtp._socket ? (smtp._socket as TLSSocket) : null;
  const verdict = judgePeer(demand, socket, anchors);
  if (verdict.kind === 'ask_authority') return { kind: 'again', anchors: verdict.anchors };
  const tls = socket && readTls(socket, verdict.kind === 'passed' && verdict.verified);
  if (verdict.kind === 'failed' && demand !== null) {
    const detail = `${NAMES[demand.policy]}: the certificate of ${host} ${verdict.why}`;
    return { ...refusedByPolicy(demand.policy, detail, 'STARTTLS'), tls };
  }
  return (await logIn(smtp, endpoint)) ?? { kind: 'ready', tls };
}

const NAMES: Readonly<Record<TlsPolicy, string>> = { dane: 'DANE', mta_sts: 'MTA-STS' };

function openSocket(
  endpoint: Endpoint,
): Promise<{ ok: true; socket: Socket } | { ok: false; failure: Failed }> {
  return new Promise((resolve) => {
    const { address: host, port, localAddress } = endpoint;
    const socket = connect({ host, port, ...(localAddress !== null && { localAddress }) });
    const fail = (detail: string) => {
      socket.destroy();
      resolve({ ok: false, failure: failed('connect', detail) });
    };
    socket.setTimeout(Math.min(CONNECT_TIMEOUT_MS, endpoint.timeoutMs));
    socket.once('timeout', () => fail(`connect ETIMEDOUT ${endpoint.address}:${endpoint.port}`));
    socket.on('error', (error) => fail(error.message));
    socket.once('connect', () => {
      socket.removeAllListeners();
      socket.setTimeout(0);
      resolve({ ok: true, socket });
    });
  });
}

function options(
  endpoint: Endpoint,
  socket: Socket,
  anchors: string[] | null,
  trace: DialogueTrace | undefined,
): ConstructorParameters<typeof SMTPConnection>[0] {
  return {
    connection: socket,
    host: endpoint.host, // only the name for TLS: the socket is connected to the address already
    port: endpoint.port,
    secure: endpoint.implicitTls,
    ignoreTLS: endpoint.startTls === 'off',
    requireTLS: endpoint.startTls === 'required' && !endpoint.implicitTls,
    opportunisticTLS: endpoint.startTls === 'opportunistic',
    tls: {
      rejectUnauthorized: endpoint.verify,
      ...(anchors && { ca: anchors, allowPartialTrustChain: true }),
    },
    name: endpoint.helo,
    connectionTimeout: endpoint.timeoutMs * 2, // from here: greeting, EHLO and STARTTLS together
    greetingTimeout: endpoint.timeoutMs,
    socketTimeout: endpoint.timeoutMs,
    maxResponseSize: 64 * 1024,
    ...(trace && { logger: trace.logger, transactionLog: true }),
  };
}

function byPolicy(demand: TlsDemand | null, problem: Refused | Failed): Refused | Failed {
  const tls = demand !== null && problem.kind === 'failed' && problem.stage === 'tls';
  return tls ? { ...problem, policy: demand.policy } : problem;
}

async function logIn(smtp: SMTPConnection, { auth }: Endpoint): Promise<Refused | Failed | null> {
  return auth === null ? null : step(smtp, 'AUTH', (done) => smtp.login(auth, done));
}

// Runs one step to its callback, or to the 'error' event for those failures that nodemailer only reports there. A peer
// that refused and closed has refused: its last reply counts for more than the end of the connection.
function step(
  smtp: SMTPConnection,
  command: SmtpCommand,
  run: (done: (error?: Error | null) => void) => void,
): Promise<Refused | Failed | null> {
  return new Promise((resolve) => {
    const before = smtp.lastServerResponse;
    const done = (error?: Error | null) => {
      smtp.off('error', done);
      if (!error) return resolve(null);
      const problem = error as ConnectionError;
      const last = smtp.lastServerResponse;
      const refusal = last === before ? null : refusalRead(smtp);
      if (
        refusal !== null &&
        (problem.code === 'ETLS' || smtp.upgrading === true) &&
        refusal.startsWith('421')
      )
        return resolve(refusedStartTls(refusal));
      if (problem.response === undefined && refusal !== null)
        Object.assign(problem, { response: refusal, command: commandAt(command, last) });
      const tls =
        smtp.upgrading === true || problem.code === 'ETLS' || problem.timeoutType === 'UPGRADE_TIMEOUT';
      resolve(tls ? failed('tls', problem.message, 'STARTTLS') : readError(problem, 'connect', command));
    };
    smtp.on('error', done);
    run(done);
  });
}

function refusedStartTls(response: string): Refused | Failed {
  return readError(
    Object.assign(new Error(response), { response, command: 'STARTTLS' }),
    'connect',
    'STARTTLS',
  );
}

// A greeting of several codes begins with 220; what else comes while connecting answers EHLO or STARTTLS.
function commandAt(command: SmtpCommand, reply: string | false): string {
  if (command !== 'CONNECT') return command;
  return (reply || '').startsWith('220-') ? 'CONN' : 'EHLO';
}

function wrap(
  smtp: Smtp,
  endpoint: Endpoint,
  tls: TlsFacts | null,
  trace: DialogueTrace | undefined,
): Connection {
  const socket = smtp._socket || null;
  trace?.follow(undefined);
  return {
    smtp,
    host: endpoint.host,
    address: endpoint.address,
    tls,
    policy: endpoint.demand?.policy ?? null,
    // The reply to EHLO, or to HELO.
    smtputf8: /^250[ -]SMTPUTF8\b/im.test(smtp.lastServerResponse || ''),
    eightBit: /^250[ -]8BITMIME\b/im.test(smtp.lastServerResponse || ''),
    reported: new Set(),
    used: 0,
    needsReset: false,
    idleSince: monotonicMs(),
    trace,
    awaitVerdict: () => void (smtp._socket && smtp._socket.setTimeout(endpoint.dotTimeoutMs)),
    verdictCame: () => void (smtp._socket && smtp._socket.setTimeout(endpoint.timeoutMs)),
    limit: (octets) =>
      limit(
        smtp,
        LONGEST_SILENCES * endpoint.timeoutMs + endpoint.dotTimeoutMs + octets / SLOWEST_OCTETS_PER_MS,
      ),
    reset: async () => (await step(smtp, 'RSET', (done) => smtp.reset(done))) === null,
    alive: () => !smtp.destroyed && smtp._socket !== false && smtp._socket?.writable === true,
    close: () => {
      if (!smtp.destroyed) smtp.quit();
      smtp.close();
    },
    whenClosed: (listener) => {
      if (socket === null || socket.closed) return listener();
      const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
      socket.once('close', () => {
        clearTimeout(timer);
        listener();
      });
    },
    abort: (reason) => abort(smtp, reason),
  };
}

function limit(smtp: SMTPConnection, ms: number): () => void {
  const timer = setTimeout(() => abort(smtp, 'Timeout: the peer took too long in all'), ms);
  return () => clearTimeout(timer);
}

function abort(smtp: SMTPConnection, reason: string): void {
  if (smtp._socket) smtp._socket.destroy(new Error(reason));
}
