// The connections to one destination: kept open between messages, opened to the best mail host that answers.

import { monotonicMs } from '../../core/base/clock.ts';
import { openConnection, type Connection, type Endpoint } from './connection.ts';
import { failed, type Failed, type Refused } from './failure.ts';
import { classifyFailure, isFinal } from './is-final.ts';
import type { Target } from './target.ts';

/** A connection to use, or the failure that best explains why there is none. */
type Acquired =
  | { ok: true; connection: Connection; fresh: boolean }
  | { ok: false; failure: Refused | Failed; host: string | null };

/** The pool of one destination. How many may be open is the caller's business (concurrency.ts). */
export interface ConnectionPool {
  /** An idle connection, or a new one. With `fresh`, never an idle one. */
  acquire(fresh?: boolean): Promise<Acquired>;
  /** Gives a connection back; what is broken or worn out is closed. */
  release(connection: Connection): void;
  /** Closes what has been idle for too long. */
  closeIdle(): void;
  /** Closes all that is idle. */
  close(): void;
  /** Breaks the connections in use, with the reason that their messages get; none is opened any more. */
  cutOff(reason: string): void;
  /** Connections in use, idle, being opened or not closed yet. */
  size(): number;
  /** Connections that the peer has accepted, and those that it has not answered yet: all that it did not refuse. */
  working(): number;
}

const IDLE_MS = 8_000; // many servers drop a silent client after 10 s or more; ours goes first
const MAX_MESSAGES = 100; // per connection: what the large mailbox providers allow before they answer 421
const AVOID_MS = 60_000; // an address that did not answer is asked last for a minute

/** Makes the pool of a target. Nothing is opened before the first message. */
export function createConnectionPool(target: Target): ConnectionPool {
  const idle: Connection[] = [];
  const avoid = new Map<string, number>();
  const inUse = new Set<Connection>();
  let opening = 0;
  let closing = 0; // the peer counts a connection until it is closed
  let stopped: string | null = null;
  const shut = (connection: Connection) => {
    closing += 1;
    connection.close();
    connection.whenClosed(() => (closing -= 1));
  };
  const takeIdle = (): Connection | undefined => {
    for (let next = idle.pop(); next; next = idle.pop()) {
      if (next.alive() && monotonicMs() - next.idleSince < IDLE_MS) return next;
      shut(next);
    }
    return undefined;
  };
  return {
    acquire: async (fresh = false) => {
      const ready = fresh ? undefined : takeIdle();
      if (ready) {
        inUse.add(ready);
        return { ok: true, connection: ready, fresh: false };
      }
      opening += 1;
      const opened = await openBest(target, avoid);
      opening -= 1;
      if (!opened.ok) return opened;
      if (stopped !== null) {
        opened.connection.close();
        return { ok: false, failure: failed('connect', stopped), host: opened.connection.host };
      }
      inUse.add(opened.connection);
      return opened;
    },
    release: (connection) => {
      inUse.delete(connection);
      connection.idleSince = monotonicMs();
      if (connection.alive() && connection.used < MAX_MESSAGES) idle.push(connection);
      else shut(connection);
    },
    closeIdle: () => {
      const now = monotonicMs();
      const old = idle.filter((connection) => now - connection.idleSince >= IDLE_MS || !connection.alive());
      for (const connection of old) {
        idle.splice(idle.indexOf(connection), 1);
        shut(connection);
      }
    },
    close: () => {
      for (const connection of idle.splice(0)) shut(connection);
    },
    cutOff: (reason) => {
      stopped = reason;
      for (const connection of inUse) connection.abort(reason);
    },
    size: () => idle.length + inUse.size + opening + closing,
    working: () => idle.length + inUse.size + opening,
  };
}

interface Problem {
  failure: Refused | Failed;
  host: string;
}

async function openBest(target: Target, avoid: Map<string, number>): Promise<Acquired> {
  const problems: Problem[] = [];
  for await (const endpoint of candidates(target, avoid, problems)) {
    const opened = await openConnection(endpoint);
    if (opened.ok) {
      avoid.delete(endpoint.address);
      return { ok: true, connection: opened.connection, fresh: true };
    }
    avoid.set(endpoint.address, monotonicMs() + AVOID_MS);
    problems.push({ failure: opened.failure, host: endpoint.host });
  }
  const { failure, host } = tellingMost(problems);
  return { ok: false, failure, host };
}

// RFC 5321 section 5.1: hosts in order of preference, all addresses of a host before the next host. Those that did not
// answer a moment ago come last, so that one dead host does not cost every message a connect timeout.
async function* candidates(
  target: Target,
  avoid: Map<string, number>,
  problems: Problem[],
): AsyncGenerator<Endpoint> {
  const later: Endpoint[] = [];
  for (const host of target.hosts()) {
    const endpoints = await target.endpoints(host);
    if (!Array.isArray(endpoints)) {
      problems.push({ failure: endpoints, host });
      continue;
    }
    for (const endpoint of endpoints) {
      if ((avoid.get(endpoint.address) ?? 0) > monotonicMs()) later.push(endpoint);
      else yield endpoint;
    }
  }
  yield* later;
}

// A host that may accept the message later outweighs one that never will: only when all of them refuse for good, or have
// no address, is it over. Among equals the last one, which was the best still standing.
function tellingMost(problems: Problem[]): Problem {
  const mayPass = problems.findLast(({ failure, host }) => !isFinal(failure, classifyFailure(failure, host)));
  const last = mayPass ?? problems.findLast(({ failure }) => failure.kind === 'refused') ?? problems.at(-1);
  return last ?? { failure: failed('connect', 'no host to connect to'), host: '' };
}
