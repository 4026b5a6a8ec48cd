// REST: every route of the table with bodies, parameters and headers that its document allows, nearly allows, and forbids.

import { buildOpenApi } from '../../api/rest/openapi.ts';
import { ROUTES } from '../../api/rest/routes.ts';
import type { Asked } from './ask.ts';
import { judgeRest } from './ask.ts';
import { hostileJson, hostileText, named, THINGS, type Thing } from './hostile.ts';
import { lane } from './lane.ts';
import { fromTape, type Tape } from './tape.ts';
import { CALLERS, type Caller } from './world.ts';

type Schema = { [keyword: string]: unknown };
interface Operation {
  description: string;
  parameters: { name: string; in: string; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}

const BASE = '/api/v1';
const document = buildOpenApi(ROUTES, `https://api.test${BASE}`) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

/** The lane of REST. */
export const rest = lane('rest', fromTape(request), async (world, { caller, asked }) =>
  judgeRest(await world.ask(caller, asked)),
);

function request(tape: Tape): { caller: Caller; asked: Asked } {
  const { method, path, operation } = tape.of(OPERATIONS as [(typeof OPERATIONS)[0]]);
  const isAdmin = operation.description.includes('Scope: admin.');
  const caller = tape.chance(10) ? tape.of(CALLERS) : isAdmin ? 'admin' : 'key';
  const target = operation.parameters
    .filter((one) => one.in === 'path')
    .reduce((filled, one) => filled.replace(`{${one.name}}`, encodeNamed(pathValue(tape, one))), path);
  const query = operation.parameters
    .filter((one) => one.in === 'query' && tape.chance(30))
    .map(({ name, schema }) => `${name}=${encodeNamed(asText(valueOf(tape, schema, name)))}`);
  if (tape.chance(3)) query.push(`${encodeNamed(hostileText(tape))}=1`);
  const { type, body } = bodyOf(tape, operation);
  return {
    caller,
    asked: {
      method,
      path: `${BASE}${target}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers: {
        ...(type !== null && { 'content-type': type }),
        ...(method === 'POST' && tape.chance(15) && { 'idempotency-key': inHeader(hostileText(tape)) }),
        ...(tape.chance(5) && { accept: tape.of(['*/*', 'text/html', 'application/json;q=0', ';;;,']) }),
      },
      ...(body !== null && { body }),
    },
  };
}

function pathValue(tape: Tape, { description = '', schema }: Operation['parameters'][number]): string {
  const prefix = /(\w{3})_/.exec(description + asText(schema['pattern']))?.[1] as Thing | undefined;
  if (prefix !== undefined && !tape.chance(15)) return named(prefix);
  return asText(tape.chance(50) ? valueOf(tape, schema) : hostileText(tape)) || 'x';
}

// Names of things stay as they are until the request is sent; a half of a surrogate pair is no text that can be encoded.
function encodeNamed(text: string): string {
  return text
    .toWellFormed()
    .split(/(‹\w+›)/)
    .map((part) => (part.startsWith('‹') ? part : encodeURIComponent(part)))
    .join('');
}

const inHeader = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '') || 'k';
const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const RAW = [
  '',
  '{',
  '[]',
  '"',
  '{"a":1,"a":2}',
  '\ufeff{}',
  '{"a":1e400}',
  '{"a":"\\ud800"}',
  'email\n',
  'a=b',
];
const TYPES = [
  'application/json',
  'text/plain',
  'text/csv',
  'multipart/form-data',
  'application/json; charset=x',
];

function bodyOf(tape: Tape, { requestBody }: Operation): { type: string | null; body: string | null } {
  if (!requestBody) return tape.chance(2) ? { type: TYPES[0]!, body: '{}' } : { type: null, body: null };
  const [type, { schema, example }] = tape.of(
    Object.entries(requestBody.content) as [[string, { schema: Schema; example?: unknown }]],
  );
  if (tape.chance(5)) return { type: tape.of(TYPES as [string]), body: tape.of(RAW as [string]) };
  if (tape.chance(3)) return { type, body: '['.repeat(100_000) };
  const value = example !== undefined && tape.chance(50) ? changed(tape, example) : valueOf(tape, schema);
  return { type, body: type.startsWith('application/json') ? JSON.stringify(value) : asText(value) };
}

/** An example with other values in some places, and the account's own address as the sender. */
function changed(tape: Tape, value: unknown, name = ''): unknown {
  if (name === 'from') return tape.chance(5) ? hostileJson(tape) : named('from');
  if (tape.chance(6)) return hostileJson(tape);
  if (Array.isArray(value)) return value.map((one) => changed(tape, one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(() => !tape.chance(4))
      .map(([key, below]) => [key, changed(tape, below, key)]),
  );
}

const NAMED: Record<string, Thing> = {
  from: 'from',
  template_id: 'tpl',
  list_id: 'lst',
  lists: 'lst',
  list_ids: 'lst',
  domain_id: 'dom',
  domain_ids: 'dom',
  mailbox_id: 'mbx',
  campaign_id: 'cmp',
  message_id: 'msg',
  tenant_id: 'tnt',
  address: 'mailbox',
};

const MAX_DEPTH = 6;

/** Some value of a schema, or in one of twelve cases anything else. */
function valueOf(tape: Tape, given: Schema, name = '', depth = 0): unknown {
  if (tape.chance(8) || depth > MAX_DEPTH) return hostileJson(tape);
  const schema = resolved(given);
  const options = (schema['enum'] ?? schema['anyOf'] ?? schema['oneOf']) as [unknown] | undefined;
  if (schema['enum'] !== undefined) return tape.of(options!);
  if (schema['const'] !== undefined) return schema['const'];
  if (options) return valueOf(tape, tape.of(options) as Schema, name, depth + 1);
  switch ([schema['type']].flat()[0]) {
    case 'object':
      return objectOf(tape, schema, depth);
    case 'array':
      return tape.many(3, () => valueOf(tape, (schema['items'] ?? {}) as Schema, name, depth + 1));
    case 'integer':
    case 'number':
      return tape.one<unknown>(
        () => tape.under(100),
        () => -tape.under(3),
        () => tape.under(2 ** 31) / 7,
      );
    case 'boolean':
      return tape.chance(50);
    case 'null':
      return null;
    default:
      return textOf(tape, schema, name);
  }
}

function objectOf(tape: Tape, schema: Schema, depth: number): unknown {
  const required = new Set((schema['required'] ?? []) as string[]);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const present = properties.filter(([name]) => (required.has(name) ? !tape.chance(3) : tape.chance(40)));
  const extra = tape.chance(3) ? [[hostileText(tape), hostileJson(tape)]] : [];
  const free = schema['additionalProperties'];
  const more = typeof free === 'object' ? tape.many(3, () => [hostileText(tape), hostileJson(tape)]) : [];
  return Object.fromEntries([
    ...present.map(([name, below]) => [name, valueOf(tape, below, name, depth + 1)]),
    ...extra,
    ...more,
  ]);
}

function textOf(tape: Tape, { format, pattern }: Schema, name: string): string {
  if (NAMED[name] !== undefined && !tape.chance(20)) return named(NAMED[name]);
  return tape.one(
    () => (format === 'date-time' ? '2026-12-01T00:00:00Z' : format === 'date' ? '2026-12-01' : 'word'),
    () => 'ann@sink.test',
    () => hostileText(tape),
    () => named(tape.of(THINGS)),
    () => (pattern === undefined ? '1' : 'a'.repeat(tape.under(70))),
    () => Buffer.from(hostileText(tape)).toString('base64'),
  );
}

function resolved(schema: Schema): Schema {
  const ref = schema['$ref'];
  return typeof ref === 'string' ? document.components.schemas[ref.split('/').at(-1)!]! : schema;
}
