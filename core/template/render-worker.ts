// The process in which tenants' templates run, and in which the text of large HTML is made. It has no connections and no secrets; the pool kills it when a
// render takes too long or too much memory.

import { monotonicMs } from '../base/clock.ts';
import { endWithParent, writeMark } from '../base/sandbox.ts';
import { textFromHtml } from '../mail/compose/text-from-html.ts';
import { createEngine, type CompileResult } from './engine.ts';
import type { WorkerBatch, WorkerOutcome, WorkerResult, WorkerTask } from './worker-messages.ts';

const REPORT_EVERY_MS = 5; // so that a finished render does not wait for the slow ones behind it

type Report = { id: number; result: WorkerResult }[];

const engine = createEngine();
const compiled = new Map<string, CompileResult>();

endWithParent();
process.on('message', ({ forget, tasks }: WorkerBatch) => {
  for (const key of forget) compiled.delete(key);
  let report: Report = [];
  let reportedAt = monotonicMs();
  for (const { id, task } of tasks) {
    const startedAt = monotonicMs();
    writeMark(id);
    const outcome = run(task);
    const now = monotonicMs();
    report.push({ id, result: { outcome, ms: now - startedAt } });
    if (now - reportedAt > REPORT_EVERY_MS) {
      post(report);
      report = [];
      reportedAt = now;
    }
  }
  writeMark(0);
  post(report);
});
writeMark(0);

function post(report: Report): void {
  process.send?.(report);
}

function run(task: WorkerTask): WorkerOutcome {
  if (task.kind === 'text') return { kind: 'text', text: textFromHtml(task.html) ?? '' };
  if (task.kind === 'check') return { kind: 'checked', problems: engine.check(task.content) };
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
