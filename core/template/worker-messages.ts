// What the pool and its workers say to each other, plain data only.

import type { FieldProblem } from '../base/errors.ts';
import type { Rendered, TemplateContent } from './template.ts';

/** What a worker is asked to do. Variables travel as JSON, so nothing but data can arrive. */
export type WorkerTask =
  | {
      kind: 'render';
      /** Under which the parsed template is kept; null when it is not worth it. */
      key: string | null;
      /** Null when the worker has it under the key. */
      content: Omit<TemplateContent, 'variables'> | null;
      variables: string;
    }
  | { kind: 'check'; content: Omit<TemplateContent, 'variables'> }
  /** The plain text of an HTML (core/mail/compose/text-from-html.ts). */
  | { kind: 'text'; html: string };

/** One batch to a worker: first it forgets these keys, then it does the tasks in order. */
export interface WorkerBatch {
  forget: string[];
  tasks: { id: number; task: WorkerTask }[];
}

/** What became of a task. `cpuMs` is what the worker itself worked on one that was too slow. */
export type WorkerOutcome =
  | ({ kind: 'rendered' } & Rendered)
  | { kind: 'failed'; reason: string }
  | { kind: 'too_slow'; reason: string; cpuMs: number }
  | { kind: 'checked'; problems: FieldProblem[] }
  | { kind: 'text'; text: string };

/** A finished task with the time that it took. */
export interface WorkerResult {
  outcome: WorkerOutcome;
  ms: number;
}
