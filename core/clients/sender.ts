// The senders, as everyone else sees them: several processes behind one object. A submission goes to the sender
// with the fewest in flight; when that one dies before answering, the same message id goes to another, which finds
// it stored or stores it: one message either way.

import { Client, type Metadata } from '@grpc/grpc-js';

import type { Config } from '../base/config.ts';
import { AppError, maybeStored } from '../base/errors.ts';
import { nowMs, sleep } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { SENDER_CALL_MS, submitMs } from '../base/time-limits.ts';
import {
  SenderServiceClient,
  type Content,
  type GetContentRequest,
  type GetMessageRequest,
  type GetWarmupRequest,
  type Message,
  type OverrideTierRequest,
  type ReleaseDeferredRequest,
  type ReleaseDeferredResponse,
  type ResumeDomainRequest,
  type SendBatchRequest,
  type SendBatchResponse,
  type SendRequest,
  type SendStreamResponse,
  type Warmup,
} from '../gen/sender/v1/sender.ts';
import { channelCredentials, tokenMetadata, type GrpcSettings } from './grpc-credentials.ts';
import { fromServiceError } from './grpc-errors.ts';
import { createSendStream, StreamBroken, type SendStream } from './send-streams.ts';

/** Largest gRPC message either way: ready-made mail of 25 MiB, and what is around it. */
export const MAX_GRPC_BYTES = 28 * 1_048_576;

/** The methods of the sender that others call. All reject with AppError. */
export interface SenderClient {
  /** One message over a stream. `request.messageId` must be set: it makes a second try safe. */
  send(request: SendRequest, signal?: AbortSignal): Promise<SendStreamResponse>;
  sendBatch(request: SendBatchRequest): Promise<SendBatchResponse>;
  getMessage(request: GetMessageRequest): Promise<Message>;
  getContent(request: GetContentRequest): Promise<Content>;
  getWarmup(request: GetWarmupRequest): Promise<Warmup>;
  overrideTier(request: OverrideTierRequest): Promise<Warmup>;
  resumeDomain(request: ResumeDomainRequest): Promise<Warmup>;
  /** Releases what is due; resolves with the last progress. */
  releaseDeferred(
    request: ReleaseDeferredRequest,
    onProgress?: (progress: ReleaseDeferredResponse) => void,
  ): Promise<ReleaseDeferredResponse>;
  /** Whether a sender answers. */
  ready(): Promise<boolean>;
  close(): void;
}

interface Peer {
  address: string;
  client: SenderServiceClient;
  stream: SendStream;
}

