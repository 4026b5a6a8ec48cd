// What TEST_SERVERS=cluster starts in the place of one Redis and one NATS: Redis Cluster with three masters and three
// replicas, and three NATS servers whose streams are on all of them.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startNatsCluster, type NatsCluster } from '../../local/cluster/nats.ts';
import { startRedisCluster, type RedisCluster } from '../../local/cluster/redis-cluster.ts';
import { findBinary } from '../../local/servers/find-binary.ts';
import { NATS_BINARY } from '../../local/servers/nats.ts';
import { REDIS_BINARY } from '../../local/servers/redis.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';

/** Clusters that can be broken. */
export interface Clusters {
  redis: RedisCluster;
  nats: NatsCluster;
  stop(): Promise<void>;
}

/** Starts both, empty, in a folder of their own. */
export async function startClusters(): Promise<Clusters> {
  const [redisBinary, natsBinary] = [await findBinary(REDIS_BINARY), await findBinary(NATS_BINARY)];
  if (!redisBinary || !natsBinary) throw new Error('apt-get install redis-server redis-tools nats-server');
  const folder = await mkdtemp(join(tmpdir(), 'postrider-clusters-'));
  const watchdog = startWatchdog();
  const end = async (...running: { stop(): Promise<void> }[]) => {
    await Promise.all(running.map((one) => one.stop()));
    watchdog.close();
    await rm(folder, { recursive: true, force: true });
  };
  const password = randomBytes(18).toString('hex');
  const [redis, nats] = await Promise.allSettled([
    startRedisCluster(redisBinary.path, password, join(folder, 'redis'), watchdog),
    startNatsCluster(natsBinary.path, join(folder, 'nats'), watchdog),
  ]);
  if (redis.status === 'fulfilled' && nats.status === 'fulfilled')
    return { redis: redis.value, nats: nats.value, stop: () => end(redis.value, nats.value) };
  await end(...[redis, nats].flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  throw redis.status === 'rejected' ? redis.reason : nats.status === 'rejected' && nats.reason;
}
