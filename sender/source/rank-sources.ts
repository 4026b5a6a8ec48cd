// In which order the sources of a pool come into question for a domain's mail to one mailbox provider. Pure.
//
// Rendezvous hashing: every sender finds the same order without asking anybody, and when a source rests only the mail that
// had it moves, to the next of its own order.

import { createHash } from 'node:crypto';

import type { Source } from '../../core/base/egress-pools.ts';

/** The sources, best first. `to` is the mailbox provider, or the next hop of a host of nobody known. */
export function rankSources(sources: readonly Source[], domainId: string, to: string): Source[] {
  return sources
    .map((source) => ({ source, weight: weigh(`${domainId} ${to} ${source.address}`) }))
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ source }) => source);
}

// 48 bits of a hash that spreads well; SHA-1 is the fastest of Node's that does (1 µs).
function weigh(text: string): number {
  return createHash('sha1').update(text).digest().readUIntBE(0, 6);
}
