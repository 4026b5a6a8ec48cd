// Ids as callers write them and as answers show them, with the pattern of their kind for the OpenAPI document.

import { z } from 'zod';

import { fromId, idPattern, type IdPrefix } from './ids.ts';

/** An id from outside; checked it is the UUID. `problem` is what is said of anything else. */
export function idInput(prefix: IdPrefix, problem = `is not an id (${prefix}_…)`) {
  return z
    .string()
    .regex(idPattern(prefix), problem)
    .transform((text) => fromId(prefix, text)!)
    .meta({ description: `\`${prefix}_…\`` });
}

/** An id in an answer. */
export function idView(prefix: IdPrefix) {
  return z.string().regex(idPattern(prefix));
}
