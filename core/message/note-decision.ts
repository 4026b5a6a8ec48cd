// SQL that notes a decision in the row of its message, in the statement that moves the message. What the note keeps:
// note_decision in core/db/migrations/0049_statements_count.sql.
//
// Citus writes no column by what may depend on a setting (STABLE) and on the row too. So inputs are of parameters and now() only;
// those of the row are JSON made by concatenation.

import type { DecisionRule } from './explain-rules.ts';

/** A text of the row, as JSON for `ofRow`. It must not need escapes. */
export function jsonText(sql: string): string {
  return `'"' || ${sql} || '"'`;
}

/**
 * The assignment, for an UPDATE of `messages m`. The rule is a name or a parameter; inputs are SQL by name, in which no row is
 * named; in `ofRow` one may be, in SQL for the text of the JSON; null adds nothing. `at` is when the decision is made.
 */
export function noteSql(
  rule: DecisionRule | `$${number}`,
  inputs: Record<string, string> = {},
  { at = 'now()', ofRow = {} }: { at?: string; ofRow?: Record<string, string> } = {},
): string {
  const pairs = Object.entries(inputs).map(([name, value]) => `'${name}', ${value}`);
  const name = rule.startsWith('$') ? rule : `'${rule}'`;
  const constant = `jsonb_strip_nulls(jsonb_build_object(${pairs.join()}))`;
  const more = Object.entries(ofRow).map(
    ([name, text]) => ` || coalesce(('{"${name}":' || ${text} || '}')::jsonb, '{}')`,
  );
  return `decisions = note_decision(m.decisions, ${name}, ${at}, m.attempts, ${constant}${more.join('')})`;
}
