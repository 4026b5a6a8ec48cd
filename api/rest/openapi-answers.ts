// What the routes answer, for the OpenAPI document: the envelope or a file, the errors, and the headers of each.

import type { ErrorCode } from '../../core/base/errors.ts';
import { ERROR_MEANING, ERROR_STATUS } from '../error-table.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

/** The body of every error. */
export const ERROR_SCHEMA = {
  type: 'object',
  properties: {
    ok: { const: false },
    error: { type: 'string', enum: Object.keys(ERROR_STATUS) },
    message: { type: 'string' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
    request_id: { type: 'string' },
  },
  required: ['ok', 'error', 'message'],
};

const integer = (description: string) => ({ description, schema: { type: 'integer' } });
const text = (description: string) => ({ description, schema: { type: 'string' } });

const ALWAYS = {
  'X-Request-Id': text('names this request in our logs'),
  'X-RateLimit-Limit': integer('requests per rolling 60 seconds'),
  'X-RateLimit-Remaining': integer('how many are left now'),
  'X-RateLimit-Reset': integer('Unix seconds at which more requests are allowed'),
};
const QUOTA = {
  'X-Quota-Used': integer('accepted sends of the UTC month'),
  'X-Quota-Cap': integer('what the plan includes'),
  'X-Quota-Remaining': integer('what is left of it'),
  'X-Quota-Warning': text('1 from 80 % on'),
};
const SOMETIMES = {
  'Retry-After': integer('seconds to wait'),
  'Idempotent-Replayed': text(
    '`true`: this is the answer to an earlier request with the same Idempotency-Key',
  ),
  'WWW-Authenticate': text('asks for a bearer token'),
  Deprecation: text('`@` and the Unix seconds since when the route is deprecated (RFC 9745)'),
  Sunset: text('when the route is removed, as an HTTP date (RFC 8594)'),
};

/** Every header, for `components`. Those of ALWAYS are never missing. */
export const ANSWER_HEADERS: Json = {
  ...Object.fromEntries(
    Object.entries(ALWAYS).map(([name, header]) => [name, { ...header, required: true }]),
  ),
  ...QUOTA,
  ...SOMETIMES,
};

/** The `responses` of a route's operation; `data` is the schema of what it gives. */
export function answersOf(route: Route, data: Json, errors: ErrorCode[]): Json {
  const common = [
    ...Object.keys(ALWAYS),
    ...(route.quotaHeaders ? Object.keys(QUOTA) : []),
    ...(route.deprecated ? ['Deprecation', 'Sunset'] : []),
  ];
  const byStatus = Object.groupBy(errors, (code) => String(ERROR_STATUS[code]));
  const refusals = Object.entries(byStatus).map(([status, codes = []]) => [
    status,
    {
      description: codes.map((code) => `\`${code}\`: ${ERROR_MEANING[code]}`).join('\n\n'),
      headers: references([...common, ...headersOf(Number(status))]),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]);
  return {
    [route.status]: {
      description: 'Success',
      headers: references([...common, ...(route.method === 'POST' ? ['Idempotent-Replayed'] : [])]),
      content: contentOf(route, data),
    },
    ...(Object.fromEntries(refusals) as Json),
  };
}

function contentOf(route: Route, data: Json): Json {
  if (route.file !== undefined) return { [route.file]: { schema: data } };
  const envelope = {
    type: 'object',
    properties: { ok: { const: true }, data },
    required: ['ok', 'data'],
  };
  return { 'application/json': { schema: envelope } };
}

function headersOf(status: number): string[] {
  if (status === 401) return ['WWW-Authenticate'];
  return status === 409 || status === 429 || status === 503 ? ['Retry-After'] : [];
}

function references(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
