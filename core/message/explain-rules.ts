// Every rule by which something is decided about a message: which statements apply it, what it makes of the message, what
// it says in words, what comes next, and where it is described. The one place for all API surfaces, the dashboard and the CLI.
//
// What a decision made of its message follows from the rule, its time and its inputs alone: nothing of it is stored twice.

import { ADMISSION_RULES } from './explain-admission-rules.ts';
import { END_RULES } from './explain-end-rules.ts';
import type { Made, Rule } from './explain-rule.ts';
import { SENDER_RULES } from './explain-sender-rules.ts';

/** The rules by name. */
export const RULES = { ...ADMISSION_RULES, ...SENDER_RULES, ...END_RULES } satisfies Record<string, Rule>;

/** Name of a rule. */
export type DecisionRule = keyof typeof RULES;

/** Rules by which a sender gives a message back without an attempt. */
export type PostponeRule =
  | Exclude<keyof typeof SENDER_RULES, 'sending' | 'sender_lost'>
  | (keyof typeof ADMISSION_RULES & ('brake' | 'domain_paused' | 'tenant_suspended'));

/** What a decision is derived from. */
export type BareDecision = Made & { rule: DecisionRule };
