// U+0000 in any text of any argument of the schema: refused before anything runs, as a variable and as a literal. The
// schema is walked, so that a new argument is tried the moment that it is there.

import {
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLInputType,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buildSchema } from '../../api/graphql/schema.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => world.close());

const NUL = 'a\0b';
let addresses = 0;
const stranger = () => ({ 'x-forwarded-for': `203.0.113.${++addresses % 250}` });

interface Tried {
  kind: 'query' | 'mutation';
  field: string;
  argument: GraphQLArgument;
  /** Where in the argument's value the text is; the names of input fields. */
  path: string[];
}

function texts(type: GraphQLInputType, path: string[] = []): string[][] {
  const named = getNamedType(type);
  if (isInputObjectType(named)) {
    if (path.length > 4) return [];
    return Object.values(named.getFields()).flatMap((field) => texts(field.type, [...path, field.name]));
  }
  return ['String', 'ID', 'JSON', 'DateTime'].includes(named.name) ? [path] : [];
}

const schema = buildSchema();
const tried = (['query', 'mutation'] as const).flatMap((kind): Tried[] => {
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return Object.values(root?.getFields() ?? {}).flatMap((field) =>
    field.args.flatMap((argument) =>
      texts(argument.type).map((path) => ({ kind, field: field.name, argument, path })),
    ),
  );
});

/** The value that has the text at this path and nothing else. */
function valueAt(type: GraphQLInputType, path: string[]): unknown {
  if (isNonNullType(type)) return valueAt(type.ofType, path);
  if (isListType(type)) return [valueAt(type.ofType, path)];
  const [name, ...rest] = path;
  if (!isInputObjectType(type) || name === undefined) return NUL;
  return { [name]: valueAt(type.getFields()[name]!.type, rest) };
}

const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, below]) => `${name}:${literal(below)}`)
    .join(',')}}`;
};

test.each(
  tried.map(
    (one) => [`${one.kind} ${one.field}(${[one.argument.name, ...one.path].join('.')})`, one] as const,
  ),
)('%s', async (_name, { kind, field, argument, path }) => {
  const value = valueAt(argument.type, path);
  const composite = 'getFields' in getNamedType(fieldType(kind, field));
  const below = composite ? '{__typename}' : '';
  const asVariable = await world.graphql(
    `${kind}($v: ${String(argument.type)}) {${field}(${argument.name}: $v)${below}}`,
    { v: value },
    { headers: stranger() },
  );
  expect(asVariable.json.errors[0]).toMatchObject({
    message: expect.stringContaining('U+0000'),
    extensions: {
      code: 'validation_failed',
      details: [{ path: expect.stringContaining(path.at(-1) ?? 'v') }],
    },
  });
  const asLiteral = await world.graphql(
    `${kind} {${field}(${argument.name}: ${literal(value)})${below}}`,
    {},
    { headers: stranger() },
  );
  expect(asLiteral.json.errors[0].extensions.code).toBe('validation_failed');
  const messages = asLiteral.json.errors.map(({ message }: { message: string }) => message);
  expect(messages.join()).toContain(`${path.at(-1) ?? argument.name} has a character`);
});

function fieldType(kind: 'query' | 'mutation', field: string) {
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return root!.getFields()[field]!.type;
}
