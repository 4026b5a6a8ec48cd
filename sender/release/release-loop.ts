// Releases what is due all the time, in every sender: scheduled mail at its time, deferred mail at 00:00 UTC, all of
// it by the database's clock. The scheduler's job at midnight does the same work; nothing depends on it.

import type { Logger } from '../../core/base/log.ts';
import { startLoop, type Loop } from '../../core/base/loop.ts';
import { isDatabaseAway } from '../../core/db/transaction.ts';
import {
  freeReserved,
  releaseDue,
  resumeAfterBrakes,
  resumeAfterRules,
  type ReleaseDeps,
} from './release.ts';

const PAUSE_MS = 1_000; // scheduled mail is at most this late
const FREE_RESERVED_EVERY = 20; // passes: reserved admissions that no message waits for are free again within 20 s

/** Starts the loop. It stops after the current batch. */
export function startReleaseLoop(deps: ReleaseDeps, log: Logger): Loop {
  let pass = 0;
  return startLoop({
    what: 'releasing deferred mail',
    log,
    isExpected: isDatabaseAway,
    async step(signal) {
      await resumeAfterBrakes(deps);
      await resumeAfterRules(deps);
      const { released, deferredAgain } = await releaseDue(deps, { now: null, tenantId: null, signal });
      if (released + deferredAgain > 0) log.info({ released, deferredAgain }, 'deferred mail was released');
      if (pass++ % FREE_RESERVED_EVERY === 0) await freeReserved(deps);
      return PAUSE_MS;
    },
  });
}
