// Every text that the API takes, one at a time, with a text that is expensive to walk: fields of bodies and queries of REST,
// arguments and fields of inputs of GraphQL, header fields. Found in the OpenAPI document and in the schema.

import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';

import { buildSchema } from '../../api/graphql/schema.ts';
import { buildOpenApi } from '../../api/rest/openapi.ts';
import { ROUTES } from '../../api/rest/routes.ts';
import { judgeGraphql, judgeRest, type Asked, type Came } from './ask.ts';
import { named } from './hostile.ts';
import type { Caller } from './world.ts';

/** One request, and what is wrong with its answer (ask.ts). */
export interface TextCase {
  /** Which text, for the report. */
  name: string;
  caller: Caller;
  asked(text: string): Asked;
  /** Characters of the text at most: those of a URL and of a header are part of the 16 KiB that a request's head may have. */
  most: number;
  judge(came: Came): string | null;
}

/** Texts that cost the most for their length: blanks, and what a walk may begin anew at each of its characters. */
export const SHAPES: readonly ((length: number) => string)[] = [
  ' ',
  '\t\n',
  'a ',
  '<',
  '<!--',
  '<a b="',
  '@',
  'a@b.c,',
  '"',
  '\\',
  '(',
  '{{',
  '{% if a %}',
  '=?utf-8?q?',
  'a.',
  'é',
  '\u0301',
  ';',
  '%',
  '[',
].map((token) => (length) => token.repeat(Math.ceil(length / token.length)).slice(0, length));

const BODY_CHARS = 64 * 1024;
const HEAD_CHARS = 15_000;
const BASE = '/api/v1';
const JSON_TYPE = { 'content-type': 'application/json' };

type Schema = { [keyword: string]: unknown };
type Path = readonly (string | number)[];
interface Operation {
  description: string;
  parameters: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}

/** Header fields that the api, or what is below it, reads. */
const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'access-control-request-headers',
  'authorization',
  'cache-control',
  'content-disposition',
  'content-type',
  'cookie',
  'expect',
  'forwarded',
  'if-modified-since',
  'if-none-match',
  'idempotency-key',
  'origin',
  'range',
  'referer',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-postmark-server-token',
];

/** All of them, in the order of the documents. */
export function textCases(): TextCase[] {
  return [...restCases(), ...graphqlCases(), ...headerCases()];
}

function headerCases(): TextCase[] {
  return HEADERS.map((header) => ({
    name: `header ${header}`,
    caller: 'nobody',
    most: HEAD_CHARS,
    // What no header may have is left out; blanks at its end would be cut off.
    asked: (text) => ({
      method: 'GET',
      path: '/graphql?query={__typename}',
      headers: { accept: '*/*', [header]: `a${text.replace(/[^\x20-\x7e]/g, ' ')}x` },
    }),
    judge: (came) => (typeof came === 'string' || came.status >= 500 ? JSON.stringify(came) : null),
  }));
}

function restCases(): TextCase[] {
  const document = buildOpenApi(ROUTES, `https://api.test${BASE}`) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const resolved = (schema: Schema): Schema => {
    const ref = schema['$ref'];
    return typeof ref === 'string' ? document.components.schemas[ref.split('/').at(-1)!]! : schema;
  };
  const cases: TextCase[] = [];
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const target = BASE + path.replace(/\{(\w+)\}/g, (_, parameter: string) => idIn(path, parameter));
      const caller: Caller = operation.description.includes('Scope: admin.') ? 'admin' : 'key';
      const common = { caller, judge: judgeRest };
      for (const { name: query, schema } of operation.parameters.filter((one) => one.in === 'query'))
        if (hasText(resolved(schema)))
          cases.push({
            ...common,
            name: `${name} ?${query}`,
            most: HEAD_CHARS / 3, // each octet takes three in a URL
            asked: (text) => ({
              method: method.toUpperCase(),
              path: `${target}?${query}=${encodeURIComponent(text.slice(0, HEAD_CHARS / 6))}`,
              headers: {},
            }),
          });
      const json = operation.requestBody?.content['application/json'];
      if (json === undefined) continue;
      for (const at of textsIn(json.schema, resolved))
        cases.push({
          ...common,
          name: `${name} ${at.join('.')}`,
          most: BODY_CHARS,
          asked: (text) => ({
            method: method.toUpperCase(),
            path: target,
            headers: JSON_TYPE,
            body: JSON.stringify(withText(json.example ?? {}, at, text)),
          }),
        });
    }
  return cases;
}

const NOUNS: Readonly<Record<string, Parameters<typeof named>[0]>> = {
  templates: 'tpl',
  lists: 'lst',
  contacts: 'con',
  webhooks: 'whk',
  campaigns: 'cmp',
  domains: 'dom',
  mailboxes: 'mbx',
  transactional: 'msg',
  tenants: 'tnt',
};

