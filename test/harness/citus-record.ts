// A Citus cluster of one test file, with an empty database. Citus is not in Debian: where it is missing such a file is skipped.

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findCitus } from '../../local/servers/citus-binary.ts';
import { makeCitusDatabase, startCitus, withClient, type CitusCluster } from '../../local/servers/citus.ts';
import { findBinary } from '../../local/servers/find-binary.ts';
import { POSTGRES_BINARY } from '../../local/servers/postgres.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';

/** A running cluster. */
export interface CitusRecord {
  cluster: CitusCluster;
  /** The URLs of the database, the coordinator's first. */
  urls(): string[];
  close(): Promise<void>;
}

const DATABASE = 'record';
const STANDBY = 'citus-standby';

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

/** Starts a standby of the node at an address, whose name is `primary`: nothing is acknowledged without it. Returns its URLs. */
export async function startStandby(
  { cluster, urls }: CitusRecord,
  address: string,
  primary: string,
): Promise<(database: string) => string> {
  const url = withAddress(urls()[0]!, address);
  const bin = (await findBinary(POSTGRES_BINARY))!.folder;
  const data = cluster.folderOf(STANDBY);
  execFileSync(join(bin, 'pg_basebackup'), ['-d', url, '-D', data, '-X', 'stream', '-c', 'fast', '-R'], {
    stdio: 'pipe',
  });
  execFileSync('chown', ['-R', '--reference', cluster.folderOf(primary), data]);
  await writeFile(join(data, 'postrider.password'), new URL(url).password);
  const standby = await cluster.start(STANDBY);
  await withClient(url, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '*'`);
    await client.query('select pg_reload_conf()');
  });
  return standby;
}

/** HOST:PORT of a URL. */
export function addressIn(url: string): string {
  return new URL(url).host;
}

/** The same URL at another HOST:PORT. */
export function withAddress(url: string, address: string): string {
  const changed = new URL(url);
  changed.host = address;
  return changed.toString();
}
