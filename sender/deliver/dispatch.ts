// Gives messages to their destinations, and runs as many at a time as each destination takes.
//
// One slow or dead destination must never hold up the others. So a destination that rests keeps nothing in memory, and
// one that takes its time keeps no more than half of the room that is still free (n slow ones then end up with 1/(n+2)
// of all room each, and there is always some left) or what it delivers within two seconds, whichever is more. What does
// not fit goes back to the record for about as long as the destination needs for what it has.

import type { Route } from '../../core/base/config.ts';
import { monotonicMs } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/log.ts';
import type { Outcome, PostponeReason } from '../../core/message/outcome.ts';
import type { Way } from './deliver-message.ts';
import { jittered } from './retry-schedule.ts';
import { chooseRoute } from './route.ts';
import {
  createDestination,
  emptyWaiting,
  hasWaiting,
  heldBy,
  nextWaiting,
  type Destination,
  type Held,
  type Waiting,
} from '../smtp/destination.ts';
import type { Failed } from '../smtp/failure.ts';
import type { Target } from '../smtp/target.ts';

/** The destinations of one process. */
export interface Dispatch {
  /** Takes a message on its way; `onDone` hears how it ended. */
  place(held: Held): void;
  /** Takes back all that has not begun. */
  takeBack(): Held[];
  /** Messages on their way now. */
  active(): number;
  /** Open SMTP connections. */
  connections(): number;
  /** Closes idle connections and forgets destinations that were not used for a while. Called about once a second. */
  tidy(): void;
  close(): void;
}

/** What dispatching needs. */
export interface DispatchDeps {
  routes: readonly Route[];
  findTarget: (route: Route, domain: string) => Promise<Target | Failed>;
  deliver: (held: Held, way: Way) => Promise<Outcome | null>;
  onDone: (held: Held, outcome: Outcome | null) => void;
  /** Room that is free for messages of any destination. */
  free: () => number;
  databaseNow: () => Date;
  maxConnections: number;
  random: () => number;
  scale: number;
  log: Logger;
}

const LEAST_SHARE = 8; // messages that any destination may keep, however full the hand is
const FAST_WINDOW_S = 2;
const YOUNG_MS = 1_000; // a new destination may take all the room: nobody knows yet how fast it is
const SLOWEST_RATE = 0.1; // messages per second; one that stands still is asked again all the same
const TROUBLE_MS = 15_000; // wait after an error of our own (a store away, a bug) before the message is tried again
const OVERFLOW_MS = { least: 2_000, most: 300_000 };
const FORGET_MS = 900_000; // longer than the longest rest, so that none is forgotten while it counts

/** Makes the dispatch. */
export function createDispatch(deps: DispatchDeps): Dispatch {
  const destinations = new Map<string, Destination>();
  let active = 0;

  const run = async (held: Held, way: Way) => {
    active += 1;
    const outcome = await deps.deliver(held, way).catch((error: unknown) => trouble(deps, held, error));
    active -= 1;
    deps.onDone(held, outcome);
  };
  const runAt = async (destination: Destination, { held, esp }: Waiting) => {
    destination.active += 1;
    await run(held, { esp, next: destination });
    destination.active -= 1;
    destination.usedAt = monotonicMs();
    destination.rate.ended(destination.usedAt);
    pump(destination);
  };
  const pump = (destination: Destination) => {
    const now = monotonicMs();
    const limit = destination.concurrency.limit(now);
    if (limit === 0) {
      for (const held of emptyWaiting(destination)) deps.onDone(held, rest(deps, destination, held, now));
    }
    while (destination.active < limit) {
      const next = nextWaiting(destination);
      if (!next) break;
      void runAt(destination, next);
    }
    const waits = hasWaiting(destination);
    destination.rate.waits(waits, now);
    if (!waits) destination.fullSince = null;
  };
  const enqueue = (destination: Destination, waiting: Waiting) => {
    const now = monotonicMs();
    const { held } = waiting;
    destination.usedAt = now;
    if (heldBy(destination, held.claim.stream) >= shareOf(deps, destination, now)) {
      return deps.onDone(held, overflow(deps, destination, held, now));
    }
    destination.waiting[held.claim.stream].push(waiting);
    pump(destination);
  };
  const place = async (held: Held) => {
    const route = chooseRoute(deps.routes, held.claim);
    const target = await deps.findTarget(route, domainOf(held.claim.rcptTo));
    if ('kind' in target) return run(held, { esp: route.name, next: target });
    let destination = destinations.get(target.key);
    if (!destination) {
      const { maxConnections, scale } = deps;
      destination = createDestination(target, { maxConnections, scale, now: monotonicMs() });
      destinations.set(target.key, destination);
    }
    enqueue(destination, { held, esp: route.name });
  };
  return {
    place: (held) =>
      void place(held).catch((error: unknown) => deps.onDone(held, trouble(deps, held, error))),
    takeBack: () => [...destinations.values()].flatMap(emptyWaiting),
    active: () => active,
    connections: () => [...destinations.values()].reduce((sum, { pool }) => sum + pool.size(), 0),
    tidy: () => tidy(destinations),
    close: () => {
      for (const { pool } of destinations.values()) pool.close();
    },
  };
}

