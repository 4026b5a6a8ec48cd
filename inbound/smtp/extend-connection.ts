// What smtp-server 3.21 lacks, added to each of its connections: one enhanced status code on every reply (RFC 2034), and
// quoted local parts. It does have codes for what it says itself, and would set those before ours too.

import type { SMTPServer, SMTPServerSession } from 'smtp-server';

import { readQuotedPath } from './quoted-path.ts';

type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never;

const CODE = /^[245]\.\d{1,3}\.\d{1,3} /;

/** Call once for each connection, before its first command. */
export function extendConnection(connection: Connection): void {
  const send = connection.send.bind(connection);
  connection.send = (code, text, context) =>
    send(code, text, typeof text === 'string' && CODE.test(text) ? false : context);

  const parse = connection._parseAddressCommand.bind(connection);
  connection._parseAddressCommand = (name, command) => {
    const path = readQuotedPath(command.toString());
    if (!path) return parse(name, command);
    const parsed = parse(name, path.command);
    return (
      parsed && { ...parsed, address: path.local + parsed.address.slice(parsed.address.lastIndexOf('@')) }
    );
  };
}

/** The connection of a session, while it is open. */
export function connectionOf(server: SMTPServer, session: SMTPServerSession): Connection | undefined {
  for (const connection of server.connections) if (connection.session === session) return connection;
  return undefined;
}
