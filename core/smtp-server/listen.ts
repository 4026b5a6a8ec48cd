// A listening SMTP server. The library speaks the protocol; what is accepted and what is refused is decided by the
// handlers of the service that listens.

import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerAuthentication,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';
import type { AddressInfo } from 'node:net';
import { setImmediate as pollDone } from 'node:timers/promises';

import { monotonicMs, sleep } from '../base/clock.ts';
import { DRAIN_MS } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import {
  checkBeforeData,
  connectionOf,
  extendConnection,
  greetAtOnce,
  limitHandshakes,
} from './extend-connection.ts';
import { HungUp, Refusal, tryAgain } from './refusal.ts';
import type { SessionLimits } from './session-limits.ts';

/** What a service decides, in SMTP order. Each throws a Refusal; whatever else it throws is 451. */
export interface SmtpHandlers {
  /** Resolves when the client is who it says. */
  onAuth?(auth: SMTPServerAuthentication, session: SMTPServerSession): Promise<void>;
  onMail(address: SMTPServerAddress, session: SMTPServerSession): Promise<void> | void;
  onRcpt(address: SMTPServerAddress, session: SMTPServerSession): Promise<void> | void;
  /** Whether a message may come now. */
  beforeData?(session: SMTPServerSession): Promise<void>;
  /** Resolves with the text behind 250, once the message is stored; throws HungUp when the client left. */
  onData(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string>;
  /** After the answer to a message: its code. */
  afterData?(session: SMTPServerSession, code: number): void;
}

/** How to listen. */
export interface SmtpListen {
  host: string;
  /** 0 means any free port. */
  port: number;
  limits: SessionLimits;
  log: Logger;
  /** What the protocol offers. */
  protocol: SMTPServerOptions;
}

/** A listening server. */
export interface RunningSmtp {
  port: number;
  /** For the handshakes from now on. */
  setCertificate(tls: { key: Buffer; cert: Buffer }): void;
  /** Accepts no new session, and says 421 in each as soon as no message is under way there (RFC 5321 section 3.8). */
  stop(): Promise<void>;
}

const CLOSE_MS = 1_000; // for sessions that did not come to an end in time
const LOOK_MS = 20;
const CLIENT_LEFT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']); // nothing to say of it, but in DATA
const GOING_DOWN = '4.3.2 Going down for a moment; come again';

/** Starts listening. */
export async function listenSmtp(listen: SmtpListen, handlers: SmtpHandlers): Promise<RunningSmtp> {
  const { limits, log } = listen;
  const { onAuth, beforeData } = handlers;
  const inData = new Map<string, SMTPServerDataStream>();
  const overdue = new Map<string, Refusal>();
  let stopping = false;
  const refusalOf = (error: unknown) => toRefusal(log, error);
  const server = new SMTPServer({
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    logger: false,
    closeTimeout: CLOSE_MS,
    ...listen.protocol,
    onConnect: (session, callback) => {
      const enter = () => {
        const connection = connectionOf(server, session);
        if (!connection) return;
        extendConnection(connection);
        if (beforeData) {
          checkBeforeData(connection, () => beforeData(session).then(() => null, refusalOf));
        }
        limits.enter(session, (refusal) => {
          // Told 421 between the final dot and its answer, the client would send a message again that is stored.
          if (inData.get(session.id)?.writableEnded) overdue.set(session.id, refusal);
          else connection.send(refusal.responseCode, refusal.message);
        });
      };
      answer(refusalOf, callback, enter);
    },
    ...(onAuth && {
      onAuth: (auth, session, callback) =>
        answer(refusalOf, callback, async () => {
          await onAuth(auth, session);
          return { user: session.id }; // the library wants something; who it is the service knows
        }),
    }),
    onMailFrom: (address, session, callback) =>
      answer(refusalOf, callback, () => handlers.onMail(address, session)),
    onRcptTo: (address, session, callback) =>
      answer(refusalOf, callback, () => handlers.onRcpt(address, session)),
    onData: (stream, session, callback) => {
      inData.set(session.id, stream);
      const stored = handlers.onData(stream, session);
      const replied = (error?: Error | null, text?: string) => {
        inData.delete(session.id);
        if (error instanceof HungUp) log.debug({ peer: session.remoteAddress }, 'a client left in DATA');
        callback(error, text);
        handlers.afterData?.(session, error instanceof Refusal ? error.responseCode : 250);
        const last = stopping ? GOING_DOWN : overdue.get(session.id)?.message;
        if (last !== undefined) setImmediate(() => connectionOf(server, session)?.send(421, last));
      };
      answer(refusalOf, replied, () => stored);
    },
    onClose: (session) => {
      overdue.delete(session.id);
      limits.leave(session);
    },
  });
  limitHandshakes(server, limits.perAddress);
  greetAtOnce(server);
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (!CLIENT_LEFT.has(error.code ?? '')) log.debug({ err: error }, 'an SMTP session broke');
  });
  await listening(server, listen);
  return {
    port: (server.server.address() as AddressInfo).port,
    setCertificate: ({ key, cert }) => server.updateSecureContext({ key, cert }),
    stop: async () => {
      await pollDone(); // a connection that waits to be accepted would be reset
      stopping = true;
      server.server.close();
      const until = monotonicMs() + DRAIN_MS;
      while (server.connections.size > 0 && monotonicMs() < until) {
        for (const connection of server.connections)
          if (!connection.session.envelope.mailFrom) connection.send(421, GOING_DOWN);
        await sleep(LOOK_MS);
      }
      // Now, and not before: from here on the library answers every command with 421.
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function answer<T>(
  refusalOf: (error: unknown) => Refusal,
  callback: (error?: Error | null, result?: T) => void,
  work: () => T | Promise<T>,
): void {
  new Promise<T>((resolve) => resolve(work())).then(
    (result) => callback(null, result),
    (error: unknown) => callback(refusalOf(error)),
  );
}

// A handler that throws a Refusal refuses; anything else is trouble of ours, and the client comes again.
function toRefusal(log: Logger, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  log.warn({ err: error }, 'an SMTP command could not be answered');
  return tryAgain();
}

function listening(server: SMTPServer, { host, port }: SmtpListen): Promise<void> {
  return new Promise((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => {
      server.server.off('error', reject);
      resolve();
    });
  });
}
