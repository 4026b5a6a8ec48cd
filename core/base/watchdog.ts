// Ends a process whose event loop stands still: nothing in it can answer, renew a lease or stop by itself any more, and
// its supervisor starts another. Guarantee: a process that was merely stopped (SIGSTOP, a suspended machine) is left
// alone, because the thread that watches counts its own ticks, and it stood still as well.

import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

import type { Config } from './config.ts';
import type { Logger } from './log.ts';

/** Exit code of a process that the watchdog ended: EX_SOFTWARE of sysexits.h, which nothing else here uses. */
export const EXIT_STALLED = 70;

/** In the place of the beats while a debugger is open: it may stop the main thread. */
export const DEBUGGED = -1;

const TICKS = 10; // in the time of a stall; with the default one a second, 2 µs each

/** What the watching thread is started with. */
export interface WatchdogData {
  /** One number that the main thread counts up, or DEBUGGED. */
  beats: Int32Array;
  tickMs: number;
  /** Ticks without a beat that are a stall. */
  ticks: number;
  config: Pick<Config, 'LOG_LEVEL' | 'WATCHDOG_STALL_SECONDS'>;
  service: string;
}

/** Starts watching this process, until it ends. While a debugger is open nothing is watched. */
export function startWatchdog(
  { LOG_LEVEL, WATCHDOG_STALL_SECONDS }: WatchdogData['config'],
  log: Logger,
): void {
  if (WATCHDOG_STALL_SECONDS === 0) return;
  const workerData: WatchdogData = {
    beats: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    tickMs: (WATCHDOG_STALL_SECONDS * 1000) / TICKS,
    ticks: TICKS,
    config: { LOG_LEVEL, WATCHDOG_STALL_SECONDS },
    service: String(log.bindings()['service']),
  };
  const beat = () => {
    if (debuggerUrl() === undefined) Atomics.add(workerData.beats, 0, 1);
    else Atomics.store(workerData.beats, 0, DEBUGGED);
  };
  beat();
  setInterval(beat, workerData.tickMs).unref();
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData });
  thread.on('error', (error) =>
    log.error({ err: error }, 'the watchdog ended; nothing watches this process'),
  );
  thread.unref();
}
