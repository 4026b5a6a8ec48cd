// Where a request really comes from, behind proxies that we trust.

import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

import {
  isInRanges,
  networkOf,
  parseAddress,
  type Address,
  type AddressRange,
} from '../core/base/address-range.ts';

/** What proxies report about a request, believed only from those we trust. */
export interface ClientInfo {
  /** The client's address as it is counted: IPv6 by its /64, because one subscriber has all of it. */
  address: string;
  /** The client's address in full, as allow lists compare it. */
  exact: string;
  /** False when a trusted proxy received the request over plain HTTP. */
  secure: boolean;
  /** Whether a trusted proxy passed the request on. */
  proxied: boolean;
}

/** Reads the client of a request. */
export type ReadClient = (incoming: IncomingMessage) => ClientInfo;

const DIRECT = { secure: true, proxied: false };

interface Peer {
  address: Address;
  trusted: boolean;
  info: ClientInfo;
}

/** The ranges of TRUSTED_PROXIES. Throws for a CIDR that is none. */
export function proxyRanges(trustedProxies: string[]): AddressRange[] {
  return trustedProxies.map((cidr) =>
    ipaddr.parseCIDR(cidr.includes('/') ? cidr : `${cidr}/${cidr.includes(':') ? 128 : 32}`),
  );
}

/** Makes the reader from TRUSTED_PROXIES. Throws for a CIDR that is none. */
export function createReadClient(trustedProxies: string[]): ReadClient {
  const trusted = proxyRanges(trustedProxies);
  const isTrusted = (address: Address) => isInRanges(address, trusted);

  const peers = new WeakMap<object, Peer>(); // a connection has one peer for all of its requests
  const peerOf = (socket: IncomingMessage['socket']): Peer | null => {
    const known = peers.get(socket);
    if (known) return known;
    const address = parse(socket.remoteAddress ?? '');
    if (!address) return null;
    const peer = { address, trusted: isTrusted(address), info: { ...spell(address), ...DIRECT } };
    peers.set(socket, peer);
    return peer;
  };

  return (incoming) => {
    const peer = peerOf(incoming.socket);
    if (!peer) return { address: 'unknown', exact: 'unknown', ...DIRECT };
    if (!peer.trusted) return peer.info;
    const proto = lastPart(incoming.headers['x-forwarded-proto']);
    return { ...spell(firstUntrusted(incoming, peer.address)), secure: proto !== 'http', proxied: true };
  };

  // From the right: each hop was written by the one after it, so the first that is not ours is the client.
  function firstUntrusted(incoming: IncomingMessage, peer: Address): Address {
    let client = peer;
    for (const hop of parts(incoming.headers['x-forwarded-for']).reverse()) {
      const address = parse(hop);
      if (!address) return client;
      client = address;
      if (!isTrusted(address)) return client;
    }
    return client;
  }
}

function parts(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text.split(',').map((part) => part.trim());
}

function lastPart(header: string | string[] | undefined): string {
  return parts(header).at(-1)?.toLowerCase() ?? '';
}

function parse(text: string): Address | null {
  const bare = text.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return parseAddress(bare);
}

function spell(address: Address): Pick<ClientInfo, 'address' | 'exact'> {
  const exact = address.toString();
  return { address: networkOf(exact), exact };
}
