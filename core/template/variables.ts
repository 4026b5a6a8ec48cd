// The variables of a render against the slots of its template. Pure.

import type { FieldProblem } from '../base/errors.ts';
import type { TemplateVariable } from './template.ts';

/** One problem for each required variable that is missing and has no default. */
export function variableProblems(
  slots: TemplateVariable[],
  variables: Record<string, unknown>,
): FieldProblem[] {
  return slots
    .filter((slot) => slot.required && slot.default === null && !isGiven(variables, slot.name))
    .map((slot) => ({ path: `variables.${slot.name}`, message: 'the template requires this variable' }));
}

/** The variables with the defaults of those that were not given. */
export function withDefaults(
  slots: TemplateVariable[],
  variables: Record<string, unknown>,
): Record<string, unknown> {
  const all = { ...variables };
  for (const slot of slots) if (!isGiven(variables, slot.name)) all[slot.name] = slot.default;
  return all;
}

// Own properties only: a slot called `valueOf` is not given by every object.
function isGiven(variables: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(variables, name) && variables[name] !== undefined;
}
