// The pools of one sender, put together: which addresses are here, which rest, and what may be sent from new ones today.

import type pg from 'pg';

import type { Config } from '../../core/base/config.ts';
import { sourcesOf } from '../../core/base/egress-pools.ts';
import type { Logger } from '../../core/base/log.ts';
import type { Lease } from '../../core/worker/lease.ts';
import type { Destination } from '../smtp/destination.ts';
import { createChooseSource, type ChooseSource, type ChooseSourceDeps } from './choose-source.ts';
import { watchOwnAddresses } from './own-addresses.ts';
import { followRests, type Rests } from './rests.ts';
import { createShares, type Shares } from './shares.ts';

/** The sources of one process. Without EGRESS_POOLS all mail leaves from the system's own address, and nothing runs. */
interface OpenSources {
  choose: ChooseSource;
  /** Whether the provider of a destination refuses the source that it sends from. */
  isResting(destination: Pick<Destination, 'source' | 'provider'>): boolean;
  rest: Rests['begin'];
  giveBack: Shares['giveBack'];
  /** Gives back what is left of the day, after the last delivery. */
  stop(): Promise<void>;
}

/** What sources need. */
interface OpenSourcesDeps extends Pick<ChooseSourceDeps, 'poolOf' | 'random' | 'scale'> {
  config: Pick<Config, 'EGRESS_POOLS'>;
  pool: pg.Pool;
  lease: Pick<Lease, 'peers' | 'isOver' | 'databaseNow'>;
  log: Logger;
}

/** Opens them, and says which addresses this machine does not have. */
export async function openSources(deps: OpenSourcesDeps): Promise<OpenSources> {
  const { pool, lease, log } = deps;
  const pools = deps.config.EGRESS_POOLS;
  const addresses = sourcesOf(pools).map(({ address }) => address);
  const own = await watchOwnAddresses(addresses, log);
  const rests = followRests({ db: pool, log, any: addresses.length > 0 });
  const shares = createShares({ pool, lease, log });
  return {
    choose: createChooseSource({ ...deps, pools, own, rests, shares, databaseNow: lease.databaseNow }),
    isResting: ({ source, provider }) =>
      source !== null && provider !== null && rests.leftMs(source.address, provider.name) > 0,
    rest: rests.begin,
    giveBack: shares.giveBack,
    stop: async () => {
      own.stop();
      await Promise.all([rests.stop(), shares.stop()]);
    },
  };
}
