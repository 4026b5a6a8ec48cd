// Receipts of the second tenant at a steady pace: a slow answer does not thin the load out.

import { credentials, Metadata } from '@grpc/grpc-js';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';

import { SenderServiceClient } from '../core/gen/sender/v1/sender.ts';
import { makeMail, RECIPIENT_DOMAINS } from './sample-mail.ts';
import type { Stack } from './stack/stack.ts';

/** Receipts that are being sent. */
export interface Receipts {
  /** The times since the last call, in ms; that of a refused one is infinite. */
  take(): number[];
  stop(): Promise<void>;
}

/** Sends them over REST. */
export async function startReceipts(stack: Stack, everyMs: number): Promise<Receipts> {
  const tenant = stack.seed.tenants[1]!;
  const agent = new Agent({ keepAlive: true, ca: await readFile(stack.caFile) });
  const url = `${stack.apiUrl}/api/v1/transactional/send`;
  const sendOne = (n: number) => {
    const body = JSON.stringify({
      from: `shop@${tenant.domains[0]}`,
      to: `buyer${n}@${RECIPIENT_DOMAINS[0]}`,
      subject: 'Receipt',
      text: 'Thank you.',
    });
    return send(url, agent, tenant.keys[n % tenant.keys.length]!, body);
  };
  return keepPace(everyMs, sendOne, () => agent.destroy());
}

/** Sends them over gRPC, in turns to all senders. */
export function startGrpcReceipts(stack: Stack, everyMs: number): Receipts {
  const tenant = stack.seed.tenants[1]!;
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${stack.internalToken}`);
  const clients = stack.senderAddresses.map(
    (address) => new SenderServiceClient(address, credentials.createInsecure()),
  );
  const sendOne = (n: number) => {
    const message = makeMail(tenant.domains[n % tenant.domains.length]!, n);
    const request = { tenantId: tenant.id, clientRef: '', messageId: '', message, idempotency: undefined };
    return new Promise<void>((resolve, reject) => {
      clients[n % clients.length]!.send(request, metadata, (error) => (error ? reject(error) : resolve()));
    });
  };
  return keepPace(everyMs, sendOne, () => clients.forEach((client) => client.close()));
}

function keepPace(everyMs: number, sendOne: (n: number) => Promise<void>, close: () => void): Receipts {
  let times: number[] = [];
  let sent = 0;
  const under = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const startedAt = performance.now();
    const one = sendOne(sent++)
      .then(
        () => performance.now() - startedAt,
        () => Infinity,
      )
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
      close();
    },
  };
}

function send(url: string, agent: Agent, key: string, body: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (incoming) => {
      incoming.resume();
      incoming.on('end', () =>
        incoming.statusCode === 202
          ? resolve()
          : reject(new Error(`a receipt was answered with ${incoming.statusCode}`)),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
