// The thread on which templates of strangers run. It has no connections and no secrets; the pool kills it when a
// render takes too long or too much memory.

import { parentPort, workerData } from 'node:worker_threads';

import { monotonicMs } from '../base/clock.ts';
import { createEngine, type CompileResult } from './engine.ts';
import {
  IN_HAND,
  IS_UP,
  type WorkerBatch,
  type WorkerOutcome,
  type WorkerReport,
  type WorkerTask,
} from './worker-messages.ts';

const REPORT_EVERY_MS = 5; // so that a finished render does not wait for the slow ones behind it

const engine = createEngine();
const compiled = new Map<string, CompileResult>();
const progress = new Int32Array(workerData as SharedArrayBuffer);

parentPort?.on('message', ({ forget, tasks }: WorkerBatch) => {
  for (const key of forget) compiled.delete(key);
  let report: WorkerReport = [];
  let reportedAt = monotonicMs();
  for (const { id, task } of tasks) {
    const startedAt = monotonicMs();
    Atomics.store(progress, IN_HAND, id);
    const outcome = run(task);
    Atomics.store(progress, IN_HAND, 0);
    const now = monotonicMs();
    report.push({ id, ms: now - startedAt, outcome });
    if (now - reportedAt > REPORT_EVERY_MS) {
      post(report);
      report = [];
      reportedAt = now;
    }
  }
  post(report);
});
Atomics.store(progress, IS_UP, 1);

function post(report: WorkerReport): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(report);
}

function run(task: WorkerTask): WorkerOutcome {
  if (task.kind === 'check') {
    const result = engine.compile(task.content);
    return { kind: 'checked', problems: result.ok ? [] : result.problems };
  }
  const before = process.threadCpuUsage();
  const result = compile(task);
  if (!result.ok) return { kind: 'failed', reason: firstOf(result.problems) };
  const { ok, ...rendered } = engine.render(result.compiled, JSON.parse(task.variables));
  if (ok) return { kind: 'rendered', ...(rendered as { subject: string; html: string; text: string }) };
  const { reason, tooSlow } = rendered as { reason: string; tooSlow: boolean };
  if (!tooSlow) return { kind: 'failed', reason };
  const { user, system } = process.threadCpuUsage(before);
  return { kind: 'too_slow', reason, cpuMs: (user + system) / 1000 };
}

function compile(task: WorkerTask & { kind: 'render' }): CompileResult {
  const known = task.key === null ? undefined : compiled.get(task.key);
  if (known) return known;
  if (task.content === null) throw new Error('a worker was asked for a template that it does not have');
  const result = engine.compile(task.content);
  if (task.key !== null) compiled.set(task.key, result);
  return result;
}

function firstOf(problems: { path: string; message: string }[]): string {
  const [first] = problems;
  return first ? `${first.path}: ${first.message}` : 'cannot be parsed';
}
