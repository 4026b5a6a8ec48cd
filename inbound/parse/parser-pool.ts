// Parser threads that can be killed. A message that hangs a thread, or makes it run out of memory, takes the others in
// that thread with it; each of those is then tried once more, alone, and only the one that kills its thread again is
// called unreadable.

import { Worker } from 'node:worker_threads';

import type { Logger } from '../../core/base/log.ts';
import { unreadableContent, type ParseJob, type ParseResult } from './parse-job.ts';

/** The threads of one process. */
export interface ParserPool {
  /** Reads a message. Never rejects: what cannot be read comes back as such. */
  parse(job: ParseJob): Promise<ParseResult>;
  close(): Promise<void>;
}

/** How many threads, how long one message may take, and what the threads need to look things up. */
export interface ParserOptions {
  threads: number;
  limitMs: number;
  dnsServers: string[];
  hostname: string;
  /** The file of the thread; another one in tests. */
  file?: URL;
}

interface Waiting {
  job: ParseJob;
  /** May share its thread with nobody: it was in a thread that died. */
  alone: boolean;
  resolve: (result: ParseResult) => void;
}

interface Thread {
  worker: Worker;
  jobs: Map<number, Waiting & { timer: NodeJS.Timeout }>;
}

const PER_THREAD = 32; // most of the time of a message is waiting for DNS
const HEAP_MB = 256; // of JavaScript objects per thread; the bytes of the mail are outside

/** Starts threads as they are needed. */
export function createParserPool(options: ParserOptions, log: Logger): ParserPool {
  const file = options.file ?? new URL('./parse-thread.ts', import.meta.url);
  const threads = new Set<Thread>();
  const waiting: Waiting[] = [];
  let nextId = 1;
  let closed = false;

  const start = (): Thread => {
    const worker = new Worker(file, {
      workerData: { dnsServers: options.dnsServers, hostname: options.hostname },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      stderr: true, // what a parser prints about a stranger's mail is not for our log
    });
    const thread: Thread = { worker, jobs: new Map() };
    threads.add(thread);
    worker.on('message', ({ id, result }: { id: number; result: ParseResult }) => {
      const done = thread.jobs.get(id);
      if (!done) return;
      clearTimeout(done.timer);
      thread.jobs.delete(id);
      done.resolve(result);
      fill();
    });
    worker.on('error', (error) => kill(thread, error.message));
    worker.on('exit', () => kill(thread, 'the thread ended'));
    return thread;
  };
  const kill = (thread: Thread, why: string): void => {
    if (!threads.delete(thread)) return;
    void thread.worker.terminate();
    if (!closed) log.warn({ why, messages: thread.jobs.size }, 'a parser thread was replaced');
    for (const { timer, job, alone, resolve } of thread.jobs.values()) {
      clearTimeout(timer);
      if (alone || closed) resolve(unreadable(job));
      else waiting.unshift({ job, alone: true, resolve });
    }
    thread.jobs.clear();
    fill();
  };
  const give = (thread: Thread, one: Waiting): void => {
    const id = nextId++;
    const timer = setTimeout(
      () => kill(thread, `a message took over ${options.limitMs} ms`),
      options.limitMs,
    );
    thread.jobs.set(id, { ...one, timer });
    thread.worker.postMessage({ id, job: one.job });
  };
  const takes = (thread: Thread, one: Waiting): boolean => {
    if (thread.jobs.size === 0) return true;
    const shared = ![...thread.jobs.values()].some((job) => job.alone);
    return !one.alone && shared && thread.jobs.size < PER_THREAD;
  };
  const fill = (): void => {
    while (!closed && waiting[0]) {
      const one = waiting[0];
      const free = [...threads].find((thread) => takes(thread, one));
      if (!free && threads.size >= options.threads) return;
      waiting.shift();
      give(free ?? start(), one);
    }
  };
  return {
    parse: (job) =>
      new Promise((resolve) => {
        if (closed) return resolve(unreadable(job));
        waiting.push({ job, alone: false, resolve });
        fill();
      }),
    close: async () => {
      closed = true;
      for (const { job, resolve } of waiting.splice(0)) resolve(unreadable(job));
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

function unreadable(job: ParseJob): ParseResult {
  return {
    content: job.content ? unreadableContent('the parser did not finish') : null,
    bodies: [],
    report: job.report ? { kind: 'other' } : null,
  };
}