const RETRY_PAUSE_MS = 100;
const CHANNEL_OPTIONS = {
  'grpc.max_send_message_length': MAX_GRPC_BYTES,
  'grpc.max_receive_message_length': MAX_GRPC_BYTES,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/** Connects lazily to every address of SENDER_ADDRESSES. */
export function openSender(
  config: GrpcSettings & Pick<Config, 'SENDER_ADDRESSES'>,
  log: Logger,
): SenderClient {
  if (config.SENDER_ADDRESSES.length === 0) throw new Error('SENDER_ADDRESSES names no sender');
  const metadata = tokenMetadata(config);
  const peers = config.SENDER_ADDRESSES.map((address): Peer => {
    const client = new SenderServiceClient(address, channelCredentials(config), CHANNEL_OPTIONS);
    return { address, client, stream: createSendStream(client, metadata, log.child({ sender: address })) };
  });
  const call = <Q, A>(method: UnaryMethod<Q, A>, request: Q) => callAny(peers, metadata, method, request);
  return {
    send: (request, signal) => sendAny(peers, request, signal),
    sendBatch: (request) => call((client) => client.sendBatch, request),
    getMessage: (request) => call((client) => client.getMessage, request),
    getContent: (request) => call((client) => client.getContent, request),
    getWarmup: (request) => call((client) => client.getWarmup, request),
    overrideTier: (request) => call((client) => client.overrideTier, request),
    resumeDomain: (request) => call((client) => client.resumeDomain, request),
    releaseDeferred: (request, onProgress) => streamRelease(peers, metadata, request, onProgress),
    ready: async () => (await Promise.all(peers.map(isReady))).some(Boolean),
    close: () => {
      for (const peer of peers) {
        peer.stream.close();
        peer.client.close();
      }
    },
  };
}

async function sendAny(
  peers: Peer[],
  request: SendRequest,
  given?: AbortSignal,
): Promise<SendStreamResponse> {
  const stop = new AbortController();
  // A timer that is cleared: AbortSignal.timeout would go off for every message ten seconds after its answer.
  const timer = setTimeout(() => stop.abort(maybeStored(null)), submitMs(request.message?.raw.length ?? 0));
  const giveUp = () => stop.abort(given?.reason);
  given?.addEventListener('abort', giveUp, { once: true });
  try {
    return await trySenders(peers, request, stop.signal);
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', giveUp);
  }
}

async function trySenders(
  peers: Peer[],
  request: SendRequest,
  signal: AbortSignal,
): Promise<SendStreamResponse> {
  for (;;) {
    const peer = leastBusy(peers);
    try {
      return await peer.stream.send(request, signal);
    } catch (error) {
      if (!(error instanceof StreamBroken)) throw error instanceof AppError ? error : unavailable(error);
      await sleep(RETRY_PAUSE_MS, signal);
      if (signal.aborted) throw unavailable(error);
    }
  }
}

// With every stream resting after a break, one is tried all the same.
function leastBusy(peers: Peer[]): Peer {
  const usable = peers.filter((peer) => peer.stream.usable());
  const choice = usable.length > 0 ? usable : peers;
  return choice.reduce((best, peer) => (peer.stream.pending() < best.stream.pending() ? peer : best));
}

type UnaryMethod<Q, A> = (
  client: SenderServiceClient,
) => (
  request: Q,
  metadata: Metadata,
  options: { deadline: number },
  callback: (error: Error | null, answer: A) => void,
) => unknown;

// A sender that cannot be reached is passed over; one that answered, with whatever, has the last word: every method
// can be repeated safely, but a second answer would not be better than the first.
async function callAny<Q, A>(
  peers: Peer[],
  metadata: Metadata,
  of: UnaryMethod<Q, A>,
  request: Q,
): Promise<A> {
  const order = [...peers].sort((a, b) => a.stream.pending() - b.stream.pending());
  let last: AppError | null = null;
  for (const peer of order) {
    try {
      return await new Promise<A>((resolve, reject) => {
        const deadline = nowMs() + SENDER_CALL_MS;
        of(peer.client).call(peer.client, request, metadata, { deadline }, (error, answer) => {
          if (error) reject(error);
          else resolve(answer);
        });
      });
    } catch (error) {
      last = fromServiceError(error);
      if (last.code !== 'unavailable') throw last;
    }
  }
  throw last ?? unavailable(null);
}

function streamRelease(
  peers: Peer[],
  metadata: Metadata,
  request: ReleaseDeferredRequest,
  onProgress?: (progress: ReleaseDeferredResponse) => void,
): Promise<ReleaseDeferredResponse> {
  return new Promise((resolve, reject) => {
    const call = leastBusy(peers).client.releaseDeferred(request, metadata);
    let last: ReleaseDeferredResponse = { released: 0n, deferredAgain: 0n, done: false };
    call.on('data', (progress: ReleaseDeferredResponse) => {
      last = progress;
      onProgress?.(progress);
    });
    call.on('error', (error) => reject(fromServiceError(error)));
    call.on('end', () => resolve(last));
  });
}

function isReady(peer: Peer): Promise<boolean> {
  return new Promise((resolve) => {
    const deadline = nowMs() + 1_000;
    Client.prototype.waitForReady.call(peer.client, deadline, (error) => resolve(!error));
  });
}

function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'No sender answered in time. Try again.', {
    retryAfterSeconds: 1,
    cause,
  });
}
