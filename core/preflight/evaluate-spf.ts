// What a receiver finds when it evaluates the SPF record of a return path (RFC 7208), by mailauth, through our look-ups.

import { spf } from 'mailauth/lib/spf/index.js';

import type { DnsAnswer } from '../clients/dns.ts';
import type { DomainDns } from '../domain/dns-lookup.ts';
import { isReadableTxt } from '../mail/txt-limit.ts';
import { MAX_SPF_LOOKUPS } from './rules.ts';

/** The result for one address: a word of RFC 7208 section 2.6, and why. */
export interface SpfResult {
  address: string;
  result: string;
  comment: string;
}

/** An address that no record names (TEST-NET-3, RFC 5737): every mechanism is evaluated to the end. */
export const NOBODY = '203.0.113.254';

/** Evaluates the record of `domain` for mail from an address. Never throws. */
export async function evaluateSpf(
  dns: DomainDns,
  domain: string,
  helo: string,
  address: string,
): Promise<SpfResult> {
  const resolver = (name: string, type: string) => ask(dns, name, type);
  try {
    const { status } = await spf({
      ip: address,
      helo,
      sender: `postmaster@${domain}`,
      mta: helo,
      resolver,
      maxResolveCount: MAX_SPF_LOOKUPS,
    });
    return { address, result: status.result, comment: status.comment || '' };
  } catch (error) {
    return { address, result: 'temperror', comment: (error as Error).message };
  }
}

// Answers as node:dns gives them, errors with its codes: that is what mailauth knows.
async function ask(dns: DomainDns, name: string, type: string): Promise<string[]> {
  switch (type) {
    case 'TXT':
      return unwrap(readable(await dns.txt(name)), (text) => [text]);
    case 'MX':
      return unwrap(await dns.mx(name), (record) => record);
    case 'A':
      return unwrap(await dns.a(name), (address) => address);
    case 'AAAA':
      return unwrap(await dns.aaaa(name), (address) => address);
    case 'PTR':
      return unwrap(await dns.ptr(name), (host) => host);
    default:
      throw Object.assign(new Error(`no look-up of ${type}`), { code: 'ENODATA' });
  }
}

function readable(answer: DnsAnswer<string>): DnsAnswer<string> {
  return answer.kind === 'found' ? { ...answer, records: answer.records.filter(isReadableTxt) } : answer;
}

function unwrap<T>(answer: DnsAnswer<T>, shape: (record: T) => unknown): string[] {
  if (answer.kind === 'found') return answer.records.map(shape) as string[];
  const codes = { no_domain: 'ENOTFOUND', no_records: 'ENODATA', unavailable: 'ETIMEOUT' };
  throw Object.assign(new Error(answer.detail), { code: codes[answer.kind] });
}
