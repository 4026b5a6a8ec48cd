// Errors as GraphQL shows them: `extensions.code` is the code of REST, and nothing of the inside gets out.

import { GraphQLError, type GraphQLErrorOptions } from 'graphql';
import type { Plugin } from 'graphql-yoga';

import { AppError, isErrorCode, type ErrorCode } from '../../core/base/errors.ts';
import type { Logger } from '../../core/base/log.ts';
import { toAppError } from '../error-table.ts';
import type { GraphqlContext } from './context.ts';

/** Masks what resolvers threw, with the request id of the request it belongs to, and gives every error our code. */
export function createErrorPlugin(): Plugin<GraphqlContext> {
  return {
    onResultProcess({ result }) {
      for (const one of Array.isArray(result) ? result : [result]) {
        if (!('errors' in one)) continue;
        for (const error of one.errors ?? []) {
          Object.assign(error.extensions, { code: codeOf(error) ?? 'validation_failed' });
        }
      }
    },
    onExecute: ({ args }) => ({
      onExecuteDone({ result, setResult }) {
        if (!('errors' in result) || !result.errors) return;
        const context = args.contextValue as GraphqlContext;
        setResult({ ...result, errors: result.errors.map((error) => shownError(context, error)) });
      },
    }),
  };
}

/** What yoga itself wants to show outside of execution: bad syntax, bad variables, bad requests. */
export function maskRequestError(log: Logger, error: unknown): Error {
  if (!(error instanceof Error)) return unexpected(log, error);
  const original = originalOf(error);
  if (original instanceof AppError) return withStatus200(graphqlError(original, error));
  if (!isGraphqlError(error) || original) return unexpected(log, error);
  return new GraphQLError(error.message, {
    ...placeOf(error),
    extensions: {
      // A request that never ran is 400 to clients that take application/graphql-response+json, else 200.
      ...(error.path === undefined && { http: { spec: true, status: 400 } }),
      ...error.extensions,
      code: codeOf(error) ?? 'validation_failed',
    },
  });
}

function unexpected(log: Logger, error: unknown): Error {
  log.error({ err: error }, 'a GraphQL request failed before it was executed');
  return graphqlError(toAppError(error, 'unknown'));
}

// A refusal of ours has its code in the body, as with queries; yoga would make 500 of a subscription that is refused.
function withStatus200(error: GraphQLError): GraphQLError {
  Object.assign(error.extensions, { http: { status: 200 } });
  return error;
}

/** An error with our extensions, at the place of another one. */
export function graphqlError(refusal: AppError, at?: Error): GraphQLError {
  const { message, details } = inGraphqlNames(refusal);
  return new GraphQLError(message, {
    ...(at !== undefined && isGraphqlError(at) && placeOf(at)),
    extensions: {
      code: refusal.code,
      ...(details && { details }),
      ...(refusal.retryAfterSeconds !== undefined && { retryAfterSeconds: refusal.retryAfterSeconds }),
    },
  });
}

// Verbs name fields as REST does. What is below these fields has names that the customer gave.
const CUSTOMER_NAMES = /^(variables|values|attributes)\./;

function inGraphqlNames({ message, details }: AppError): Pick<AppError, 'message' | 'details'> {
  const named = details?.map((problem) => ({ ...problem, path: graphqlPath(problem.path) }));
  const [before, after] = [details?.[0]?.path, named?.[0]?.path];
  return { message: before && after ? message.replace(before, () => after) : message, details: named };
}

function graphqlPath(path: string): string {
  if (CUSTOMER_NAMES.test(path)) return path;
  // `lists` is the one field whose name is another in GraphQL.
  return path
    .replace(/^lists\b/, 'listIds')
    .replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function shownError({ deps, exchange }: GraphqlContext, error: GraphQLError): GraphQLError {
  const original = originalOf(error);
  if (!original) return maskRequestError(deps.log, error) as GraphQLError;
  const refusal = toAppError(original, exchange.requestId);
  if (refusal.code === 'internal_error') {
    const line = { err: original, request_id: exchange.requestId, path: error.path?.join('.') };
    deps.log.error(line, 'a resolver failed');
  }
  return graphqlError(refusal, error);
}

// Ours, when it was put there before; GraphQL's own words for it are not in the contract's table.
function codeOf({ extensions: { code } }: GraphQLError): ErrorCode | null {
  return typeof code === 'string' && isErrorCode(code) ? code : null;
}

function placeOf({ nodes, source, positions, path }: GraphQLError): GraphQLErrorOptions {
  return { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
}

function originalOf(error: unknown): Error | undefined {
  let found = error;
  while (isGraphqlError(found)) found = found.originalError;
  return found instanceof Error ? found : undefined;
}

function isGraphqlError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError';
}
