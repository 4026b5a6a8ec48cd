// DNS look-ups through DNS_SERVERS (or the system's), as values: a name that is not there, a name without such
// records, and a server that does not answer are three different things to whoever asks.
// MX and addresses are cached; TXT and CNAME never are, because whoever verifies a domain wants to see it now.

import { Resolver } from 'node:dns/promises';

import { monotonicMs } from '../base/clock.ts';
import type { Config } from '../base/config.ts';

/** What a look-up found. `unavailable` is worth another try; `no_domain` is NXDOMAIN, `no_records` is NODATA. */
export type DnsAnswer<T> =
  | { kind: 'found'; records: T[] }
  | { kind: 'no_domain' | 'no_records' | 'unavailable'; detail: string };

/** One MX record (RFC 5321 section 5.1); an empty `exchange` is a null MX (RFC 7505). */
export interface MxRecord {
  priority: number;
  exchange: string;
}

/** The look-ups of one process. Equal look-ups at the same time share one query. */
export interface Dns {
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  /** IPv4 first, then IPv6 addresses. */
  addresses(name: string): Promise<DnsAnswer<string>>;
  /** Each record's strings joined. */
  txt(name: string): Promise<DnsAnswer<string>>;
  cname(name: string): Promise<DnsAnswer<string>>;
  /** The names of an IP address. */
  ptr(address: string): Promise<DnsAnswer<string>>;
}

const QUERY_TIMEOUT_MS = 2_500; // of one try; c-ares doubles it for the next
const TRIES = 2;
const MAX_ENTRIES = 20_000; // of the cache, about 200 bytes each
const MX_TTL_MS = 120_000; // Node reports no TTL for MX; mail servers move rarely, and a dead one is retried anyway
const MIN_TTL_MS = 5_000;
const MAX_TTL_MS = 300_000;
const ABSENT_TTL_MS = 10_000; // short: a record that was just published should be seen soon
const UNAVAILABLE_TTL_MS = 2_000; // keeps a thousand waiting messages from asking a dead server a thousand times

/** Makes the resolver. Nothing is asked before the first look-up. */
export function createDns(config: Pick<Config, 'DNS_SERVERS'>): Dns {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES });
  if (config.DNS_SERVERS.length > 0) resolver.setServers(config.DNS_SERVERS);
  const mxCache = createCache((name) => lookUpMx(resolver, name));
  const addressCache = createCache((name) => lookUpAddresses(resolver, name));
  const nameCache = createCache((address) => lookUpNames(resolver, address));
  return {
    mx: (name) => mxCache(name.toLowerCase()),
    addresses: (name) => addressCache(name.toLowerCase()),
    txt: (name) => answer(async () => (await resolver.resolveTxt(name)).map((strings) => strings.join(''))),
    cname: (name) => answer(() => resolver.resolveCname(name)),
    ptr: nameCache,
  };
}

interface Timed<T> {
  answer: DnsAnswer<T>;
  ttlMs: number;
}

async function lookUpMx(resolver: Resolver, name: string): Promise<Timed<MxRecord>> {
  const found = await answer(() => resolver.resolveMx(name));
  return { answer: found, ttlMs: found.kind === 'found' ? MX_TTL_MS : absentTtl(found.kind) };
}

async function lookUpNames(resolver: Resolver, address: string): Promise<Timed<string>> {
  const found = await answer(() => resolver.reverse(address));
  return { answer: found, ttlMs: found.kind === 'found' ? MAX_TTL_MS : absentTtl(found.kind) };
}

async function lookUpAddresses(resolver: Resolver, name: string): Promise<Timed<string>> {
  const [v4, v6] = await Promise.all([
    answer(() => resolver.resolve4(name, { ttl: true })),
    answer(() => resolver.resolve6(name, { ttl: true })),
  ]);
  const records = [v4, v6].flatMap((found) => (found.kind === 'found' ? found.records : []));
  if (records.length > 0) {
    const ttl = Math.min(...records.map((record) => record.ttl)) * 1000;
    return {
      answer: { kind: 'found', records: records.map((record) => record.address) },
      ttlMs: Math.min(Math.max(ttl, MIN_TTL_MS), MAX_TTL_MS),
    };
  }
  // "Not there" needs both to say so: an IPv6 NODATA beside an IPv4 timeout proves nothing.
  const absent = [v4, v6].find((found) => found.kind === 'unavailable') ?? v4;
  return absent.kind === 'found'
    ? { answer: { kind: 'no_records', detail: `no address for ${name}` }, ttlMs: ABSENT_TTL_MS }
    : { answer: absent, ttlMs: absentTtl(absent.kind) };
}

function absentTtl(kind: 'no_domain' | 'no_records' | 'unavailable'): number {
  return kind === 'unavailable' ? UNAVAILABLE_TTL_MS : ABSENT_TTL_MS;
}

// c-ares codes: https://nodejs.org/api/dns.html#error-codes. EBADNAME is a name that DNS cannot carry at all.
async function answer<T>(ask: () => Promise<T[]>): Promise<DnsAnswer<T>> {
  try {
    const records = await ask();
    return records.length > 0 ? { kind: 'found', records } : { kind: 'no_records', detail: 'empty answer' };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'EBADNAME') return { kind: 'no_domain', detail: message };
    if (code === 'ENODATA') return { kind: 'no_records', detail: message };
    return { kind: 'unavailable', detail: message };
  }
}

function createCache<T>(
  lookUp: (name: string) => Promise<Timed<T>>,
): (name: string) => Promise<DnsAnswer<T>> {
  const entries = new Map<string, { answer: Promise<DnsAnswer<T>>; until: number }>();
  return (name) => {
    const known = entries.get(name);
    if (known && known.until > monotonicMs()) return known.answer;
    const entry = {
      answer: Promise.resolve<DnsAnswer<T>>({ kind: 'no_records', detail: '' }),
      until: Infinity,
    };
    entry.answer = lookUp(name).then((timed) => {
      entry.until = monotonicMs() + timed.ttlMs;
      return timed.answer;
    });
    entries.delete(name); // to the young end of the map, whose oldest entry goes when it is full
    entries.set(name, entry);
    if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value ?? name);
    return entry.answer;
  };
}
