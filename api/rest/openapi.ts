// The OpenAPI 3.1 document, made from the same route table that serves the requests.

import { z } from 'zod';

import type { ErrorCode } from '../../core/base/errors.ts';
import { STORABLE_PATTERN } from '../../core/base/storable-text.ts';
import { DELIVERY_HEADERS } from '../../core/webhook/sign.ts';
import { eventWebhooks } from './openapi-webhooks.ts';
import { ERROR_STATUS } from '../error-table.ts';
import { RATE_LIMITS } from '../rate-limit.ts';
import type { Deprecation } from './deprecation.ts';
import { ANSWER_HEADERS, answersOf, ERROR_SCHEMA } from './openapi-answers.ts';
import { addLinks } from './openapi-links.ts';
import { isBodyOptional, rateClassesOf, type UploadSpec } from '../endpoint.ts';
import type { Route } from './route.ts';

/** An object of the document. */
export type Json = Record<string, unknown>;

/** The document, with all rules of what the API checks (openapi-plain.ts makes the published one). `baseUrl` ends in /api/v1. */
export function buildOpenApi(routes: readonly Route[], baseUrl: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route, components);
  }
  addLinks(paths, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postrider',
      version: '1.0.0',
      description:
        'Email delivery with an exact warm-up cap on every sending domain. Fields may be added without notice; ' +
        'clients must tolerate those they do not know.',
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map((route) => route.group))].map((name) => ({ name })),
    paths,
    webhooks: { inboundMail: { post: INBOUND_MAIL }, ...eventWebhooks() },
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'API key `sk_live_…`, or the token of a sign-in',
        },
      },
      schemas: { Error: ERROR_SCHEMA, ...components },
      headers: ANSWER_HEADERS,
    },
  };
}

// What we ask of a customer's endpoint. A prefix of headers other than Svc is WEBHOOK_HEADER_PREFIX.
const INBOUND_MAIL = {
  summary: 'An inbound message',
  description:
    'Posted to the endpoint of `/settings/inbound-webhook` for each accepted recipient, up to 7 times, until it answers ' +
    '2xx. `docs/receiver-examples` has receivers that verify the signature.',
  parameters: Object.entries(DELIVERY_HEADERS).map(([name, description]) => ({
    name: `X-Svc-Inbound-${name}`,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })),
  requestBody: {
    description: 'the message as it came after DATA, byte for byte',
    required: true,
    content: { 'message/rfc822': { schema: { type: 'string', format: 'binary' } } },
  },
  responses: { '2XX': { description: 'taken; anything else is tried again' } },
};

/** The codes that a route can answer, by what it does. */
function routeErrors(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable'];
  if (route.access !== 'admin' && route.access !== 'any') codes.push('invalid_scope');
  if (route.path.includes('{')) codes.push('not_found');
  if (route.method !== 'GET') codes.push('conflict');
  codes.push(...(route.errors ?? []));
  if (route.query) codes.push('validation_failed');
  if (route.body || route.upload)
    codes.push('invalid_json', 'payload_too_large', 'unsupported_media_type', 'validation_failed');
  if (route.method === 'POST')
    codes.push('validation_failed', 'idempotency_conflict', 'idempotency_in_progress');
  if (route.rateClass === 'send')
    codes.push('quota_exceeded', 'tenant_suspended', 'domain_not_verified', 'domain_paused');
  return [...new Set(codes)].sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b]);
}

function operation(route: Route, components: Json): Json {
  const rateClass = rateClassesOf(route).key;
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.deprecated && { deprecated: true }),
    tags: [route.group],
    description: [
      route.description ?? '',
      `Scope: ${route.access === 'any' ? 'any valid key' : route.access}.`,
      route.deprecated ? deprecationSentence(route.deprecated) : '',
      `Limit: ${RATE_LIMITS[rateClass]} a minute (class \`${rateClass}\`).`,
    ]
      .filter((paragraph) => paragraph !== '')
      .join('\n\n'),
    parameters: parameters(route, components),
    ...(route.body && {
      requestBody: {
        required: !isBodyOptional(route, route.body),
        description: `At most ${route.body.limitBytes / 1_048_576} MiB.`,
        content: {
          'application/json': {
            schema: named(
              `${pascal(route.operationId)}Request`,
              schemaOf(route.body.schema, 'input', components),
              components,
            ),
            ...(route.example !== undefined && { example: route.example }),
          },
        },
      },
    }),
    ...(route.upload && { requestBody: uploadBody(route, route.upload, components) }),
    responses: answersOf(route, responseData(route, components), routeErrors(route)),
  };
}