/** Ends a claim without a try: to be claimed again later, or over when its age limit has passed. */
export function postpone(
  deps: Pick<DispatchDeps, 'databaseNow'>,
  { claim }: Held,
  reason: PostponeReason | null,
  retryInMs: number,
): Outcome {
  const left = claim.expiresAt.getTime() - deps.databaseNow().getTime();
  if (reason !== null && left <= 0) return { kind: 'expired', claim, attempt: null };
  return {
    kind: 'postponed',
    claim,
    reason,
    retryInMs: Math.round(left > 0 ? Math.min(retryInMs, left) : retryInMs),
  };
}

function trouble(deps: DispatchDeps, held: Held, error: unknown): Outcome {
  deps.log.error({ err: error, message: held.claim.id }, 'a delivery broke off; the message waits a moment');
  return postpone(deps, held, null, jittered(TROUBLE_MS, deps.random) * deps.scale);
}

function rest(deps: DispatchDeps, { concurrency }: Destination, held: Held, now: number): Outcome {
  // Spread over a tenth of the rest: the first one back finds out, and the others should not all come with it.
  const left = Math.max(concurrency.restsUntil() - now, 0);
  return postpone(deps, held, 'network', left * (1 + 0.1 * deps.random()) + 500 * deps.scale);
}

// How many messages a destination may keep.
function shareOf(deps: DispatchDeps, { rate, madeAt }: Destination, now: number): number {
  const free = now - madeAt < YOUNG_MS ? deps.free() : deps.free() / 2;
  return Math.max(free, (rate.perSecond(now) ?? 0) * FAST_WINDOW_S, LEAST_SHARE);
}

// Back to the record for as long as what is here will take, but no longer than the destination has been full already:
// its rate in the first seconds, while connections are made, promises far too little.
function overflow(deps: DispatchDeps, destination: Destination, held: Held, now: number): Outcome {
  const fullForMs = now - (destination.fullSince ??= now);
  const rate = Math.max(destination.rate.perSecond(now) ?? 0, SLOWEST_RATE);
  const needMs = (heldBy(destination, held.claim.stream) / rate) * 1000;
  const waitMs = Math.max(Math.min(needMs, fullForMs, OVERFLOW_MS.most), OVERFLOW_MS.least);
  return postpone(deps, held, null, jittered(waitMs, deps.random));
}

function tidy(destinations: Map<string, Destination>): void {
  const now = monotonicMs();
  for (const destination of destinations.values()) {
    destination.pool.closeIdle();
    if (heldBy(destination, 'bulk') === 0 && now - destination.usedAt > FORGET_MS) {
      destination.pool.close();
      destinations.delete(destination.key);
    }
  }
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
