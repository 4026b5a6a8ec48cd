// The simulator's SMTP server: accepts what was routed to it and answers as the recipient's address says.

import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { AddressInfo } from 'node:net';

import { behaviourOf, RecipientGate } from './behaviour.ts';
import type { MessageStore } from './message-store.ts';
import { SIMULATOR_HOST } from './zone.ts';

/** What the SMTP server works with. */
export interface SmtpDeps {
  store: MessageStore;
  /** Called for every recipient whose address asks for a report. */
  report: (kind: 'dsn' | 'complained', message: ReportedMessage) => void;
  slowMs: number;
  /** Key and certificate for STARTTLS, which is not offered without them. */
  tls?: { key: string; cert: string };
}

/** The message that a report is about. */
export interface ReportedMessage {
  mailFrom: string;
  rcptTo: string;
  raw: Buffer;
}

/** A listening SMTP server. */
export interface SmtpListener {
  port: number;
  stop(): Promise<void>;
}

const MAX_MESSAGE_OCTETS = 25 * 1024 * 1024; // what large mailbox providers take
const CLOSE_MS = 200; // for connections that are open while we stop

class Refused extends Error {
  readonly responseCode: number;

  constructor(code: number, text: string) {
    super(text);
    this.responseCode = code;
  }
}

/** Listens on 127.0.0.1. Port 0 picks a free one. */
export async function startSmtpServer(deps: SmtpDeps, port: number): Promise<SmtpListener> {
  const gate = new RecipientGate();
  const delayed = new Set<NodeJS.Timeout>();
  const server = new SMTPServer({
    ...deps.tls,
    name: SIMULATOR_HOST,
    banner: 'mailbox simulator',
    size: MAX_MESSAGE_OCTETS,
    rejectOversized: true,
    disableReverseLookup: true,
    disabledCommands: deps.tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    closeTimeout: CLOSE_MS,
    maxAllowedUnauthenticatedCommands: false,
    onRcptTo: (address, session, callback) => {
      const refusal = gate.refuse(mailFromOf(session), address.address);
      callback(refusal ? new Refused(refusal.code, refusal.text) : null);
    },
    onData: (stream, session, callback) => {
      const whenRead = (raw: Buffer) => {
        const done = () => callback(null, `2.0.0 Caught as ${keep(deps, session, raw)}`);
        if (!session.envelope.rcptTo.some((one) => behaviourOf(one.address) === 'slow')) return done();
        const timer = setTimeout(() => {
          delayed.delete(timer);
          done();
        }, deps.slowMs);
        delayed.add(timer);
      };
      readAll(stream, whenRead, callback);
    },
  });
  server.on('error', () => {}); // a client that broke off, or spoke TLS badly
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        for (const timer of delayed) clearTimeout(timer);
        server.close(() => resolve());
      }),
  };
}

function mailFromOf(session: SMTPServerSession): string {
  return session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
}

function keep(deps: SmtpDeps, session: SMTPServerSession, raw: Buffer): number {
  const mailFrom = mailFromOf(session);
  for (const { address: rcptTo } of session.envelope.rcptTo) {
    deps.store.add(mailFrom, rcptTo, raw);
    const behaviour = behaviourOf(rcptTo);
    if (behaviour === 'dsn' || behaviour === 'complained') deps.report(behaviour, { mailFrom, rcptTo, raw });
  }
  return deps.store.total;
}

// Too large a message is read to its end, without being kept; `rejectOversized` gives the answer.
function readAll(
  stream: SMTPServerDataStream,
  done: (raw: Buffer) => void,
  fail: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    if (!stream.sizeExceeded) chunks.push(chunk);
  });
  stream.once('error', fail);
  stream.once('end', () => {
    if (stream.sizeExceeded) fail(new Refused(552, '5.3.4 The message is too large'));
    else done(Buffer.concat(chunks)); // a copy: a chunk alone would keep the socket's 64 KiB alive
  });
}
