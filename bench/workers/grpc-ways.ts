// The ways into the sender: unary, batch and stream. Each keeps `inFlight` under way until the load is over.

import type { Metadata } from '@grpc/grpc-js';

import { newUuid, toId } from '../../core/base/ids.ts';
import type {
  SendBatchResponse,
  SenderServiceClient,
  SendRequest,
  SendStreamResponse,
} from '../../core/gen/sender/v1/sender.ts';
import { makeMail } from '../sample-mail.ts';
import type { SeededTenant } from '../stack/seed.ts';

/** How to send. */
export interface GrpcLoad {
  addresses: string[];
  token: string;
  tenants: Pick<SeededTenant, 'id' | 'domains'>[];
  way: Way;
  /** Messages of one batch. */
  batch?: number;
  /** Calls (or streamed messages) without an answer at a time, over all addresses. */
  inFlight: number;
  seconds: number;
  /** Most messages that may be accepted and not yet delivered; the question `delivered` returns how many are. */
  backlog?: number;
}

/** The name of a way. */
export type Way = 'unary' | 'batch' | 'stream';

/** A load that is running. */
export interface LoadState {
  load: GrpcLoad;
  /** By performance.now(). */
  endsAt: number;
  sent: number;
  /** Messages that left the sender again; only looked at with a `backlog`. */
  delivered: number;
  accepted: number;
  refused: number;
  refusal: string;
  times: number[];
}

interface Channel {
  client: SenderServiceClient;
  metadata: Metadata;
  inFlight: number;
}

const SETTLE_MS = 2; // how often a client that is ahead of delivery looks whether it may go on

/** Each resolves when everything that it sent is answered. */
export const WAYS: Record<Way, (state: LoadState, channel: Channel) => Promise<void>> = {
  unary: sendUnary,
  batch: sendBatches,
  stream: sendStream,
};

async function sendUnary(state: LoadState, { client, metadata, inFlight }: Channel): Promise<void> {
  const worker = async () => {
    while (!isOver(state)) {
      const startedAt = performance.now();
      await new Promise<void>((resolve) => {
        client.send(nextRequest(state), metadata, (error) => {
          count(state, startedAt, error ? 0 : 1, error ? 1 : 0, error?.message);
          resolve();
        });
      });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

async function sendBatches(state: LoadState, { client, metadata, inFlight }: Channel): Promise<void> {
  const size = state.load.batch ?? 1;
  const worker = async () => {
    while (!isOver(state)) {
      const startedAt = performance.now();
      const { tenantId, domains } = nextTenant(state);
      const messages = Array.from({ length: size }, (_, n) => ({
        messageId: toId('msg', newUuid()),
        message: makeMail(domains[n % domains.length] ?? '', state.sent + n),
      }));
      state.sent += size;
      await new Promise<void>((resolve) => {
        const request = { tenantId, messages, idempotency: undefined, allOrNone: false };
        client.sendBatch(request, metadata, (error, answer) => {
          const accepted = error ? 0 : countSent(answer);
          count(state, startedAt, accepted, size - accepted, error?.message ?? answer?.refused?.message);
          resolve();
        });
      });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

function countSent(answer: SendBatchResponse): number {
  return answer.items.filter((item) => item.outcome?.$case === 'sent').length;
}

function sendStream(state: LoadState, { client, metadata, inFlight }: Channel): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = client.sendStream(metadata);
    const started = new Map<string, number>();
    let timer: NodeJS.Timeout | null = null;
    const pump = () => {
      while (started.size < inFlight && !isOver(state) && mayGoOn(state)) {
        const request = nextRequest(state);
        started.set(request.clientRef, performance.now());
        call.write(request);
      }
      if (isOver(state) && started.size === 0) call.end();
      else if (started.size < inFlight) timer ??= setTimeout(wake, SETTLE_MS);
    };
    const wake = () => {
      timer = null;
      pump();
    };
    call.on('data', (answer: SendStreamResponse) => {
      const startedAt = started.get(answer.clientRef) ?? 0;
      started.delete(answer.clientRef);
      const failure = answer.outcome?.$case === 'failure' ? answer.outcome.value : null;
      count(state, startedAt, failure ? 0 : 1, failure ? 1 : 0, failure?.message);
      pump();
    });
    call.on('error', reject);
    call.on('end', () => {
      if (timer) clearTimeout(timer);
      resolve();
    });
    pump();
  });
}

function isOver({ endsAt }: LoadState): boolean {
  return performance.now() >= endsAt;
}

function mayGoOn({ load, sent, delivered }: LoadState): boolean {
  return load.backlog === undefined || sent - delivered < load.backlog;
}

function nextTenant({ load, sent }: LoadState): { tenantId: string; domains: string[] } {
  const tenant = load.tenants[sent % load.tenants.length];
  return { tenantId: tenant?.id ?? '', domains: tenant?.domains ?? [] };
}

function nextRequest(state: LoadState): SendRequest {
  const n = state.sent;
  const { tenantId, domains } = nextTenant(state);
  state.sent += 1;
  const domain = domains[Math.floor(n / state.load.tenants.length) % domains.length] ?? '';
  return {
    tenantId,
    clientRef: `${n}`,
    messageId: '',
    message: makeMail(domain, n),
    idempotency: undefined,
  };
}

function count(state: LoadState, startedAt: number, accepted: number, refused: number, why?: string): void {
  state.times.push(performance.now() - startedAt);
  state.accepted += accepted;
  state.refused += refused;
  if (refused > 0 && state.refusal === '') state.refusal = why ?? 'an item was refused';
}
