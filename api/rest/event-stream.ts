// An answer of Server-Sent Events (WHATWG HTML section 9.2). A reader that is slow makes the source wait: no more than one
// chunk of a stream is in memory. One that reads nothing is cut off (response-limits.ts).

import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

import { whenOver } from '../open-streams.ts';
import { inThisContext } from '../tenant-database.ts';

/** Chunks of text as they come to be; the signal says that nobody listens any more. */
export type StreamSource = (signal: AbortSignal) => AsyncGenerator<string>;

/** What a route answers with. The source runs in the context in which this is made. */
export class StreamAnswer {
  readonly source: StreamSource;
  /** Called once the answer is over, also one of which nothing was read. */
  readonly leave: () => void;

  constructor(source: StreamSource, leave: () => void) {
    this.source = AsyncLocalStorage.bind((signal) => inThisContext(source(signal)));
    this.leave = leave;
  }
}

/** The response of a stream; `headers` are those that every answer carries. */
export function streamResponse(
  { source, leave }: StreamAnswer,
  outgoing: ServerResponse,
  headers: Record<string, string>,
): Response {
  whenOver(outgoing, leave);
  const ended = new AbortController();
  const encoder = new TextEncoder();
  let chunks: AsyncGenerator<string> | null = null; // a HEAD request reads nothing, so nothing begins
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        chunks ??= source(ended.signal);
        const { done, value } = await chunks.next();
        if (done === true) return controller.close();
        controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        ended.abort();
        await chunks?.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
  });
}
