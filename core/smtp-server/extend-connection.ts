// What smtp-server 3.21 lacks, added to each of its connections: one enhanced status code on every reply (RFC 2034),
// AUTH that is offered only under TLS, quoted local parts, stricter paths, and a decision at DATA before the message is
// asked for.

import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import type { Socket } from 'node:net';

import { networkOf } from '../base/address-range.ts';
import { checkBytes, checkPath, type PathVerb } from './check-path.ts';
import { readQuotedPath } from './quoted-path.ts';
import type { Refusal } from './refusal.ts';

type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never;

const CODE = /^[245]\.\d{1,3}\.\d{1,3} /;

/** Call once for each connection, before its first command. */
export function extendConnection(connection: Connection): void {
  const offered = new Set<string>();
  const send = connection.send.bind(connection);
  connection.send = (code, text, context) => {
    if (code === 250 && Array.isArray(text)) {
      const lines = offerOf(connection, text);
      offered.clear();
      for (const line of lines.slice(1)) offered.add(line.split(' ', 1)[0]!);
      return send(code, lines, context);
    }
    if (code === 538) return send(code, '5.7.11 Encryption is required: STARTTLS first', false);
    // It has codes for what it says itself, and would set those before ours too.
    return send(code, text, typeof text === 'string' && CODE.test(text) ? false : context);
  };

  const parse = connection._parseAddressCommand.bind(connection);
  connection._parseAddressCommand = (name, command) => {
    const path = readQuotedPath(command.toString());
    if (!path) return parse(name, command);
    const parsed = parse(name, path.command);
    return (
      parsed && { ...parsed, address: path.local + parsed.address.slice(parsed.address.lastIndexOf('@')) }
    );
  };
  const greet = connection.handler_HELO.bind(connection);
  connection.handler_HELO = (command, callback) => {
    offered.clear();
    greet(command, callback);
  };
  refuseBadPaths(connection, 'MAIL', offered);
  refuseBadPaths(connection, 'RCPT', offered);
}

// The lines of the reply to EHLO. The library offers AUTH in plain text too, and refuses it there with the code of another
// trouble.
function offerOf({ secure }: Connection, lines: string[]): string[] {
  return secure ? lines : lines.filter((line) => !line.startsWith('AUTH '));
}

function refuseBadPaths(connection: Connection, verb: PathVerb, offered: ReadonlySet<string>): void {
  const name = `handler_${verb}` as const;
  const handle = connection[name].bind(connection);
  connection[name] = (command, callback) => {
    const refusal = refusalOfPath(connection, verb, Buffer.from(command), offered);
    if (!refusal) return handle(command, callback);
    connection.send(refusal.responseCode, refusal.message);
    callback();
  };
}

function refusalOfPath(
  connection: Connection,
  verb: PathVerb,
  command: Buffer,
  offered: ReadonlySet<string>,
): Refusal | null {
  const { envelope, user } = connection.session;
  // The library keeps what a MAIL announced that was then refused.
  if (verb === 'MAIL' && !envelope.mailFrom) envelope.smtpUtf8 = false;
  const bytes = checkBytes(verb, command);
  if (bytes) return bytes;
  const parsed = connection._parseAddressCommand(verb === 'MAIL' ? 'mail from' : 'rcpt to', command);
  if (!parsed) return null; // the library says what is wrong with it
  const parameters = Object.keys(parsed.args || {});
  return checkPath(verb, command, {
    parameters,
    smtpUtf8: verb === 'MAIL' ? parameters.includes('SMTPUTF8') : envelope.smtpUtf8 === true,
    offered: user ? new Set([...offered, 'AUTH']) : offered, // an EHLO after signing in does not offer it again
  });
}

/**
 * Asks before a message may come: what is refused is refused in place of 354, and the transaction is over. The library
 * would ask for the message first.
 */
export function checkBeforeData(connection: Connection, check: () => Promise<Refusal | null>): void {
  const data = connection.handler_DATA.bind(connection);
  connection.handler_DATA = (command, callback) => {
    if (connection.session.envelope.rcptTo.length === 0) return data(command, callback);
    void check().then((refusal) => {
      if (!refusal) return data(command, callback);
      connection.send(refusal.responseCode, refusal.message);
      connection._resetSession();
      callback();
    });
  };
}

/**
 * Greets every client as soon as it is connected. The library waits for 100 ms, so that it can refuse who talks before: that was
 * most of what an honest client waited for.
 */
export function greetAtOnce(server: SMTPServer): void {
  const add = server.connections.add.bind(server.connections);
  server.connections.add = (connection) => {
    const init = connection.init.bind(connection);
    const ready = connection.connectionReady.bind(connection);
    connection.connectionReady = () => {}; // of the library's timer
    connection.init = () => {
      init();
      setImmediate(ready);
    };
    return add(connection);
  };
}

/**
 * Drops a connection when so many of its address wait for TLS from the start. They are no sessions yet: one client that
 * never begins TLS would fill the library's own bound, which is for all addresses together, and shut out everybody.
 */
export function limitHandshakes(server: SMTPServer, perAddress: number): void {
  const accept = server._acceptSocket.bind(server);
  const addressOf = (socket: Socket) => networkOf(socket.remoteAddress ?? '');
  server._acceptSocket = (socket, handshake) => {
    const address = addressOf(socket);
    const waiting = [...server._pendingSockets.keys()].filter((one) => addressOf(one) === address);
    if (waiting.length < perAddress) return accept(socket, handshake);
    socket.on('error', () => {});
    socket.destroy();
    return false;
  };
}

/** The connection of a session, while it is open. */
export function connectionOf(server: SMTPServer, session: SMTPServerSession): Connection | undefined {
  for (const connection of server.connections) if (connection.session === session) return connection;
  return undefined;
}
