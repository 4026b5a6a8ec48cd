// The OpenAPI 3.1 document, made from the same route table that serves the requests.

import { z } from 'zod';

import type { ErrorCode } from '../../core/base/errors.ts';
import { DELIVERY_HEADERS } from '../../core/webhook/sign.ts';
import { ERROR_STATUS } from '../error-table.ts';
import { RATE_LIMITS } from '../rate-limit.ts';
import type { Deprecation } from './deprecation.ts';
import { ANSWER_HEADERS, answersOf, ERROR_SCHEMA } from './openapi-answers.ts';
import { isBodyOptional, routeRateClasses, type Route, type UploadSpec } from './route.ts';

type Json = Record<string, unknown>;

/** The document. `baseUrl` ends in /api/v1. */
export function buildOpenApi(routes: readonly Route[], baseUrl: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route, components);
  }
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
    webhooks: { inboundMail: { post: INBOUND_MAIL } },
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
  if (route.rateClass === 'send') codes.push('quota_exceeded', 'domain_not_verified', 'domain_paused');
  return [...new Set(codes)].sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b]);
}

function operation(route: Route, components: Json): Json {
  const rateClass = routeRateClasses(route).key;
  return {
    operationId: operationId(route),
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
            schema: schemaOf(route.body.schema, 'input', components),
            ...(route.example !== undefined && { example: route.example }),
          },
        },
      },
    }),
    ...(route.upload && { requestBody: uploadBody(route, route.upload, components) }),
    responses: answersOf(route, schemaOf(route.response, 'output', components), routeErrors(route)),
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
    schema: property,
  }));
}

// zod writes named schemas under $defs; here they are shared by all routes.
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  const {
    $schema: _,
    $defs,
    ...rest
  } = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
  for (const [name, definition] of Object.entries(($defs ?? {}) as Json)) {
    const { id: __, ...plain } = definition as Json;
    components[name] = plain;
  }
  delete rest['id'];
  return rest;
}

function operationId(route: Route): string {
  const words = `${route.method} ${route.path}`.toLowerCase().split(/[^a-z0-9]+/);
  return words
    .filter((word) => word !== '')
    .map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}
