// Shapes of other services' bodies. Their fields that we do not know are left out; what is there is bounded before it is
// looked at: a body of 15 MiB may hold millions of wrong items.

import { z } from 'zod';

/** A list of at most `max` items. */
export function boundedList<T extends z.ZodType>(item: T, max: number) {
  return z
    .custom<unknown[]>((given) => Array.isArray(given), { error: 'must be an array', abort: true })
    .refine((given) => given.length <= max, `must have at most ${max} items`)
    .pipe(z.array(item));
}

/** An object of at most `max` names, each with such a value. */
export function boundedRecord<T extends z.ZodType>(value: T, max: number) {
  return z
    .custom<Record<string, unknown>>(isObject, { error: 'must be an object', abort: true })
    .refine((given) => Object.keys(given).length <= max, `must have at most ${max} names`)
    .pipe(z.record(z.string(), value));
}

function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
