// Everything that a preflight asks DNS, at once and with one deadline. What did not answer is said so, never thrown.

import type { Config } from '../base/config.ts';
import { poolFor, type EgressPool } from '../base/egress-pools.ts';
import type { DnsAnswer } from '../clients/dns.ts';
import { checkRecords, type CheckResults } from '../domain/check-records.ts';
import { reverseName, withDeadline, type DomainDns } from '../domain/dns-lookup.ts';
import { returnPathDomain, type DkimKeyInfo, type DomainRecord } from '../domain/domain.ts';
import { evaluateSpf, NOBODY, type SpfResult } from './evaluate-spf.ts';

/** One address that our mail comes from, its name in EHLO, and the names that its PTR records give. */
export interface Source {
  address: string;
  host: string;
  names: DnsAnswer<{ name: string; leadsBack: boolean }>;
}

/** What DNS says about a domain and about the addresses that send for it. */
export interface SeenInDns {
  /** By record key, as verification sees them. */
  results: CheckResults;
  /** The DMARC record that counts for the domain, and the name that has it. */
  dmarc: DnsAnswer<{ at: string; text: string }>;
  sources: DnsAnswer<Source>;
  spf: SpfResult[];
  /** SPF for an address that is not allowed: every look-up of the record is made. */
  spfWhole: SpfResult;
}

const LIMIT_MS = 6_000; // of all look-ups: a person waits
const MAX_SOURCES = 16;
const MAX_NAMES = 4; // of one address

/** Looks everything up. Takes 6 seconds at most. */
export async function lookUp(
  deps: {
    dns: DomainDns;
    config: Pick<Config, 'OUTBOUND_HOSTNAME' | 'OUTBOUND_ROUTES' | 'EGRESS_POOLS'>;
  },
  domain: { name: string; tenantId: string; pool: string | null },
  wanted: DomainRecord[],
  keys: DkimKeyInfo[],
): Promise<SeenInDns> {
  const dns = withDeadline(deps.dns, LIMIT_MS);
  const helo = deps.config.OUTBOUND_HOSTNAME;
  const returnPath = returnPathDomain(domain.name);
  const pool = poolFor(deps.config.EGRESS_POOLS, domain, directRoute(deps.config));
  const addresses =
    pool === null ? addressesOf(dns, helo) : Promise.resolve({ kind: 'found' as const, records: ends(pool) });
  const [results, dmarc, sources, spf, spfWhole] = await Promise.all([
    checkRecords(dns, domain.name, wanted, keys),
    findDmarc(dns, domain.name),
    addresses.then((found) => forAll(found, (end) => readSource(dns, end))),
    addresses.then((found) =>
      forAll(found, ({ address, host }) => evaluateSpf(dns, returnPath, host, address)),
    ),
    evaluateSpf(dns, returnPath, helo, NOBODY),
  ]);
  return { results, dmarc, sources, spf: spf.kind === 'found' ? spf.records : [], spfWhole };
}

// The name itself, else the nearest one above it that has a record (RFC 7489 section 6.6.3 asks for the organization's).
async function findDmarc(dns: DomainDns, domain: string): Promise<DnsAnswer<{ at: string; text: string }>> {
  const labels = domain.split('.');
  const names = labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
  const answers = await Promise.all(names.map((name) => dns.txt(`_dmarc.${name}`)));
  for (const [i, answer] of answers.entries()) {
    if (answer.kind === 'unavailable') return answer;
    const text = answer.kind === 'found' ? answer.records.find((one) => /^v\s*=\s*DMARC1/i.test(one)) : null;
    if (text) return { kind: 'found', records: [{ at: names[i]!, text }] };
  }
  return { kind: 'no_records', detail: `no DMARC record at or above _dmarc.${domain}` };
}

// An address that mail comes from, and its name in EHLO.
type End = Pick<Source, 'address' | 'host'>;

function directRoute({ OUTBOUND_ROUTES: routes }: Pick<Config, 'OUTBOUND_ROUTES'>) {
  return routes.find(({ url }) => url === undefined) ?? {};
}

function ends({ sources }: EgressPool): End[] {
  return sources.slice(0, MAX_SOURCES).map(({ address, hostname: host }) => ({ address, host }));
}

async function addressesOf(dns: DomainDns, host: string): Promise<DnsAnswer<End>> {
  const answers = await Promise.all([dns.a(host), dns.aaaa(host)]);
  const records = answers.flatMap((answer) => (answer.kind === 'found' ? answer.records : []));
  if (records.length > 0)
    return { kind: 'found', records: records.slice(0, MAX_SOURCES).map((address) => ({ address, host })) };
  const none = answers.find(({ kind }) => kind === 'unavailable') ?? answers[0];
  return none.kind === 'found' ? { kind: 'no_records', detail: `${host} has no address` } : none;
}

async function readSource(dns: DomainDns, { address, host }: End): Promise<Source> {
  const names = await dns.ptr(reverseName(address));
  if (names.kind !== 'found') return { address, host, names };
  const records = await Promise.all(
    names.records.slice(0, MAX_NAMES).map(async (name) => {
      const back = address.includes(':') ? await dns.aaaa(name) : await dns.a(name);
      return { name, leadsBack: back.kind === 'found' && back.records.includes(address) };
    }),
  );
  return { address, host, names: { kind: 'found', records } };
}

async function forAll<T>(addresses: DnsAnswer<End>, read: (end: End) => Promise<T>): Promise<DnsAnswer<T>> {
  if (addresses.kind !== 'found') return addresses;
  return { kind: 'found', records: await Promise.all(addresses.records.map(read)) };
}
