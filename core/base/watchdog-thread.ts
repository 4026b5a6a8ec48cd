// The thread that watches the main one. When the main thread has stood still for the time of a stall, it asks the
// debugger where, logs that and ends the process from within; if the debugger gets no answer either (the main thread
// is in native code), by SIGKILL.
//
// What counts is the time in which the main thread could have run: on a machine with too much to do (a service that
// starts among thirty others) it waits for a CPU, and ending it then would only add to the load.

import { readFileSync } from 'node:fs';
import { Session, type Debugger } from 'node:inspector';
import { workerData } from 'node:worker_threads';

import { monotonicMs } from './clock.ts';
import { createLogger } from './log.ts';
import { DEBUGGED, EXIT_STALLED, type WatchdogData } from './watchdog.ts';

const STACK_LIMIT_MS = 1_000; // of the 3 s that a test gives from the stall to the end
const MAX_FRAMES = 30;
const STDERR = 2;

const { beats, tickMs, ticks, config, service } = workerData as WatchdogData;
const log = createLogger(config, service, STDERR);

let seen = -1;
let ticksWithoutBeat = 0;
let last = { atMs: monotonicMs(), waitedMs: waitedForCpuMs() };
const ticking = setInterval(() => {
  const beat = Atomics.load(beats, 0);
  const now = { atMs: monotonicMs(), waitedMs: waitedForCpuMs() };
  const stands = beat === seen && beat !== DEBUGGED;
  const tookMs = now.atMs - last.atMs;
  const waited = Math.min(1, (now.waitedMs - last.waitedMs) / tookMs);
  ticksWithoutBeat = stands ? ticksWithoutBeat + 1 - waited : 0;
  seen = beat;
  // Linux tells a wait when it is over: what is more than this tick counts for the next ones.
  last = { atMs: now.atMs, waitedMs: stands ? last.waitedMs + waited * tookMs : now.waitedMs };
  if (ticksWithoutBeat < ticks) return;
  clearInterval(ticking);
  endProcess();
}, tickMs);

// Milliseconds that the main thread was ready to run and had no CPU (the second number of Linux's schedstat, in ns, see
// the kernel's sched-stats.rst). Elsewhere nobody tells, and every tick counts in full.
function waitedForCpuMs(): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}

function endProcess(): void {
  const session = new Session();
  session.connectToMainThread();
  const words = `the event loop stood still for ${config.WATCHDOG_STALL_SECONDS} s; ending the process`;
  let logged = false;
  setTimeout(() => {
    if (!logged) log.fatal({ stack: null }, `${words}; its stack could not be read`);
    process.kill(process.pid, 'SIGKILL');
  }, STACK_LIMIT_MS);
  const files = new Map<string, string>(); // by script id: a frame itself has no url here
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => files.set(scriptId, url));
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    logged = true;
    const frames = callFrames.slice(0, MAX_FRAMES).map((frame) => describeFrame(frame, files));
    log.fatal({ stack: frames.join('\n') }, words);
    const [top] = callFrames;
    if (top === undefined) return;
    const expression = `globalThis.process.reallyExit(${EXIT_STALLED})`; // process.exit would run what waits for an exit
    session.post('Debugger.evaluateOnCallFrame', { callFrameId: top.callFrameId, expression });
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

function describeFrame({ functionName, location }: Debugger.CallFrame, files: Map<string, string>): string {
  const place = `${files.get(location.scriptId)}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1}`;
  return `at ${functionName || '<anonymous>'} (${place})`;
}
