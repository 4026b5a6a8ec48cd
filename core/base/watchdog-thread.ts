// The thread that watches the main one. When the main thread has stood still for the time of a stall, it asks the
// debugger where, logs that and ends the process from within; if the debugger gets no answer either (the main thread
// is in native code), by SIGKILL.

import { Session, type Debugger } from 'node:inspector';
import { workerData } from 'node:worker_threads';

import { createLogger } from './log.ts';
import { DEBUGGED, EXIT_STALLED, type WatchdogData } from './watchdog.ts';

const STACK_LIMIT_MS = 1_000; // of the 3 s that a test gives from the stall to the end
const MAX_FRAMES = 30;
const STDERR = 2;

const { beats, tickMs, ticks, config, service } = workerData as WatchdogData;
const log = createLogger(config, service, STDERR);

let seen = -1;
let ticksWithoutBeat = 0;
const ticking = setInterval(() => {
  const beat = Atomics.load(beats, 0);
  ticksWithoutBeat = beat === seen && beat !== DEBUGGED ? ticksWithoutBeat + 1 : 0;
  seen = beat;
  if (ticksWithoutBeat < ticks) return;
  clearInterval(ticking);
  endProcess();
}, tickMs);

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
