// What clients are made from: the API's own OpenAPI document, less what a client library does not show. Errors are
// thrown and the envelope is opened by the hand-written part of each client, so answers are only what is in `data`.

import { withoutRules } from '../api/rest/openapi-plain.ts';
import { buildOpenApi } from '../api/rest/openapi.ts';
import { BASE_PATH, ROUTES } from '../api/rest/routes.ts';
import project from '../package.json' with { type: 'json' };
import { nameInlineSchemas, type Json } from './inline-schemas.ts';

/** One operation, as the generators of names need it. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  /** Heading in the documentation, which is also the Python module. */
  group: string;
  /** Whether it answers bytes instead of JSON. */
  file: boolean;
}

/** The document that the generators read. */
export interface SdkDocument extends Json {
  info: { version: string };
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Json> };
  /** What is posted to event webhooks, by type. */
  webhooks: Record<string, { post: Json }>;
}

interface OperationObject extends Json {
  operationId: string;
  tags: string[];
  responses: Record<string, { headers?: Json; links?: Json; content: Record<string, { schema: Json }> }>;
}

const BYTES = 'application/octet-stream';

/** Makes the document from the route table. Routes of super-admins and event streams are not in it. */
export function sdkDocument(): SdkDocument {
  const document = withoutRules(
    buildOpenApi(ROUTES, `https://localhost:8443${BASE_PATH}`),
  ) as unknown as SdkDocument;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (path.startsWith('/admin/') || isStream(operation)) delete methods[method];
      else operation.responses = successOf(operation);
    }
    if (Object.keys(methods).length === 0) delete document.paths[path];
  }
  document.info.version = project.version;
  document.webhooks = eventWebhooks(document.webhooks);
  dropExamples(document);
  dropRecursion(document);
  const schemas = reachable(document.paths, document.components.schemas);
  document.components = { ...document.components, schemas: nameInlineSchemas(schemas) };
  delete (document.components as Json)['headers'];
  return document;
}

/** All operations of the document, by name. */
export function operationsOf(document: SdkDocument): Operation[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method,
      path,
      group: operation.tags[0] ?? '',
      file: Object.values(operation.responses).some(({ content }) => BYTES in content),
    })),
  );
  return all.sort((a, b) => (a.id < b.id ? -1 : 1));
}

// Inbound mail is posted to an endpoint of its own, as mail. The headers are verified before anybody looks at the body.
function eventWebhooks(webhooks: SdkDocument['webhooks']): SdkDocument['webhooks'] {
  const events = Object.entries(webhooks).filter(([name]) => name !== 'inboundMail');
  return Object.fromEntries(
    events.map(([type, { post }]) => {
      const { summary, requestBody, responses } = post;
      return [type, { post: { summary, requestBody, responses } }];
    }),
  );
}

function isStream(operation: OperationObject): boolean {
  return Object.values(operation.responses).some((one) => 'text/event-stream' in (one.content ?? {}));
}

function successOf({ responses }: OperationObject): OperationObject['responses'] {
  const [status, success] = Object.entries(responses).find(([code]) => code.startsWith('2'))!;
  const envelope = success.content['application/json']?.schema['properties'] as { data: Json } | undefined;
  const content = envelope
    ? { 'application/json': { schema: envelope.data } }
    : { [BYTES]: { schema: { type: 'string', format: 'binary' } } };
  const { links: _, ...answer } = success;
  return { [status]: { ...answer, headers: {}, content } };
}

function dropExamples(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const { properties } = node as { properties?: unknown };
  for (const [key, value] of Object.entries(node)) {
    if ((key === 'example' || key === 'examples') && node !== properties) delete (node as Json)[key];
    else dropExamples(value);
  }
}

// What nests how deep.
function dropRecursion(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Json;
  const values = schema['additionalProperties'] as Json | boolean | undefined;
  if (typeof values === 'object' && '$ref' in values) schema['additionalProperties'] = {};
  for (const value of Object.values(schema)) dropRecursion(value);
}

// `Error` is thrown, and so named by no answer that is left.
function reachable(paths: Json, schemas: Record<string, Json>): Record<string, Json> {
  const names = new Set(['Error']);
  const visit = (part: unknown) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (names.has(name!)) continue;
      names.add(name!);
      visit(schemas[name!]);
    }
  };
  visit(paths);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}
