// The process on which templates of strangers run. It has no connections and no secrets; the pool kills it when a
// render takes too long or too much memory.

import { writeSync } from 'node:fs';

import { monotonicMs } from '../base/clock.ts';
import { endWithParent, MARK_FD } from '../base/sandbox.ts';
import { createEngine, type CompileResult } from './engine.ts';
import type { WorkerBatch, WorkerOutcome, WorkerReport, WorkerTask } from './worker-messages.ts';

const REPORT_EVERY_MS = 5; // so that a finished render does not wait for the slow ones behind it

const engine = createEngine();
const compiled = new Map<string, CompileResult>();
const word = Buffer.alloc(4);

endWithParent();
process.on('message', ({ forget, tasks }: WorkerBatch) => {
  for (const key of forget) compiled.delete(key);
  let report: WorkerReport = [];
  let reportedAt = monotonicMs();
  for (const { id, task } of tasks) {
    const startedAt = monotonicMs();
    mark(id);
    const outcome = run(task);
    const now = monotonicMs();
    report.push({ id, ms: now - startedAt, outcome });
    if (now - reportedAt > REPORT_EVERY_MS) {
      post(report);
      report = [];
      reportedAt = now;
    }
  }
  mark(0);
  post(report);
});
mark(0);

// At once, not when the event loop comes round to it: the task may never give it back. About 2 µs.
function mark(id: number): void {
  word.writeUInt32LE(id);
  writeSync(MARK_FD, word);
}

function post(report: WorkerReport): void {
  process.send?.(report);
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
