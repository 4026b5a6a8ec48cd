// Traces of single messages (OpenTelemetry, W3C Trace Context): the few functions with which everything else takes part in
// them. Without OTEL_EXPORTER_OTLP_ENDPOINT there are none: each function is then one comparison, and nothing of
// OpenTelemetry is loaded. docs/operating.md names the spans.
//
// Attributes may be read by whoever sees traces: no content, no address of a person and no secret goes into one.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Span } from '@opentelemetry/api';
import type { Logger } from 'pino';

import type { SpanOptions, TraceContext, TraceEngine, TraceSettings } from './trace-engine.ts';

export type { Attributes, Span, SpanOptions, TraceContext };

const ERROR = 2; // SpanStatusCode.ERROR, which is not loaded here
const MAX_TRACESTATE = 512; // characters that have to be passed on (W3C Trace Context, section 3.3.1.5)
// Version, trace id, span id, flags (section 3.2); neither id is all zeros. The last bit of the flags says sampled.
const SAMPLED_PARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f][13579bdf]$/;

let engine: TraceEngine | null = null;
const active = new AsyncLocalStorage<Span>();

/** Starts tracing when the settings ask for it. Returns how to stop, which sends what waits and never fails. */
export async function startTracing(
  settings: TraceSettings,
  service: string,
  log: Logger,
): Promise<() => Promise<void>> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return () => Promise.resolve();
  const { createTraceEngine } = await import('./trace-engine.ts');
  const started = createTraceEngine(settings, service, log);
  engine = started;
  return async () => {
    if (engine === started) engine = null;
    await started.stop();
  };
}

/** Whether this process makes spans. */
export function isTracing(): boolean {
  return engine !== null;
}

/** Begins a span, part of the current one unless said otherwise. undefined when this process makes none. */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  return engine?.start(
    name,
    'parent' in options || options.rootOf !== undefined ? options : { ...options, parent: active.getStore() },
  );
}

/** The span in which this runs, in a process that makes spans. */
export function currentSpan(): Span | undefined {
  return engine === null ? undefined : active.getStore();
}

/** Runs work in a span: what it begins, and what it logs, is part of that. The caller ends the span. */
export function inSpan<T>(span: Span | undefined, work: () => T): T {
  return span ? active.run(span, work) : work();
}

/** Ends a span with the work, and what its result says in attributes. A rejection makes it a failed one. */
export function endAfter<T>(
  span: Span | undefined,
  work: Promise<T>,
  describe: (result: T) => Attributes = () => ({}),
): Promise<T> {
  return span ? endWith(span, work, describe) : work;
}

async function endWith<T>(span: Span, work: Promise<T>, describe: (result: T) => Attributes): Promise<T> {
  try {
    const result = await work;
    span.setAttributes(describe(result));
    return result;
  } catch (error) {
    failSpan(span, kindOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Marks a span as failed, with the kind of the error: its message may quote anything. */
export function failSpan(span: Span, kind: string): void {
  span.setStatus({ code: ERROR });
  span.setAttribute('error.type', kind);
}

/** The kind of what was thrown. */
export function kindOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** Where a span stands, for a message that is made in it. undefined when nobody follows it. */
export function contextOf(span: Span | undefined): TraceContext | undefined {
  return span && engine?.contextOf(span);
}

/** A context that came along with a message, if it is valid and sampled; else undefined. Also in processes without traces. */
export function sampledContext(given: TraceContext | undefined): TraceContext | undefined {
  if (given === undefined || !SAMPLED_PARENT.test(given.traceparent)) return undefined;
  const { traceparent, tracestate } = given;
  return { traceparent, tracestate: tracestate.length > MAX_TRACESTATE ? '' : tracestate };
}

/** What a line of the log says about the current span. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = currentSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
