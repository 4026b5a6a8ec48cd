// The daily ramp of new addresses: their tiers move by the same rates as those of domains (core/warmup/decide-ramp.ts).
// Guarantee: one decision per (address, day), with its tier and cap in one transaction.

import type { Buckets } from '../db/buckets.ts';
import { inTransaction } from '../db/transaction.ts';
import { addNotices } from '../operations/notice-store.ts';
import { decideRamp, type DayCounts, type RampDecision } from '../warmup/decide-ramp.ts';
import { capOfTier } from '../warmup/tiers.ts';
import { lockRampSources, readSourceCounts, selectUndecided, writeSourceRamp } from './ramp-store.ts';

const NOTHING: DayCounts = { attempted: 0, delivered: 0, bounced: 0, deliveredOnDay: 0, complained: 0 };

/**
 * Decides about every new address that sent on a UTC day, by the mail of all buckets. Returns how many tiers moved. `late` as of
 * decideRamp.
 */
export async function rampSources(buckets: Buckets, day: string, late: boolean): Promise<number> {
  const { pool } = buckets.home;
  const addresses = await selectUndecided(pool, day);
  if (addresses.length === 0) return 0;
  const counts = await countInAll(buckets, day, addresses);
  return inTransaction(pool, async (client) => {
    let moved = 0;
    for (const { address, tier } of await lockRampSources(client, day, addresses)) {
      const decision = decideRamp({ tier, state: 'active' }, counts.get(address) ?? NOTHING, late);
      const toTier = tierAfter(tier, decision);
      await writeSourceRamp(client, day, {
        address,
        tier: toTier,
        cap: capOfTier(toTier),
        decision: decision.reason,
      });
      if (toTier !== tier) moved += 1;
      if (toTier < tier) {
        const text = `Warm-up: the address ${address} went from tier ${tier} to ${toTier}. On ${day} ${decision.reason}.`;
        await addNotices(client, [{ event: `source-ramp:${address}:${day}`, text }]);
      }
    }
    return moved;
  });
}

async function countInAll(
  buckets: Buckets,
  day: string,
  addresses: string[],
): Promise<Map<string, DayCounts>> {
  const sums = new Map<string, DayCounts>();
  for (const bucket of await buckets.list()) {
    const counts = await readSourceCounts(buckets.database(bucket).pool, day, addresses);
    for (const [address, more] of counts) sums.set(address, add(sums.get(address) ?? NOTHING, more));
  }
  return sums;
}

function add(a: DayCounts, b: DayCounts): DayCounts {
  return {
    attempted: a.attempted + b.attempted,
    delivered: a.delivered + b.delivered,
    bounced: a.bounced + b.bounced,
    deliveredOnDay: a.deliveredOnDay + b.deliveredOnDay,
    complained: a.complained + b.complained,
  };
}

// What pauses a domain only slows an address down: the domain whose mail it was is paused, and others share the address.
function tierAfter(tier: number, { action, toTier }: RampDecision): number {
  return action === 'pause' ? Math.max(tier - 1, 0) : toTier;
}
