// The senders, as everyone else sees them: several processes behind one object. Who gets a call, and who gets it when that
// one is silent, is decided in core/clients/failover.ts; which senders there are in core/clients/sender-peers.ts.

import { status, type Metadata, type ServiceError } from '@grpc/grpc-js';

import type { Config } from '../base/config.ts';
import { nowMs } from '../base/clock.ts';
import { MAYBE_STORED } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { hashOf } from '../base/rendezvous.ts';
import { SENDER_CALL_MS, submitMs } from '../base/time-limits.ts';
import { HOME } from '../db/service-tables.ts';
import {
  type ReleaseDeferredRequest,
  type ReleaseDeferredResponse,
  type SendBatchRequest,
  type SendBatchResponse,
  type SendRequest,
  type SendStreamResponse,
  type SenderServiceClient,
} from '../gen/sender/v1/sender.ts';
import { affinityOf } from './choose-sender.ts';
import { tokenMetadata, type GrpcSettings } from './grpc-credentials.ts';
import { createFailover, type Attempt, type CallOptions, type Failover, type Result } from './failover.ts';
import { withoutAnswer, fromServiceError } from './grpc-errors.ts';
import type { SenderHealth } from './sender-health.ts';
import { openPeers, type Peer } from './sender-peers.ts';

/** The methods of the sender that our services call. All reject with AppError. */
export interface SenderClient {
  /** The same senders for calls about tenants of a bucket: those that have it open get them. Another bucket's are answered too. */
  inBucket(bucket: string): SenderClient;
  /** One message over a stream. `request.messageId` must be set, as of all messages: it makes a second try safe. */
  send(request: SendRequest, signal?: AbortSignal): Promise<SendStreamResponse>;
  sendBatch(request: SendBatchRequest): Promise<SendBatchResponse>;
  /** Releases what is due; resolves with the last progress. */
  releaseDeferred(
    request: ReleaseDeferredRequest,
    onProgress?: (progress: ReleaseDeferredResponse) => void,
  ): Promise<ReleaseDeferredResponse>;
  /** Whether a sender answers. */
  ready(): Promise<boolean>;
  close(): void;
}

const READY_MS = 2_000; // a sender under load

/** Connects lazily to the senders of SENDER_ADDRESSES. */
export function openSender(
  config: GrpcSettings & Pick<Config, 'SENDER_ADDRESSES'>,
  log: Logger,
): SenderClient {
  if (config.SENDER_ADDRESSES.length === 0) throw new Error('SENDER_ADDRESSES names no sender');
  const metadata = tokenMetadata(config);
  const peers = openPeers(config, log, () => failover.wake());
  const failover = createFailover(peers);
  const ready = async () =>
    (await Promise.all(peers.live().map(({ health }) => health.answers(READY_MS)))).some(Boolean);
  const close = () => {
    failover.close();
    peers.close();
  };
  const inBuckets = new Map<string, SenderClient>();
  const inBucket = (bucket: string): SenderClient => {
    const known = inBuckets.get(bucket);
    if (known !== undefined) return known;
    // Every sender has the first one open.
    const about = bucket === HOME ? undefined : hashOf(bucket);
    const made = { ...callsAbout(about, failover, metadata), inBucket, ready, close };
    inBuckets.set(bucket, made);
    return made;
  };
  return inBucket(HOME);
}

type Calls = Omit<SenderClient, 'inBucket' | 'ready' | 'close'>;

function callsAbout(bucket: number | undefined, failover: Failover<Peer>, metadata: Metadata): Calls {
  const call = <Q, A>(method: UnaryMethod<Q, A>, request: Q, effect: CallOptions['effect']) =>
    failover.call(attemptUnary(method, request, metadata), { effect, limitMs: SENDER_CALL_MS, bucket });
  return {
    send: (request, signal) =>
      failover.call(attemptSend(request), {
        effect: 'repeatable',
        limitMs: submitMs(request.message?.raw.length ?? 0),
        signal,
        affinity: affinityOf(request.tenantId, request.message?.from ?? ''),
        bucket,
      }),
    sendBatch: (request) => call((client) => client.sendBatch, request, 'repeatable'),
    releaseDeferred: (request, onProgress) =>
      failover.call(attemptRelease(request, metadata, onProgress), { effect: 'repeatable', bucket }),
  };
}

function attemptSend(request: SendRequest): Attempt<Peer, SendStreamResponse> {
  return ({ stream, health }, settle) =>
    stream.send(request, {
      answered(answer) {
        health.heard();
        const failure = answer.outcome?.$case === 'failure' ? answer.outcome.value : undefined;
        settle({ what: whatOf(failure), answer });
      },
      broke: (error) => settle(resultOf(error, health)),
    });
}

type UnaryMethod<Q, A> = (
  client: SenderServiceClient,
) => (
  request: Q,
  metadata: Metadata,
  options: { deadline: number },
  callback: (error: ServiceError | null, answer: A) => void,
) => { cancel(): void };

function attemptUnary<Q, A>(method: UnaryMethod<Q, A>, request: Q, metadata: Metadata): Attempt<Peer, A> {
  return ({ client, health }, settle) => {
    const deadline = nowMs() + SENDER_CALL_MS;
    const call = method(client).call(client, request, metadata, { deadline }, (error, answer) => {
      if (error) return settle(resultOf(error, health));
      health.heard();
      const { refused } = answer as Partial<SendBatchResponse>;
      settle({ what: whatOf(refused), answer });
    });
    return () => call.cancel();
  };
}

function attemptRelease(
  request: ReleaseDeferredRequest,
  metadata: Metadata,
  onProgress?: (progress: ReleaseDeferredResponse) => void,
): Attempt<Peer, ReleaseDeferredResponse> {
  return ({ client, health }, settle) => {
    const call = client.releaseDeferred(request, metadata);
    let last: ReleaseDeferredResponse = { released: 0n, deferredAgain: 0n, done: false };
    call.on('data', (progress: ReleaseDeferredResponse) => {
      health.heard();
      last = progress;
      onProgress?.(progress);
    });
    call.on('error', (error: ServiceError) => settle(resultOf(error, health)));
    call.on('end', () => settle({ what: 'final', answer: last }));
    return () => call.cancel();
  };
}

function resultOf(failed: Partial<ServiceError>, health: SenderHealth): Result<never> {
  const error = fromServiceError(failed);
  const nothing = withoutAnswer(failed);
  if (nothing === null) health.heard();
  if (failed.code === status.UNAVAILABLE && nothing !== null) health.broke();
  return { what: nothing ?? whatOf(error), error };
}

function whatOf(refusal: { code: string; message: string } | undefined): Result<never>['what'] {
  if (refusal?.code === 'unavailable') return refusal.message === MAYBE_STORED ? 'uncertain' : 'unavailable';
  return refusal?.code === 'idempotency_in_progress' ? 'in_progress' : 'final';
}
