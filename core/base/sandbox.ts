// Child processes for work on untrusted input: tenants' templates, received mail. A process and not a thread, because
// the heap limit of a thread does not contain it: one that allocates fast enough aborts the whole process with it (V8
// says "Reached heap limit" and raises SIGABRT; seen with 30 MB allocated between two checks of the limit).
// Guarantee: such a child has no settings, no secrets and no connections, says nothing in our log, and ends when it is
// killed, when it is out of memory, or within two seconds of its parent's end, whatever it is busy with.

import { fork, type ChildProcess } from 'node:child_process';
import { writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** How much a child may take. Megabytes of JavaScript objects; bytes of buffers are outside. */
export interface SandboxLimits {
  oldSpaceMb: number;
  youngSpaceMb?: number;
}

const MARK_FD = 4;

/**
 * Starts a child. It gets messages in the order in which they were sent, plain data only. One that cannot be started has
 * no `pid`, and says why with `error`; with no file descriptor left (EMFILE) it has no pipes and no `send` either.
 */
export function startSandbox(file: URL, limits: SandboxLimits, args: readonly string[] = []): ChildProcess {
  const { oldSpaceMb, youngSpaceMb } = limits;
  return fork(fileURLToPath(file), args, {
    serialization: 'advanced', // bytes stay bytes
    execArgv: [
      `--max-old-space-size=${oldSpaceMb}`,
      ...(youngSpaceMb === undefined ? [] : [`--max-semi-space-size=${Math.ceil(youngSpaceMb / 3)}`]),
    ],
    env: {},
    cwd: '/',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
}

/** Calls back with every number that the child wrote with `writeMark`. */
export function readMarks(child: ChildProcess, onMark: (mark: number) => void): void {
  const pipe = markPipe(child);
  let rest: Buffer = Buffer.alloc(0);
  pipe?.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 4);
    for (let at = 0; at < whole; at += 4) onMark(bytes.readUInt32LE(at));
    rest = bytes.subarray(whole);
  });
  pipe?.on('error', () => {}); // the end of the process reports its end
}

const word = Buffer.alloc(4);

/**
 * Called by a child: reports the job that it is about to run. Synchronously: that job may never return to the event
 * loop. About 2 µs.
 */
export function writeMark(mark: number): void {
  word.writeUInt32LE(mark);
  writeSync(MARK_FD, word);
}

/** Whether this process stays alive for the child. One that has nothing to do should not hold it up. */
export function holdOpen(child: ChildProcess, hold: boolean): void {
  const pipe = markPipe(child) as { ref?(): void; unref?(): void } | undefined;
  for (const handle of [child, child.channel, pipe]) {
    if (hold) handle?.ref?.();
    else handle?.unref?.();
  }
}

function markPipe(child: ChildProcess): Readable | undefined {
  const stdio = child.stdio as ChildProcess['stdio'] | undefined;
  return stdio?.[MARK_FD] as Readable | undefined;
}

const LOOK_MS = 1_000;

/**
 * Called once by a child, at its start: ends it when its parent is gone. The thread checks even while the main thread
 * is caught in an endless loop of a template; a process that nobody waits for would run for ever.
 */
export function endWithParent(): void {
  process.on('disconnect', () => process.exit());
  // The thread may start late, when the parent has gone already: whose child this is, is known before.
  const watch = `
    setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL'); }, ${LOOK_MS});`;
  new Worker(watch, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8, stackSizeMb: 1 } }).unref();
}
