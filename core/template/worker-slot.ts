// One worker process and what it has in hand. A watchdog looks at it while it works: a task that holds it longer than
// the limit costs it its life, and the next batch gets a fresh one (about 150 ms).

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { monotonicMs } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { holdOpen, readMarks, startSandbox } from '../base/sandbox.ts';
import { createCostCache } from './cost-cache.ts';
import { PARTS, type TemplateContent } from './template.ts';
import type { WorkerBatch, WorkerOutcome, WorkerReport } from './worker-messages.ts';

/** One thing to do, for whom. */
export interface Job {
  id: number;
  kind: 'render' | 'check';
  tenantId: string;
  /** Names (template, version); null for content that is rendered once. */
  key: string | null;
  content: TemplateContent;
  variables: string;
  /** How often it may still lose its worker before it counts as failed. */
  chances: number;
  resolve(outcome: WorkerOutcome | { kind: 'stopping' }): void;
}

/** What the pool is told. */
export interface SlotEvents {
  done(job: Job, outcome: WorkerOutcome, ms: number): void;
  /** The worker is gone. `blamed` was in hand; `rest` was waiting behind it and is not to blame. */
  lost(blamed: Job | null, rest: Job[], reason: string): void;
  /** It has nothing to do. */
  free(): void;
}

/** A worker, alive or to be started. */
export interface Slot {
  readonly busy: boolean;
  send(jobs: Job[]): void;
  /** Ends the process. What was in hand is told that the service is stopping. */
  close(): Promise<void>;
}

/** Milliseconds of wall clock for one task, parsing included; the engine itself gives up at 200 where it can. */
export const HARD_LIMIT_MS = 250;

/** Why a template that was killed counts as failed. */
export const TOO_SLOW = `takes longer than ${HARD_LIMIT_MS} ms to render`;

const LOOK_EVERY_MS = 25;
const START_LIMIT_MS = 10_000; // a machine that needs longer to start a process has other problems
const CACHE_BUDGET = 48_000_000; // bytes of parsed templates in one worker, roughly
const TAG_COST = 1_000; // bytes of a parsed tag
const LIMITS = { oldSpaceMb: 160, youngSpaceMb: 32 };

/** Makes a slot. The process starts with the first batch. */
export function createSlot(log: Logger, events: SlotEvents): Slot {
  const inHand = new Map<number, Job>();
  const known = createCostCache<true>(CACHE_BUDGET);
  /** What the worker said last that it is at: 0 is nothing, null before it is up. */
  let mark: number | null = null;
  let worker: ChildProcess | null = null;
  let watchdog: NodeJS.Timeout | undefined;
  let closed = false;

  const start = (): ChildProcess => {
    mark = null;
    const fresh = startSandbox(new URL('./render-worker.ts', import.meta.url), LIMITS);
    readMarks(fresh, (id) => {
      if (fresh === worker) mark = id;
    });
    fresh.on('message', (report: WorkerReport) => fresh === worker && settle(report));
    fresh.on('error', (error) => fresh === worker && lose(`the renderer broke: ${error.message}`));
    // `close`, not `exit`: only then all that it said has been read.
    fresh.on('close', (_code, signal) => fresh === worker && lose(reasonOf(signal)));
    return fresh;
  };

  const settle = (report: WorkerReport) => {
    for (const { id, ms, outcome } of report) {
      const job = inHand.get(id);
      if (job && inHand.delete(id)) events.done(job, outcome, ms);
    }
    restIfIdle();
  };

  // Telling the pool what is done may have brought the next batch already.
  const restIfIdle = () => {
    if (inHand.size > 0) return;
    clearInterval(watchdog);
    if (worker) holdOpen(worker, false);
    events.free();
  };

  const lose = (reason: string) => {
    const blamed = inHand.get(mark ?? 0) ?? null;
    const rest = [...inHand.values()].filter((job) => job !== blamed);
    log.warn({ reason, tenant: blamed?.tenantId, template: blamed?.key }, 'a template worker was replaced');
    const gone = worker;
    worker = null;
    inHand.clear();
    known.clear();
    clearInterval(watchdog);
    gone?.kill('SIGKILL');
    events.lost(blamed, rest, reason);
    restIfIdle();
  };

  const watch = () => {
    let seen = mark;
    let since = monotonicMs();
    let looked = since;
    return () => {
      const now = monotonicMs();
      // While this process itself stood still, what the worker said in the meantime lies unread.
      const late = now - looked - LOOK_EVERY_MS;
      if (late > 0) since += late;
      looked = now;
      if (mark !== seen) {
        seen = mark;
        since = now;
      }
      if (mark === null) {
        if (now - since > START_LIMIT_MS) lose('the renderer did not start');
      } else if (mark !== 0 && now - since > HARD_LIMIT_MS) lose(TOO_SLOW);
    };
  };

  return {
    get busy() {
      return inHand.size > 0;
    },
    send(jobs) {
      if (closed) throw new Error('the template workers are closed');
      worker ??= start();
      holdOpen(worker, true);
      const batch: WorkerBatch = {
        forget: [],
        tasks: jobs.map((job) => ({ id: job.id, task: toTask(job, known) })),
      };
      batch.forget = known.trim(new Set(jobs.flatMap((job) => job.key ?? [])));
      for (const job of jobs) inHand.set(job.id, job);
      worker.send(batch, () => {}); // one that cannot be told is about to be lost
      clearInterval(watchdog);
      watchdog = setInterval(watch(), LOOK_EVERY_MS);
    },
    async close() {
      closed = true;
      clearInterval(watchdog);
      const gone = worker;
      worker = null;
      for (const job of inHand.values()) job.resolve({ kind: 'stopping' });
      inHand.clear();
      if (!gone || gone.exitCode !== null || gone.signalCode !== null) return;
      gone.kill('SIGKILL');
      await once(gone, 'exit');
    },
  };
}

function reasonOf(signal: NodeJS.Signals | null): string {
  // How V8 ends a process that has no more memory; nothing else in a worker aborts.
  return signal === 'SIGABRT' || signal === 'SIGTRAP'
    ? 'needs more memory than a template may take'
    : 'the renderer broke';
}

function toTask(
  job: Job,
  known: ReturnType<typeof createCostCache<true>>,
): WorkerBatch['tasks'][number]['task'] {
  const { subject, html, text } = job.content;
  const content = { subject, html, text };
  if (job.kind === 'check') return { kind: 'check', content };
  const { key, variables } = job;
  if (key !== null && known.get(key)) return { kind: 'render', key, content: null, variables };
  if (key !== null) known.set(key, true, costOf(content));
  return { kind: 'render', key, content, variables };
}

function costOf(content: Omit<TemplateContent, 'variables'>): number {
  let cost = 0;
  for (const part of PARTS) {
    const source = content[part] ?? '';
    cost += source.length + TAG_COST * (source.split('{').length - 1);
  }
  return cost;
}
