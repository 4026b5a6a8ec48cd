// The problems that zod found, as a list of fields. One place, so that the same mistake reads the same in REST, GraphQL
// and gRPC.

import type { z } from 'zod';

import { invalidFields, type FieldProblem } from './errors.ts';
import { nearestName } from './nearest-name.ts';

/** The checked value, or every problem with where it is. */
export type Checked<T> = { ok: true; value: T } | { ok: false; details: FieldProblem[] };

const MAX_PROBLEMS = 50; // a body can be wrong in a million places; the first ones are enough to start with

/** Checks a value that came from outside. Unknown fields are named one by one, each with the known field that it resembles. */
export function checkValue<T extends z.ZodType>(schema: T, raw: unknown): Checked<z.output<T>> {
  const parsed = schema.safeParse(raw, { error: plainMessage });
  if (parsed.success) return { ok: true, value: parsed.data };
  const details: FieldProblem[] = [];
  for (const issue of parsed.error.issues) {
    if (details.length < MAX_PROBLEMS) details.push(...toProblems(issue));
  }
  return { ok: false, details: details.slice(0, MAX_PROBLEMS) };
}

/** The checked value. Throws validation_failed with every problem. */
export function requireValue<T extends z.ZodType>(schema: T, raw: unknown): z.output<T> {
  const checked = checkValue(schema, raw);
  if (checked.ok) return checked.value;
  throw invalidFields(checked.details);
}

function toProblems(issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsBeside.get(issue.keys) ?? [];
    return issue.keys.slice(0, MAX_PROBLEMS).map((key) => {
      const meant = nearestName(key, known);
      const message = 'is not a known field' + (meant === null ? '' : ` (did you mean ${meant}?)`);
      return { path: pathText([...issue.path, key]), message };
    });
  }
  return [{ path: pathText(issue.path), message: issue.message }];
}

// The known fields of the object, by the list of unknown ones: only while zod makes the message it is known which object it was.
const fieldsBeside = new WeakMap<readonly string[], readonly string[]>();

function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') {
    const { shape } = (issue.inst?._zod.def ?? {}) as { shape?: object };
    fieldsBeside.set(issue.keys, Object.keys(shape ?? {}));
  }
  if (issue.code === 'invalid_type') {
    return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`;
  }
  if (issue.code === 'too_small' && issue.origin === 'string') {
    return issue.minimum === 1 ? 'must not be empty' : `must have at least ${issue.minimum} characters`;
  }
  if (issue.code === 'too_big' && issue.origin === 'string')
    return `must have at most ${issue.maximum} characters`;
  if (issue.code === 'too_small' && issue.origin === 'array')
    return `must have at least ${issue.minimum} ${issue.minimum === 1 ? 'item' : 'items'}`;
  if (issue.code === 'too_big' && issue.origin === 'array') return `must have at most ${issue.maximum} items`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return undefined;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

// Names from the request may be long or hold anything: they are shown, so they are cut.
function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += (text === '' ? '' : '.') + String(part).slice(0, 100);
  }
  return text.toWellFormed();
}
