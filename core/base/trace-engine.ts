// What makes and sends spans: OpenTelemetry's own libraries, put together. Loaded by trace.ts when traces are wanted, and by
// nothing else.
//
// Spans wait in a queue that has an end: while whoever takes them is away or frozen, new ones are dropped, and nobody waits.

import { randomUUID } from 'node:crypto';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

import { monotonicMs, sleep } from './clock.ts';
import type { Config } from './config.ts';
import { trimEnd } from './trim-end.ts';

/** A place in a trace, as the headers of W3C Trace Context have it. */
export interface TraceContext {
  traceparent: string;
  /** Of the tracing systems on the way; empty when they say nothing. */
  tracestate: string;
}

/** How a span begins. */
export interface SpanOptions {
  /** Its part in an exchange with others; a step within this process when left out. */
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  /**
   * What it is part of; null begins a trace, as a context that is not valid does. `rootOf`: the span that was begun as the root
   * of this thing, here or elsewhere.
   */
  parent?: Span | TraceContext | { rootOf: string } | null | undefined;
  /**
   * UUID of a thing that several processes work on, one after the other. Its trace has that id, so that each of them knows it,
   * and whether it is sampled, without anything being kept.
   */
  rootOf?: string;
  /** The span that made the message which this one works on. */
  link?: TraceContext;
  /** Milliseconds since the epoch; now when left out. */
  startTime?: number;
  attributes?: Attributes;
}

/** The settings of traces. */
export type TraceSettings = Pick<
  Config,
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_TRACES_SAMPLER'
  | 'OTEL_TRACES_SAMPLER_ARG'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_RESOURCE_ATTRIBUTES'
>;

/** Makes spans and sends them. */
export interface TraceEngine {
  start(name: string, options: SpanOptions): Span;
  /** Where a span stands; undefined when it is not sampled. */
  contextOf(span: Span): TraceContext | undefined;
  /** Sends what waits, for two seconds at most. */
  stop(): Promise<void>;
}

const MAX_WAITING = 2048; // spans, about 4 MB
const SEND_EVERY_MS = 1_000; // a process that dies takes what it has not sent with it
const EXPORT_MS = 10_000; // for an answer; then these spans are lost
const STOP_MS = 2_000;
const QUIET_MS = 60_000; // between two lines about spans that could not be sent

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** Makes the engine of one process. */
export function createTraceEngine(settings: TraceSettings, service: string, log: Logger): TraceEngine {
  reportTrouble(log);
  const propagator = new W3CTraceContextPropagator();
  const url = new URL('v1/traces', `${trimEnd(settings.OTEL_EXPORTER_OTLP_ENDPOINT!, '/')}/`).href;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS });
  const sampler = samplerOf(settings);
  const random = new RandomIdGenerator();
  let root: string | null = null; // trace id of the span that is begun now
  const provider = new TracerProvider({
    idGenerator: {
      generateTraceId: () => root ?? random.generateTraceId(),
      generateSpanId: () => (root === null ? random.generateSpanId() : spanIdOfRoot(root)),
    },
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': `postrider-${service}`,
        'service.instance.id': randomUUID(),
        ...settings.OTEL_RESOURCE_ATTRIBUTES,
        ...(settings.OTEL_SERVICE_NAME !== undefined && { 'service.name': settings.OTEL_SERVICE_NAME }),
      }),
    ),
    sampler,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_WAITING,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('postrider');
  const carrier = { get: read, keys: (from: TraceContext) => Object.keys(from) };
  const extract = (context: TraceContext) => propagator.extract(ROOT_CONTEXT, context, carrier);
  const contextFor = (parent: SpanOptions['parent']): Context => {
    if (!parent) return ROOT_CONTEXT;
    if ('rootOf' in parent) return rootContext(sampler, parent.rootOf);
    return 'traceparent' in parent ? extract(parent) : trace.setSpan(ROOT_CONTEXT, parent);
  };
  return {
    start(name, { kind, parent, rootOf, link, startTime, attributes = {} }) {
      const linked = link && trace.getSpanContext(extract(link));
      const options = {
        kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
        attributes,
        ...(startTime !== undefined && { startTime }),
        ...(linked && { links: [{ context: linked }] }),
      };
      if (rootOf !== undefined) root = traceIdOf(rootOf);
      const span = tracer.startSpan(name, options, contextFor(parent));
      root = null;
      return span;
    },
    contextOf(span) {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
      const context: TraceContext = { traceparent: '', tracestate: '' };
      propagator.inject(trace.setSpan(ROOT_CONTEXT, span), context, { set: write });
      return context;
    },
    stop: () => Promise.race([provider.shutdown().catch(() => {}), sleep(STOP_MS)]),
  };
}

function traceIdOf(uuid: string): string {
  return uuid.replaceAll('-', '');
}

// The second half, which is random.
function spanIdOfRoot(traceId: string): string {
  return traceId.slice(16);
}

function rootContext(sampler: Sampler, uuid: string): Context {
  const traceId = traceIdOf(uuid);
  const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.SERVER, {}, []);
  const traceFlags = decision === SamplingDecision.RECORD_AND_SAMPLED ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const spanContext = { traceId, spanId: spanIdOfRoot(traceId), traceFlags, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, spanContext);
}

function read(context: TraceContext, key: string): string | undefined {
  return key === 'traceparent' || key === 'tracestate' ? context[key] : undefined;
}

function write(context: TraceContext, key: string, value: unknown): void {
  if (key === 'traceparent' || key === 'tracestate') context[key] = String(value);
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TraceSettings): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
    default:
      return name satisfies never;
  }
}

// Nobody is to notice but the log, and that not every five seconds.
function reportTrouble(log: Logger): void {
  let quietUntil = -Infinity;
  const say = (detail: string) => {
    if (monotonicMs() < quietUntil) return;
    quietUntil = monotonicMs() + QUIET_MS;
    log.warn({ detail: detail.slice(0, 500) }, 'traces could not be sent; spans are dropped');
  };
  const nothing = () => {};
  diag.setLogger(
    { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
