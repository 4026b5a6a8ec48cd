// What the buckets of one process share of delivery: the messages in flight and their limits, the destinations with their
// connections, and what senders have of the mailbox providers' limits. So a process of ten buckets holds no more of anything
// than one with a single bucket; only claiming and recording is each bucket's own (delivery-loop.ts).

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { createDispatch, type Dispatch, type DispatchDeps } from './dispatch.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import type { Claimer } from '../smtp/destination.ts';

/** One bucket's part, which claims its mail. */
export interface Member extends Claimer {
  deliver: DispatchDeps['deliver'];
  /** Claims again, if it has more and there is room for it. */
  claimMore(): void;
  /** Claims nothing more and postpones what waits for a connection; resolves when no claim is under way. */
  halt(): Promise<void>;
  /** Outcomes that are not recorded yet. */
  pending(): number;
  /** Resolves when none is. */
  recorded(): Promise<void>;
}

/** What is shared. */
export interface SharedDelivery {
  inFlight: InFlight;
  dispatch: Dispatch;
  maxInFlight: number;
  /** Counts a bucket in. */
  join(member: Member): void;
  /** Counts one out that was halted, and of which nothing is in flight any more. */
  leave(member: Member): void;
  /** Runs a claim; others claim meanwhile as if it brought all that it may. */
  whileReserved(
    by: Member,
    most: { messages: number; octets: number },
    claim: () => Promise<void>,
  ): Promise<void>;
  /** Messages left: those who have more to claim may claim it, first those whose last claim is longest ago. */
  freed(): void;
  /** Starts to look after the destinations. */
  start(): void;
  /**
   * Finishes running deliveries and releases the other messages. A peer that has not answered by then is cut off: its
   * message is tried again like one whose connection broke. Resolves when all outcomes are recorded.
   */
  drain(): Promise<void>;
  stats(): DeliveryStats;
}

/** What the gauges show. */
export interface DeliveryStats {
  inFlight: number;
  active: number;
  connections: number;
  pending: number;
}

/** What it needs. */
export interface SharedDeliveryDeps extends Omit<DispatchDeps, 'deliver' | 'free' | 'freeOctets'> {
  maxInFlight: number;
  /** How long `drain` waits for deliveries that run. */
  drainMs: number;
}

const TIDY_MS = 1_000;
const LEAST_TIDY_MS = 100; // whatever the scale of a test
const RESERVED_MS = 1_000; // a claim takes 10 ms; one that hangs must not keep others from claiming
const CUT_OFF_MS = 1_000; // for what was cut off to end; the sweep finds the messages of connections that never opened

/** Makes it, with no bucket in it. */
export function createSharedDelivery(deps: SharedDeliveryDeps): SharedDelivery {
  const inFlight = createInFlight(deps.maxInFlight);
  const members = new Map<Claimer, Member>(); // in order of their last claims
  const dispatch = createDispatch({
    ...deps,
    // One that left has lost its lease before: another sender has the message.
    deliver: (message, route) =>
      members.get(message.claimer)?.deliver(message, route) ?? Promise.resolve(null),
    free: () => inFlight.capacity('transactional'),
    freeOctets: inFlight.octetsLeft,
  });
  let timer: NodeJS.Timeout | undefined;
  const freed = (except?: Member) => {
    for (const one of [...members.values()]) if (one !== except) one.claimMore();
  };
  return {
    inFlight,
    dispatch,
    maxInFlight: deps.maxInFlight,
    join: (member) => void members.set(member, member),
    leave: (member) => void members.delete(member),
    whileReserved: async (by, most, claim) => {
      members.delete(by);
      members.set(by, by);
      const release = inFlight.reserve(most);
      const late = setTimeout(release, RESERVED_MS);
      try {
        await claim();
      } finally {
        clearTimeout(late);
        release();
        freed(by); // it looks again by itself
      }
    },
    freed: () => freed(),
    start: () => {
      timer = setInterval(dispatch.tidy, Math.max(TIDY_MS * deps.scale, LEAST_TIDY_MS));
    },
    drain: async () => {
      clearInterval(timer);
      let claiming = true;
      void Promise.all([...members.values()].map((one) => one.halt())).then(() => (claiming = false));
      const ended = async (limitMs: number) => {
        const until = monotonicMs() + limitMs;
        while ((dispatch.active() > 0 || claiming) && monotonicMs() < until) await sleep(20);
      };
      await ended(deps.drainMs);
      dispatch.cutOff('Connection closed: this sender stopped before the peer answered');
      await ended(CUT_OFF_MS);
      dispatch.close();
      await dispatch.leave();
      await Promise.all([...members.values()].map((one) => one.recorded()));
    },
    stats: () => ({
      inFlight: inFlight.size(),
      active: dispatch.active(),
      connections: dispatch.connections(),
      pending: [...members.values()].reduce((sum, one) => sum + one.pending(), 0),
    }),
  };
}
