// PostgreSQL, Redis and NATS of a run: PostgreSQL with a calendar of its own and its tables on a volume that can be full,
// and a wire in front of each.

import pg from 'pg';

import { migrate } from '../../core/db/migrate.ts';
import { useClock } from '../../local/clock/store-clock.ts';
import { startServers, type Servers } from '../../local/servers/start-servers.ts';
import type { ServerPlace } from '../../local/servers/private-server.ts';
import type { Wire, StoreName } from './stack.ts';
import { findToxiproxy, startToxiproxy } from './toxiproxy.ts';
import { makeVolume, type Volume } from './volume.ts';

/** What is to be undone, the newest first. */
export type Undo = (() => Promise<void> | void)[];

/** The running stores. */
export interface Stores {
  servers: Servers;
  /** As our processes reach them. */
  urls: { databaseUrl: string; redisUrl: string; natsUrl: string };
  /** Null where there is no toxiproxy. */
  wires: Record<StoreName, Wire> | null;
  /** Null where the machine forbids it. */
  volume: Volume | null;
  missing: string[];
}

/** Starts them, empty but for the schema; PostgreSQL's clock is ahead of this machine's. */
export async function startStores(place: ServerPlace, aheadSeconds: number, undo: Undo): Promise<Stores> {
  const volume = await makeVolume(place.dataDir, place.watchdog);
  if (volume) undo.push(volume.close);
  const more = volume ? { notRoot: volume.notRoot } : {};
  const servers = await startServers({ ...place, ...more, env: {}, scratch: true });
  undo.push(servers.stop);
  await prepareDatabase(servers.databaseUrl, volume, aheadSeconds);
  const missing = volume ? [] : ['the disk cannot be full: this machine forbids mounts in a user namespace'];
  const found = await findToxiproxy(place.log);
  if ('missing' in found)
    return { servers, urls: servers, wires: null, volume, missing: [...missing, found.missing] };
  const { postgres, redis, nats } = {
    postgres: servers.databaseUrl,
    redis: servers.redisUrl,
    nats: servers.natsUrl,
  };
  const { process, wires, through } = await startToxiproxy(found.path, { postgres, redis, nats }, place);
  undo.push(process.stop);
  const urls = {
    databaseUrl: through('postgres', postgres),
    redisUrl: through('redis', redis),
    natsUrl: through('nats', nats),
  };
  return { servers, urls, wires, volume, missing };
}

async function prepareDatabase(url: string, volume: Volume | null, aheadSeconds: number): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  if (volume)
    await inDatabase(url, 'postgres', async (client) => {
      await client.query(`create tablespace prove location '${volume.folder}'`);
      await client.query(`alter database ${name} set tablespace prove`);
    });
  await useClock(url, aheadSeconds);
  await migrate(url);
}

async function inDatabase(
  url: string,
  name: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const target = new URL(url);
  target.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: target.toString() });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
