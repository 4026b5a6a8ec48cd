// A Citus cluster of one test file, with an empty database. Citus is not in Debian: where it is missing such a file is skipped.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findCitus } from '../../local/servers/citus-binary.ts';
import { makeCitusDatabase, startCitus, type CitusCluster } from '../../local/servers/citus.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';

/** A running cluster. */
export interface CitusRecord {
  cluster: CitusCluster;
  /** The URLs of the database, the coordinator's first. */
  urls(): string[];
  close(): Promise<void>;
}

const DATABASE = 'record';

/** Whether there is no Citus here; it says so once. */
export async function isCitusMissing(): Promise<boolean> {
  const found = await findCitus(join(import.meta.dirname, '../../.local/test'));
  if (typeof found === 'string') console.warn(`skipped: ${found}`);
  return typeof found === 'string';
}

/** Starts a coordinator and two workers. */
export async function startCitusRecord(): Promise<CitusRecord> {
  const watchdog = startWatchdog();
  const folder = await mkdtemp(join(tmpdir(), 'postrider-test-'));
  await mkdir(join(folder, 'log'));
  const cluster = await startCitus({ dataDir: folder, watchdog, log: () => {} });
  await makeCitusDatabase(cluster.urls('postgres'), DATABASE);
  return {
    cluster,
    urls: () => cluster.urls(DATABASE),
    async close() {
      await cluster.stop();
      watchdog.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
