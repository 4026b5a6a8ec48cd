// Gives messages to their destinations, and runs as many at a time as each destination accepts.
//
// One slow or dead destination must never hold up the others. So a destination that rests keeps nothing in memory, and
// a slow one keeps no more than half of the capacity that is still free (n slow ones then end up with 1/(n+2) of all
// capacity each, and there is always some left) or what it delivers within two seconds, whichever is more; of the memory
// for contents no more than half of what is free. What does not fit goes back to the database for about as long as the
// destination needs for what it has.

import type { Route } from '../../core/base/setting-kinds.ts';
import { monotonicMs } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/log.ts';
import type { Outcome, Postponement } from '../../core/message/outcome.ts';
import type { ChosenRoute } from './deliver-message.ts';
import { createProviderGate, type ProviderGate, type ProviderGateDeps } from './provider-gate.ts';
import { jittered } from './retry-schedule.ts';
import { chooseRoute } from './route.ts';
import {
  addWaiting,
  countAhead,
  createDestination,
  emptyWaiting,
  hasItsPart,
  hasWaiting,
  nextWaiting,
  octetsAhead,
  removeMessage,
  type ClaimedMessage,
  type Claimer,
  type Destination,
  type Waiting,
} from '../smtp/destination.ts';
import type { Failed } from '../smtp/failure.ts';
import { fromSource, type Target } from '../smtp/target.ts';
import type { ChooseSource } from '../source/choose-source.ts';

/** The destinations of one process. */
export interface Dispatch {
  /** Starts to deliver a message; its claimer hears the outcome. */
  place(message: ClaimedMessage): void;
  /** Removes and returns all messages of a claimer that still wait for a connection. */
  removeWaiting(claimer: Claimer): ClaimedMessage[];
  /** Deliveries that run now. */
  active(): number;
  /** Open SMTP connections. */
  connections(): number;
  /** Closes idle connections and forgets destinations that were not used for a while. Called about once a second. */
  tidy(): void;
  /** Breaks the connections of the deliveries that still run, with the reason that is recorded for them. */
  cutOff(reason: string): void;
  close(): void;
  /** Gives back what this process has of mailbox providers' limits; after `close`. */
  leave(): Promise<void>;
}

/** What dispatching needs. */
export interface DispatchDeps {
  routes: readonly Route[];
  findTarget: (route: Route, domain: string, headerFrom: string) => Promise<Target | Failed>;
  chooseSource: ChooseSource;
  /** Whether the provider of a destination refuses the address that it sends from: its mail leaves from another. */
  isResting: (destination: Destination) => boolean;
  deliver: (message: ClaimedMessage, route: ChosenRoute) => Promise<Outcome | null>;
  /** Capacity that is free for messages of any destination. */
  free: () => number;
  /** Octets of content that may be added to what is in memory. */
  freeOctets: () => number;
  databaseNow: () => Date;
  /** How senders share the limits of mailbox providers. */
  providers: ProviderGateDeps;
  maxConnections: number;
  random: () => number;
  scale: number;
  log: Logger;
}

const LEAST_SHARE = 8; // messages that any destination may keep, however little capacity is left
const FAST_WINDOW_S = 2;
const YOUNG_MS = 1_000; // a new destination may use all of the capacity: nobody knows yet how fast it is
const SLOWEST_RATE = 0.1; // messages per second; one that stands still is asked again all the same
const ERROR_PAUSE_MS = 15_000; // after an error of our own (a store unavailable, a bug), before the next attempt
const OVERFLOW_MS = { least: 2_000, most: 300_000 };
const FORGET_MS = 900_000; // longer than the longest rest, so that none is forgotten while it counts

