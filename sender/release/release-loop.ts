// Releases what is due all the time, in every sender: scheduled mail at its time, deferred mail at 00:00 UTC, all of
// it by the database's clock. The scheduler's job at midnight does the same work; nothing depends on it.

import { sleep } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/log.ts';
import { isDatabaseAway } from '../../core/db/transaction.ts';
import { clearIdleReserved } from '../../core/warmup/release-store.ts';
import { releaseDue, type ReleaseDeps } from './release.ts';

/** A running release. */
export interface ReleaseLoop {
  /** Stops after the current batch. */
  stop(): Promise<void>;
}

const PAUSE_MS = 1_000; // scheduled mail is at most this late
const FREE_RESERVED_EVERY = 20; // passes: reserved admissions that no message waits for are free again within 20 s

/** Starts the loop. */
export function startReleaseLoop(deps: ReleaseDeps, log: Logger): ReleaseLoop {
  const stop = new AbortController();
  const running = run(deps, log, stop.signal);
  return {
    stop: () => {
      stop.abort();
      return running;
    },
  };
}

async function run(deps: ReleaseDeps, log: Logger, signal: AbortSignal): Promise<void> {
  for (let pass = 0; !signal.aborted; pass++) {
    try {
      const { released, deferredAgain } = await releaseDue(deps, { now: null, tenantId: null, signal });
      if (released + deferredAgain > 0) log.info({ released, deferredAgain }, 'deferred mail was released');
      if (pass % FREE_RESERVED_EVERY === 0) await freeReserved(deps);
    } catch (error) {
      const level = isDatabaseAway(error) ? 'warn' : 'error';
      log[level]({ err: error }, 'releasing deferred mail failed; trying again');
    }
    await sleep(PAUSE_MS, signal);
  }
}

async function freeReserved(deps: ReleaseDeps): Promise<void> {
  for (const row of await clearIdleReserved(deps.pool)) {
    await deps.gate.correct(row, { used: row.used, reserved: 0, bulkUsed: row.bulkUsed });
  }
}
