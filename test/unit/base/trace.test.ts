// Traces off, on, and with nobody who takes them.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { loadSchedulerConfig } from '../../../core/base/config.ts';
import {
  contextOf,
  currentSpan,
  inSpan,
  sampledContext,
  startSpan,
  startTracing,
} from '../../../core/base/trace.ts';
import { liveHeap } from '../../harness/heap.ts';

const log = pino({ level: 'silent' });
const SETTINGS = { DATABASE_URL: 'postgres://x/y', NATS_URL: 'nats://x', MASTER_KEY: 'a'.repeat(64) };
const needed = { ...SETTINGS, INTERNAL_TOKEN: 'b'.repeat(48), SENDER_ADDRESSES: '127.0.0.1:1' };
const settings = (more: Record<string, string>) => loadSchedulerConfig({ ...needed, ...more });

let frozen: Server; // takes connections and says nothing
let requests = 0;
beforeAll(async () => {
  frozen = createServer(() => (requests += 1));
  await new Promise<void>((resolve) => frozen.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  frozen.closeAllConnections();
  frozen.close();
});
const endpoint = () => `http://127.0.0.1:${(frozen.address() as AddressInfo).port}`;

test('without an endpoint there are no spans', async () => {
  const stop = await startTracing(settings({ OTEL_TRACES_SAMPLER: 'always_on' }), 'test', log);
  const span = startSpan('something');
  expect(span).toBeUndefined();
  expect(contextOf(span)).toBeUndefined();
  expect(inSpan(span, currentSpan)).toBeUndefined();
  await stop();
});

const TRACE = '0123456789abcdef0123456789abcdef';
const PARENT = `00-${TRACE}-0123456789abcdef-`;

test.each([
  ['parentbased_always_on', '01', true],
  ['parentbased_always_on', '00', false],
  ['parentbased_always_on', null, true],
  ['parentbased_always_off', '01', true],
  ['parentbased_always_off', null, false],
  ['always_on', '00', true],
  ['always_off', '01', false],
  ['parentbased_traceidratio', null, false],
  ['traceidratio', '01', false],
])('sampler %s, flags of the caller %s: sampled is %s', async (sampler, flags, sampled) => {
  const stop = await startTracing(
    settings({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(),
      OTEL_TRACES_SAMPLER: sampler,
      OTEL_TRACES_SAMPLER_ARG: '0',
    }),
    'test',
    log,
  );
  const parent = flags === null ? null : { traceparent: PARENT + flags, tracestate: '' };
  const span = startSpan('something', { parent })!;
  expect(contextOf(span) !== undefined).toBe(sampled);
  if (parent) expect(span.spanContext().traceId).toBe(TRACE);
  const child = inSpan(span, () => startSpan('part of it'))!;
  expect(child.spanContext().traceId).toBe(span.spanContext().traceId);
  await stop();
  expect(startSpan('afterwards')).toBeUndefined();
});

test.each([
  [`${PARENT}01`, true],
  [`${PARENT}03`, true],
  [`${PARENT}00`, false],
  [`${PARENT}02`, false],
  ['', false],
  [`01${PARENT.slice(2)}01`, false],
  [`00-${'0'.repeat(32)}-0123456789abcdef-01`, false],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, false],
  [`${PARENT}01\n`, false],
])('a message keeps the traceparent %j: %s', (traceparent, kept) => {
  expect(sampledContext({ traceparent, tracestate: 'a=b' }) !== undefined).toBe(kept);
});

test('a tracestate that is too long is not kept', () => {
  const long = { traceparent: `${PARENT}01`, tracestate: `a=${'b'.repeat(512)}` };
  expect(sampledContext(long)).toEqual({ traceparent: `${PARENT}01`, tracestate: '' });
});

test('resource attributes are pairs; what is none stops the start', () => {
  const { OTEL_RESOURCE_ATTRIBUTES } = settings({ OTEL_RESOURCE_ATTRIBUTES: 'a.b=c%20d, e=f=g' });
  expect(OTEL_RESOURCE_ATTRIBUTES).toEqual({ 'a.b': 'c d', e: 'f=g' });
  for (const bad of ['a', '=b', 'a=%zz'])
    expect(() => settings({ OTEL_RESOURCE_ATTRIBUTES: bad })).toThrow('OTEL_RESOURCE_ATTRIBUTES');
});

test('spans that nobody takes do not fill the memory, and do not delay a stop', async () => {
  const stop = await startTracing(settings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() }), 'test', log);
  const before = liveHeap();
  for (let n = 0; n < 50_000; n += 1) {
    const span = startSpan('something', {
      parent: null,
      attributes: { n, text: 'some text of an attribute' },
    });
    span?.addEvent('happened', { n });
    span?.end();
    if (n % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(requests).toBeGreaterThan(0);
  expect(liveHeap() - before).toBeLessThan(20 * 1024 * 1024); // all of them are over 60 MB
  const startedAt = performance.now();
  await stop();
  expect(performance.now() - startedAt).toBeLessThan(10_000); // 2 s on a quiet machine
});
