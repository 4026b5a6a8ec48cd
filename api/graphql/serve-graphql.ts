// /graphql: what happens to a request before and after yoga executes it. Same order as REST: who asks, how often,
// what do they say. Answers to queries are compressed; those of mutations may hold secrets, and streams go on as they come. Only application/json is accepted by POST, so that no form of another site can send one; GET serves
// queries only (yoga refuses mutations there) and uses no cookie.

import {
  getOperationAST,
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  validate,
  type ArgumentNode,
  type ASTVisitor,
  type ObjectFieldNode,
  type ValidationContext,
} from 'graphql';
import { createLRUCache, createYoga, isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context, Hono } from 'hono';

import { monotonicMs } from '../../core/base/clock.ts';
import { AppError, invalidField } from '../../core/base/errors.ts';
import { findUnstorable, isStorable, NOT_STORABLE } from '../../core/base/storable-text.ts';
import { acceptsEncoding, packText } from '../compress.ts';
import type { ApiDeps } from '../deps.ts';
import { ERROR_STATUS, toAppError } from '../error-table.ts';
import {
  bearerToken,
  commonHeaders,
  countRequest,
  openExchange,
  type ApiEnv,
  type Exchange,
} from '../exchange.ts';
import { parseJson } from '../parse-json.ts';
import { DEFAULT_BODY_BYTES, readBody, requireJson } from '../read-body.ts';
import { inThisContext } from '../tenant-database.ts';
import { createContext, type GraphqlContext } from './context.ts';
import { createErrorPlugin, graphqlError, maskRequestError } from './errors.ts';
import { MAX_ERRORS, measureDocument, parseBounded } from './limits.ts';
import { buildSchema } from './schema.ts';

/** Where GraphQL lives. */
const GRAPHQL_PATH = '/graphql';

// Parsed documents and syntax errors that are kept; the dashboard has about 100, and one may take 1 MB.
const CACHED_DOCUMENTS = 200;

/** Adds /graphql. */
export function mountGraphql(app: Hono<ApiEnv>, deps: ApiDeps): void {
  const yoga = createYoga<GraphqlContext>({
    schema: buildSchema(),
    graphqlEndpoint: GRAPHQL_PATH,
    batching: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    logging: false,
    parserAndValidationCache: {
      documentCache: createLRUCache({ max: CACHED_DOCUMENTS }),
      errorCache: createLRUCache({ max: CACHED_DOCUMENTS }),
    },
    maskedErrors: {
      errorMessage: 'Something went wrong on our side.',
      maskError: (error) => maskRequestError(deps.log, error),
    },
    plugins: createPlugins(deps),
  });
  app.all(GRAPHQL_PATH, async (context) => {
    const exchange = openExchange(deps, context);
    const { method } = context.req;
    try {
      if (method !== 'GET' && method !== 'POST') {
        throw new AppError('method_not_allowed', 'GraphQL supports GET and POST.');
      }
      await admit(deps, exchange);
      const request = await readRequest(exchange);
      const graphqlContext = createContext(deps, exchange);
      const { principal } = exchange;
      const response = await (principal?.kind === 'user'
        ? deps.inTenant(principal.tenant, () => yoga.fetch(request, graphqlContext))
        : yoga.fetch(request, graphqlContext));
      const [refusal] = graphqlContext.refusals;
      if (refusal) {
        await response.text(); // a stream with one error; its timer ends with it
        throw refusal;
      }
      return await withHeaders(deps, exchange, graphqlContext, response);
    } catch (error) {
      return refuse(deps, exchange, error);
    }
  });
}

function createPlugins(deps: ApiDeps): Plugin<GraphqlContext>[] {
  const hideSuggestions = !deps.config.GRAPHQL_INTROSPECTION;
  const limits: Plugin<GraphqlContext> = {
    onParams({ params }) {
      const unstorable = findUnstorable(params.variables)?.replace(/^input\./, ''); // fields of the input, as in all problems
      if (unstorable !== undefined) throw invalidField(unstorable, NOT_STORABLE);
    },
    onParse({ setParseFn }) {
      setParseFn((source: string) => parseBounded(source));
    },
    onValidate({ params: { documentAST }, addValidationRule, setValidationFn, setResult }) {
      addValidationRule(storableLiterals);
      if (hideSuggestions) addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((schema, document, rules) =>
        validate(schema, document, rules, { maxErrors: MAX_ERRORS, hideSuggestions }),
      );
      const { problem } = measureDocument(documentAST);
      if (problem !== null) setResult([new GraphQLError(problem)]); // and no rule looks at the document
    },
  };
  const kinds: Plugin<GraphqlContext> = {
    onExecute({ args: { document, operationName, contextValue } }) {
      contextValue.operation.isQuery =
        getOperationAST(document, operationName)?.operation === OperationTypeNode.QUERY;
    },
  };
  // Their steps are asked for by the server, in another context than that of the request.
  const streams: Plugin<GraphqlContext> = {
    onSubscribe: () => ({
      onSubscribeResult({ result, setResult }) {
        if (isAsyncIterable(result)) setResult(inThisContext(result));
      },
    }),
  };
  return [limits, kinds, streams, createErrorPlugin()];
}

