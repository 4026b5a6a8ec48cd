// The name of a client as mail servers give it to scanners, which have rules for clients without one: the DNS name of its address,
// if that name has the address too.

import type { Config } from '../core/base/config.ts';
import { createDns } from '../core/clients/dns.ts';
import { isPublicAddress } from '../core/clients/guarded-http.ts';

const LIMIT_MS = 2_000; // part of the time of a scan

/** Looks names up. Null for clients without a confirmed name, private addresses, and DNS that takes longer than 2 s. */
export function createClientName(
  config: Pick<Config, 'DNS_SERVERS'>,
): (address: string) => Promise<string | null> {
  const dns = createDns(config);
  const lookUp = async (address: string): Promise<string | null> => {
    const names = await dns.ptr(address);
    const name = names.kind === 'found' ? names.records[0]! : null;
    if (name === null) return null;
    const addresses = await dns.addresses(name);
    return addresses.kind === 'found' && addresses.records.includes(address) ? name : null;
  };
  return async (address) => {
    if (!isPublicAddress(address)) return null;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), LIMIT_MS);
    });
    try {
      return await Promise.race([lookUp(address), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
