// Receipts over gRPC at a steady pace whatever the answers take, beside those over REST (campaign-load.ts).

import { credentials, Metadata } from '@grpc/grpc-js';

import { SenderServiceClient } from '../core/gen/sender/v1/sender.ts';
import type { Receipts } from './campaign-load.ts';
import { makeMail } from './sample-mail.ts';
import type { Stack } from './stack/stack.ts';

/** Starts them, by the second tenant of the seed, in turns to all senders. */
export function startGrpcReceipts(stack: Stack, everyMs: number): Receipts {
  const tenant = stack.seed.tenants[1]!;
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${stack.internalToken}`);
  const clients = stack.senderAddresses.map(
    (address) => new SenderServiceClient(address, credentials.createInsecure()),
  );
  let times: number[] = [];
  let sent = 0;
  const under = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const n = sent++;
    const startedAt = performance.now();
    const message = makeMail(tenant.domains[n % tenant.domains.length]!, n);
    const request = { tenantId: tenant.id, clientRef: '', messageId: '', message, idempotency: undefined };
    const one = new Promise<number>((resolve) => {
      // One that is refused is slower than any.
      const answered = (error: unknown) => resolve(error ? Infinity : performance.now() - startedAt);
      clients[n % clients.length]!.send(request, metadata, answered);
    })
      .then((ms) => void times.push(ms))
      .finally(() => under.delete(one));
    under.add(one);
  }, everyMs);
  return {
    take: () => {
      const taken = times;
      times = [];
      return taken;
    },
    stop: async () => {
      clearInterval(timer);
      await Promise.all(under);
      for (const client of clients) client.close();
    },
  };
}
