// Clusters of Redis and NATS that break while two senders work on them: nothing that was accepted is lost, nothing is
// delivered twice, and the caps are exact.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { openSender, type SenderClient } from '../../core/clients/sender.ts';
import { SendRequest } from '../../core/gen/sender/v1/sender.ts';
import { redisClusterMissing } from '../../local/cluster/redis-cluster.ts';
import { startClusters, type Clusters } from '../harness/clusters.ts';
import type { Account } from '../harness/factories.ts';
import { skips } from '../harness/needs.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const COLD = 6; // domains with a cap of 50, which gets this many sends:
const SENDS = 70;
const CAP = 50;
const PAUSE_MS = 25; // between two sends of one client
const SLOTS = 300; // that move; about two seconds

describe.skipIf(skips(redisClusterMissing()))('two senders on clusters', () => {
  let clusters: Clusters;
  let stack: Stack;
  let sender: SenderClient;

  beforeAll(async () => {
    clusters = await startClusters();
    const env = { REDIS_URL: clusters.redis.url, NATS_URL: clusters.nats.url, WORKER_LEASE_MS: '2000' };
    stack = await createStack({ senders: 2, env });
    const addresses = stack.senderAddresses();
    sender = openSender({ ...stack.context.config, SENDER_ADDRESSES: addresses }, stack.context.log);
  }, 240_000);

  afterAll(async () => {
    sender?.close();
    await stack?.close();
    await clusters?.stop();
  });

  const masterDies = async () => {
    const { redis } = clusters;
    const [dead] = await redis.masters();
    await redis.nodes.get(dead!.port)!.kill();
    await waitUntil(async () => {
      const now = await redis.masters();
      return now.length === 3 && now.every(({ port }) => port !== dead!.port);
    });
    await redis.untilWhole();
  };
  const natsServerDies = async () => {
    const [machine] = clusters.nats.machines;
    await machine!.kill();
    await sleep(1_000); // messages go on without it
    await machine!.start();
  };

  const drills: Record<string, () => Promise<unknown>> = {
    'slots move': async () => {
      const [from, to] = await clusters.redis.masters();
      await clusters.redis.moveSlots(from!, to!, SLOTS);
      await clusters.redis.moveSlots(to!, from!, SLOTS);
    },
    'a master of Redis dies and its replica takes over': masterDies,
    'all of Redis is emptied': () => clusters.redis.flush(),
    'a NATS server dies and comes back': natsServerDies,
    'all NATS servers die and forget everything': () => clusters.nats.eraseAll(),
    'a master of Redis and a NATS server die at once': () => Promise.all([masterDies(), natsServerDies()]),
  };

  test.each(Object.entries(drills))('%s', async (_name, drill) => {
    const warm = await stack.makeAccount({ tier: 10 });
    const cold = await Promise.all(Array.from({ length: COLD }, () => stack.makeAccount()));
    let broken = true;
    let sent = 0;
    const sendWarm = async () => {
      while (broken) {
        expect(await send(warm, `w${sent++}`)).toBe('queued');
        await sleep(PAUSE_MS);
      }
    };
    // Some before, most during, some after.
    const sendCold = async (account: Account) => {
      const states: string[] = [];
      for (let n = 0; n < SENDS; n++) {
        states.push(await send(account, `c${n}`));
        if (n < SENDS / 2) await sleep(PAUSE_MS * 4);
      }
      return states;
    };
    const load = Promise.all([sendWarm(), sendWarm(), ...cold.map(sendCold)]);
    await sleep(PAUSE_MS * 8);
    await drill().finally(() => (broken = false));
    const [, , ...states] = await load;
    for (const one of states) {
      expect(one.filter((state) => state === 'queued')).toHaveLength(CAP);
      expect(one.filter((state) => state === 'deferred')).toHaveLength(SENDS - CAP);
    }
    for (const [account, delivered] of [[warm, sent], ...cold.map((one) => [one, CAP] as const)] as const) {
      await waitUntil(async () => (await stack.countByState(account))['delivered'] === delivered, {
        what: () => `${delivered} of ${account.domain} to be delivered`,
      });
      const arrived = stack.sink.messages.filter(({ rcptTo }) =>
        rcptTo.endsWith(`.${account.domain}@sink.test`),
      );
      expect(arrived).toHaveLength(delivered);
      expect(new Set(arrived.map(({ rcptTo }) => rcptTo)).size).toBe(delivered);
    }
  });

  async function send({ tenantId, domain }: Account, name: string): Promise<string> {
    const { outcome } = await sender.send(
      SendRequest.fromPartial({
        tenantId: toId('tnt', tenantId),
        messageId: toId('msg', newUuid()),
        message: { from: `a@${domain}`, to: [`${name}.${domain}@sink.test`], subject: 'Drill', text: 'x' },
      }),
    );
    return outcome!.$case === 'sent' ? outcome!.value.status : outcome!.value.code;
  }
});
