// The stream to one sender process: submissions are multiplexed over it and matched to their answers by client_ref. A
// streamed message costs a quarter of a unary call.

import type { ClientDuplexStream, Metadata, ServiceError } from '@grpc/grpc-js';

import type { Logger } from '../base/log.ts';
import type { SendRequest, SenderServiceClient, SendStreamResponse } from '../gen/sender/v1/sender.ts';

/** What becomes of one request; one of the two is called, once. */
interface StreamCallbacks {
  answered(answer: SendStreamResponse): void;
  /** The stream broke: the request may have been stored all the same. */
  broke(error: Partial<ServiceError>): void;
}

/** The stream to one sender. */
export interface SendStream {
  /** One request. Returns how to forget it: no callback is called after that. */
  send(request: SendRequest, callbacks: StreamCallbacks): () => void;
  close(): void;
}

/** Opens streams lazily: the first request connects, and the first after a break. */
export function createSendStream(client: SenderServiceClient, metadata: Metadata, log: Logger): SendStream {
  const waiting = new Map<string, StreamCallbacks>();
  let call: ClientDuplexStream<SendRequest, SendStreamResponse> | null = null;
  let lastRef = 0;

  function open(): ClientDuplexStream<SendRequest, SendStreamResponse> {
    const opened = client.sendStream(metadata);
    opened.on('data', (answer: SendStreamResponse) => {
      const one = waiting.get(answer.clientRef);
      waiting.delete(answer.clientRef);
      one?.answered(answer);
    });
    opened.on('error', (error) => broke(opened, error));
    opened.on('end', () => broke(opened, new Error('the sender ended the stream')));
    return opened;
  }

  function broke(which: typeof call, error: Error): void {
    if (call !== which) return;
    call = null;
    if (waiting.size > 0) log.warn({ err: error, pending: waiting.size }, 'a stream to a sender broke');
    const unanswered = [...waiting.values()];
    waiting.clear();
    for (const one of unanswered) one.broke(error);
  }

  return {
    send(request, callbacks) {
      call ??= open();
      const clientRef = String((lastRef += 1)); // unique for this sender, which is all it has to be
      waiting.set(clientRef, callbacks);
      call.write({ ...request, clientRef });
      return () => waiting.delete(clientRef);
    },
    close() {
      call?.end();
      broke(call, new Error('closed'));
    },
  };
}