// What onParams is for variables. `\u0000` is allowed by the syntax; half a surrogate pair is not.
function storableLiterals(context: ValidationContext): ASTVisitor {
  const check = ({ name, value }: ArgumentNode | ObjectFieldNode) => {
    for (const one of value.kind === Kind.LIST ? value.values : [value]) {
      if (one.kind !== Kind.STRING || isStorable(one.value)) continue;
      context.reportError(new GraphQLError(`Not valid: ${name.value} ${NOT_STORABLE}.`, { nodes: one }));
    }
  };
  return { Argument: check, ObjectField: check };
}

// A token that is over is no reason to refuse here: login and refresh need none. Fields that need one say so.
async function admit(deps: ApiDeps, exchange: Exchange): Promise<void> {
  const token = bearerToken(exchange);
  const { exact } = exchange.client;
  const identity = token === null ? null : await deps.authenticator.authenticate(token, exact);
  exchange.principal = identity?.principal ?? null;
  await countRequest(deps, exchange, { key: 'write', nobody: 'visitor' }, 1);
}

async function readRequest(exchange: Exchange): Promise<Request> {
  const { raw } = exchange.context.req;
  const headers = { accept: raw.headers.get('accept') ?? '*/*' };
  if (raw.method === 'GET') return new Request(raw.url, { headers, signal: raw.signal });
  requireJson(exchange.context.env.incoming);
  const body = await readBody(exchange.context.env, DEFAULT_BODY_BYTES);
  const parsed = parseJson(body); // for its bounds; yoga reads the body again in its own way
  if (!parsed.ok) throw new AppError('invalid_json', parsed.message);
  return new Request(raw.url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: body as Uint8Array<ArrayBuffer>,
    signal: raw.signal,
  });
}

async function withHeaders(
  deps: ApiDeps,
  exchange: Exchange,
  { setCookies, operation }: GraphqlContext,
  response: Response,
): Promise<Response> {
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const text = streamed ? null : await response.text();
  if (response.status === 406)
    return refuse(deps, exchange, new AppError('validation_failed', WANTS_STREAM), 406);
  const headers = new Headers(await commonHeaders(deps, exchange));
  for (const name of ['content-type', 'allow']) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  for (const cookie of setCookies) headers.append('set-cookie', cookie);
  answered(deps, exchange, response.status);
  const accepted = operation.isQuery ? exchange.context.req.header('accept-encoding') : undefined;
  const packed = text !== null && acceptsEncoding(accepted, 'gzip') ? await packText(text) : null;
  if (packed) headers.set('content-encoding', 'gzip');
  if (!streamed) headers.set('vary', 'accept-encoding');
  return new Response(packed ?? text ?? response.body, { status: response.status, headers });
}

const WANTS_STREAM = 'The answer to this is a stream: send "Accept: text/event-stream".';

async function refuse(deps: ApiDeps, exchange: Exchange, error: unknown, as?: number): Promise<Response> {
  const refusal = toAppError(error, exchange.requestId);
  const status = as ?? ERROR_STATUS[refusal.code];
  const { signal } = exchange.context.req.raw; // what fails since its client left is no fault
  if (status >= 500 && !signal.aborted) {
    deps.log.error(
      { err: refusal.cause ?? refusal, request_id: exchange.requestId },
      'a GraphQL request failed',
    );
  }
  const headers = {
    'content-type': responseType(exchange.context),
    ...(await commonHeaders(deps, exchange)),
    ...(refusal.retryAfterSeconds !== undefined && { 'retry-after': String(refusal.retryAfterSeconds) }),
    ...(status === 405 && { allow: 'GET, POST' }),
  };
  answered(deps, exchange, status);
  return new Response(JSON.stringify({ errors: [graphqlError(refusal)] }), { status, headers });
}

function responseType(context: Context<ApiEnv>): string {
  const modern = 'application/graphql-response+json';
  const accept = context.req.raw.headers.get('accept') ?? '';
  return `${accept.includes(modern) ? modern : 'application/json'}; charset=utf-8`;
}

function answered(deps: ApiDeps, exchange: Exchange, status: number): void {
  const seconds = (monotonicMs() - exchange.startedAt) / 1000;
  deps.metrics.answered(GRAPHQL_PATH, exchange.context.req.method, status, seconds);
}
