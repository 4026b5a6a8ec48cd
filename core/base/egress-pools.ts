// The addresses that mail leaves from, in named sets: what EGRESS_POOLS may say (docs/deliverability.md). Pure.

import { isIP } from 'node:net';
import { z } from 'zod';

import { idPattern, toId } from './ids.ts';

// One spelling for each address, that of the operating system: they are compared, and stored with attempts.
const address = z
  .union([z.ipv4(), z.ipv6()], {
    error: 'must be one IPv4 or IPv6 address, such as 192.0.2.25 or 2001:db8::25',
  })
  .transform((text) => (isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text))
  .refine((text) => text !== '0.0.0.0' && text !== '::', { error: 'must be an address of a machine' });

const hostname = z
  .string()
  .max(253)
  .regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/, 'must be a host name in lower case, such as mail1.example.com');

const source = z.strictObject({ address, hostname, warmup: z.boolean().default(false) });

const MAX_SOURCES = 64; // of one pool: each is hashed for every message that has it to choose from

/** What the name of a pool looks like. */
export const poolName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/);

const pool = z.strictObject({
  name: poolName,
  tenants: z.array(z.string().regex(idPattern('tnt'), 'must be the id of a tenant, tnt_…')).optional(),
  sources: z.array(source).min(1).max(MAX_SOURCES),
});

/** The list of pools. A name and an address stand in it once. */
export const egressPools = z
  .array(pool)
  .refine((all) => !hasTwice(all.map(({ name }) => name)), { message: 'two have the same name' })
  .refine((all) => !hasTwice(sourcesOf(all).map((one) => one.address)), {
    message: 'an address stands in it twice: each belongs to one pool, once',
  });

function hasTwice(texts: string[]): boolean {
  return new Set(texts).size < texts.length;
}

/** One address that mail leaves from: its name in EHLO, and whether it is new and has a cap of its own. */
export type Source = z.output<typeof source>;

/** A named set of addresses. `tenants`: ids of those who may use it; left out, everybody may. */
export type EgressPool = z.output<typeof pool>;

/** All sources of all pools. */
export function sourcesOf(pools: readonly EgressPool[]): Source[] {
  return pools.flatMap(({ sources }) => sources);
}

/** The pools that a tenant (UUID) may use. */
export function poolsOfTenant(pools: readonly EgressPool[], tenantId: string): EgressPool[] {
  const id = toId('tnt', tenantId);
  return pools.filter(({ tenants }) => tenants?.includes(id) ?? true);
}

/**
 * The pool from which a domain's mail leaves by a route: the one that the domain names, where its tenant may use it, else that
 * of the route; null for the system's own address. Behind a relay nobody sees our address, so there only the route decides.
 */
export function poolFor(
  pools: readonly EgressPool[],
  domain: { tenantId: string; pool: string | null },
  route: { url?: string | undefined; pool?: string | undefined },
): EgressPool | null {
  const usable = route.url === undefined ? poolsOfTenant(pools, domain.tenantId) : [];
  const own = usable.find(({ name }) => name === domain.pool);
  return own ?? pools.find(({ name }) => name === route.pool) ?? null;
}
