// The pool of template workers. Templates that finish fast share workers and go to them in batches: what gathered
// while a worker was busy is its next message. All others run one by one on a worker of their own, so that whatever
// a template does, it delays only templates that nobody knows yet.

import { AppError, type FieldProblem } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { createConduct } from './conduct.ts';
import { RENDER_LIMIT_MS } from './engine.ts';
import { createTenantQueue } from './tenant-queue.ts';
import type { RenderResult, TemplateContent } from './template.ts';
import type { WorkerOutcome } from './worker-messages.ts';
import { createSlot, TOO_SLOW, type Job, type Slot } from './worker-slot.ts';

/** What to render. */
export interface RenderRequest {
  tenantId: string;
  key: string | null;
  content: TemplateContent;
  /** JSON of an object. */
  variables: string;
}

/** The pool. */
export interface RenderPool {
  render(request: RenderRequest): Promise<RenderResult>;
  /** What is wrong with the syntax, by part, with line and column. */
  check(tenantId: string, content: TemplateContent): Promise<FieldProblem[]>;
  close(): Promise<void>;
}

const MAX_BATCH = 64; // renders, 5 to 10 ms: what is behind a slow one in the same batch waits for it
const MAX_ID = 0x7fff_ffff; // ids are written in four bytes
// A killed worker proves little on a machine that is short of CPU: a stored template is tried twice before mail is
// lost over it. Whoever previews can press the button again.
const CHANCES = { stored: 2, once: 1 };
const STARVED = 0.5; // of the time limit: with less CPU than that the template was not what took the time

/** Makes a pool of `workers` shared processes and one for trials. They start when they are needed. */
export function createRenderPool(log: Logger, workers: number): RenderPool {
  const conduct = createConduct();
  const sharedQueue: Job[] = [];
  const trialQueue = createTenantQueue<Job>();
  let lastId = 0;
  let closed = false;

  const enqueue = (job: Job) => {
    if (closed) return job.resolve({ kind: 'stopping' });
    const lane = conduct.laneOf(job);
    if (lane === 'refused') return job.resolve({ kind: 'failed', reason: `${TOO_SLOW} (again and again)` });
    if (lane === 'shared') sharedQueue.push(job);
    else trialQueue.push(job);
    feed();
  };
  const failSlow = (job: Job, reason: string) => {
    conduct.ranOver(job);
    job.resolve({ kind: 'failed', reason });
  };
  const tryAgain = (job: Job) => {
    job.chances--;
    enqueue(job);
  };

  const events = {
    done(job: Job, outcome: WorkerOutcome, ms: number) {
      if (outcome.kind === 'too_slow') {
        const starved = outcome.cpuMs < RENDER_LIMIT_MS * STARVED;
        return starved && job.chances > 1 ? tryAgain(job) : failSlow(job, outcome.reason);
      }
      conduct.finished(job, ms);
      job.resolve(outcome);
      // What waited for the verdict on this template need not wait in line.
      if (trialQueue.size > 0 && conduct.laneOf(job) === 'shared')
        sharedQueue.push(...trialQueue.take(job.tenantId, (other) => other.key === job.key));
    },
    lost(blamed: Job | null, rest: Job[], reason: string) {
      for (const job of rest) enqueue(job);
      if (!blamed) return;
      if (blamed.chances <= 1) return failSlow(blamed, reason);
      conduct.ranOver(blamed);
      tryAgain(blamed);
    },
    free: () => feed(),
  };
  const shared = Array.from({ length: workers }, () => createSlot(log, events));
  const trial = createSlot(log, events);

  const feed = () => {
    for (const slot of shared) {
      if (sharedQueue.length === 0) break;
      if (!slot.busy) slot.send(sharedQueue.splice(0, shareOf(sharedQueue.length, shared)));
    }
    while (!trial.busy) {
      const job = trialQueue.shift();
      if (!job) break;
      if (conduct.laneOf(job) === 'refused') enqueue(job);
      else trial.send([job]);
    }
  };

  const ask = (job: Omit<Job, 'id' | 'resolve'>) =>
    new Promise<WorkerOutcome>((resolve, reject) => {
      lastId = lastId === MAX_ID ? 1 : lastId + 1;
      const settle: Job['resolve'] = (outcome) =>
        outcome.kind === 'stopping' ? reject(stopping()) : resolve(outcome);
      enqueue({ ...job, id: lastId, resolve: settle });
    });

  return {
    async render(request) {
      const chances = request.key === null ? CHANCES.once : CHANCES.stored;
      return toResult(await ask({ ...request, kind: 'render', chances }));
    },
    async check(tenantId, content) {
      const job = { tenantId, key: null, content, variables: '', chances: CHANCES.once };
      const outcome = await ask({ ...job, kind: 'check' });
      if (outcome.kind === 'checked') return outcome.problems;
      return [{ path: 'html', message: 'reason' in outcome ? outcome.reason : 'cannot be parsed' }];
    },
    async close() {
      closed = true;
      for (const job of [...sharedQueue.splice(0), ...drain(trialQueue)]) enqueue(job);
      await Promise.all([...shared, trial].map((slot) => slot.close()));
    },
  };
}

// Not a refusal of the template: mail whose rendering was cut off by a stop must be rendered again.
function stopping(): AppError {
  return new AppError('unavailable', 'The renderer is stopping; try again.', { retryAfterSeconds: 1 });
}

// Idle workers divide what there is.
function shareOf(waiting: number, slots: Slot[]): number {
  const idle = slots.filter((slot) => !slot.busy).length;
  return Math.min(MAX_BATCH, Math.ceil(waiting / Math.max(idle, 1)));
}

function* drain(queue: { shift(): Job | undefined }): Iterable<Job> {
  for (let job = queue.shift(); job; job = queue.shift()) yield job;
}

function toResult(outcome: WorkerOutcome): RenderResult {
  if (outcome.kind === 'rendered') {
    const { subject, html, text } = outcome;
    return { ok: true, subject, html, text };
  }
  return { ok: false, reason: 'reason' in outcome ? outcome.reason : 'cannot be rendered' };
}
