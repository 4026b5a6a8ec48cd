// One worker thread and what it has in hand. A watchdog looks at it while it works: a task that holds it longer than
// the limit costs it its life, and the next batch gets a fresh one (about 70 ms).

import { Worker } from 'node:worker_threads';

import { monotonicMs } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { createCostCache } from './cost-cache.ts';
import { PARTS, type TemplateContent } from './template.ts';
import {
  IN_HAND,
  IS_UP,
  type WorkerBatch,
  type WorkerOutcome,
  type WorkerReport,
} from './worker-messages.ts';

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
  /** Ends the thread. What was in hand is told that the service is stopping. */
  close(): Promise<void>;
}

/** Milliseconds of wall clock for one task, parsing included; the engine itself gives up at 200 where it can. */
export const HARD_LIMIT_MS = 250;

/** Why a template that was killed counts as failed. */
export const TOO_SLOW = `takes longer than ${HARD_LIMIT_MS} ms to render`;

const LOOK_EVERY_MS = 25;
const START_LIMIT_MS = 10_000; // a machine that needs longer to start a thread has other problems
const CACHE_BUDGET = 48_000_000; // bytes of parsed templates in one worker, roughly
const TAG_COST = 1_000; // bytes of a parsed tag
const LIMITS = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** Makes a slot. The thread starts with the first batch. */
export function createSlot(log: Logger, events: SlotEvents): Slot {
  const inHand = new Map<number, Job>();
  const known = createCostCache<true>(CACHE_BUDGET);
  let progress = newProgress();
  let worker: Worker | null = null;
  let watchdog: NodeJS.Timeout | undefined;
  let closed = false;

  const start = (): Worker => {
    progress = newProgress(); // never shared with a thread that is being ended and may still write
    const fresh = new Worker(new URL('./render-worker.ts', import.meta.url), {
      workerData: progress.buffer,
      resourceLimits: LIMITS,
      env: {}, // secrets of the process are none of its business
      execArgv: [],
    });
    fresh.on('message', (report: WorkerReport) => fresh === worker && settle(report));
    fresh.on('error', (error) => fresh === worker && lose(reasonOf(error)));
    fresh.on('exit', () => fresh === worker && lose('the renderer broke'));
    fresh.unref();
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
    worker?.unref();
    events.free();
  };

  const lose = (reason: string) => {
    const blamed = inHand.get(Atomics.load(progress, IN_HAND)) ?? null;
    const rest = [...inHand.values()].filter((job) => job !== blamed);
    log.warn({ reason, tenant: blamed?.tenantId, template: blamed?.key }, 'a template worker was replaced');
    const gone = worker;
    worker = null;
    inHand.clear();
    known.clear();
    clearInterval(watchdog);
    void gone?.terminate();
    events.lost(blamed, rest, reason);
    restIfIdle();
  };

  const watch = () => {
    let seen = 0;
    let since = monotonicMs();
    return () => {
      const now = monotonicMs();
      const current = Atomics.load(progress, IN_HAND);
      if (current !== seen) {
        seen = current;
        since = now;
      }
      const isUp = Atomics.load(progress, IS_UP) === 1;
      if (current !== 0 && now - since > HARD_LIMIT_MS) lose(TOO_SLOW);
      else if (!isUp && now - since > START_LIMIT_MS) lose('the renderer did not start');
    };
  };

  return {
    get busy() {
      return inHand.size > 0;
    },
    send(jobs) {
      if (closed) throw new Error('the template workers are closed');
      worker ??= start();
      worker.ref();
      const batch: WorkerBatch = {
        forget: [],
        tasks: jobs.map((job) => ({ id: job.id, task: toTask(job, known) })),
      };
      batch.forget = known.trim(new Set(jobs.flatMap((job) => job.key ?? [])));
      for (const job of jobs) inHand.set(job.id, job);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(batch);
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
      await gone?.terminate();
    },
  };
}

function newProgress(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(8));
}

function reasonOf(error: Error & { code?: string }): string {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
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
