// Takes stored mail to be routed: at once when this process stored it, and from the record what others left behind.

import { startLoop, type Loop } from '../core/base/loop.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { claimWork, type RawWork } from '../core/inbound/work-store.ts';
import { routeMessage, type RouteDeps } from './route-message.ts';

const LEASE_MS = 60_000; // of a claim; parsing ends after 30 s at the latest, twice
const POLL_MS = 1_000;
const AT_ONCE = 64;
const AT_ONCE_WHEN_BUSY = 2;
const BYTES_AT_ONCE = 48 * 1024 * 1024; // a message is in memory here and once more in its parser

/** Starts the loop; `stop` waits for what is under way. While `isBusy`, mail is coming in so fast that reading it must wait a little: taking it goes first. */
export function startRouteLoop(deps: RouteDeps & { isBusy: () => boolean }): Loop {
  const underWay = new Set<Promise<void>>();
  let bytes = 0;

  const run = async (work: RawWork) => {
    try {
      await routeMessage(deps, work);
    } catch (error) {
      deps.log.warn({ err: error, raw: work.id }, 'stored mail could not be routed; it is tried again');
    }
  };
  const begin = (work: RawWork) => {
    bytes += work.sizeBytes;
    const running = run(work).finally(() => {
      bytes -= work.sizeBytes;
      underWay.delete(running);
      loop.wake();
    });
    underWay.add(running);
  };
  const places = () => (deps.isBusy() ? AT_ONCE_WHEN_BUSY : AT_ONCE) - underWay.size;
  const hasRoom = () => places() > 0 && bytes < BYTES_AT_ONCE;
  const loop = startLoop({
    what: 'claiming stored mail for routing',
    log: deps.log,
    isExpected: isDatabaseAway,
    longestPauseMs: POLL_MS,
    async step(signal) {
      while (hasRoom() && !signal.aborted) {
        // Large mail is claimed one by one near the limit, so that a batch of it cannot pass it by much.
        const room = bytes > BYTES_AT_ONCE / 2 ? 1 : Math.min(places(), 16);
        const claimed = await claimWork(deps.pool, room, LEASE_MS);
        for (const work of claimed) begin(work);
        if (claimed.length < room) break;
      }
      return POLL_MS;
    },
  });
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop();
      await Promise.allSettled(underWay);
    },
  };
}
