// The SMTP server: one handler per verb, in SMTP order. smtp-server does the protocol; what is accepted and what
// is refused is decided in on-*.ts.

import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';

import type { Config } from '../../core/base/config.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import type { Logger } from '../../core/base/log.ts';
import type { AcceptBatch } from '../accept-batch.ts';
import type { Found, Receiver } from '../find-recipient.ts';
import { connectionOf, extendConnection } from './extend-connection.ts';
import { MAX_MESSAGE_BYTES, onData } from './on-data.ts';
import { onMail } from './on-mail.ts';
import { onRcpt } from './on-rcpt.ts';
import { Refusal, tryAgain } from './refusal.ts';
import { createSessionLimits } from './session-limits.ts';

/** What the server needs. */
export interface SmtpDeps {
  config: Pick<
    Config,
    | 'BIND_ADDRESS'
    | 'INBOUND_SMTP_PORT'
    | 'INBOUND_HOSTNAME'
    | 'INBOUND_SESSION_SECONDS'
    | 'INBOUND_IDLE_SECONDS'
    | 'INBOUND_MAX_CONNECTIONS'
    | 'INBOUND_CONNECTIONS_PER_ADDRESS'
  >;
  tls: { key: string; cert: string };
  pool: pg.Pool;
  log: Logger;
  fail: Fail;
  batch: AcceptBatch;
  findRecipient: (address: string) => Promise<Found>;
}

/** A listening server. */
export interface InboundSmtp {
  port: number;
  /** Sessions under way. */
  sessions(): number;
  /** Accepts no new session, lets messages that are coming in finish, and ends the rest. */
  stop(): Promise<void>;
}

const MAX_RECIPIENTS = 1000; // RFC 5321 section 4.5.3.1.8 asks for 100
const STOP_MS = 15_000; // for messages that are coming in

/** Starts listening. Port 0 means any free port. */
export async function startSmtp(deps: SmtpDeps): Promise<InboundSmtp> {
  const { config } = deps;
  const recipients: WeakMap<object, Receiver> = new WeakMap();
  const inData = new Set<string>();
  const limits = createSessionLimits(
    { perAddress: config.INBOUND_CONNECTIONS_PER_ADDRESS, sessionMs: config.INBOUND_SESSION_SECONDS * 1000 },
    () => server,
  );
  const server = new SMTPServer({
    ...protocolOptions(deps),
    onConnect: (session, callback) =>
      answer(deps, callback, () => {
        const connection = connectionOf(server, session);
        if (connection) extendConnection(connection);
        limits.enter(session);
      }),
    onMailFrom: (address, _session, callback) => answer(deps, callback, () => onMail(address)),
    onRcptTo: (address, _session, callback) =>
      answer(deps, callback, () => onRcpt({ ...deps, recipients }, address)),
    onData: (stream, session, callback) => {
      inData.add(session.id);
      const stored = onData({ ...deps, recipients }, stream, session);
      answer(
        deps,
        (error, text) => {
          inData.delete(session.id);
          callback(error, text);
          if (!error) setImmediate(() => deps.fail('inbound.after-reply'));
        },
        () => stored,
      );
    },
    onClose: (session) => limits.leave(session),
  });
  server.on('error', (error) => deps.log.debug({ err: error }, 'an SMTP session broke'));
  await listen(server, config);
  const port = (server.server.address() as AddressInfo).port;
  return { port, sessions: limits.size, stop: () => stop(server, inData) };
}

function protocolOptions({ config, tls }: SmtpDeps): SMTPServerOptions {
  return {
    ...tls,
    name: config.INBOUND_HOSTNAME,
    banner: 'Postrider',
    heloResponse: '%s greets you',
    size: MAX_MESSAGE_BYTES,
    maxRecipients: MAX_RECIPIENTS,
    maxClients: config.INBOUND_MAX_CONNECTIONS,
    maxCommandLength: 4096, // RFC 5321 section 4.5.3.1.4 asks for 512, extensions add to it
    socketTimeout: config.INBOUND_IDLE_SECONDS * 1000,
    closeTimeout: STOP_MS,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    logger: false,
  };
}

// A handler that throws a Refusal refuses; anything else is trouble of ours, and the client comes again.
function answer<T>(
  deps: SmtpDeps,
  callback: (error?: Error | null, result?: T) => void,
  work: () => T | Promise<T>,
): void {
  new Promise<T>((resolve) => resolve(work())).then(
    (result) => callback(null, result),
    (error: unknown) => {
      if (error instanceof Refusal) return callback(error);
      deps.log.warn({ err: error }, 'a command could not be answered');
      callback(tryAgain());
    },
  );
}

function listen(server: SMTPServer, config: SmtpDeps['config']): Promise<void> {
  return new Promise((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(config.INBOUND_SMTP_PORT, config.BIND_ADDRESS, () => {
      server.server.off('error', reject);
      resolve();
    });
  });
}

function stop(server: SMTPServer, inData: ReadonlySet<string>): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const connection of server.connections) {
    if (!inData.has(connection.session.id)) connection.send(421, '4.3.2 Going down for a moment; come again');
  }
  return done;
}
