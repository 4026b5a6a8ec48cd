// The variables of a render against what its template declares. Pure.

import type { FieldProblem } from '../base/errors.ts';
import type { TemplateVariable } from './template.ts';

/** One problem for each required variable that is missing or null and has no default. */
export function variableProblems(
  declared: TemplateVariable[],
  variables: Record<string, unknown>,
): FieldProblem[] {
  return declared
    .filter(
      (one) => one.required && one.default === null && (variableOf(variables, one.name) ?? null) === null,
    )
    .map(({ name }) => ({ path: `variables.${name}`, message: 'is required by the template' }));
}

/** The variables with the defaults of those that were not given. */
export function withDefaults(
  declared: TemplateVariable[],
  variables: Record<string, unknown>,
): Record<string, unknown> {
  const all = { ...variables };
  for (const { name, default: value } of declared)
    if (variableOf(variables, name) === undefined) all[name] = value;
  return all;
}

// Own properties only: a variable called `valueOf` is not given by every object.
function variableOf(variables: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}
