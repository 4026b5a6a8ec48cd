// The thread that watches the main one. When the main thread has stood still for the time of a stall, it asks the
// debugger where, logs that and ends the process from within; if the debugger gets no answer either (the main thread
// is in native code), by SIGKILL.
//
// What counts is the time in which the main thread could have run: on a machine with too much to do (a service that
// starts among thirty others) it waits for a CPU, or for another thread that does (V8 collects garbage with several), and
// ending it then would only add to the load.

import { readdirSync, readFileSync } from 'node:fs';
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
let lastAtMs = monotonicMs();
const waitedMs = new Map<string, number>(); // by thread, as far as it was counted
const ticking = setInterval(() => {
  const beat = Atomics.load(beats, 0);
  const stands = beat === seen && beat !== DEBUGGED;
  const nowMs = monotonicMs();
  const waited = partWaited(nowMs - lastAtMs, stands);
  ticksWithoutBeat = stands ? ticksWithoutBeat + 1 - waited : 0;
  seen = beat;
  lastAtMs = nowMs;
  if (ticksWithoutBeat < ticks) return;
  clearInterval(ticking);
  endProcess();
}, tickMs);

// The part of the last milliseconds in which the thread that waited longest was ready to run and had no CPU. Linux tells a
// wait when it is over: with `carry`, what is more than this time counts for the next ones.
function partWaited(tookMs: number, carry: boolean): number {
  let most = 0;
  for (const [thread, allMs] of waitsForCpu()) {
    const before = waitedMs.get(thread) ?? allMs;
    const counted = Math.min(tookMs, allMs - before);
    waitedMs.set(thread, carry ? before + counted : allMs);
    most = Math.max(most, counted / tookMs);
  }
  return most;
}

// By thread, in ms (the second number of Linux's schedstat, in ns, see the kernel's sched-stats.rst). Elsewhere nobody tells,
// and every tick counts in full.
function* waitsForCpu(): Generator<[string, number]> {
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const [, waitedNs] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ');
      yield [thread, Number(waitedNs) / 1e6];
    }
  } catch {
    // no Linux, or a thread has just ended
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
