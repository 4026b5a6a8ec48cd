// 120 sends at tier 0 from 8 clients over REST and gRPC, Redis flushed in the middle, a sender killed: exactly 50 go
// out that day, and the rest are deferred.

import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { openSender, type SenderClient } from '../../core/clients/sender.ts';
import { OutgoingMessage, SendRequest } from '../../core/gen/sender/v1/sender.ts';
import { createKey } from '../../core/key/keys.ts';
import { startOwnRedis, type OwnRedis } from '../harness/own-redis.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';
import { TESTER } from '../harness/actor.ts';

let stack: Stack;
let redis: OwnRedis;
let grpc: SenderClient;

beforeAll(async () => {
  redis = await startOwnRedis();
  stack = await createStack({
    senders: 2,
    api: true,
    env: { REDIS_URL: redis.url, WORKER_LEASE_MS: '2000' },
  });
  grpc = openSender(
    { ...stack.context.config, SENDER_ADDRESSES: stack.senderAddresses() },
    stack.context.log,
  );
}, 240_000);

afterAll(async () => {
  grpc?.close();
  await stack?.close();
  await redis?.stop();
});

test('120 sends, Redis flushed, a sender killed: 50 go out, 70 wait', async () => {
  const account = await stack.makeAccount();
  const { value } = await createKey(stack.context, TESTER, {
    tenantId: account.tenantId,
    name: 'fire',
    scopes: ['transactional:send'],
  });
  const tls = new Agent({ connect: { rejectUnauthorized: false } });
  const overRest = async (n: number): Promise<string> => {
    const response = await fetch(`${stack.baseUrl}/transactional/send`, {
      method: 'POST',
      dispatcher: tls,
      headers: {
        authorization: `Bearer ${value}`,
        'content-type': 'application/json',
        'idempotency-key': `fire-${n}`,
      },
      body: JSON.stringify({
        from: `a@${account.domain}`,
        to: `r${n}@sink.test`,
        subject: 'Fire',
        text: 'x',
      }),
    });
    const body = (await response.json()) as { ok: boolean; error?: string; data?: { status: string } };
    return body.ok ? body.data!.status : body.error!;
  };
  const overGrpc = async (n: number): Promise<string> => {
    const message = OutgoingMessage.fromPartial({
      from: `a@${account.domain}`,
      to: [`r${n}@sink.test`],
      subject: 'Fire',
      text: 'x',
    });
    const messageId = toId('msg', newUuid());
    const tenantId = toId('tnt', account.tenantId);
    const { outcome } = await grpc.send(SendRequest.fromPartial({ tenantId, messageId, message }));
    return outcome!.$case === 'sent' ? outcome!.value.status : outcome!.value.code;
  };

  const statuses: string[] = [];
  let next = 0;
  const client = async (send: (n: number) => Promise<string>) => {
    for (let n = next++; n < 120; n = next++) {
      if (n === 30) await redis.flush();
      if (n === 40) await stack.senders[0]!.kill();
      let status = await send(n);
      for (let tries = 0; status === 'unavailable' && tries < 20; tries++) status = await send(n);
      statuses.push(status);
    }
  };
  await Promise.all(
    [overRest, overRest, overRest, overRest, overGrpc, overGrpc, overGrpc, overGrpc].map(client),
  );

  expect(statuses.filter((one) => one === 'queued')).toHaveLength(50);
  expect(statuses.filter((one) => one === 'deferred')).toHaveLength(70);
  await waitUntil(() => stack.sink.messages.length >= 50, { what: '50 messages at the sink' });
  await waitUntil(async () => (await stack.countByState(account))['delivered'] === 50, {
    what: '50 delivered',
  });
  expect(await stack.countByState(account)).toEqual({ delivered: 50, deferred: 70 });
  expect(new Set(stack.sink.messages.map((one) => one.rcptTo)).size).toBe(50);
});