/** Makes the dispatch. */
export function createDispatch(deps: DispatchDeps): Dispatch {
  const destinations = new Map<string, Destination>();
  const gates = new Map<string, ProviderGate>();
  let active = 0;

  const run = async (message: ClaimedMessage, route: ChosenRoute) => {
    active += 1;
    const outcome = await deps
      .deliver(message, route)
      .catch((error: unknown) => afterError(deps, message, error));
    active -= 1;
    message.claimer.done(message, outcome);
  };
  const gateOf = ({ provider }: Destination): ProviderGate | null => {
    if (provider === null) return null;
    const known = gates.get(provider.name);
    if (known) return known;
    const gate = createProviderGate(provider, deps.providers, pump);
    gates.set(provider.name, gate);
    return gate;
  };
  const runAt = async (destination: Destination, { message, esp }: Waiting) => {
    destination.active += 1;
    const gate = gateOf(destination);
    await run(message, { esp, next: destination, gate });
    destination.active -= 1;
    removeMessage(destination, message);
    destination.usedAt = monotonicMs();
    destination.rate.ended(destination.usedAt);
    gate?.ended();
    pump(destination);
  };
  const pump = (destination: Destination) => {
    const now = monotonicMs();
    const limit = destination.concurrency.limit(now);
    if (limit === 0) {
      for (const message of emptyWaiting(destination))
        message.claimer.done(message, rest(deps, destination, message, now));
    }
    if (deps.isResting(destination)) {
      for (const message of emptyWaiting(destination))
        message.claimer.done(message, postpone(deps, message, OTHER_SOURCE, 0));
    }
    const gate = gateOf(destination);
    const closedMs = gate?.closedMs(now) ?? 0;
    if (closedMs > 0) {
      for (const message of emptyWaiting(destination))
        message.claimer.done(
          message,
          postpone(deps, message, limited(destination, gate), closedMs * (1 + 0.1 * deps.random())),
        );
    }
    while (destination.active < limit && hasWaiting(destination)) {
      if (gate && !gate.begin(destination, now)) break;
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
    const { message } = waiting;
    destination.usedAt = now;
    const { stream, tenantId } = message.claim;
    const gate = gateOf(destination);
    const waitMs = gate?.waitMs(message.claim, now) ?? null;
    if (waitMs !== null)
      return message.claimer.done(message, postpone(deps, message, limited(destination, gate), waitMs));
    const share = shareOf(deps, destination, now);
    const full = countAhead(destination, stream) >= share && hasItsPart(destination, tenantId, share);
    if (full || isTooMuch(deps, destination, message)) {
      return message.claimer.done(message, overflow(deps, destination, message, now));
    }
    addWaiting(destination, waiting);
    gate?.enter(destination);
    pump(destination);
  };
  const place = async (message: ClaimedMessage) => {
    const route = chooseRoute(deps.routes, message.claim);
    const found = await deps.findTarget(route, domainOf(message.claim.rcptTo), message.claim.headerFrom);
    if ('kind' in found) return run(message, { esp: route.name, next: found, gate: null });
    const chosen = await deps.chooseSource(route, message.claim, found);
    if (chosen.kind === 'wait')
      return message.claimer.done(message, postpone(deps, message, chosen.why, chosen.inMs));
    message.admission = chosen.admission;
    const target = chosen.source === null ? found : fromSource(found, chosen.source);
    let destination = destinations.get(target.key);
    if (!destination) {
      const { maxConnections, scale } = deps;
      destination = createDestination(target, { maxConnections, scale, now: monotonicMs() });
      destinations.set(target.key, destination);
    }
    enqueue(destination, { message, esp: route.name });
  };
  return {
    place: (message) =>
      void place(message).catch((error: unknown) =>
        message.claimer.done(message, afterError(deps, message, error)),
      ),
    removeWaiting: (claimer) => [...destinations.values()].flatMap((one) => emptyWaiting(one, claimer)),
    active: () => active,
    connections: () => [...destinations.values()].reduce((sum, { pool }) => sum + pool.size(), 0),
    tidy: () => {
      tidy(destinations);
      for (const gate of gates.values()) gate.tick(monotonicMs());
    },
    cutOff: (reason) => {
      for (const { pool } of destinations.values()) pool.cutOff(reason);
    },
    close: () => {
      for (const { pool } of destinations.values()) pool.close();
    },
    leave: async () => void (await Promise.all([...gates.values()].map((gate) => gate.leave()))),
  };
}

// The address that a destination's mail leaves from rests now: another one is chosen when the message is claimed again.
const OTHER_SOURCE: Postponement = { reason: null, because: { rule: 'source_rests', inputs: {} } };
const OWN_ERROR: Postponement = { reason: null, because: { rule: 'sender_error', inputs: {} } };

/** The sender stops. */
export const STOPS: Postponement = { reason: null, because: { rule: 'sender_stops', inputs: {} } };

// A key is `site <hosts>` or `relay <name>`.
function nameOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

function limited({ provider }: Destination, gate: ProviderGate | null): Postponement {
  const inputs = { provider: provider?.name ?? null, ...gate?.takes() };
  return { reason: 'provider_limit', because: { rule: 'provider_limit', inputs } };
}

/** Ends a claim without an attempt: to be claimed again later, or expired when its age limit has passed. */
export function postpone(
  deps: Pick<DispatchDeps, 'databaseNow'>,
  { claim }: ClaimedMessage,
  { reason, because }: Postponement,
  retryInMs: number,
): Outcome {
  const left = claim.expiresAt.getTime() - deps.databaseNow().getTime();
  if (reason !== null && left <= 0) return { kind: 'expired', claim, attempt: null };
  return {
    kind: 'postponed',
    claim,
    reason,
    retryInMs: Math.round(left > 0 ? Math.min(retryInMs, left) : retryInMs),
    because,
  };
}

function afterError(deps: DispatchDeps, message: ClaimedMessage, error: unknown): Outcome {
  const say = () =>
    deps.log.error(
      { err: error, message: message.claim.id },
      'a delivery failed on our side; the message is tried again',
    );
  if (message.trace) message.trace.fail(error, say);
  else say();
  return postpone(deps, message, OWN_ERROR, jittered(ERROR_PAUSE_MS, deps.random) * deps.scale);
}

function rest(
  deps: DispatchDeps,
  { concurrency, restReason, key }: Destination,
  message: ClaimedMessage,
  now: number,
): Outcome {
  // Spread over a tenth of the rest: the first message probes the destination, the others should not all come with it.
  const left = Math.max(concurrency.restsUntil() - now, 0);
  const inputs = { destination: nameOf(key), reason: restReason };
  const why: Postponement = { reason: restReason, because: { rule: 'destination_rests', inputs } };
  return postpone(deps, message, why, left * (1 + 0.1 * deps.random()) + 500 * deps.scale);
}

// How many messages a destination may keep: of one tenant, or a little more of several, since one that fills it does not
// send those of the others back.
function shareOf(deps: DispatchDeps, { rate, madeAt }: Destination, now: number): number {
  const free = now - madeAt < YOUNG_MS ? deps.free() : deps.free() / 2;
  return Math.max(free, (rate.perSecond(now) ?? 0) * FAST_WINDOW_S, LEAST_SHARE);
}

// Whether a message would give the destination more than half of the memory that is left. A peer may think about each
// message for ten minutes, and a hundred attachments fill the memory. One message always fits.
function isTooMuch(deps: DispatchDeps, destination: Destination, { claim }: ClaimedMessage): boolean {
  const ahead = octetsAhead(destination, claim.stream);
  return ahead > 0 && ahead + claim.octets > deps.freeOctets() / 2;
}

// Back to the database for as long as the messages here will need, but no longer than the destination has been full
// already: its rate in the first seconds, while connections are opened, is far too low.
function overflow(
  deps: DispatchDeps,
  destination: Destination,
  message: ClaimedMessage,
  now: number,
): Outcome {
  const fullForMs = now - (destination.fullSince ??= now);
  const rate = Math.max(destination.rate.perSecond(now) ?? 0, SLOWEST_RATE);
  const ahead = countAhead(destination, message.claim.stream);
  const needMs = (ahead / rate) * 1000;
  const waitMs = Math.max(Math.min(needMs, fullForMs, OVERFLOW_MS.most), OVERFLOW_MS.least);
  const inputs = { destination: nameOf(destination.key), ahead, per_second: Math.round(rate * 10) / 10 };
  const why: Postponement = { reason: null, because: { rule: 'destination_full', inputs } };
  return postpone(deps, message, why, jittered(waitMs, deps.random));
}

function tidy(destinations: Map<string, Destination>): void {
  const now = monotonicMs();
  for (const destination of destinations.values()) {
    destination.pool.closeIdle();
    if (countAhead(destination, 'bulk') === 0 && now - destination.usedAt > FORGET_MS) {
      destination.pool.close();
      destinations.delete(destination.key);
    }
  }
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
