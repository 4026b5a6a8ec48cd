// What a recipient's domain asks of the connection to one of its mail hosts: DANE where DNSSEC proves it, else MTA-STS.

import type { TlsPolicy } from '../../core/message/outcome.ts';
import type { TlsaRecord } from '../../core/clients/secure-dns.ts';
import { allowsHost } from '../../core/transport/mta-sts.ts';
import type { FindPolicy } from '../../core/transport/policies.ts';
import type { Dane } from './dane.ts';
import { refusedByPolicy, type Failed } from './failure.ts';

/** What a connection has to prove before anything of a message goes over it. */
export type TlsDemand =
  | { policy: Extract<TlsPolicy, 'mta_sts'> }
  /** Without records: any certificate will do. */
  | { policy: Extract<TlsPolicy, 'dane'>; records: TlsaRecord[] };

/** What finding it needs. */
export interface DemandDeps {
  findPolicy: FindPolicy;
  /** Null unless the operator trusts the resolver's AD bit. */
  dane: Dane | null;
  port: number;
}

/** A mail host, and the policy under which it may be connected to. */
export interface AllowedHost {
  host: string;
  policy: TlsPolicy | null;
}

/** Which policy holds for a host of a domain, or why nothing may go there. DANE counts before MTA-STS (RFC 8461 section 2). */
export async function findHostPolicy(
  deps: DemandDeps,
  domain: string,
  host: string,
): Promise<AllowedHost | Failed> {
  const [sts, proven] = await Promise.all([deps.findPolicy(domain), deps.dane?.provenHosts(domain) ?? null]);
  if (deps.dane !== null && proven?.has(host.toLowerCase())) {
    const found = await deps.dane.recordsOf(host, deps.port);
    if (found.kind === 'records') return { host, policy: 'dane' };
    if (found.kind === 'unknown') return unknown(host, found.detail);
  }
  if (sts?.mode !== 'enforce') return { host, policy: null };
  if (allowsHost(sts, host)) return { host, policy: 'mta_sts' };
  return refusedByPolicy('mta_sts', `MTA-STS: the policy of ${domain} does not allow its MX host ${host}`);
}

/** What a connection has to prove now. A policy that was replaced meanwhile is never relaxed: the message is tried again. */
export async function findDemand(
  deps: DemandDeps,
  { host, policy }: AllowedHost,
): Promise<TlsDemand | null | Failed> {
  if (policy !== 'dane') return policy && { policy };
  const found = await deps.dane?.recordsOf(host, deps.port);
  if (found?.kind === 'records') return { policy, records: found.usable };
  if (found?.kind === 'unknown') return unknown(host, found.detail);
  return refusedByPolicy('dane', `DANE: the TLSA records of ${host} are gone`);
}

function unknown(host: string, detail: string): Failed {
  return refusedByPolicy('dane', `DANE: the TLSA records of ${host} cannot be looked up: ${detail}`);
}
