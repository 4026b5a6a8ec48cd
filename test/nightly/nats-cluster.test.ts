// NATS as a cluster of three: queues are on all of them, and a server that dies costs retries only.

import { jetstreamManager } from '@nats-io/jetstream';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import { createLogger } from '../../core/base/log.ts';
import { openNats, type Nats } from '../../core/clients/nats.ts';
import { createWorkQueue } from '../../core/clients/work-queue.ts';
import { startNatsCluster, type NatsCluster } from '../../local/cluster/nats.ts';
import { findBinary } from '../../local/servers/find-binary.ts';
import { NATS_BINARY } from '../../local/servers/nats.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';
import { waitUntil } from '../harness/wait.ts';

const folder = mkdtempSync(join(tmpdir(), 'postrider-nats-'));
const watchdog = startWatchdog();
const stop = new AbortController();
let cluster: NatsCluster;
let nats: Nats;

beforeAll(async () => {
  cluster = await startNatsCluster((await findBinary(NATS_BINARY))!.path, folder, watchdog);
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  nats = openNats({ NATS_URL: cluster.url.split(','), KEY_PREFIX: 'p' }, log);
});

afterAll(async () => {
  stop.abort();
  await nats?.close();
  await cluster?.stop();
  watchdog.close();
  rmSync(folder, { recursive: true, force: true });
});

const stream = async () => {
  const manager = await jetstreamManager(nats.connection()!, { checkAPI: false });
  return manager.streams.info('p_work');
};

test('a queue that was on one server is on all three, and outlives the one that leads it', async () => {
  await waitUntil(() => nats.connection() !== null);
  const settings = { name: 'p_work', subjects: ['p.work'], retention: 'workqueue' as const };
  await waitUntil(async () => {
    const manager = await jetstreamManager(nats.connection()!, { checkAPI: false });
    return manager.streams.add({ ...settings, num_replicas: 1 }).then(
      () => true,
      () => false, // the servers have not found each other yet
    );
  });
  const queue = createWorkQueue(nats, 'work', createLogger({ LOG_LEVEL: 'silent' }, 'test'));
  const handled = new Set<string>();
  const handler = async (items: unknown[]) => {
    for (const item of items) handled.add(String(item));
    return items.map(() => 'done' as const);
  };
  void queue.consume(handler, stop.signal);
  await waitUntil(async () => (await stream().catch(() => null))?.config.num_replicas === 3);
  await waitUntil(
    async () => (await stream().catch(() => null))?.cluster?.replicas?.every((one) => one.current) === true,
  );

  const added: string[] = [];
  const addUntil = async (isEnough: () => boolean) => {
    while (!isEnough()) {
      const id = `item-${added.length}`;
      await waitUntil(() => queue.add(id, id), { what: `${id} to be taken` });
      added.push(id);
      await sleep(20);
    }
  };
  await addUntil(() => added.length === 50);
  const leader = (await stream()).cluster!.leader;
  const machine = cluster.machines.find(({ name }) => name === `nats ${leader}`)!;
  await machine.kill();
  await addUntil(() => added.length === 150);
  await waitUntil(() => added.every((id) => handled.has(id)), { what: 'every item to be handled' });
  expect((await stream()).cluster!.leader).not.toBe(leader);
  await machine.start();
  await waitUntil(async () => (await stream()).cluster?.replicas?.every((one) => one.current) === true);
  expect((await stream()).config.num_replicas).toBe(3);
});
