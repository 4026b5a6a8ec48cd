// Where the DNS of a domain is kept, and where its mail goes now: looked up for the person who is about to publish records.

import type { DnsAnswer, MxRecord } from '../clients/dns.ts';
import { withDeadline, type DomainDns } from './dns-lookup.ts';
import { dnsProviderOf, type DnsProvider } from './dns-providers.ts';

/** What DNS says about a name now. */
export interface DnsHosting {
  /** The zone that its records belong to: the nearest name above, or itself, with name servers. Null: DNS did not say. */
  zone: string | null;
  nameServers: string[];
  provider: DnsProvider | null;
  /** Where mail to the name goes, the preferred server first. Null: DNS did not answer. */
  mx: MxRecord[] | null;
}

const LIMIT_MS = 4_000; // somebody waits for the page
const MOST_LABELS = 6; // of a name are asked for their name servers; zones are cut near the registry

/** Looks a name up. Never throws; bounded by LIMIT_MS and MOST_LABELS + 1 look-ups. */
export async function readDnsHosting(dns: DomainDns, name: string): Promise<DnsHosting> {
  const bounded = withDeadline(dns, LIMIT_MS);
  const candidates = zonesOf(name);
  const [mx, ...servers] = await Promise.all([
    bounded.mx(name),
    ...candidates.map((zone) => bounded.ns(zone)),
  ]);
  const cut = servers.findIndex(({ kind }) => kind === 'found');
  const nameServers = cut < 0 ? [] : recordsOf(servers[cut]!).map(plain).toSorted();
  return {
    zone: candidates[cut] ?? null,
    nameServers,
    provider: dnsProviderOf(nameServers),
    mx: mx.kind === 'unavailable' ? null : recordsOf(mx).toSorted((a, b) => a.priority - b.priority),
  };
}

// The name itself first, then what is above it, never a top-level domain.
function zonesOf(name: string): string[] {
  const labels = name.split('.');
  const all = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  return all.slice(-MOST_LABELS);
}

function recordsOf<T>(answer: DnsAnswer<T>): T[] {
  return answer.kind === 'found' ? answer.records : [];
}

function plain(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
