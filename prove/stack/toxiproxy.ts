// The wires between our processes and the stores: toxiproxy, which loses, delays and resets on command.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sleep } from '../../core/base/clock.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { findGoProgram, GoProgramMissing, type GoProgram } from '../../local/servers/go-program.ts';
import type { LogLine } from '../../local/servers/install.ts';
import { startAndWait, type ServerPlace } from '../../local/servers/private-server.ts';
import type { Supervised } from '../../local/servers/supervise.ts';
import type { StoreName, Wire } from './stack.ts';

const TOXIPROXY: GoProgram = {
  name: 'toxiproxy-server',
  module: 'github.com/Shopify/toxiproxy/v2/cmd/server@v2.8.0', // the newest that Debian 12's Go 1.19 can build
  hint: 'toxiproxy',
};
const RESET_MS = 400; // long enough for every busy connection to carry something, which is what resets it
const STOP_LIMIT_MS = 2_000;

/** Running proxies. */
export interface Toxiproxy {
  process: Supervised;
  wires: Record<StoreName, Wire>;
  /** The same URL with the proxy's address. */
  through(name: StoreName, url: string): string;
}

/** The path of toxiproxy, built with Go when it is not installed; null when that is not possible, and why. */
export async function findToxiproxy(log: LogLine): Promise<{ path: string } | { missing: string }> {
  try {
    return { path: await findGoProgram(TOXIPROXY, log) };
  } catch (error) {
    if (error instanceof GoProgramMissing) return { missing: error.message };
    throw error;
  }
}

/** Starts a proxy in front of each store. */
export async function startToxiproxy(
  path: string,
  urls: Record<StoreName, string>,
  place: ServerPlace,
): Promise<Toxiproxy> {
  const names = Object.keys(urls) as StoreName[];
  const ports = new Map<StoreName, number>();
  for (const name of names) ports.set(name, await freePort());
  const port = await freePort();
  const configFile = join(place.dataDir, 'toxiproxy.json');
  const proxies = names.map((name) => ({
    name,
    listen: `127.0.0.1:${ports.get(name)}`,
    upstream: new URL(urls[name]).host,
    enabled: true,
  }));
  await writeFile(configFile, JSON.stringify(proxies));
  const api = `http://127.0.0.1:${port}`;
  const process = await startAndWait(
    {
      name: 'toxiproxy',
      command: path,
      args: ['-host', '127.0.0.1', '-port', `${port}`, '-config', configFile],
      cwd: place.dataDir,
      env: { LOG_LEVEL: 'warn' },
      stopSignal: 'SIGTERM',
      stopLimitMs: STOP_LIMIT_MS,
      logFile: join(place.dataDir, 'log', 'toxiproxy.log'),
      pidFile: join(place.dataDir, 'toxiproxy.pid'),
    },
    place,
    async () => Object.keys((await (await fetch(`${api}/proxies`)).json()) as object).length === names.length,
  );
  const wire = (name: StoreName) => createWire(`${api}/proxies/${name}/toxics`);
  return {
    process,
    wires: { postgres: wire('postgres'), redis: wire('redis'), nats: wire('nats') },
    through: (name, given) => {
      const url = new URL(given);
      url.port = `${ports.get(name)}`;
      return url.toString();
    },
  };
}

function createWire(toxics: string): Wire {
  const added: string[] = [];
  const add = async (type: string, attributes: Record<string, number>) => {
    for (const stream of ['upstream', 'downstream']) {
      const name = `${type}-${stream}`;
      await call(toxics, { method: 'POST', body: JSON.stringify({ name, type, stream, attributes }) });
      added.push(name);
    }
  };
  const mend = async () => {
    for (const name of added.splice(0)) await call(`${toxics}/${name}`, { method: 'DELETE' });
  };
  return {
    drop: () => add('timeout', { timeout: 0 }), // no time-out: bytes are lost until the toxic is removed
    delay: (latency, jitter) => add('latency', { latency, jitter }),
    reset: async () => {
      await add('reset_peer', { timeout: 0 });
      await sleep(RESET_MS);
      await mend();
    },
    mend,
  };
}

async function call(url: string, init: RequestInit): Promise<void> {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`toxiproxy answered ${answer.status}: ${await answer.text()}`);
}
