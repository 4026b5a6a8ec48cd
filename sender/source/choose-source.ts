// Which address a message leaves from: one of the pool of its domain or route, the same for all of the domain's mail to a
// mailbox provider as long as that address may be used. It may not while the provider refuses it, nor, when it is new, after
// its cap of the day.

import { isIP } from 'node:net';

import { nextUtcMidnight } from '../../core/base/clock.ts';
import { poolFor, type EgressPool, type Source } from '../../core/base/egress-pools.ts';
import type { Route } from '../../core/base/setting-kinds.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { Postponement } from '../../core/message/outcome.ts';
import type { Target } from '../smtp/target.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { rankSources } from './rank-sources.ts';
import type { Rests } from './rests.ts';
import type { Admission, Shares } from './shares.ts';

/** What was chosen; a null source is the system's own address. A new address comes with the admission that it was given. */
type ChosenSource =
  | { kind: 'leave'; source: Source | null; admission: Admission | null }
  | { kind: 'wait'; why: Postponement; inMs: number };

/** Chooses for one message. */
export type ChooseSource = (route: Route, claim: Claim, target: Target) => Promise<ChosenSource>;

/** What choosing needs. */
export interface ChooseSourceDeps {
  pools: readonly EgressPool[];
  own: OwnAddresses;
  /** The pool that a domain names; null when it names none. */
  poolOf: (tenantId: string, domainId: string) => Promise<string | null>;
  rests: Rests;
  shares: Shares;
  databaseNow: () => Date;
  random: () => number;
  /** Factor on all waiting times; 1 but in tests. */
  scale: number;
}

const NOT_HERE_MS = 15_000; // a sender on another machine may have one of the addresses
const JITTER = 0.1;
const OWN: ChosenSource = { kind: 'leave', source: null, admission: null };

/** Makes the choice. Without pools it costs nothing. */
export function createChooseSource(deps: ChooseSourceDeps): ChooseSource {
  const { pools, own, scale } = deps;
  if (pools.length === 0) return () => Promise.resolve(OWN);
  const later = (ms: number) => ms * (1 + JITTER * deps.random());
  return async (route, { tenantId, domainId }, target) => {
    const named = route.url === undefined ? await deps.poolOf(tenantId, domainId) : null;
    const pool = poolFor(pools, { tenantId, pool: named }, route);
    if (pool === null) return OWN;
    const here = pool.sources.filter(({ address }) => own.has(address));
    if (here.length === 0) {
      const because = { rule: 'source_away', inputs: { pool: pool.name } } as const;
      return { kind: 'wait', why: { reason: 'network', because }, inMs: later(NOT_HERE_MS * scale) };
    }
    const able = await reaching(here, target);
    const ranked = rankSources(able, domainId, target.provider?.name ?? target.key);
    return firstFree(deps, pool, ranked, target, later);
  };
}

async function firstFree(
  deps: ChooseSourceDeps,
  pool: EgressPool,
  ranked: Source[],
  { provider }: Target,
  later: (ms: number) => number,
): Promise<ChosenSource> {
  const rests: number[] = [];
  for (const source of ranked) {
    const restMs = provider === null ? 0 : deps.rests.leftMs(source.address, provider.name);
    if (restMs > 0) {
      rests.push(restMs);
      continue;
    }
    if (!source.warmup) return { kind: 'leave', source, admission: null };
    const admission = await deps.shares.take(source.address);
    if (admission !== null) return { kind: 'leave', source, admission };
  }
  const now = deps.databaseNow();
  const midnightMs = nextUtcMidnight(now).getTime() - now.getTime();
  const inputs = {
    pool: pool.name,
    addresses: ranked.length,
    provider: provider?.name ?? null,
    resting: rests.length,
  };
  if (rests.length === 0)
    return {
      kind: 'wait',
      why: { reason: 'source_cap', because: { rule: 'source_cap', inputs } },
      inMs: midnightMs,
    };
  const full = rests.length < ranked.length;
  const soonest = later(Math.min(...rests));
  const why: Postponement = { reason: 'provider_limit', because: { rule: 'sources_rest', inputs } };
  return { kind: 'wait', why, inMs: full ? Math.min(soonest, midnightMs) : soonest };
}

// Those of the address families that the best mail host has. Look-ups are only needed for a pool with both.
async function reaching(sources: Source[], target: Target): Promise<Source[]> {
  const families = new Set(sources.map(({ address }) => isIP(address)));
  if (families.size < 2) return sources;
  for (const host of target.hosts()) {
    const endpoints = await target.endpoints(host);
    if (!Array.isArray(endpoints)) continue;
    const able = sources.filter((one) => endpoints.some((end) => isIP(end.address) === isIP(one.address)));
    if (able.length > 0) return able;
  }
  return sources;
}
