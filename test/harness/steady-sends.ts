// Sends at a steady pace: a slow answer does not thin the load out, until so many wait that callers would stop too.

import { monotonicMs } from '../../core/base/clock.ts';

/** Sends under way. */
export interface SteadySends {
  /** How long each that was answered since the last call took, in ms. */
  lap(): number[];
  /** Answered so far. */
  count(): number;
  /** Sends no more, and waits for the answers. Throws the first error of a send. */
  stop(): Promise<void>;
}

const MOST_WAITING = 200; // for answers; then a send is left out

/** Starts them; `sendOne` gets the number of the send. */
export function startSteadySends(perSecond: number, sendOne: (n: number) => Promise<unknown>): SteadySends {
  const waiting = new Set<Promise<void>>();
  const errors: unknown[] = [];
  let times: number[] = [];
  let [sent, answered] = [0, 0];
  const startedAt = monotonicMs();
  let due = 0;
  const send = async () => {
    const from = monotonicMs();
    await sendOne(sent++);
    times.push(monotonicMs() - from);
    answered += 1;
  };
  // Several in one tick where the timer is later than the pace.
  const timer = setInterval(() => {
    for (; due < ((monotonicMs() - startedAt) * perSecond) / 1000; due++) {
      if (waiting.size >= MOST_WAITING) continue;
      const one: Promise<void> = send()
        .catch((error: unknown) => void errors.push(error))
        .finally(() => waiting.delete(one));
      waiting.add(one);
    }
  }, 1);
  return {
    lap: () => {
      const taken = times;
      times = [];
      return taken;
    },
    count: () => answered,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(waiting);
      if (errors.length > 0) throw errors[0];
    },
  };
}

/** `p50 4 ms, p99 20 ms, longest 31 ms`. */
export function textOfTimes(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}
