// Works off imports of contacts: one at a time, in slices, the one that waited longest first, so that a file of
// 100 MB holds no other tenant's up. Any number of schedulers may do so side by side: a claim keeps them apart.

import { sleep } from '../core/base/clock.ts';
import type { Config } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import { sweepUploads, workOnImport } from '../core/contact-import/find-work.ts';
import type { Database } from '../core/db/pool.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';

/** A running loop. */
export interface ImportLoop {
  /** Ends after the batch in hand. */
  stop(): Promise<void>;
}

/** What the loop needs. */
export interface ImportLoopDeps {
  config: Pick<Config, 'WORKER_LEASE_MS'>;
  db: Database;
  log: Logger;
  /** Steps at which a test kills the process. */
  fail?: Fail;
}

const SLICE_MS = 5_000; // then the next import has its turn
const IDLE_MS = 500; // an import begins within this after its upload
const FAILED_PAUSE_MS = 2_000;
const LOOKS_PER_SWEEP = 600; // about every five minutes

/** Starts the loop. */
export function startImportLoop(deps: ImportLoopDeps): ImportLoop {
  const stop = new AbortController();
  const running = run(deps, stop.signal);
  return {
    stop: () => {
      stop.abort();
      return running;
    },
  };
}

async function run(deps: ImportLoopDeps, signal: AbortSignal): Promise<void> {
  const slice = {
    sliceMs: SLICE_MS,
    leaseMs: deps.config.WORKER_LEASE_MS,
    signal,
    fail: deps.fail ?? (() => {}),
  };
  for (let look = 0; !signal.aborted; look++) {
    try {
      if (look % LOOKS_PER_SWEEP === 0) await sweepUploads(deps.db);
      if (!(await workOnImport(deps.db, slice))) await sleep(IDLE_MS, signal);
    } catch (error) {
      deps.log[isDatabaseAway(error) ? 'warn' : 'error'](
        { err: error },
        'an import stopped; it is taken up again',
      );
      await sleep(FAILED_PAUSE_MS, signal);
    }
  }
}
