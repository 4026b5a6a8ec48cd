// The trickle of a domain whose brake is `all`: one transactional message a minute over all senders, which is what its
// recovery is measured with. PostgreSQL decides; a process asks again only when there can be another answer.

import { monotonicMs } from '../../core/base/clock.ts';
import type { Queryable } from '../../core/db/pool.ts';
import { takeTrickle, type DomainKey } from '../../core/warmup/brake-store.ts';

const EVERY_MS = 60_000;
const MOST_REMEMBERED = 10_000; // domains

/** Makes the question; `onTaken` is called with the domain of each message that is let through. */
export function createTrickle(deps: { db: Queryable; scale: number; onTaken: (domain: DomainKey) => void }) {
  const everyMs = EVERY_MS * deps.scale;
  const notBefore = new Map<string, number>();
  return async (tenantId: string, domainId: string): Promise<boolean> => {
    if (monotonicMs() < (notBefore.get(domainId) ?? 0)) return false;
    notBefore.delete(domainId);
    notBefore.set(domainId, monotonicMs() + everyMs); // while this one asks, the others wait
    if (notBefore.size > MOST_REMEMBERED) notBefore.delete(notBefore.keys().next().value as string);
    const { taken, againInMs } = await takeTrickle(deps.db, { tenantId, domainId }, everyMs);
    notBefore.set(domainId, monotonicMs() + againInMs);
    if (taken) deps.onTaken({ tenantId, domainId });
    return taken;
  };
}
