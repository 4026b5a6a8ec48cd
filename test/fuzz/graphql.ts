// GraphQL: documents made from the schema, with values that fit and values that do not, as variables and as literals; and
// documents that are broken or unfold.

import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql';

import { buildSchema } from '../../api/graphql/schema.ts';
import { judgeGraphql, type Asked } from './ask.ts';
import { hostileJson, hostileText, named, THINGS } from './hostile.ts';
import { lane } from './lane.ts';
import { fromTape, type Tape } from './tape.ts';
import { CALLERS, type Caller } from './world.ts';

const schema = buildSchema();
const QUERY = { kind: 'query', type: schema.getQueryType()! };
const MUTATION = { kind: 'mutation', type: schema.getMutationType()! };
const SUBSCRIPTION = { kind: 'subscription', type: schema.getSubscriptionType()! };

/** The lane of GraphQL. */
export const graphql = lane('graphql', fromTape(request), async (world, { caller, asked }) =>
  judgeGraphql(await world.ask(caller, asked)),
);

interface Written {
  query: string;
  variables: Record<string, unknown>;
}

function request(tape: Tape): { caller: Caller; asked: Asked } {
  const caller = tape.chance(15) ? tape.of(CALLERS) : tape.chance(15) ? 'admin' : 'person';
  const { query, variables } = tape.chance(12) ? broken(tape) : written(tape);
  const headers = { accept: tape.of(['*/*', 'application/graphql-response+json', 'text/event-stream']) };
  if (tape.chance(8)) {
    const path = `/graphql?query=${encodeURIComponent(query.slice(0, 3_000).toWellFormed())}`;
    return { caller, asked: { method: 'GET', path, headers } };
  }
  const body = tape.chance(4) ? asJson(hostileJson(tape)) : asJson({ query, variables });
  return {
    caller,
    asked: {
      method: 'POST',
      path: '/graphql',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    },
  };
}

const asJson = (value: unknown) => JSON.stringify(value) ?? 'null';

function written(tape: Tape): Written {
  const { kind, type } = tape.of([QUERY, MUTATION, QUERY, MUTATION, QUERY, MUTATION, SUBSCRIPTION]);
  const made: Written = { query: '', variables: {} };
  const declared: string[] = [];
  const fields = Object.values(type.getFields()) as [GraphQLField<unknown, unknown>];
  const count = kind === 'query' ? 1 + tape.under(3) : 1;
  const body = Array.from({ length: count }, (_, at) => {
    const alias = at === 0 ? '' : `a${at}:`;
    return alias + fieldText(tape, tape.of(fields), 0, { declared, variables: made.variables });
  });
  const head = declared.length > 0 ? `(${declared.join(' ')})` : '';
  return { ...made, query: `${kind}${head} {${body.join(' ')}}` };
}

interface Variables {
  declared: string[];
  variables: Record<string, unknown>;
}

const MAX_DEPTH = 5;

function fieldText(
  tape: Tape,
  field: GraphQLField<unknown, unknown>,
  depth: number,
  into: Variables,
): string {
  const given = field.args.filter((one) => isNonNullType(one.type) || tape.chance(40));
  const texts = given.map((one) => argumentText(tape, one, into));
  const head = texts.length > 0 ? `${field.name}(${texts.join(' ')})` : field.name;
  return head + selection(tape, field.type, depth + 1, into);
}

function argumentText(tape: Tape, argument: GraphQLArgument, { declared, variables }: Variables): string {
  const value = valueOf(tape, argument.type, argument.name);
  if (tape.chance(25)) return `${argument.name}:${literal(value, argument.type)}`;
  const name = `v${declared.length}`;
  declared.push(`$${name}:${String(argument.type)}`);
  variables[name] = value;
  return `${argument.name}:$${name}`;
}

function selection(tape: Tape, type: GraphQLOutputType, depth: number, into: Variables): string {
  const inner = getNamedType(type);
  if (isLeafType(inner)) return '';
  if (isUnionType(inner) || isInterfaceType(inner)) {
    const objects = schema.getPossibleTypes(inner) as unknown as [GraphQLOutputType];
    const object = tape.of(objects);
    return `{__typename ... on ${String(object)}${selection(tape, object, depth + 1, into)}}`;
  }
  if (!isObjectType(inner)) return '{__typename}';
  const fields = Object.values(inner.getFields()).filter(
    (one) => isLeafType(getNamedType(one.type)) || (depth < MAX_DEPTH && tape.chance(40)),
  );
  return `{__typename ${fields.map((one) => fieldText(tape, one, depth, into)).join(' ')}}`;
}