function deprecationSentence({ since, sunset, successor }: Deprecation): string {
  const instead = successor === undefined ? '' : ` Use ${successor} instead.`;
  return `Deprecated since ${since}; removed on ${sunset}.${instead}`;
}

function uploadBody(route: Route, upload: UploadSpec, components: Json): Json {
  const content = Object.entries(upload.content).map(([type, schema]) => {
    const json = type === 'application/json' && route.example !== undefined;
    return [type, { schema: schemaOf(schema, 'input', components), ...(json && { example: route.example }) }];
  });
  return {
    required: true,
    description: `At most ${upload.limitBytes / 1_048_576} MiB, read as it comes.`,
    content: Object.fromEntries(content) as Json,
  };
}

function parameters(route: Route, components: Json): Json[] {
  const list = [
    ...fields(route.params, components).map((field) => ({ ...field, in: 'path', required: true })),
    ...fields(route.query, components).map((field) => ({ ...field, in: 'query' })),
  ];
  if (route.method !== 'POST') return list;
  const description = 'Repeating the request with this key within 24 hours repeats the first answer.';
  const schema = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' };
  return [...list, { name: 'Idempotency-Key', in: 'header', description, schema }];
}

function fields(schema: z.ZodType | undefined, components: Json): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input', components) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: storableParameter(property),
  }));
}

// U+0000 is refused in every parameter (api/run-endpoint.ts), also where its own schema does not say so.
function storableParameter(schema: Json): Json {
  const isFree = schema['type'] === 'string' && !['pattern', 'format', 'enum'].some((key) => key in schema);
  return isFree ? { ...schema, pattern: STORABLE_PATTERN } : schema;
}

// Pages are named after what they list, all else that has no name of its own after the operation: generated clients
// take the names of their types from here.
function responseData(route: Route, components: Json): Json {
  const schema = schemaOf(route.response, 'output', components);
  if (route.file !== undefined) return schema;
  const { items, next_cursor: cursor } = (schema['properties'] ?? {}) as Record<string, { items?: Json }>;
  const item = items?.items?.['$ref'];
  const page = cursor !== undefined && typeof item === 'string' ? `${item.split('/').at(-1)}Page` : undefined;
  return named(page ?? `${pascal(route.operationId)}Result`, schema, components);
}

function named(name: string, schema: Json, components: Json): Json {
  if ('$ref' in schema) return schema;
  define(name, schema, components);
  return { $ref: `#/components/schemas/${name}` };
}

function define(name: string, schema: Json, components: Json): void {
  if (components[name] !== undefined && JSON.stringify(components[name]) !== JSON.stringify(schema))
    throw new Error(`two schemas of the OpenAPI document are named ${name}`);
  components[name] = schema;
}

// zod writes named schemas under $defs; here they are shared by all routes. What zod's types cannot say is in `meta`: more
// of JSON Schema, or with `documentedAs` another schema to show.
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { documentedAs } = jsonSchema as { documentedAs?: z.ZodType };
      if (documentedAs) Object.assign(jsonSchema, schemaOf(documentedAs, io, components));
      delete (jsonSchema as Json)['documentedAs'];
      plain(jsonSchema, io);
    },
  }) as Json;
  const {
    $schema: _,
    $defs,
    id,
    ...rest
  } = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>)) {
    const { id: __, ...own } = definition;
    define(name, own, components);
  }
  return typeof id === 'string' ? named(id, rest, components) : rest;
}

const TIME_PATTERNS = new Set(
  [z.iso.date(), z.iso.datetime(), z.iso.datetime({ offset: true })].map(
    (one) => z.toJSONSchema(one).pattern,
  ),
);

// Answers may get fields without notice. The bounds that zod gives to every integer, and its patterns for times, say
// nothing that type and format do not.
function plain(schema: Json, io: 'input' | 'output'): void {
  if (io === 'output' && schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (TIME_PATTERNS.has(schema['pattern'] as string)) delete schema['pattern'];
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
