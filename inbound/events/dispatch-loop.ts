// Dispatches what happened: positions for followers of the feed, deliveries to webhooks. Every process runs it, one works at a time; what it does
// is said in core/outbox/outbox-store.ts.

import type pg from 'pg';

import { nowMs } from '../../core/base/clock.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import { uuidTimeMs } from '../../core/base/ids.ts';
import type { Logger } from '../../core/base/log.ts';
import { startLoop, type Loop } from '../../core/base/loop.ts';
import { inTransaction, isDatabaseAway } from '../../core/db/transaction.ts';
import { appendToLog, lockOutbox, selectOldest, takeOutbox } from '../../core/outbox/outbox-store.ts';
import { fanOut } from '../../core/webhook/fan-out.ts';

/** What dispatching needs. */
export interface DispatchDeps {
  pool: pg.Pool;
  log: Logger;
  fail: Fail;
  /** Called after the commit with how far the log of each tenant goes. May be lost: followers poll as well. */
  onLogged: (heads: { tenantId: string; position: number }[]) => void;
  /** Called after the commit when deliveries to webhooks were made. May be lost: they are polled for. */
  onDeliveriesDue: () => void;
  /** Called at every look with how many seconds the oldest event waits, 0 when none does. */
  onWaiting: (seconds: number) => void;
}

const POLL_MS = 200; // a follower is behind by less than 2 s
const BATCH = 2_000; // rows of one transaction: about 50 ms

/** Starts the loop. */
export function startDispatchLoop(deps: DispatchDeps): Loop {
  return startLoop({
    what: 'dispatching events',
    log: deps.log,
    isExpected: isDatabaseAway,
    longestPauseMs: 1_000,
    async step() {
      const oldest = await selectOldest(deps.pool);
      deps.onWaiting(oldest === null ? 0 : Math.max(0, nowMs() - uuidTimeMs(oldest)) / 1000);
      if (oldest === null) return POLL_MS;
      return (await dispatch(deps)) === BATCH ? 0 : POLL_MS;
    },
  });
}

/** Dispatches one batch in one transaction. Returns how many rows it had; 0 also while another process dispatches. */
async function dispatch(deps: DispatchDeps): Promise<number> {
  const { rows, heads, deliveries } = await inTransaction(deps.pool, async (client) => {
    if (!(await lockOutbox(client))) return { rows: 0, heads: [], deliveries: 0 };
    const taken = await takeOutbox(client, BATCH);
    const ofMessages = taken.filter((row) => row.payload === null);
    const logged = ofMessages.length === 0 ? [] : await appendToLog(client, ofMessages);
    const fannedOut =
      taken.length === 0
        ? 0
        : await fanOut(client, taken, ({ id, tenantId, type }, err) =>
            deps.log.error(
              { err, event: id, tenant: tenantId, type },
              'an event cannot be posted to webhooks',
            ),
          );
    deps.fail('dispatch.before-commit');
    return { rows: taken.length, heads: logged, deliveries: fannedOut };
  });
  deps.fail('dispatch.after-commit');
  if (heads.length > 0) deps.onLogged(heads);
  if (deliveries > 0) deps.onDeliveriesDue();
  return rows;
}