/** A value that fits a type, or in one of twelve cases anything else. */
function valueOf(tape: Tape, type: GraphQLInputType, name: string, depth = 0): unknown {
  if (tape.chance(8)) return hostileJson(tape);
  if (isNonNullType(type)) return valueOf(tape, type.ofType, name, depth);
  if (isListType(type)) return tape.many(3, () => valueOf(tape, type.ofType, name, depth + 1));
  if (isEnumType(type)) return tape.of(type.getValues().map((one) => one.name) as [string]);
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const present = fields.filter((one) => isNonNullType(one.type) || (depth < MAX_DEPTH && tape.chance(50)));
    return Object.fromEntries(present.map((one) => [one.name, valueOf(tape, one.type, one.name, depth + 1)]));
  }
  switch (String(type)) {
    case 'Int':
      return tape.of([1, 2, 0, -1, 100, 2 ** 31 - 1]);
    case 'Float':
      return tape.of([0.5, 1, -1, 1e308]);
    case 'Boolean':
      return tape.chance(50);
    case 'DateTime':
      return tape.of(['2026-12-01T00:00:00.000Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z']);
    case 'ID':
      return tape.chance(80) ? idOf(tape, name) : hostileText(tape);
    default:
      return textOf(tape, name);
  }
}

const KINDS = {
  template: 'tpl',
  list: 'lst',
  domain: 'dom',
  campaign: 'cmp',
  message: 'msg',
  user: 'usr',
} as const;

function idOf(tape: Tape, name: string): string {
  const kind = Object.entries(KINDS).find(([word]) => name.toLowerCase().startsWith(word))?.[1];
  return named(kind ?? tape.of(THINGS));
}

function textOf(tape: Tape, name: string): string {
  if (name === 'from' && !tape.chance(10)) return named('from');
  return tape.one(
    () => 'word',
    () => 'ann@sink.test',
    () => hostileText(tape),
    () => 'https://sink.test/',
  );
}

function literal(value: unknown, type: GraphQLInputType): string {
  const inner = getNamedType(type);
  if (typeof value === 'string' && isEnumType(inner)) return value;
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, type)).join(' ')}]`;
  if (typeof value !== 'object' || value === null) return asJson(value);
  const fields = isInputObjectType(inner) ? inner.getFields() : {};
  const texts = Object.entries(value).map(
    ([name, below]) => `${name}:${fields[name] ? literal(below, fields[name].type) : asJson(below)}`,
  );
  return `{${texts.join(' ')}}`;
}

const PIECES = [
  '{',
  '}',
  '(',
  ')',
  '...',
  'a',
  '$a',
  ':',
  '"',
  '"""',
  '[',
  '!',
  '@skip(if:$a)',
  '#',
  '\n',
  '&',
  '|',
];

/** A document that is none, or that is much more than it looks. */
function broken(tape: Tape): Written {
  const times = tape.of([20, 60, 190, 400, 2_000]);
  const spread = (to: number) => `...f${to} `.repeat(1 + tape.under(4));
  const query = tape.one(
    () => tape.many(200, () => tape.of(PIECES as [string])).join(''),
    () => `{...f0} ${range(times, (at) => `fragment f${at} on Query {${spread(at + 1)}}`)}`,
    () => `{...f0} ${range(times, (at) => `fragment f${at} on Query {${spread(tape.under(times))}}`)}`,
    () => `${'{viewer'.repeat(times)}${'}'.repeat(times)}`,
    () => `{${range(times, (at) => `a${at}:__typename`)}}`,
    () => `{node(id:${'['.repeat(times)}${']'.repeat(times)}){id}}`,
    () => `{__schema{types${'{fields{type'.repeat(times)}${'}}'.repeat(times)}}}`,
    () => `query(${range(times, (at) => `$v${at}:Int`)}){__typename}`,
    () => `{nodes(ids:[${'"x",'.repeat(times)}]){id}}`,
    () => `{__typename ${'@include(if:true)'.repeat(times)}}`,
    () => `{node(id:"""${hostileText(tape)}"""){id}}`,
  );
  return { query, variables: {} };
}

function range(count: number, make: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => make(at)).join(' ');
}
