// Releases what is due all the time: scheduled mail at its time, deferred mail at 00:00 UTC, all of it by the database's
// clock. Every sender asks each second, and one of them looks (core/worker/shared-look.ts); while that one has work, the next
// second's look is another's, which helps it. The scheduler's job at midnight does the same work; nothing depends on it.

import type { Logger } from '../../core/base/log.ts';
import { startLoop, type Loop } from '../../core/base/loop.ts';
import { isDatabaseAway } from '../../core/db/transaction.ts';
import { takeLook } from '../../core/worker/shared-look.ts';
import {
  freeReserved,
  releaseDue,
  resumeAfterBrakes,
  useRaisedCaps,
  resumeAfterRules,
  resumeAfterSuspensions,
  type ReleaseDeps,
} from './release.ts';

const PAUSE_MS = 1_000; // scheduled mail is at most this late, and twice this when the sender that looked last dies
const FREE_RESERVED_MS = 20_000; // reserved admissions that no message waits for are free again by then

/** Starts the loop. It stops after the current batch. */
export function startReleaseLoop(deps: ReleaseDeps, log: Logger): Loop {
  return startLoop({
    what: 'releasing deferred mail',
    log,
    isExpected: isDatabaseAway,
    async step(signal) {
      if (!(await takeLook(deps.pool, 'release', PAUSE_MS))) return PAUSE_MS;
      await resumeAfterBrakes(deps);
      await useRaisedCaps(deps);
      await resumeAfterRules(deps);
      await resumeAfterSuspensions(deps);
      const { released, deferredAgain } = await releaseDue(deps, { now: null, tenantId: null, signal });
      if (released + deferredAgain > 0) log.info({ released, deferredAgain }, 'deferred mail was released');
      if (await takeLook(deps.pool, 'reserved', FREE_RESERVED_MS)) await freeReserved(deps);
      return PAUSE_MS;
    },
  });
}
