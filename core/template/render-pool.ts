// Where templates run, and where the text of large HTML is made. Those that finish fast share workers and go to them in batches: what gathered while a worker was
// busy is its next message. All others run one by one on a worker of their own, so that whatever a template does, it
// delays only templates that nobody knows yet.

import { AppError, type FieldProblem } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import {
  createProcessPool,
  type JobEnd,
  type ProcessPoolOptions,
  type WaitingJob,
} from '../base/process-pool.ts';
import { createTenantQueue } from '../base/tenant-queue.ts';
import { RENDER_LIMIT_MS } from './engine.ts';
import { createPackTasks, type RenderJob } from './pack-tasks.ts';
import { createRenderHistory, type RenderHistory } from './render-history.ts';
import type { RenderResult, TemplateContent } from './template.ts';
import type { WorkerOutcome, WorkerResult } from './worker-messages.ts';

/** What to render. */
interface RenderRequest {
  tenantId: string;
  key: string | null;
  content: TemplateContent;
  /** JSON of an object. */
  variables: string;
}

/** The pool. Everything throws `unavailable` when it is closed, or when too much waits for it. */
export interface RenderPool {
  render(request: RenderRequest): Promise<RenderResult>;
  /** What is wrong with the syntax, by part, with line and column. */
  check(tenantId: string, content: TemplateContent): Promise<FieldProblem[]>;
  /** The plain text of an HTML; empty when it takes too long. A tenant's texts count as one template. */
  textOf(tenantId: string, html: string): Promise<string>;
  close(): Promise<void>;
}

/** Milliseconds of wall clock for one task, parsing included; the engine itself gives up at 200 where it can. */
export const HARD_LIMIT_MS = 250;

const TOO_SLOW = `takes longer than ${HARD_LIMIT_MS} ms to render`;
const REASONS = {
  too_slow: TOO_SLOW,
  out_of_memory: 'needs more memory than a template may take',
  broken: 'the renderer broke',
};
const MAX_BATCH = 64; // renders, 5 to 10 ms: what is behind a slow one in the same batch waits for it
const MAX_WAITING = 20_000; // renders, about a second of two workers; senders have a tenth of it in flight
// A killed worker proves little on a machine that is short of CPU: a stored template is tried twice before mail is
// lost over it. Whoever previews can press the button again.
const CHANCES = { stored: 2, once: 1 };
const STARVED = 0.5; // of the time limit: with less CPU than that the template was not what took the time

const WORKER: Omit<ProcessPoolOptions<RenderJob, WorkerResult>, 'processes' | 'perProcess'> = {
  what: 'template worker',
  file: new URL('./render-worker.ts', import.meta.url),
  memory: { oldSpaceMb: 160, youngSpaceMb: 32 },
  limitMs: HARD_LIMIT_MS,
  mode: 'batch',
  maxWaiting: MAX_WAITING,
  createPack: createPackTasks,
};

/** Makes a pool of `workers` shared processes and one for trials. They start when they are needed. */
export function createRenderPool(log: Logger, workers: number): RenderPool {
  const history = createRenderHistory();
  const trials = createTrialQueue(history);
  const shared = createProcessPool({ ...WORKER, processes: workers, perProcess: MAX_BATCH }, log);
  const trial = createProcessPool({ ...WORKER, processes: 1, perProcess: 1, queue: trials }, log);

  const run = async (job: RenderJob): Promise<WorkerOutcome> => {
    let chances = job.key === null ? CHANCES.once : CHANCES.stored;
    for (;;) {
      const placement = history.placementOf(job);
      if (placement === 'refused') return { kind: 'failed', reason: `${TOO_SLOW} (repeatedly)` };
      const end = await (placement === 'shared' ? shared : trial).run(job);
      const verdict = judge(end, job, chances > 1);
      if (verdict.kind !== 'again') return verdict;
      if (verdict.cost) chances--;
    }
  };
  const judge = (end: JobEnd<WorkerResult>, job: RenderJob, mayAgain: boolean): WorkerOutcome | Again => {
    switch (end.kind) {
      case 'returned':
        return { kind: 'again', cost: false };
      case 'refused':
        throw end.why === 'full'
          ? unavailable('The renderer is busy')
          : unavailable('The renderer is stopping');
      case 'killed':
        if (!end.blamed) return { kind: 'again', cost: false };
        log.warn(
          { tenant: job.tenantId, template: job.key, why: end.why },
          'the rendering of a template was stopped',
        );
        history.ranOver(job);
        return mayAgain ? { kind: 'again', cost: true } : { kind: 'failed', reason: REASONS[end.why] };
      case 'done':
        return judgeOutcome(end.result, job, mayAgain);
      default:
        return end satisfies never;
    }
  };
  const judgeOutcome = ({ outcome, ms }: WorkerResult, job: RenderJob, mayAgain: boolean) => {
    if (outcome.kind === 'too_slow') {
      const starved = outcome.cpuMs < RENDER_LIMIT_MS * STARVED;
      if (starved && mayAgain) return { kind: 'again', cost: true } as const;
      history.ranOver(job);
      return outcome;
    }
    history.finished(job, ms);
    // What waited for the verdict on this template need not wait in line.
    if (trials.size > 0 && history.placementOf(job) === 'shared') trials.giveBack(job);
    return outcome;
  };

  return {
    async render(request) {
      return toResult(await run({ ...request, kind: 'render' }));
    },
    async check(tenantId, content) {
      const outcome = await run({ kind: 'check', tenantId, key: null, content, variables: '' });
      if (outcome.kind === 'checked') return outcome.problems;
      return [{ path: 'html', message: 'reason' in outcome ? outcome.reason : 'cannot be parsed' }];
    },
    async textOf(tenantId, html) {
      const content = { subject: '', html, text: null, variables: [] };
      const outcome = await run({ kind: 'text', tenantId, key: `text ${tenantId}`, content, variables: '' });
      return outcome.kind === 'text' ? outcome.text : '';
    },
    async close() {
      await Promise.all([shared.close(), trial.close()]);
    },
  };
}

/** To be run again; `cost` when that uses up one of its chances. */
interface Again {
  kind: 'again';
  cost: boolean;
}

// Tenants take turns. Whoever was refused while it waited is given back, and so is what need not wait any more.
function createTrialQueue(history: RenderHistory) {
  const queue = createTenantQueue<WaitingJob<RenderJob, WorkerResult>>(({ job }) => job.tenantId);
  return {
    get size() {
      return queue.size;
    },
    push: queue.push,
    shift() {
      for (let one = queue.shift(); one; one = queue.shift()) {
        if (history.placementOf(one.job) !== 'refused') return one;
        one.end({ kind: 'returned' });
      }
      return undefined;
    },
    giveBack({ tenantId, key }: RenderJob) {
      for (const one of queue.take(tenantId, ({ job }) => job.key === key)) one.end({ kind: 'returned' });
    },
  };
}

// Not a refusal of the template: mail whose rendering was cut off by a stop must be rendered again.
function unavailable(why: string): AppError {
  return new AppError('unavailable', `${why}. Try again.`, { retryAfterSeconds: 1 });
}

function toResult(outcome: WorkerOutcome): RenderResult {
  if (outcome.kind === 'rendered') {
    const { subject, html, text } = outcome;
    return { ok: true, subject, html, text };
  }
  return { ok: false, reason: 'reason' in outcome ? outcome.reason : 'cannot be rendered' };
}
