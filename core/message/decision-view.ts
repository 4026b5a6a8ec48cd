// A decision as JSON has it: REST, the command line.

import type { Decision } from './explain.ts';
import type { DecisionRule } from './explain-rules.ts';
import type { DecisionInputs } from './explain-words.ts';
import type { MessageState } from './states.ts';

/** A decision in the contract's words; times are ISO 8601. */
export interface DecisionView {
  at: string;
  rule: DecisionRule;
  inputs: DecisionInputs;
  outcome: { state: MessageState; until: string | null; text: string };
  next_step: string;
  docs: string;
}

/** A decision in the contract's words. */
export function toDecisionView({ at, rule, inputs, outcome, nextStep, docs }: Decision): DecisionView {
  const until = outcome.until?.toISOString() ?? null;
  return { at: at.toISOString(), rule, inputs, outcome: { ...outcome, until }, next_step: nextStep, docs };
}
