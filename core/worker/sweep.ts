// Finds what lost its worker: messages claimed by a process that died, was cut off or forgot them. Every sender runs
// it. What dead workers left, one looks for at a time (shared-look.ts), for that look reads what all senders have in flight;
// locked rows are skipped, so that any number may work side by side.
// After an outage of the database every worker looks lost, though each still has outcomes to record. So a process
// sweeps only after one whole lease in touch with the database (by then those that live have said so), and a statement
// that was kept waiting does nothing.

import type pg from 'pg';

import type { Logger } from '../base/log.ts';
import { startLoop, type Loop } from '../base/loop.ts';
import { isDatabaseAway } from '../db/transaction.ts';
import { readClaimed, reclaimForgotten, reclaimFromLost } from '../message/reclaim-store.ts';
import type { Lease } from './lease.ts';
import { takeLook } from './shared-look.ts';
import { deleteLostWorkers } from './worker-store.ts';

const BATCH = 1000;
const WAITING_PART = 0.1; // of the lease, that the statement which ends other leases may wait
// Found within one and a half leases, 30 s by default; two when the one that looked last is the one that died. The promise is 60 s.
const SWEEPS_PER_LEASE = 2;

/** Sweeps until stopped, twice in a lease. `onFreed` is called when messages became free; `inFlight` are the messages of this process. */
export function startSweep(deps: {
  pool: pg.Pool;
  log: Logger;
  leaseMs: number;
  lease: Pick<Lease, 'workerId' | 'steadyMs' | 'databaseNow'>;
  inFlight: () => ReadonlySet<string>;
  onFreed: () => void;
}): Loop {
  const { log, lease, leaseMs } = deps;
  const forgotten = createForgottenCheck(deps);
  const isSteady = () => lease.steadyMs() > leaseMs;
  let isOurs = false; // until the sweep that was taken is done: one that fails is tried again
  return startLoop({
    what: 'the sweep of messages that lost their worker',
    log,
    isExpected: isDatabaseAway,
    async step() {
      isOurs = isSteady() && (isOurs || (await takeLook(deps.pool, 'sweep', leaseMs / SWEEPS_PER_LEASE)));
      const lost = isOurs && isSteady() ? await sweepOnce(deps) : 0; // taking the look may have waited, too
      isOurs = false;
      const freed = lost + (await forgotten());
      if (freed > 0) {
        log.warn({ messages: freed }, 'messages of a dead worker can be claimed again');
        deps.onFreed();
      }
      return leaseMs / SWEEPS_PER_LEASE;
    },
  });
}

// One sweep: deletes lost workers, which ends their leases for good, then frees their messages, in batches.
async function sweepOnce(deps: {
  pool: pg.Pool;
  leaseMs: number;
  lease: Pick<Lease, 'databaseNow'>;
}): Promise<number> {
  const { pool, leaseMs } = deps;
  const notAfter = new Date(deps.lease.databaseNow().getTime() + leaseMs * WAITING_PART);
  await deleteLostWorkers(pool, leaseMs, notAfter);
  let freed = 0;
  for (;;) {
    const count = await reclaimFromLost(pool, BATCH);
    freed += count;
    if (count < BATCH) return freed;
  }
}

// A message that is claimed for this process, but that is not in flight in two checks one after the other, was lost
// between the commit that claimed it and the loop that delivers. One check would find what was claimed a moment ago, and
// so would two without half a lease between them: the check is the last of a step, and one that fails does not count.
function createForgottenCheck(deps: {
  pool: pg.Pool;
  lease: Pick<Lease, 'workerId'>;
  inFlight: () => ReadonlySet<string>;
}) {
  let suspects = new Set<string>();
  return async (): Promise<number> => {
    const workerId = deps.lease.workerId();
    const claimed = await readClaimed(deps.pool, workerId);
    const inFlight = deps.inFlight();
    const missing = claimed.filter((id) => !inFlight.has(id));
    const sure = missing.filter((id) => suspects.has(id));
    const freed = sure.length === 0 ? 0 : await reclaimForgotten(deps.pool, workerId, sure);
    suspects = new Set(missing);
    return freed;
  };
}
