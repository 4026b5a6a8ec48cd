// Who may ask for which field of the GraphQL schema: as the schema says, and as test/fixtures/graphql-scopes.txt does.

import { readFileSync } from 'node:fs';

import {
  getNamedType,
  isAbstractType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

/** From everybody to the fewest; each includes those before it. */
export const SCOPES = ['everybody', 'self', 'signedIn', 'canWrite', 'owner', 'superAdmin'] as const;

/** Who may ask. */
export type FieldScope = (typeof SCOPES)[number];

const FIXTURE = new URL('../fixtures/graphql-scopes.txt', import.meta.url);

/** The declared scopes: of `Type.field`. */
export function declaredScopes(): Map<string, FieldScope> {
  const scopes = new Map<string, FieldScope>();
  let scope: FieldScope | undefined;
  for (const line of readFileSync(FIXTURE, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    if (!line.startsWith(' ')) {
      scope = SCOPES.find((one) => one === line);
      continue;
    }
    const [type, fields] = line.trim().split(': ');
    for (const field of fields!.split(' ')) scopes.set(`${type}.${field}`, scope!);
  }
  return scopes;
}

/**
 * The scopes that the schema enforces. A field needs its own scope, or its type's; and somebody must have got to its
 * type, by the least guarded way.
 */
export function schemaScopes(schema: GraphQLSchema): Map<string, FieldScope> {
  const types = Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
  );
  const reach = new Map<string, number>();
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    reach.set(root!.name, 0);
  const rankOf = (type: GraphQLObjectType, field: GraphQLField<unknown, unknown>) =>
    Math.max(reach.get(type.name)!, SCOPES.indexOf(ownScope(type, field)));
  for (let changed = true; changed;) {
    changed = false;
    for (const type of types.filter(({ name }) => reach.has(name)))
      for (const field of Object.values(type.getFields())) {
        const to = getNamedType(field.type);
        const next = isAbstractType(to) ? schema.getPossibleTypes(to) : isObjectType(to) ? [to] : [];
        for (const { name } of next) {
          if ((reach.get(name) ?? SCOPES.length) <= rankOf(type, field)) continue;
          reach.set(name, rankOf(type, field));
          changed = true;
        }
      }
  }
  return new Map(
    types.flatMap((type) =>
      Object.values(type.getFields()).map((field): [string, FieldScope] => [
        `${type.name}.${field.name}`,
        SCOPES[rankOf(type, field)]!,
      ]),
    ),
  );
}

// A type's scopes count beside the field's, unless it skips them; several names at one place mean any of them.
function ownScope(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): FieldScope {
  const { authScopes, skipTypeScopes } = optionsOf(field);
  const guards = [authScopes, ...(skipTypeScopes ? [] : [optionsOf(type).authScopes])];
  const ranks = guards.map((guard) =>
    guard === undefined ? 0 : Math.min(...Object.keys(guard).map((name) => rankOfName(type, field, name))),
  );
  return SCOPES[Math.max(...ranks)]!;
}

function rankOfName(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>, name: string): number {
  const rank = SCOPES.findIndex((scope) => scope === name);
  if (rank < 0) throw new Error(`${type.name}.${field.name} has a scope that SCOPES does not know: ${name}`);
  return rank;
}

interface Options {
  authScopes?: Record<string, unknown>;
  skipTypeScopes?: boolean;
}

// Pothos keeps what a field was declared with.
function optionsOf({ extensions }: { extensions: Readonly<Record<string, unknown>> }): Options {
  return extensions['pothosOptions'] ?? {};
}
