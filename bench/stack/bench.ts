// What every part works with: private servers of the bench's own, a log, a folder, fresh names.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { startServers, type Servers } from '../../local/servers/start-servers.ts';
import { startWatchdog, type Watchdog } from '../../local/servers/watchdog.ts';
import type { Options } from '../options.ts';

/** One run of the bench. */
export interface Bench {
  options: Options;
  servers: Servers;
  /** `.local/bench` of this checkout. */
  folder: string;
  /** Path of k6; null when no part needs it. */
  k6: string | null;
  /** Ends what is on its list, even when the bench is killed. */
  watchdog: Watchdog;
  /** Prints a line of progress. */
  log(line: string): void;
  /** A name for a database or a key prefix that nothing else uses. */
  freshName(): string;
  /** Calls back when the bench ends, however it ends; returns a way to take that back. */
  onEnd(end: () => unknown): () => void;
  /** Ends what parts left behind, newest first, then the servers. */
  close(): Promise<void>;
}

const FOLDER = join(import.meta.dirname, '../../.local/bench');

/** Starts the servers. Their data stay in .local/bench, so that the next run starts faster. */
export async function openBench(
  options: Options,
  k6: string | null,
  log: (line: string) => void,
): Promise<Bench> {
  await mkdir(join(FOLDER, 'log'), { recursive: true });
  // An empty environment: the bench never loads servers that somebody else uses.
  const servers = await startServers({ dataDir: FOLDER, log, env: {} });
  const watchdog = startWatchdog();
  const ends = new Set<() => unknown>();
  const run = Date.now().toString(36);
  let names = 0;
  return {
    options,
    servers,
    folder: FOLDER,
    k6,
    watchdog,
    log,
    freshName: () => `bench_${run}_${(names += 1)}`,
    onEnd: (end) => {
      ends.add(end);
      return () => ends.delete(end);
    },
    close: async () => {
      for (const end of [...ends].toReversed()) await Promise.resolve(end()).catch(() => {});
      await servers.stop();
      watchdog.close();
    },
  };
}
