// Ranges of network addresses (CIDR, RFC 4632 and RFC 4291 section 2.3), and which addresses are in them.

import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address; an IPv4 address that was mapped into IPv6 (RFC 4291 section 2.5.5.2) is the IPv4 address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network and the length of its prefix in bits. */
export type AddressRange = [network: Address, bits: number];

/** A range in its shortest spelling, or what is wrong with the text. */
export type ParsedRange = { ok: true; text: string; range: AddressRange } | { ok: false; reason: string };

const SHAPE = 'must be an IP address or a CIDR block, such as 203.0.113.7 or 2001:db8::/32';

/**
 * Reads an address as sockets and proxies write them, without its interface (`fe80::1%eth0`). Null for anything else, also
 * for octal and short forms of IPv4 (`127.1`), which programs read differently.
 */
export function parseAddress(text: string): Address | null {
  const [bare = ''] = text.split('%', 1);
  return isIPv4(bare) || isIPv6(bare) ? ipaddr.process(bare) : null;
}

/** Reads an address or a CIDR block. One with bits behind its prefix is refused: it may mean one address or all. */
export function parseRange(text: string): ParsedRange {
  const [, host = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(host);
  if (!address) return { ok: false, reason: SHAPE };
  const most = address.kind() === 'ipv4' ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  if (bits > most) return { ok: false, reason: `must have a prefix of at most ${most} bits` };
  const network = networkAddress(address, bits);
  if (network.toString() !== address.toString())
    return { ok: false, reason: `has bits behind its prefix; the block is ${network.toString()}/${bits}` };
  const shortest = bits === most ? network.toString() : `${network.toString()}/${bits}`;
  return { ok: true, text: shortest, range: [network, bits] };
}

const IPV6_SITE_BITS = 64; // RFC 6177: an end site has a /64 at least

/** What is counted as one client: an IPv4 address, or the /64 of an IPv6 address. Text that is no address stays as it is. */
export function networkOf(text: string): string {
  const address = parseAddress(text);
  if (!address) return text;
  if (address.kind() === 'ipv4') return address.toString();
  return `${networkAddress(address, IPV6_SITE_BITS).toString()}/${IPV6_SITE_BITS}`;
}

/** Whether an address is in one of the ranges. */
export function isInRanges(address: Address, ranges: readonly AddressRange[]): boolean {
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

function networkAddress(address: Address, bits: number): Address {
  const block = `${address.toString()}/${bits}`;
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(block)
    : ipaddr.IPv6.networkAddressFromCIDR(block);
}
