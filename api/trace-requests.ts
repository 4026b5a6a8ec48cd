// A span for each request of an API. If a trusted proxy passed the request on with a place in a trace (W3C Trace Context), the
// span is part of that trace. The place that any other client names is a link: untrusted clients must neither put spans into a
// trace nor decide what is sampled. Paths are named by their route: the path itself may name a person.

import type { Context, Hono } from 'hono';
import { routePath } from 'hono/route';

import { failSpan, inSpan, isTracing, kindOf, startSpan, type SpanOptions } from '../core/base/trace.ts';
import type { ApiDeps } from './deps.ts';
import type { ApiEnv } from './exchange.ts';

const FIRST_FAULT = 500; // what is below is the caller's

/** Adds the spans to everything below these paths that is mounted after this; nothing in a process without traces. */
export function traceRequests(
  app: Hono<ApiEnv>,
  deps: Pick<ApiDeps, 'readClient'>,
  paths: readonly string[],
): void {
  if (!isTracing()) return;
  for (const path of paths) {
    app.use(path, async (context, next) => {
      const { method } = context.req;
      const span = startSpan(method, {
        kind: 'server',
        ...callerOf(deps, context),
        attributes: { 'http.request.method': method, 'url.scheme': 'https' },
      })!;
      try {
        await inSpan(span, next);
        const route = routePath(context);
        span.updateName(`${method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': context.res.status });
        if (context.res.status >= FIRST_FAULT) failSpan(span, String(context.res.status));
      } catch (error) {
        failSpan(span, kindOf(error));
        throw error;
      } finally {
        span.end();
      }
    });
  }
}

function callerOf(
  { readClient }: Pick<ApiDeps, 'readClient'>,
  { req, env }: Context<ApiEnv>,
): Pick<SpanOptions, 'parent' | 'link'> {
  const place = { traceparent: req.header('traceparent') ?? '', tracestate: req.header('tracestate') ?? '' };
  if (readClient(env.incoming).proxied) return { parent: place };
  return { parent: null, ...(place.traceparent !== '' && { link: place }) };
}
