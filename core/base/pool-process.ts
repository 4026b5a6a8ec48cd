// One process of a pool (process-pool.ts) and the jobs that it has. A watchdog looks at it while it works.

import { once } from 'node:events';

import { monotonicMs } from './clock.ts';
import { processCpuMs } from './process-cpu.ts';
import { holdOpen, readMarks, startSandbox, type SandboxLimits } from './sandbox.ts';

/** What a process is and how much it may take. */
export interface PoolProcessOptions<J> {
  /** For the log. */
  what: string;
  /** The program of a child. */
  file: URL;
  args?: readonly string[];
  memory: SandboxLimits;
  /** Milliseconds of one job. In a `batch` a job that got less than half of that from the processor has ten times as long. */
  limitMs: number;
  /** Most jobs that one process has at a time. */
  perProcess: number;
  /**
   * `batch`: the child does what it got one by one, and marks the id of each (`writeMark`); it gets more when it has
   * finished. `together`: it does all at the same time (`serveJobs`) and gets more at any time.
   */
  mode: 'batch' | 'together';
  /**
   * How much one process does: then it gets no more, ends when it has done what it has, and takes its memory with it. One
   * that had as much as `idle.bytes` ends also when it had nothing to do for so long.
   */
  lifetime?: {
    jobs: number;
    bytes: number;
    bytesOf: (job: J) => number;
    idle?: { bytes: number; ms: number };
  };
  /** Made for each process, so that it may remember what that one was sent. Without it the list is sent as it is. */
  createPack?: () => (jobs: { id: number; job: J }[]) => unknown;
}

/** Why a process died. */
export type Death = 'not_started' | 'too_slow' | 'out_of_memory' | 'broken';

/** The events that the pool receives. */
export interface ProcessEvents<T, R> {
  done(waiting: T, result: R): void;
  /** The process is gone with these jobs; `blamed` is the one that it was running, if that is known. */
  died(jobs: T[], why: Death, blamed: T | null, reason: string): void;
  /** The process had its lifetime and is gone; no job was in it. */
  retired(): void;
}

/** A process, alive until it is killed. */
export interface PoolProcess<T> {
  /** How many more jobs it accepts now. */
  readonly capacity: number;
  /** Whether it has had its lifetime: it finishes what it has and gets no more. */
  readonly worn: boolean;
  send(jobs: T[]): void;
  /** Ends it and waits for its end; its jobs are reported as `died`. */
  kill(): Promise<void>;
}

const LOOKS = 10; // of the watchdog in the time of one job
// What a child of a batch does never waits for anything but the processor. On a busy machine it is not to blame for the time.
const WORKED = 0.5; // of the limit
const STARVED_LIMITS = 10;
const STUCK_LOOKS = 2; // without a new mark: the process hangs in the marked job, others only wait for it
const START_LIMIT_MS = 10_000; // a machine that needs longer to start a process has other problems
const MAX_ID = 0x7fff_ffff; // marks are written in four bytes

interface Running<T> {
  waiting: T;
  /** By the watchdog's clock; null while it has not begun. */
  since: number | null;
  /** Processor time of the process when it began; null: not known. */
  cpuMs: number | null;
}

