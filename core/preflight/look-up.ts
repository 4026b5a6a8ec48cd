// Everything that a preflight asks DNS, at once and with one deadline. What did not answer is said so, never thrown.

import type { Config } from '../base/config.ts';
import type { DnsAnswer } from '../clients/dns.ts';
import { checkRecords, type CheckResults } from '../domain/check-records.ts';
import { reverseName, withDeadline, type DomainDns } from '../domain/dns-lookup.ts';
import { returnPathDomain, type DkimKeyInfo, type DomainRecord } from '../domain/domain.ts';
import { evaluateSpf, NOBODY, type SpfResult } from './evaluate-spf.ts';

/** One address that our mail comes from, and the names that its PTR records give. */
export interface Source {
  address: string;
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
  deps: { dns: DomainDns; config: Pick<Config, 'OUTBOUND_HOSTNAME'> },
  domain: { name: string },
  wanted: DomainRecord[],
  keys: DkimKeyInfo[],
): Promise<SeenInDns> {
  const dns = withDeadline(deps.dns, LIMIT_MS);
  const helo = deps.config.OUTBOUND_HOSTNAME;
  const returnPath = returnPathDomain(domain.name);
  const addresses = addressesOf(dns, helo);
  const [results, dmarc, sources, spf, spfWhole] = await Promise.all([
    checkRecords(dns, domain.name, wanted, keys),
    findDmarc(dns, domain.name),
    addresses.then((found) => forAll(found, (address) => readSource(dns, address))),
    addresses.then((found) => forAll(found, (address) => evaluateSpf(dns, returnPath, helo, address))),
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

async function addressesOf(dns: DomainDns, host: string): Promise<DnsAnswer<string>> {
  const answers = await Promise.all([dns.a(host), dns.aaaa(host)]);
  const records = answers.flatMap((answer) => (answer.kind === 'found' ? answer.records : []));
  if (records.length > 0) return { kind: 'found', records: records.slice(0, MAX_SOURCES) };
  return answers.find(({ kind }) => kind === 'unavailable') ?? answers[0];
}

async function readSource(dns: DomainDns, address: string): Promise<Source> {
  const names = await dns.ptr(reverseName(address));
  if (names.kind !== 'found') return { address, names };
  const records = await Promise.all(
    names.records.slice(0, MAX_NAMES).map(async (name) => {
      const back = address.includes(':') ? await dns.aaaa(name) : await dns.a(name);
      return { name, leadsBack: back.kind === 'found' && back.records.includes(address) };
    }),
  );
  return { address, names: { kind: 'found', records } };
}

async function forAll<T>(
  addresses: DnsAnswer<string>,
  read: (address: string) => Promise<T>,
): Promise<DnsAnswer<T>> {
  if (addresses.kind !== 'found') return addresses;
  return { kind: 'found', records: await Promise.all(addresses.records.map(read)) };
}