function idIn(path: string, parameter: string): string {
  const noun = path.split('/').findLast((part) => part in NOUNS);
  return parameter === 'id' && noun !== undefined ? named(NOUNS[noun]!) : '1';
}

function hasText(schema: Schema): boolean {
  const options = (schema['anyOf'] ?? schema['oneOf'] ?? []) as Schema[];
  return (schema['type'] === 'string' && schema['enum'] === undefined) || options.some(hasText);
}

const MAX_DEPTH = 6;

function textsIn(given: Schema, resolved: (schema: Schema) => Schema, at: Path = []): Path[] {
  if (at.length > MAX_DEPTH) return [];
  const schema = resolved(given);
  const below = [...((schema['anyOf'] ?? schema['oneOf'] ?? []) as Schema[])].flatMap((one) =>
    textsIn(one, resolved, at),
  );
  if (hasText({ ...schema, anyOf: [], oneOf: [] })) below.push(at);
  for (const [name, one] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>))
    below.push(...textsIn(one, resolved, [...at, name]));
  if (schema['items'] !== undefined) below.push(...textsIn(schema['items'] as Schema, resolved, [...at, 0]));
  const distinct = new Map(below.map((path) => [path.join('.'), path]));
  return [...distinct.values()].filter((path) => path.length > 0);
}

/** The example with a text at a place, which is made if it is not there. */
function withText(example: unknown, [first, ...rest]: Path, text: string): unknown {
  if (first === undefined) return text;
  if (typeof first === 'number') {
    const items = Array.isArray(example) ? example : [];
    return [withText(items[0], rest, text), ...items.slice(1)];
  }
  const fields = typeof example === 'object' && example !== null && !Array.isArray(example) ? example : {};
  return { ...fields, [first]: withText((fields as Record<string, unknown>)[first], rest, text) };
}

function graphqlCases(): TextCase[] {
  const schema = buildSchema();
  const cases: TextCase[] = [];
  for (const [kind, type] of [
    ['query', schema.getQueryType()!],
    ['mutation', schema.getMutationType()!],
  ] as const)
    for (const field of Object.values(type.getFields()))
      for (const argument of field.args)
        for (const at of textsOfInput(argument.type, [argument.name]))
          cases.push({
            name: `${kind} ${field.name} ${at.join('.')}`,
            caller: 'person',
            most: BODY_CHARS,
            asked: (text) => ({
              method: 'POST',
              path: '/graphql',
              headers: JSON_TYPE,
              body: JSON.stringify(operationOf(kind, field, at, text)),
            }),
            judge: judgeGraphql,
          });
  return cases;
}

function textsOfInput(type: GraphQLInputType, at: Path): Path[] {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (at.length > MAX_DEPTH) return [];
  if (isListType(inner)) return textsOfInput(inner.ofType, [...at, 0]);
  if (isInputObjectType(inner))
    return Object.values(inner.getFields()).flatMap((one) => textsOfInput(one.type, [...at, one.name]));
  return ['String', 'ID', 'DateTime', 'JSON'].includes(String(inner)) ? [at] : [];
}

function operationOf(kind: string, field: GraphQLField<unknown, unknown>, at: Path, text: string) {
  const given = field.args.filter(({ name, type }) => name === at[0] || isNonNullType(type));
  const declared = given.map(({ name, type }) => `$${name}:${String(type)}`).join(' ');
  const passed = given.map(({ name }) => `${name}:$${name}`).join(' ');
  const head = given.length > 0 ? [`(${declared})`, `(${passed})`] : ['', ''];
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{__typename}';
  const values = given.map(({ name, type }) => [name, least(type)]);
  return {
    query: `${kind}${head[0]}{${field.name}${head[1]}${selection}}`,
    variables: withText(Object.fromEntries(values), at, text),
  };
}

/** The smallest value that a type allows. */
function least(type: GraphQLInputType): unknown {
  if (!isNonNullType(type)) return null;
  const inner = type.ofType;
  if (isListType(inner)) return [];
  if (isEnumType(inner)) return inner.getValues()[0]!.name;
  if (isInputObjectType(inner)) {
    const required = Object.values(inner.getFields()).filter((one) => isNonNullType(one.type));
    return Object.fromEntries(required.map((one) => [one.name, least(one.type)]));
  }
  const scalars: Record<string, unknown> = {
    Int: 1,
    Float: 1,
    Boolean: false,
    DateTime: '2026-12-01T00:00:00Z',
  };
  return scalars[String(inner)] ?? 'word';
}