/** Starts a process. */
export function startPoolProcess<T extends { job: unknown }, R>(
  options: PoolProcessOptions<T['job']>,
  events: ProcessEvents<T, R>,
): PoolProcess<T> {
  const { mode, limitMs, perProcess, lifetime } = options;
  const running = new Map<number, Running<T>>();
  const pack = options.createPack?.() ?? ((jobs) => jobs);
  const child = startSandbox(options.file, options.memory, options.args);
  /** What it said last that it is at: 0 is nothing, null before it is up. */
  let mark: number | null = null;
  /** By the watchdog's clock; null while it has not looked at this mark. */
  let markedSince: number | null = null;
  let lastId = 0;
  let sentJobs = 0;
  let sentBytes = 0;
  let alive = true;
  let watchdog: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;

  const rest = () => {
    clearInterval(watchdog);
    watchdog = undefined;
    holdOpen(child, false);
    if (alive && lifetime?.idle && sentBytes >= lifetime.idle.bytes)
      idle = setTimeout(retire, lifetime.idle.ms).unref();
  };
  const isWorn = () => lifetime !== undefined && (sentJobs >= lifetime.jobs || sentBytes >= lifetime.bytes);
  const retire = () => {
    clearTimeout(idle);
    alive = false;
    child.kill('SIGKILL');
    events.retired();
  };
  const die = (why: Exclude<Death, 'not_started'>, reason: string, culprit = mark ?? 0) => {
    if (!alive) return;
    alive = false;
    clearTimeout(idle);
    rest();
    child.kill('SIGKILL');
    const jobs = [...running.values()].map(({ waiting }) => waiting);
    const only = mode === 'together' && jobs.length === 1 ? jobs[0] : null;
    const blamed = running.get(culprit)?.waiting ?? only;
    running.clear();
    events.died(jobs, mark === null ? 'not_started' : why, blamed ?? null, reason);
  };

  readMarks(child, (id) => {
    mark = id;
    markedSince = null;
  });
  child.on('message', (results: { id: number; result: R }[]) => {
    for (const { id, result } of results) {
      const job = running.get(id);
      if (job && running.delete(id)) events.done(job.waiting, result);
    }
    if (running.size > 0) return;
    rest();
    if (alive && isWorn()) retire();
  });
  child.on('error', (error) => die('broken', error.message));
  // `close`, not `exit`: only then all that it said has been read.
  child.on('close', (code, signal) => die(deathOf(signal), `the process ended with ${signal ?? code}`));

  // Its clock stops while this process does: what the child wrote in the meantime has not been read yet.
  const lookEveryMs = Math.ceil(limitMs / LOOKS);
  const spentMs = () => (mode === 'batch' && child.pid !== undefined ? processCpuMs(child.pid) : null);
  const isStarved = ({ cpuMs }: Running<T>, tookMs: number) => {
    const spent = spentMs();
    if (cpuMs === null || spent === null) return false;
    return spent - cpuMs < limitMs * WORKED && tookMs < limitMs * STARVED_LIMITS;
  };
  const createWatch = () => {
    let clock = 0;
    let looked = monotonicMs();
    for (const job of running.values()) job.since = null;
    markedSince = null;
    return () => {
      const now = monotonicMs();
      clock += Math.min(now - looked, lookEveryMs);
      looked = now;
      if (mark === null) {
        if (clock > START_LIMIT_MS) die('broken', 'the process did not start');
        return;
      }
      markedSince ??= clock;
      const isStuck = running.has(mark) && clock - markedSince >= STUCK_LOOKS * lookEveryMs;
      for (const [id, job] of running) {
        if (mode === 'batch' && id !== mark) continue;
        if (job.since === null) {
          job.since = clock;
          job.cpuMs = spentMs();
        }
        if (clock - job.since > limitMs && !isStarved(job, clock - job.since))
          return die('too_slow', `a job took over ${limitMs} ms`, isStuck ? mark : id);
      }
    };
  };

  return {
    get capacity() {
      if (!alive || isWorn() || (mode === 'batch' && running.size > 0)) return 0;
      return perProcess - running.size;
    },
    get worn() {
      return isWorn();
    },
    send(jobs) {
      sentJobs += jobs.length;
      if (lifetime) for (const { job } of jobs) sentBytes += lifetime.bytesOf(job);
      if (running.size === 0) holdOpen(child, true);
      clearTimeout(idle);
      const numbered = jobs.map((waiting) => {
        lastId = lastId === MAX_ID ? 1 : lastId + 1;
        running.set(lastId, { waiting, since: null, cpuMs: null });
        return { id: lastId, job: waiting.job };
      });
      // A process that cannot be reached is about to be lost.
      if (child.pid !== undefined) child.send(pack(numbered) as object, () => {});
      watchdog ??= setInterval(createWatch(), lookEveryMs);
    },
    async kill() {
      die('broken', 'the pool is closed');
      const runs = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
      if (!runs) return;
      child.ref(); // or a process with nothing else to do would end before it
      await once(child, 'exit');
    },
  };
}

// How V8 ends a process that has no more memory; nothing else in such a child aborts.
function deathOf(signal: NodeJS.Signals | null): 'out_of_memory' | 'broken' {
  return signal === 'SIGABRT' || signal === 'SIGTRAP' ? 'out_of_memory' : 'broken';
}
