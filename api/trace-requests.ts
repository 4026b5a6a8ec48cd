// A span for each request of an API, part of the caller's trace when it sends one (W3C Trace Context). Its path is told by its
// route: the path itself may name a person.

import type { Hono } from 'hono';
import { routePath } from 'hono/route';

import { failSpan, inSpan, isTracing, kindOf, startSpan } from '../core/base/trace.ts';
import type { ApiEnv } from './exchange.ts';

const FIRST_FAULT = 500; // what is below is the caller's

/** Adds the spans to everything below these paths that is mounted after this; nothing in a process without traces. */
export function traceRequests(app: Hono<ApiEnv>, paths: readonly string[]): void {
  if (!isTracing()) return;
  for (const path of paths) {
    app.use(path, async (context, next) => {
      const { method } = context.req;
      const span = startSpan(method, {
        kind: 'server',
        parent: {
          traceparent: context.req.header('traceparent') ?? '',
          tracestate: context.req.header('tracestate') ?? '',
        },
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
