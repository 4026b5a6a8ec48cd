// Claims stored mail and routes it: at once what this process stored, within a second what other processes left behind.

import { startLoop, type Loop } from '../core/base/loop.ts';
import { createSharedCapacity, type SharedCapacity } from '../core/base/shared-capacity.ts';
import { endAfter, inSpan, startSpan } from '../core/base/trace.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { claimWork, type RawWork } from '../core/inbound/work-store.ts';
import { routeMessage, type RouteDeps } from './route-message.ts';

const LEASE_MS = 60_000; // of a claim; parsing ends after 45 s: 15 s with others, again if one of them hung, and alone
const POLL_MS = 1_000;
const AT_ONCE = 64;
const AT_ONCE_WHEN_BUSY = 2;
const MOST_PER_CLAIM = 16;
const BYTES_AT_ONCE = 48 * 1024 * 1024; // a message is in memory here and once more in its parser

/** What is being routed in a process, of all buckets together. */
export interface RouteLoad {
  messages: SharedCapacity;
  bytes: number;
}

/** Nothing is. */
export function createRouteLoad(): RouteLoad {
  return { messages: createSharedCapacity(AT_ONCE), bytes: 0 };
}

/** Starts the loop; `stop` waits for what is in flight. While `isBusy`, accepting mail goes first: little of it is routed. */
export function startRouteLoop(deps: RouteDeps & { load: RouteLoad; isBusy: () => boolean }): Loop {
  const { load } = deps;
  const inFlight = new Set<Promise<void>>();

  const run = async (work: RawWork) => {
    try {
      const span = startSpan('route', { kind: 'consumer', parent: { rootOf: work.id } });
      await endAfter(
        span,
        inSpan(span, () => routeMessage(deps, work)),
      );
    } catch (error) {
      deps.log.warn({ err: error, raw: work.id }, 'stored mail could not be routed; it is tried again');
    }
  };
  const begin = (work: RawWork) => {
    load.bytes += work.sizeBytes;
    const running = run(work).finally(() => {
      load.bytes -= work.sizeBytes;
      inFlight.delete(running);
      load.messages.give(1);
      loop.wake();
    });
    inFlight.add(running);
  };
  // Large mail is claimed one by one near the limit, so that a batch of it cannot pass it by much.
  const most = () => {
    if (load.bytes >= BYTES_AT_ONCE) return 0;
    const left = deps.isBusy() ? AT_ONCE_WHEN_BUSY - load.messages.used() : MOST_PER_CLAIM;
    return Math.min(left, load.bytes > BYTES_AT_ONCE / 2 ? 1 : MOST_PER_CLAIM);
  };
  const loop = startLoop({
    what: 'claiming stored mail for routing',
    log: deps.log,
    isExpected: isDatabaseAway,
    longestPauseMs: POLL_MS,
    async step(signal) {
      while (!signal.aborted) {
        const taken = load.messages.take(most(), loop.wake);
        if (taken === 0) break;
        let claimed: RawWork[] = [];
        try {
          claimed = await claimWork(deps.pool, taken, LEASE_MS);
        } finally {
          load.messages.give(taken - claimed.length);
        }
        for (const work of claimed) begin(work);
        if (claimed.length < taken) break;
      }
      return POLL_MS;
    },
  });
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop();
      await Promise.allSettled(inFlight);
    },
  };
}
