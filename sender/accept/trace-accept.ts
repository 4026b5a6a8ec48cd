// The spans of accepting: one for each submission that came with a trace, and in it the phases of its batch, which all
// submissions of the batch share.

import { startSpan, type Attributes, type Span } from '../../core/base/trace.ts';
import type { Submission, SubmissionAnswer } from '../../core/message/submission.ts';
import {
  decisionAttributes,
  decisionCounts,
  messagingAttributes,
} from '../../core/message/trace-attributes.ts';

/** Begins the span of a submission, from its arrival to its answer; undefined when its message came without a trace. */
export function startAccepting({ tenantId, messages }: Submission): Span | undefined {
  const first = messages[0];
  if (first?.trace === undefined) return undefined;
  return startSpan('accept', {
    kind: 'server',
    parent: first.trace,
    attributes: messagingAttributes('accept', first.stream, tenantId, messages.length),
  });
}

/** What the answer of a submission says. */
export function answerAttributes(answer: SubmissionAnswer): Attributes {
  if (!answer.ok) return decisionAttributes(answer);
  const [first] = answer.items;
  const one = answer.items.length === 1 && first ? decisionAttributes(first) : decisionCounts(answer.items);
  return { ...one, ...(answer.replayed && { 'postrider.replayed': true }) };
}

/** Ends a phase, and begins the next one when it is named. */
export type EndPhase = (next?: string) => EndPhase;

/** Begins a phase of a batch in each of these spans. */
export function startPhase(spans: readonly Span[], name: string): EndPhase {
  if (spans.length === 0) return endNothing;
  const children = spans.map((parent) => startSpan(name, { parent }));
  return (next) => {
    for (const child of children) child?.end();
    return next === undefined ? endNothing : startPhase(spans, next);
  };
}

function endNothing(): EndPhase {
  return endNothing;
}
