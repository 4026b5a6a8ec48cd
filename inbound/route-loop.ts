// Takes stored mail to be routed: at once when this process stored it, and from the record what others left behind.

import { sleep } from '../core/base/clock.ts';
import { claimWork, type RawWork } from '../core/inbound/work-store.ts';
import { routeMessage, type RouteDeps } from './route-message.ts';

/** A running loop. */
export interface RouteLoop {
  wake(): void;
  /** Claims nothing more and waits for what is in hand. */
  stop(): Promise<void>;
}

const LEASE_MS = 60_000; // of a claim; parsing ends after 30 s at the latest, twice
const LOOK_MS = 1_000;
const AT_ONCE = 64;
const AT_ONCE_WHEN_BUSY = 2;
const BYTES_AT_ONCE = 48 * 1024 * 1024; // a message is in memory here and once more in its parser

/** Starts the loop. While `isBusy`, mail is coming in so fast that reading it must wait a little: taking it goes first. */
export function startRouteLoop(deps: RouteDeps & { isBusy: () => boolean }): RouteLoop {
  const abort = new AbortController();
  const underWay = new Set<Promise<void>>();
  let wakeUp = new AbortController();
  let bytes = 0;
  const wake = () => wakeUp.abort();

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
      wake();
    });
    underWay.add(running);
  };
  const places = () => (deps.isBusy() ? AT_ONCE_WHEN_BUSY : AT_ONCE) - underWay.size;
  const hasRoom = () => places() > 0 && bytes < BYTES_AT_ONCE;
  const look = async () => {
    while (hasRoom() && !abort.signal.aborted) {
      // Large mail is claimed one by one near the limit, so that a batch of it cannot pass it by much.
      const room = bytes > BYTES_AT_ONCE / 2 ? 1 : Math.min(places(), 16);
      const claimed = await claimWork(deps.pool, room, LEASE_MS);
      for (const work of claimed) begin(work);
      if (claimed.length < room) return;
    }
  };
  const lookOften = async () => {
    while (!abort.signal.aborted) {
      wakeUp = new AbortController();
      await look().catch((error: unknown) =>
        deps.log.warn({ err: error }, 'stored mail could not be claimed for routing'),
      );
      await sleep(LOOK_MS, AbortSignal.any([wakeUp.signal, abort.signal]));
    }
  };
  const looking = lookOften();
  return {
    wake,
    stop: async () => {
      abort.abort();
      await looking;
      await Promise.allSettled(underWay);
    },
  };
}
