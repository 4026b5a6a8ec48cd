// SQL that notes a decision in the row of its message, in the statement that moves the message. What the note keeps:
// note_decision in core/db/migrations/0036_explain.sql.

import type { DecisionRule } from './explain-rules.ts';

/**
 * The assignment, for an UPDATE of `messages m`. The rule is a name or a parameter; inputs are SQL by name; `at` is when the
 * decision is made.
 */
export function noteSql(
  rule: DecisionRule | `$${number}`,
  inputs: Record<string, string> = {},
  at = 'now()',
): string {
  const pairs = Object.entries(inputs).map(([name, value]) => `'${name}', ${value}`);
  const name = rule.startsWith('$') ? rule : `'${rule}'`;
  return `decisions = note_decision(m.decisions, ${name}, ${at}, m.attempts, jsonb_strip_nulls(jsonb_build_object(${pairs.join()})))`;
}
