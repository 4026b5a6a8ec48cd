// The OpenAPI document in version 3.0, for generators that do not read 3.1 (https://spec.openapis.org/oas/v3.0.4). The same paths
// and names; what JSON Schema 2020-12 says in words of its own is said in those of 3.0.

import type { Json } from './openapi.ts';

/** The document of version 3.1 in version 3.0. Webhooks, which 3.0 does not have, are under `x-webhooks`. */
export function toOpenApi30(document: Json): Json {
  const { openapi: _, webhooks, ...rest } = convert(document) as Json;
  return { openapi: '3.0.3', ...rest, 'x-webhooks': webhooks };
}

const NULL = JSON.stringify({ type: 'null' });

function convert(node: unknown, isMap = false): unknown {
  if (Array.isArray(node)) return node.map((one) => convert(one));
  if (typeof node !== 'object' || node === null) return node;
  // Names chosen by us (`properties`, `schemas`) are no words of JSON Schema.
  if (isMap) return mapValues(node as Json, (value) => convert(value));
  return convertSchema(
    mapEntries(node as Json, (key, value) =>
      key === 'example' || key === 'default' || key === 'enum' ? value : convert(value, MAPS.has(key)),
    ),
  );
}

const MAPS = new Set(['properties', 'schemas', 'responses', 'headers', 'paths', 'links', 'webhooks']);
const DROPPED = ['propertyNames', 'contentEncoding', 'contentMediaType', 'contentSchema', 'examples'];

function convertSchema(node: Json): Json {
  const { type, anyOf, $ref, ...rest } = node;
  for (const key of DROPPED) delete rest[key];
  if ('const' in rest) {
    const { const: only, ...others } = rest;
    // Generators do not know enums of booleans.
    return { type: type ?? typeof only, ...others, ...(typeof only !== 'boolean' && { enum: [only] }) };
  }
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof rest[exclusive] !== 'number') continue;
    rest[bound] = rest[exclusive];
    rest[exclusive] = true;
  }
  if (Array.isArray(type)) return { ...nullable(type as string[]), ...rest };
  if (Array.isArray(anyOf)) return { ...oneOrMore(anyOf as Json[]), ...rest };
  if (typeof $ref === 'string' && Object.keys(rest).length > 0) return { allOf: [{ $ref }], ...rest };
  if ($ref !== undefined) return { $ref };
  return type === undefined ? rest : { type, ...rest };
}

function nullable(types: string[]): Json {
  const named = types.filter((one) => one !== 'null');
  const isNullable = named.length < types.length && { nullable: true };
  return named.length === 1 ? { type: named[0], ...isNullable } : { ...isNullable };
}

function oneOrMore(all: Json[]): Json {
  const named = all.filter((one) => JSON.stringify(one) !== NULL);
  const isNullable = named.length < all.length && { nullable: true };
  const [only] = named;
  if (named.length > 1 || !only) return { anyOf: named, ...isNullable };
  return '$ref' in only ? { allOf: [only], ...isNullable } : { ...only, ...isNullable };
}

function mapValues(node: Json, of: (value: unknown) => unknown): Json {
  return mapEntries(node, (_key, value) => of(value));
}

function mapEntries(node: Json, of: (key: string, value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, of(key, value)]));
}
