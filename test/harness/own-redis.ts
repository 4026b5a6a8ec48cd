// A Redis for one test file, which may freeze and forget: of the kind that the servers of the run are, one server or a
// cluster.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { inject } from 'vitest';

import { startRedisCluster } from '../../local/cluster/redis-cluster.ts';
import { findBinary } from '../../local/servers/find-binary.ts';
import { REDIS_BINARY } from '../../local/servers/redis.ts';
import { startServers } from '../../local/servers/start-servers.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';

/** The running Redis. */
export interface OwnRedis {
  /** For REDIS_URL. */
  url: string;
  /** It forgets everything. */
  flush(): Promise<void>;
  /** Nothing of it answers until `thaw`; connections stay open. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it, empty. */
export async function startOwnRedis(): Promise<OwnRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-redis-'));
  const redis = inject('redisUrl').includes(',') ? await startCluster(folder) : await startSingle(folder);
  return {
    ...redis,
    stop: async () => {
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startCluster(folder: string): Promise<OwnRedis> {
  const { path } = (await findBinary(REDIS_BINARY))!;
  const watchdog = startWatchdog();
  const cluster = await startRedisCluster(path, randomBytes(18).toString('hex'), folder, watchdog);
  const all = [...cluster.nodes.values()];
  return {
    url: cluster.url,
    flush: cluster.flush,
    freeze: async () => void (await Promise.all(all.map((node) => node.freeze()))),
    thaw: async () => void (await Promise.all(all.map((node) => node.thaw()))),
    stop: async () => {
      await cluster.stop();
      watchdog.close();
    },
  };
}

async function startSingle(folder: string): Promise<OwnRedis> {
  const env = { DATABASE_URL: 'given', NATS_URL: 'given' };
  const servers = await startServers({ dataDir: folder, log: () => {}, env });
  const signal = (name: NodeJS.Signals) => async () => void process.kill(servers.pids()['redis']!, name);
  return {
    url: servers.redisUrl,
    flush: async () => {
      const client = createClient({ url: servers.redisUrl });
      await client.connect();
      await client.flushAll();
      client.destroy();
    },
    freeze: signal('SIGSTOP'),
    thaw: signal('SIGCONT'),
    stop: servers.stop,
  };
}
