// Sends over gRPC as fast as it is answered, in one of the ways of grpc-ways.ts.

import { credentials, Metadata } from '@grpc/grpc-js';

import { MAX_GRPC_BYTES } from '../../core/clients/sender-peers.ts';
import { SenderServiceClient } from '../../core/gen/sender/v1/sender.ts';

import { serveWorker } from '../worker.ts';
import { WAYS, type GrpcLoad, type LoadState } from './grpc-ways.ts';

/** What came of it. */
export interface GrpcLoadResult {
  accepted: number;
  refused: number;
  /** What the first refusal said. */
  refusal: string;
  seconds: number;
  /** Milliseconds, of every call or streamed message. */
  p50: number;
  p99: number;
}

let current: LoadState | null = null;

serveWorker({
  run,
  delivered: (count: number) => {
    if (current) current.delivered = count;
  },
});

async function run(load: GrpcLoad): Promise<GrpcLoadResult> {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${load.token}`);
  const clients = load.addresses.map(
    (address) =>
      new SenderServiceClient(address, credentials.createInsecure(), {
        'grpc.max_send_message_length': MAX_GRPC_BYTES,
        'grpc.max_receive_message_length': MAX_GRPC_BYTES,
      }),
  );
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  const state: LoadState = {
    load,
    endsAt,
    sent: 0,
    delivered: 0,
    accepted: 0,
    refused: 0,
    refusal: '',
    times: [],
  };
  current = state;
  const inFlight = Math.max(1, Math.floor(load.inFlight / clients.length));
  await Promise.all(clients.map((client) => WAYS[load.way](state, { client, metadata, inFlight })));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const client of clients) client.close();
  const times = state.times.toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  const { accepted, refused, refusal } = state;
  return { accepted, refused, refusal, seconds, p50: at(0.5), p99: at(0.99) };
}
