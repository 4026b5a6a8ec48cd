// The sources of EGRESS_POOLS as whoever runs the service sees them.

import type { Config } from '../base/config.ts';
import type { Queryable } from '../db/pool.ts';
import { capOfTier } from '../warmup/tiers.ts';
import { selectRests, selectSourceDays, type Rest } from './source-store.ts';

/** One source now. */
export interface SourceState {
  pool: string;
  address: string;
  /** Its name in EHLO. */
  hostname: string;
  /** Its warm-up; null of an address that is not new. */
  warmup: { tier: number; cap: number; used: number; day: string } | null;
  /** The mailbox providers that refuse it now. */
  rests: Pick<Rest, 'provider' | 'until' | 'reply'>[];
}

/** All of them, in the order of the setting. */
export async function readSources(deps: {
  db: { pool: Queryable };
  config: Pick<Config, 'EGRESS_POOLS'>;
}): Promise<SourceState[]> {
  const { pool: db } = deps.db;
  const [{ day, days }, rests] = await Promise.all([selectSourceDays(db), selectRests(db)]);
  return deps.config.EGRESS_POOLS.flatMap(({ name, sources }) =>
    sources.map(({ address, hostname, warmup }) => {
      const { tier, cap, used } = days.get(address) ?? { tier: 0, cap: null, used: 0 };
      return {
        pool: name,
        address,
        hostname,
        warmup: warmup ? { tier, cap: cap ?? capOfTier(tier), used, day } : null,
        rests: rests
          .filter((rest) => rest.address === address)
          .map(({ provider, until, reply }) => ({ provider, until, reply })),
      };
    }),
  );
}
