// A second client of an api that is under load or attack: how long it waits for a response on a new connection, and how much
// the memory of the api grows.

import { request } from 'node:https';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { residentMb } from './service.ts';

/** What it saw. */
export interface Probed {
  /** ms of each answer; one that fails, or is not there in time, counts as PROBE_LIMIT_MS. */
  waits: number[];
  /** MB that the api had more at most than at the beginning. */
  grownMb: number;
}

/** ms after which nobody waits for an answer any more. */
export const PROBE_LIMIT_MS = 20_000;
const EVERY_MS = 100;
const MEMORY_EVERY = 10; // probes
const OTHER = '127.0.0.2'; // the address that asks: not the attacker's

/** Begins to ask for /healthz, ten times a second. `stop` waits for the last answer. */
export function startProbe(port: number, pid: number): { stop(): Promise<Probed> } {
  const waits: number[] = [];
  const asked: Promise<void>[] = [];
  let running = true;
  const probing = (async () => {
    const before = await residentMb(pid);
    let most = before;
    for (; running; await sleep(EVERY_MS)) {
      asked.push(answerMs(port).then((wait) => void waits.push(wait)));
      if (asked.length % MEMORY_EVERY === 0) most = Math.max(most, await residentMb(pid));
    }
    await Promise.all(asked);
    return most - before;
  })();
  return {
    async stop() {
      running = false;
      return { grownMb: await probing, waits };
    },
  };
}

function answerMs(port: number): Promise<number> {
  const startedAt = monotonicMs();
  return new Promise((resolve) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/healthz',
      localAddress: OTHER,
      rejectUnauthorized: false,
    };
    const outgoing = request({ ...options, agent: false, timeout: PROBE_LIMIT_MS }, (incoming) => {
      incoming.resume().once('end', () => resolve(monotonicMs() - startedAt));
    });
    outgoing.once('timeout', () => outgoing.destroy());
    outgoing.once('error', () => resolve(PROBE_LIMIT_MS));
    outgoing.end();
  });
}
