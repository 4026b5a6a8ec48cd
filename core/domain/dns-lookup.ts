// The look-ups of verification: always fresh, because whoever just published a record wants it seen now, and with
// an end that is near, because somebody is waiting. (Delivery has its own, cached: core/clients/dns.ts.)

import { Resolver } from 'node:dns/promises';

import { sleep } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { DnsAnswer, MxRecord } from '../clients/dns.ts';

/** Fresh look-ups. They never throw. */
export interface DomainDns {
  /** Each record's strings joined. */
  txt(name: string): Promise<DnsAnswer<string>>;
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  cname(name: string): Promise<DnsAnswer<string>>;
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
  };
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
