// The look-ups of verification: always fresh, because whoever just published a record wants it seen now, and with
// an end that is near, because somebody is waiting. (Delivery has its own, cached: core/clients/dns.ts.)

import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

import { sleep } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { DnsAnswer, MxRecord } from '../clients/dns.ts';

/** The look-ups of verification. They never throw. */
export interface RecordDns {
  /** Each record's strings joined. */
  txt(name: string): Promise<DnsAnswer<string>>;
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  cname(name: string): Promise<DnsAnswer<string>>;
}

/** Fresh look-ups, also of addresses, their names and name servers. They never throw. */
export interface DomainDns extends RecordDns {
  /** IPv4 addresses. */
  a(name: string): Promise<DnsAnswer<string>>;
  /** IPv6 addresses. */
  aaaa(name: string): Promise<DnsAnswer<string>>;
  ptr(name: string): Promise<DnsAnswer<string>>;
  /** Name servers of a zone. */
  ns(name: string): Promise<DnsAnswer<string>>;
}

const QUERY_TIMEOUT_MS = 1_500; // of the first try; c-ares doubles it for the second
const TRIES = 2;
const DEADLINE_MS = 5_000; // of one look-up, whatever the resolver does: a person waits for the answer

/** Makes the look-ups. Nothing is asked before the first. */
export function createDomainDns(config: Pick<Config, 'DNS_SERVERS'>): DomainDns {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES });
  if (config.DNS_SERVERS.length > 0) resolver.setServers(config.DNS_SERVERS);
  return {
    txt: (name) => answer(async () => (await resolver.resolveTxt(name)).map((strings) => strings.join(''))),
    mx: (name) => answer(() => resolver.resolveMx(name)),
    cname: (name) => answer(() => resolver.resolveCname(name)),
    a: (name) => answer(() => resolver.resolve4(name)),
    aaaa: (name) => answer(() => resolver.resolve6(name)),
    ptr: (name) => answer(() => resolver.resolvePtr(name)),
    ns: (name) => answer(() => resolver.resolveNs(name)),
  };
}

/** The same look-ups with one deadline for all: what has no answer by then, and what is asked later, is unavailable. */
export function withDeadline(dns: DomainDns, limitMs: number): DomainDns {
  const late = sleep(limitMs).then((): DnsAnswer<never> => ({
    kind: 'unavailable',
    detail: 'no answer in time',
  }));
  let isOver = false;
  void late.then(() => (isOver = true));
  const bound =
    <T>(ask: (name: string) => Promise<DnsAnswer<T>>) =>
    (name: string) =>
      isOver ? late : Promise.race([ask(name), late]);
  return {
    txt: bound(dns.txt),
    mx: bound(dns.mx),
    cname: bound(dns.cname),
    a: bound(dns.a),
    aaaa: bound(dns.aaaa),
    ptr: bound(dns.ptr),
    ns: bound(dns.ns),
  };
}

/** The name under which an address has its PTR record (RFC 1035 section 3.5, RFC 3596 section 2.5). */
export function reverseName(address: string): string {
  const parsed = ipaddr.process(address);
  const octets = parsed.toByteArray();
  if (parsed.kind() === 'ipv4') return `${octets.reverse().join('.')}.in-addr.arpa`;
  const nibbles = octets.flatMap((octet) => [octet >> 4, octet & 15]);
  return `${nibbles
    .reverse()
    .map((nibble) => nibble.toString(16))
    .join('.')}.ip6.arpa`;
}

async function answer<T>(ask: () => Promise<T[]>): Promise<DnsAnswer<T>> {
  const done = new AbortController();
  const late = sleep(DEADLINE_MS, done.signal).then((): DnsAnswer<T> => ({
    kind: 'unavailable',
    detail: 'no answer in time',
  }));
  const asked = ask().then<DnsAnswer<T>, DnsAnswer<T>>(foundOrEmpty, absent);
  return Promise.race([asked, late]).finally(() => done.abort());
}

function foundOrEmpty<T>(records: T[]): DnsAnswer<T> {
  return records.length > 0 ? { kind: 'found', records } : { kind: 'no_records', detail: 'empty answer' };
}

// Only NXDOMAIN and NODATA say that a record is not there; SERVFAIL, REFUSED and timeouts say nothing about it.
function absent(error: NodeJS.ErrnoException): DnsAnswer<never> {
  const { code, message } = error;
  if (code === 'ENOTFOUND' || code === 'EBADNAME') return { kind: 'no_domain', detail: message };
  if (code === 'ENODATA') return { kind: 'no_records', detail: message };
  return { kind: 'unavailable', detail: code ?? message };
}
