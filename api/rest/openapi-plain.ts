// The OpenAPI document as it is published. It describes types and leaves out the rules that only a validator can use (which fields go
// together, which of its forms a text has): the server checks them, and generators of clients stumble over them.

import type { Json } from './openapi.ts';

/** A copy without these rules. */
export function withoutRules<T>(document: T): T {
  const copy = structuredClone(document);
  dropRules(copy);
  return copy;
}

const RULES = ['allOf', 'anyOf', 'oneOf', 'not'];

function dropRules(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Json;
  if (schema['type'] === 'string' || (schema['type'] === 'object' && 'properties' in schema))
    for (const rule of RULES) delete schema[rule];
  // One of several types that are not objects: any value, as the description says.
  if (Array.isArray(schema['type']) && schema['type'].length > 2) delete schema['type'];
  for (const [key, value] of Object.entries(schema)) {
    const typed = key === 'items' ? firstType(value) : value;
    schema[key] = typed;
    dropRules(typed);
  }
}

// Items that may be anything, so that each bad one gets its own error, are documented as what they should be.
function firstType(items: unknown): unknown {
  const { anyOf } = items as { anyOf?: Json[] };
  if (!anyOf?.some((one) => Object.keys(one).every((key) => key === 'description'))) return items;
  return anyOf[0];
}
