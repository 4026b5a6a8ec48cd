// What TEST_SERVERS=cluster starts in the place of one Redis and one NATS: Redis Cluster with three masters and three
// replicas, and three NATS servers whose streams are on all of them.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startNatsCluster, type NatsCluster } from '../../local/cluster/nats.ts';
import { startRedisCluster, type RedisCluster } from '../../local/cluster/redis-cluster.ts';
import { requireBinaries } from '../../local/servers/start-servers.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';

/** Clusters that can be broken. */
export interface Clusters {
  redis: RedisCluster;
  nats: NatsCluster;
  stop(): Promise<void>;
}

/** Starts both, empty, in a folder of their own. */
export async function startClusters(): Promise<Clusters> {
  const binaries = await requireBinaries(['redis', 'nats'], (line) => process.stderr.write(`${line}\n`));
  const folder = await mkdtemp(join(tmpdir(), 'postrider-clusters-'));
  const watchdog = startWatchdog();
  const end = async (...running: { stop(): Promise<void> }[]) => {
    await Promise.all(running.map((one) => one.stop()));
    watchdog.close();
    await rm(folder, { recursive: true, force: true });
  };
  const password = randomBytes(18).toString('hex');
  const [redis, nats] = await Promise.allSettled([
    startRedisCluster(binaries.get('redis')!.path, password, join(folder, 'redis'), watchdog),
    startNatsCluster(binaries.get('nats')!.path, join(folder, 'nats'), watchdog),
  ]);
  if (redis.status === 'fulfilled' && nats.status === 'fulfilled')
    return { redis: redis.value, nats: nats.value, stop: () => end(redis.value, nats.value) };
  await end(...[redis, nats].flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  throw redis.status === 'rejected' ? redis.reason : nats.status === 'rejected' && nats.reason;
}
