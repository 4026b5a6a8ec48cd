// Reads mail in processes that can be killed.
//
//   a message whose reader throws is unreadable, and its process goes on
//   one that ends its process (hangs, eats the memory) is tried once more, alone; if it ends that one too it is unreadable
//   the others of its process are read at once in a fresh one, and do not wait for that; alone only after a second time

import { AppError } from '../../core/base/errors.ts';
import type { Logger } from '../../core/base/log.ts';
import { createProcessPool } from '../../core/base/process-pool.ts';
import { unreadable, type ParseJob, type ParseResult } from './parse-job.ts';

/** The parsers of one inbound process. */
export interface ParserPool {
  /** Reads a message: what cannot be read comes back as such. Throws when the pool is closed or too much waits. */
  parse(job: ParseJob): Promise<ParseResult>;
  close(): Promise<void>;
}

/** How many processes, how long one message may take, and what they need to look things up. */
export interface ParserOptions {
  processes: number;
  limitMs: number;
  dnsServers: string[];
  hostname: string;
  /** The program of a parser; another one in tests. */
  file?: URL;
}

const PER_PROCESS = 32; // most of the time of a message is waiting for DNS
const MAX_WAITING = 256; // messages, whole in memory; the route loop has 64 under way
const HEAP_MB = 256; // of JavaScript objects; the bytes of the mail are outside
// What hostile mail leaves in a parser goes with it. A fresh one costs 150 ms of CPU: 0.15 ms a message, 10 ms a MiB.
const LIFETIME = {
  jobs: 1_000,
  bytes: 16 * 1024 * 1024,
  bytesOf: (job: ParseJob): number => job.raw.byteLength,
  idle: { bytes: 1024 * 1024, ms: 30_000 },
};

/** Starts parsers as they are needed. */
export function createParserPool(options: ParserOptions, log: Logger): ParserPool {
  const { processes, limitMs, dnsServers, hostname } = options;
  const of = {
    what: 'parser',
    file: options.file ?? new URL('./parse-process.ts', import.meta.url),
    args: [JSON.stringify({ dnsServers, hostname })],
    memory: { oldSpaceMb: HEAP_MB },
    processes,
    limitMs,
    mode: 'together',
    maxWaiting: MAX_WAITING,
    lifetime: LIFETIME,
  } as const;
  const shared = createProcessPool<ParseJob, ParseResult>({ ...of, perProcess: PER_PROCESS }, log);
  const alone = createProcessPool<ParseJob, ParseResult>({ ...of, perProcess: 1 }, log);
  return {
    async parse(job) {
      let end = await shared.run(job);
      if (end.kind === 'killed' && !end.blamed) end = await shared.run(job);
      if (end.kind === 'killed') end = await alone.run(job);
      if (end.kind === 'done') return end.result;
      if (end.kind === 'killed') return unreadable(job, 'the parser did not finish');
      throw new AppError('unavailable', 'No parser is free.');
    },
    async close() {
      await Promise.all([shared.close(), alone.close()]);
    },
  };
}
