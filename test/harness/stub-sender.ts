// A gRPC peer that speaks sender.v1 and answers as a test wants: the api meets a real server on a real socket, and
// the test needs no gate, no domain and no mail.

import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';

import {
  SenderServiceService,
  type BatchAnswer,
  type Failure,
  type SendBatchRequest,
  type SendBatchResponse,
  type SendRequest,
  type SendResponse,
  type SendStreamResponse,
} from '../../core/gen/sender/v1/sender.ts';

/** Mail to this address is never answered, whatever `answer` says. */
export const SILENCE = 'silence@example.net';

/** What the peer answers to one message. */
export type StubOutcome = NonNullable<SendStreamResponse['outcome']>;

/** The running peer. */
export interface StubSender {
  address: string;
  /** Every message that came, in order. */
  requests: SendRequest[];
  batches: SendBatchRequest[];
  /** Replaces how single messages are answered. */
  answer: (request: SendRequest) => StubOutcome;
  answerBatch: (request: SendBatchRequest) => SendBatchResponse;
  close(): Promise<void>;
}

/** Starts the peer on a free port. By default every message is queued. */
export async function startStubSender(): Promise<StubSender> {
  const server = new Server({ 'grpc.max_receive_message_length': 20 * 1024 * 1024 });
  const stub: StubSender = {
    address: '',
    requests: [],
    batches: [],
    answer: (request) => sent(request.messageId),
    answerBatch: ({ messages }) => ({
      items: messages.map(({ messageId }): BatchAnswer => ({ outcome: sent(messageId) })),
      quota: { used: 7n, cap: 1000n },
      replayed: false,
      refused: undefined,
    }),
    close: () => new Promise((resolve) => server.tryShutdown(() => resolve())),
  };
  const never = () => {
    throw new Error('the api does not call this');
  };
  server.addService(SenderServiceService, {
    send: never,
    getMessage: never,
    getWarmup: never,
    overrideTier: never,
    resumeDomain: never,
    releaseDeferred: never,
    sendBatch: (
      call: { request: SendBatchRequest },
      done: (error: null, answer: SendBatchResponse) => void,
    ) => {
      stub.batches.push(call.request);
      done(null, stub.answerBatch(call.request));
    },
    sendStream: (call: ServerDuplexStream<SendRequest, SendStreamResponse>) => {
      call.on('data', (request: SendRequest) => {
        stub.requests.push(request);
        if (request.message?.to[0] === SILENCE) return;
        const outcome = stub.answer(request);
        call.write({ clientRef: request.clientRef, outcome });
      });
      call.on('end', () => call.end());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  stub.address = `127.0.0.1:${port}`;
  const stop = stub.close;
  stub.close = async () => {
    const limit = setTimeout(() => server.forceShutdown(), 500);
    await stop();
    clearTimeout(limit);
  };
  return stub;
}

/** An accepted message. */
export function sent(messageId: string, more: Partial<SendResponse> = {}): StubOutcome & { $case: 'sent' } {
  const value: SendResponse = {
    clientRef: '',
    id: messageId,
    status: 'queued',
    reason: '',
    deferredUntil: undefined,
    domain: 'example.com',
    warmup: { tier: 0, cap: 50, used: 1 },
    quota: { used: 7n, cap: 1000n },
    replayed: false,
    recipients: [],
    ...more,
  };
  return { $case: 'sent', value };
}

/** A refused message. */
export function failed(code: string, more: Partial<Failure> = {}): StubOutcome & { $case: 'failure' } {
  const value: Failure = {
    code,
    message: `refused: ${code}`,
    details: [],
    retryAfterSeconds: 0,
    quota: undefined,
    ...more,
  };
  return { $case: 'failure', value };
}
