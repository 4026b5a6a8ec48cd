// One GraphQL subscription over server-sent events, read with fetch (EventSource cannot send a bearer token). It comes
// back by itself: after a broken line or a refusal with growing waits, and not before the api wants it (Retry-After);
// after a new sign-in token at once. While the tab is hidden the stream is closed, because a browser has few connections
// to one server.

import { monotonicMs } from '../clock.ts';
import { accessToken, renewSession, tokenEndsSoon } from './session.ts';

const SILENCE_MS = 18_000; // the api says something every 12 s
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const PASSING = new Set(['internal_error', 'unavailable', 'rate_limited']); // worth another try
const TOO_MANY = 429; // requests, or live views of the session or of the tenant
const STEADY_MS = 10_000; // a stream that lived this long starts the waits anew

/** What a subscription asks for. */
export interface StreamRequest {
  query: string;
  variables: Record<string, unknown>;
}

/** Where its answers go. */
export interface StreamSink {
  next(result: { data?: unknown; errors?: unknown[] }): void;
  /** True while connected. */
  live(on: boolean): void;
}

/** Opens the stream. Returns what ends it. */
export function openStream(request: StreamRequest, sink: StreamSink): () => void {
  const ended = new AbortController();
  void keepOpen(request, sink, ended.signal);
  return () => ended.abort();
}

async function keepOpen(request: StreamRequest, sink: StreamSink, ended: AbortSignal): Promise<void> {
  let wait = FIRST_WAIT_MS;
  while (!ended.aborted) {
    await untilVisible(ended);
    if (ended.aborted) return;
    const since = monotonicMs();
    const again = await readOnce(request, sink, ended).catch(() => 0);
    sink.live(false);
    if (ended.aborted || again === null) return;
    if (monotonicMs() - since > STEADY_MS) wait = FIRST_WAIT_MS;
    await pause(Math.max(wait, again) * (1 + Math.random() / 2), ended); // pages that were cut off together come one by one
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

// Returns how many milliseconds the api wants to be left alone, or null when it will never take this request.
async function readOnce(
  request: StreamRequest,
  sink: StreamSink,
  ended: AbortSignal,
): Promise<number | null> {
  if (accessToken() === null || tokenEndsSoon()) await renewSession();
  if (ended.aborted) return null;
  const stop = new AbortController();
  const abort = () => stop.abort();
  const hide = () => void (document.visibilityState === 'hidden' && stop.abort());
  ended.addEventListener('abort', abort);
  document.addEventListener('visibilitychange', hide);
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${accessToken() ?? ''}`,
      },
      body: JSON.stringify(request),
      signal: stop.signal,
    });
    if (response.status === 401) return (await renewSession()) ? 0 : null;
    if (!response.ok || !response.body) {
      const isPassing = response.status >= 500 || response.status === TOO_MANY;
      return isPassing ? Number(response.headers.get('retry-after') ?? 0) * 1_000 : null;
    }
    return await readEvents(response.body, sink, stop);
  } finally {
    ended.removeEventListener('abort', abort);
    document.removeEventListener('visibilitychange', hide);
    stop.abort();
  }
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  sink: StreamSink,
  stop: AbortController,
): Promise<number | null> {
  sink.live(true);
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  for (;;) {
    const silence = setTimeout(() => stop.abort(), SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return 0;
    const blocks = (rest + value.replaceAll('\r', '')).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const code = take(block, sink);
      if (code === 'unauthorized') return (await renewSession()) ? 0 : null;
      if (code !== null) return PASSING.has(code) ? 0 : null;
    }
  }
}

interface StreamResult {
  data?: unknown;
  errors?: { extensions?: { code?: string } }[];
}

// Returns the error code of a result without data, else null.
function take(block: string, sink: StreamSink): string | null {
  const lines = block.split('\n');
  if (!lines.includes('event: next')) return null;
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
  const result = JSON.parse(data.join('\n')) as StreamResult;
  if (result.data === undefined || result.data === null) {
    return result.errors?.[0]?.extensions?.code ?? 'internal_error';
  }
  sink.next(result);
  return null;
}

function untilVisible(ended: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState === 'hidden' && !ended.aborted) return;
      document.removeEventListener('visibilitychange', look);
      ended.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    ended.addEventListener('abort', look);
  });
}

function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    ended.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
