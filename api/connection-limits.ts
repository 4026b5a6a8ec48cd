// How many connections one client may hold. Without a limit per address, one client takes all of them and locks out
// everybody else; and when it opens all of them at once, it makes everybody else wait for its TLS handshakes.
// Guarantee: while one connection is idle, a client below its own limit can connect.

import type { Socket } from 'node:net';

import { isInRanges, networkOf, parseAddress, type AddressRange } from '../core/base/address-range.ts';

/** Why a connection was closed: over the limit of its address, to admit another client, or nothing was idle. */
export type ClosedConnection = 'address_limit' | 'oldest_idle' | 'all_busy';

/** The connections of one process, over all of its listeners. */
export interface ConnectionLimits {
  /** Counts a new connection, which is idle until its first request. False: it is over a limit, and closed. */
  enter(socket: Socket): boolean;
  /** Begins the TLS handshake of a connection that entered, at once or when others of its address ended theirs. */
  handshake(socket: Socket, begin: () => void): void;
  /** The handshake succeeded. One that fails closes its connection. */
  handshaken(socket: Socket): void;
  /** A request begins. Until its `end` the connection is not closed to admit others. */
  begin(socket: Socket): void;
  /** A request ended. */
  end(socket: Socket): void;
}

/** The limits, in connections. */
export interface ConnectionLimitOptions {
  /** Of one IPv4 address or IPv6 /64. */
  perAddress: number;
  total: number;
  /** Proxies: the limit per address does not apply to them, because many clients share each. */
  exempt: readonly AddressRange[];
  /** Called for each connection that is closed here. */
  onClosed?: ((why: ClosedConnection) => void) | undefined;
}

interface Connection {
  key: string;
  socket: Socket;
  network: string | null; // null: exempt
  requests: number;
  inHandshake: boolean;
}

// TLS handshakes of one address at a time. They take turns on the event loop, so more make no client faster: 200 at once made
// other clients wait for 1.1 s.
const HANDSHAKES = 8;

interface Handshakes {
  count: number;
  waiting: (() => void)[];
}

/** Makes the limits. */
export function createConnectionLimits(options: ConnectionLimitOptions): ConnectionLimits {
  const { perAddress, total, exempt, onClosed } = options;
  const open = new Map<string, Connection>();
  const idle = new Map<string, Connection>(); // idle for the longest time first
  const counts = new Map<string, number>();
  const bySocket = new WeakMap<Socket, Connection>(); // spares each request its key
  const handshakes = new Map<string, Handshakes>();

  const close = (socket: Socket, why: ClosedConnection) => {
    onClosed?.(why);
    socket.destroy();
  };
  const leave = (key: string, connection: Connection) => {
    if (open.get(key) !== connection) return;
    open.delete(key);
    idle.delete(key);
    endHandshake(connection);
    const { network } = connection;
    if (network === null) return;
    const left = (counts.get(network) ?? 1) - 1;
    if (left > 0) counts.set(network, left);
    else counts.delete(network);
  };
  const endHandshake = (connection: Connection) => {
    const { network, inHandshake } = connection;
    const turns = network !== null && inHandshake ? handshakes.get(network) : undefined;
    if (!turns) return;
    connection.inHandshake = false;
    turns.count--;
    turns.waiting.shift()?.();
    if (turns.count === 0) handshakes.delete(network!);
  };
  const admits = (network: string | null): ClosedConnection | null => {
    if (network !== null && (counts.get(network) ?? 0) >= perAddress) return 'address_limit';
    if (open.size < total) return null;
    const [oldest] = idle;
    if (!oldest) return 'all_busy';
    leave(...oldest);
    close(oldest[1].socket, 'oldest_idle');
    return null;
  };

  return {
    enter(socket) {
      const network = countedNetwork(socket, exempt);
      const refusal = admits(network);
      if (refusal) {
        close(socket, refusal);
        return false;
      }
      const key = keyOf(socket);
      const connection = { key, socket, network, requests: 0, inHandshake: false };
      open.set(key, connection);
      idle.set(key, connection);
      bySocket.set(socket, connection);
      if (network !== null) counts.set(network, (counts.get(network) ?? 0) + 1);
      socket.once('close', () => leave(key, connection));
      return true;
    },
    handshake(socket, begin) {
      const connection = open.get(keyOf(socket));
      if (!connection || connection.network === null) return begin();
      const turns = handshakes.get(connection.network) ?? { count: 0, waiting: [] };
      handshakes.set(connection.network, turns);
      const start = () => {
        turns.count++;
        connection.inHandshake = true;
        if (socket.destroyed) endHandshake(connection);
        else begin();
      };
      if (turns.count < HANDSHAKES) start();
      else turns.waiting.push(start);
    },
    handshaken(socket) {
      const connection = open.get(keyOf(socket));
      if (!connection) return;
      bySocket.set(socket, connection);
      endHandshake(connection);
    },
    begin(socket) {
      const connection = bySocket.get(socket);
      if (!connection) return;
      connection.requests++;
      idle.delete(connection.key);
    },
    end(socket) {
      const connection = bySocket.get(socket);
      if (!connection || --connection.requests > 0) return;
      if (open.get(connection.key) === connection) idle.set(connection.key, connection);
    },
  };
}

// A TLS socket has the ends of the TCP socket that it wraps.
function keyOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}

function countedNetwork({ remoteAddress = '' }: Socket, exempt: readonly AddressRange[]): string | null {
  const address = parseAddress(remoteAddress);
  return address && isInRanges(address, exempt) ? null : networkOf(remoteAddress);
}
