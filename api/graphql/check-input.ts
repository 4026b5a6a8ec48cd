// Inputs of mutations are checked by the schemas of core/<noun>/*-input.ts, as the bodies of REST are: both refuse the
// same things with the same words.

import type { z } from 'zod';

import { invalidFields, notFound } from '../../core/base/errors.ts';
import { checkValue } from '../../core/base/field-problems.ts';
import { fromId, type IdPrefix } from '../../core/base/ids.ts';

/**
 * Checks an input by a schema whose names are REST's. What is null counts as left out, except for the fields of
 * `nullable`, which a change sets to null. Throws validation_failed; errors.ts names its fields as GraphQL does.
 */
export function checkInput<T extends z.ZodType>(
  schema: T,
  fields: Record<string, unknown>,
  nullable: readonly string[] = [],
): z.output<T> {
  const checked = checkValue(schema, toRestNames(fields, nullable));
  if (!checked.ok) throw invalidFields(checked.details);
  return checked.value;
}

/** The fields under their names of REST. Null is GraphQL's other way to leave a field out. */
export function toRestNames(
  fields: Record<string, unknown>,
  nullable: readonly string[] = [],
): Record<string, unknown> {
  const given = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && (value !== null || nullable.includes(name)),
  );
  return Object.fromEntries(
    given.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}

/** The UUID of an id of this kind; a malformed one is not_found, as one that does not exist. */
export function requireId(prefix: IdPrefix, id: string, what: string): string {
  const uuid = fromId(prefix, id);
  if (uuid === null) throw notFound(what);
  return uuid;
}
