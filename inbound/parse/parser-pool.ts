// Parser processes that can be killed. A message that hangs one, or makes it run out of memory, takes the others in
// that process with it; each of those is then tried once more, alone, and only the one that kills its process again is
// called unreadable.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import type { Logger } from '../../core/base/log.ts';
import { holdOpen, startSandbox } from '../../core/base/sandbox.ts';
import { unreadableContent, type ParseJob, type ParseResult } from './parse-job.ts';

/** The parsers of one inbound process. */
export interface ParserPool {
  /** Reads a message. Never rejects: what cannot be read comes back as such. */
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

interface Waiting {
  job: ParseJob;
  /** May share its parser with nobody: it was in one that died. */
  alone: boolean;
  resolve: (result: ParseResult) => void;
}

interface Parser {
  child: ChildProcess;
  jobs: Map<number, Waiting & { timer: NodeJS.Timeout }>;
}

const PER_PROCESS = 32; // most of the time of a message is waiting for DNS
const HEAP_MB = 256; // of JavaScript objects; the bytes of the mail are outside

/** Starts parsers as they are needed. */
export function createParserPool(options: ParserOptions, log: Logger): ParserPool {
  const file = options.file ?? new URL('./parse-process.ts', import.meta.url);
  const parsers = new Set<Parser>();
  const waiting: Waiting[] = [];
  let nextId = 1;
  let closed = false;

  const lookup = JSON.stringify({ dnsServers: options.dnsServers, hostname: options.hostname });
  const start = (): Parser => {
    const child = startSandbox(file, { oldSpaceMb: HEAP_MB }, [lookup]);
    const parser: Parser = { child, jobs: new Map() };
    parsers.add(parser);
    child.on('message', ({ id, result }: { id: number; result: ParseResult }) => {
      const done = parser.jobs.get(id);
      if (!done) return;
      clearTimeout(done.timer);
      parser.jobs.delete(id);
      if (parser.jobs.size === 0) holdOpen(child, false);
      done.resolve(result);
      fill();
    });
    child.on('error', (error) => kill(parser, error.message));
    child.on('close', (code, signal) => kill(parser, `the process ended with ${signal ?? code}`));
    return parser;
  };
  const kill = (parser: Parser, why: string): void => {
    if (!parsers.delete(parser)) return;
    parser.child.kill('SIGKILL');
    if (!closed) log.warn({ why, messages: parser.jobs.size }, 'a parser was replaced');
    for (const { timer, job, alone, resolve } of parser.jobs.values()) {
      clearTimeout(timer);
      if (alone || closed) resolve(unreadable(job));
      else waiting.unshift({ job, alone: true, resolve });
    }
    parser.jobs.clear();
    fill();
  };
  const give = (parser: Parser, one: Waiting): void => {
    const id = nextId++;
    const timer = setTimeout(
      () => kill(parser, `a message took over ${options.limitMs} ms`),
      options.limitMs,
    );
    parser.jobs.set(id, { ...one, timer });
    holdOpen(parser.child, true);
    parser.child.send({ id, job: one.job }, () => {}); // one that cannot be told is about to be lost
  };
  const takes = (parser: Parser, one: Waiting): boolean => {
    if (parser.jobs.size === 0) return true;
    const shared = ![...parser.jobs.values()].some((job) => job.alone);
    return !one.alone && shared && parser.jobs.size < PER_PROCESS;
  };
  const fill = (): void => {
    while (!closed && waiting[0]) {
      const one = waiting[0];
      const free = [...parsers].find((parser) => takes(parser, one));
      if (!free && parsers.size >= options.processes) return;
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
      await Promise.all([...parsers].map(({ child }) => end(child)));
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

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
