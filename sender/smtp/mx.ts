// Where mail for a domain goes (RFC 5321 section 5.1): its MX hosts by preference, or without MX the domain itself;
// nowhere with a null MX (RFC 7505).

import type { Dns, MxRecord } from '../../core/clients/dns.ts';
import { isPublicAddress } from './public-address.ts';

/** The hosts of a domain, best first, or why there is none. `permanent` failures bounce; others are tried again. */
export type MxAnswer =
  | { ok: true; hosts: string[] }
  | { ok: false; permanent: boolean; enhanced: string; reason: string };

/** The addresses of one host, or why there is none. */
export type AddressAnswer =
  | { ok: true; addresses: string[] }
  | { ok: false; permanent: boolean; enhanced: string; reason: string };

const MAX_HOSTS = 32; // a record set that is longer is a mistake or an attack
const MAX_ADDRESSES = 32; // of one host

/** Looks up the mail hosts of a recipient's domain. Hosts of equal preference are in random order. */
export async function findMailHosts(dns: Dns, domain: string, random: () => number): Promise<MxAnswer> {
  const answer = await dns.mx(domain);
  switch (answer.kind) {
    case 'found':
      return fromRecords(domain, answer.records, random);
    case 'no_records':
      return { ok: true, hosts: [domain] }; // implicit MX; without an address it fails there
    case 'no_domain':
      return failed(true, '5.1.2', `NXDOMAIN: the domain ${domain} does not exist`);
    case 'unavailable':
      return failed(false, '4.4.3', `DNS: ${answer.detail}`);
    default:
      return answer satisfies never;
  }
}

/** Looks up the addresses of a mail host, leaving out those that mail must not go to. */
export async function findAddresses(dns: Dns, host: string, allowPrivate: boolean): Promise<AddressAnswer> {
  const answer = await dns.addresses(host);
  if (answer.kind === 'unavailable') return failed(false, '4.4.3', `DNS: ${answer.detail}`);
  if (answer.kind !== 'found') return failed(true, '5.4.4', `DNS: the mail host ${host} has no address`);
  const usable = allowPrivate ? answer.records : answer.records.filter(isPublicAddress);
  if (usable.length === 0) return failed(true, '5.4.4', `the mail host ${host} has no public address`);
  return { ok: true, addresses: usable.slice(0, MAX_ADDRESSES) };
}

/** The name under which mail hosts count as one destination, whatever domain led there. */
export function siteOf(hosts: readonly string[]): string {
  return hosts
    .map((host) => host.toLowerCase())
    .toSorted()
    .join(',');
}

function fromRecords(domain: string, records: MxRecord[], random: () => number): MxAnswer {
  const hosts = records.filter(({ exchange }) => exchange !== '' && exchange !== '.');
  if (hosts.length === 0) return failed(true, '5.1.10', `null MX: ${domain} accepts no mail`);
  const ordered = hosts
    .map(({ exchange, priority }) => ({ exchange: exchange.replace(/\.$/, ''), priority, tie: random() }))
    .toSorted((a, b) => a.priority - b.priority || a.tie - b.tie);
  return { ok: true, hosts: [...new Set(ordered.map(({ exchange }) => exchange))].slice(0, MAX_HOSTS) };
}

function failed(permanent: boolean, enhanced: string, reason: string) {
  return { ok: false, permanent, enhanced, reason } as const;
}
