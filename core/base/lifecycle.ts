// How a service starts and stops. One that stops says first that it is not ready and goes on working for a while, so that
// balancers choose others before the listener closes. Then its steps run in the order given, each bounded in time: work in
// flight is finished and nothing new is accepted. A second signal ends the process at once.

import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { nowMs, sleep } from './clock.ts';
import { ConfigError, type Config } from './config.ts';
import type { Logger } from './log.ts';

/**
 * How Node is started wherever a service is. Left alone, the young generation of the heap grows to 2 × 64 MiB on a machine
 * with 24 GiB and stays: an api had 412 MB at 400 sends a second and after it. With 2 × 4 MiB it has 256, and 188 after it,
 * for no more CPU time (0.7 ms a send).
 */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=4'];

/** One thing to do on the way down. */
interface StopStep {
  name: string;
  stop: () => unknown;
}

/** How long requests in flight, and messages that are coming in over SMTP, may take once the listeners are closed. */
export const DRAIN_MS = 15_000;

const CLOSE_MS = 10_000; // to end gRPC streams, write what is buffered and close connections

/** The settings that say how long a stop takes. */
type StopSettings = Pick<Config, 'STOP_DELAY_SECONDS' | 'SENDER_DRAIN_SECONDS'>;

/** Longest stop of any service, from the signal to its end. What starts services must not kill them sooner (deploy/). */
export function longestStopMs(config: StopSettings): number {
  return config.STOP_DELAY_SECONDS * 1000 + Math.max(DRAIN_MS, config.SENDER_DRAIN_SECONDS * 1000) + CLOSE_MS;
}

/** How a service stops. */
export interface Stop {
  /** Says that it is not ready. It goes on as before for STOP_DELAY_SECONDS. */
  announce: () => void;
  /** What follows, in this order. */
  steps: StopStep[];
}

/**
 * Stops on SIGTERM or SIGINT, then exits 0; with 1 when that takes longer than `longestStopMs`. Also stops, without
 * delay, and exits 1 on an error that nobody caught.
 */
export function stopOnSignals(log: Logger, config: StopSettings, stop: Stop): void {
  let stopping = false;
  const begin = (reason: string, exitCode: number) => {
    if (stopping) process.exit(exitCode === 0 ? 1 : exitCode);
    stopping = true;
    const delayMs = exitCode === 0 ? config.STOP_DELAY_SECONDS * 1000 : 0;
    void runStop(log, reason, stop, delayMs, longestStopMs(config)).finally(() => process.exit(exitCode));
  };
  process.on('SIGTERM', () => begin('SIGTERM', 0));
  process.on('SIGINT', () => begin('SIGINT', 0));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught error; stopping');
    begin('uncaught error', 1);
  });
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection; stopping');
    begin('unhandled rejection', 1);
  });
}

async function runStop(
  log: Logger,
  reason: string,
  { announce, steps }: Stop,
  delayMs: number,
  limitMs: number,
): Promise<void> {
  const startedAt = nowMs();
  log.info({ reason }, 'stopping');
  announce();
  const hurry = setTimeout(() => {
    log.error('stopping took too long; ending now');
    process.exit(1);
  }, limitMs);
  hurry.unref();
  await sleep(delayMs);
  for (const step of steps) {
    try {
      await step.stop();
    } catch (error) {
      log.warn({ err: error, step: step.name }, 'a step of stopping failed');
    }
  }
  log.info({ ms: nowMs() - startedAt }, 'stopped');
}

/**
 * Logs that a service is ready, with the ports that it listens on and what else is worth a look. Tells the ports to the
 * process that started it if there is a channel (`stdio: 'ipc'`): with port 0 the kernel chose them.
 */
export function announceReady(log: Logger, service: string, ports: Record<string, number>, also = {}): void {
  log.info({ ...ports, ...also }, `${service} is ready`);
  process.send?.({ ports });
}

/** Why a service does not start, as one line that says what to do. */
export class StartRefused extends Error {}

/** Runs the start of a service. A failure is printed in short, bad settings by name, and ends the process with 1. */
export async function startOrExplain(start: () => Promise<void>): Promise<void> {
  try {
    await start();
    // With NODE_COMPILE_CACHE a next start takes half as long (sender 290 → 145 ms, api 760 → 475 ms). Node would write
    // the cache at the end only, which a kill leaves out.
    flushCompileCache();
    releaseStartMemory();
  } catch (error) {
    const plain = error instanceof ConfigError || error instanceof StartRefused;
    process.stderr.write(plain ? `${error.message}\n` : `could not start: ${describe(error)}\n`);
    process.exit(1);
  }
}

/**
 * Returns to the system what only a start needs: the code that ran once, and the garbage of reading some thousand files,
 * 20 MB of a process of 160. V8 would keep it until memory runs short. Takes about 0.1 s.
 */
export function releaseStartMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: string; flavor: string }) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
}

/**
 * For a process that unauthenticated callers can send large bodies: its heap grows by 40 % until all of it is collected. V8 lets it grow up to
 * fourfold: an api that was sent 14 MB/s of bodies of 64 kB had another 160 MB. A sender took 20 % more CPU with it.
 */
export function growHeapSlowly(): void {
  setFlagsFromString('--heap-growing-percent=40');
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined
    ? (error.stack ?? error.message)
    : `${error.message}: ${describe(error.cause)}`;
}
