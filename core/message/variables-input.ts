// Template variables as callers give them: any JSON, bounded, because it is stored with the message and walked when
// the template is rendered.

import { INEXACT, isInexact } from '../base/exact-number.ts';

/** Levels; templates reach `{{ order.lines[0].price }}`, not much further. */
const MAX_VARIABLES_DEPTH = 16;

/** Values of all levels together. */
const MAX_VARIABLES_NODES = 10_000;

/** Characters of all texts and names together. */
const MAX_VARIABLES_CHARS = 1_048_576;

/** What is wrong with the variables, or null. Never recurses: the input may be deeper than the stack. */
export function checkVariables(variables: Record<string, unknown>): string | null {
  let level: unknown[] = [variables];
  let nodes = 0;
  let chars = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_VARIABLES_DEPTH) return `must not be nested deeper than ${MAX_VARIABLES_DEPTH} levels`;
    const next: unknown[] = [];
    for (const value of level) {
      nodes++;
      if (isInexact(value)) return INEXACT;
      if (typeof value === 'string') chars += value.length;
      else if (Array.isArray(value)) for (const item of value) next.push(item);
      else if (typeof value === 'object' && value !== null) {
        for (const [name, item] of Object.entries(value)) {
          chars += name.length;
          next.push(item);
        }
      }
    }
    if (nodes + next.length > MAX_VARIABLES_NODES)
      return `must not have more than ${MAX_VARIABLES_NODES} values`;
    if (chars > MAX_VARIABLES_CHARS) return 'must not be larger than 1 MiB';
    level = next;
  }
  return null;
}
