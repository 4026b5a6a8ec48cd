// How many SMTP transactions may run with one destination at a time. It grows while the peer accepts mail and halves
// when the peer pushes back, as TCP does with packets (AIMD); a destination that cannot be reached at all rests for a
// while, and one message then tries whether it is back.

/** The limit of one destination. Times are of the monotonic clock, in milliseconds. */
export interface Concurrency {
  /** Transactions that may run now: 0 while the destination rests. */
  limit(now: number): number;
  /** When the rest ends; 0 when there is none. */
  restsUntil(): number;
  /** The peer accepted or refused a message: it works. */
  worked(): void;
  /** The peer said "not so fast" (421, 4xx about rates), or broke a connection. */
  pushedBack(now: number): void;
  /** No host of the destination could be reached. */
  unreachable(now: number): void;
}

const START = 4;
const HALVING_GAP_MS = 1_000; // one burst of refusals, which all answer the same excess, halves once
const FIRST_REST_MS = 15_000;
const LONGEST_REST_MS = 600_000; // ten minutes: a host that is back gets its mail soon

/** A fresh limit. `max` is OUTBOUND_MAX_CONNECTIONS; `scale` shortens rests in tests. */
export function createConcurrency(max: number, scale = 1): Concurrency {
  let limit = Math.min(START, max);
  let careful = false; // since the first push-back: one more per round of messages, not one more per message
  let halvedAt = -Infinity;
  let rest = 0;
  let failures = 0;
  return {
    limit: (now) => {
      if (now < rest) return 0;
      return failures > 0 ? 1 : Math.floor(limit);
    },
    restsUntil: () => rest,
    worked: () => {
      failures = 0;
      rest = 0;
      limit = Math.min(max, limit + (careful ? 1 / limit : 1));
    },
    pushedBack: (now) => {
      if (now - halvedAt < HALVING_GAP_MS) return;
      halvedAt = now;
      careful = true;
      limit = Math.max(1, limit / 2);
    },
    unreachable: (now) => {
      if (now < rest) return; // attempts that began together fail together
      failures += 1;
      rest = now + Math.min(FIRST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS) * scale;
      limit = Math.min(START, max);
    },
  };
}
