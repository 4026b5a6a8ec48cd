// Streams to one sender process: submissions are multiplexed over it and matched to their answers by client_ref. A
// streamed message costs a quarter of a unary call.

import type { ClientDuplexStream, Metadata } from '@grpc/grpc-js';

import type { Logger } from '../base/log.ts';
import { monotonicMs } from '../base/clock.ts';
import type { SendRequest, SenderServiceClient, SendStreamResponse } from '../gen/sender/v1/sender.ts';

/** The stream broke, or no sender accepted the request: the same message id may be tried elsewhere. */
export class StreamBroken extends Error {}

/** The stream to one sender. */
export interface SendStream {
  /** Requests without an answer yet. */
  pending(): number;
  /** Whether a request should go here: it works, or has rested long enough after breaking to be tried again. */
  usable(): boolean;
  /** One request, one answer. Rejects with StreamBroken, or with the signal's reason. */
  send(request: SendRequest, signal: AbortSignal): Promise<SendStreamResponse>;
  close(): void;
}

interface Waiting {
  resolve(answer: SendStreamResponse): void;
  reject(error: Error): void;
}

const REST_MS = 500; // after a break: others are tried first

/** Opens streams lazily: the first request connects. */
export function createSendStream(client: SenderServiceClient, metadata: Metadata, log: Logger): SendStream {
  const waiting = new Map<string, Waiting>();
  let call: ClientDuplexStream<SendRequest, SendStreamResponse> | null = null;
  let brokenAt = -Infinity;
  let lastRef = 0;

  function open(): ClientDuplexStream<SendRequest, SendStreamResponse> {
    const opened = client.sendStream(metadata);
    opened.on('data', (answer: SendStreamResponse) => {
      waiting.get(answer.clientRef)?.resolve(answer);
      waiting.delete(answer.clientRef);
    });
    opened.on('error', (error) => broke(opened, error));
    opened.on('end', () => broke(opened, new Error('the sender ended the stream')));
    return opened;
  }

  function broke(which: typeof call, error: Error): void {
    if (call !== which) return;
    call = null;
    brokenAt = monotonicMs();
    if (waiting.size > 0) log.warn({ err: error, pending: waiting.size }, 'a stream to a sender broke');
    for (const one of waiting.values()) one.reject(new StreamBroken(error.message));
    waiting.clear();
  }

  return {
    pending: () => waiting.size,
    usable: () => call !== null || monotonicMs() - brokenAt > REST_MS,
    send(request, signal) {
      call ??= open();
      const stream = call;
      const clientRef = String((lastRef += 1)); // unique on this stream, which is all it has to be
      return new Promise<SendStreamResponse>((resolve, reject) => {
        const abort = () => {
          waiting.delete(clientRef);
          reject(signal.reason as Error);
        };
        const settle = <T>(finish: (value: T) => void) => {
          return (value: T) => {
            signal.removeEventListener('abort', abort);
            finish(value);
          };
        };
        signal.addEventListener('abort', abort, { once: true });
        waiting.set(clientRef, { resolve: settle(resolve), reject: settle(reject) });
        stream.write({ ...request, clientRef });
      });
    },
    close() {
      const open = call;
      call = null;
      open?.end();
      for (const one of waiting.values()) one.reject(new StreamBroken('closed'));
      waiting.clear();
    },
  };
}
