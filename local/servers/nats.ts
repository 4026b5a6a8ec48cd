// A private NATS server with JetStream. No password: the client reads none from a URL, and what NATS carries are
// wake-ups that the record in PostgreSQL decides about.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { BinarySpec } from './find-binary.ts';
import { freePort } from './free-port.ts';
import { startAndWait, startOrReset, type PrivateServer, type ServerPlace } from './private-server.ts';

/** Which NATS server will do, and where it may lie. */
export const NATS_BINARY: BinarySpec = {
  name: 'nats-server',
  atLeast: [2, 9],
  folders: ['/usr/local/bin', '/usr/sbin', '/usr/bin', '/opt/homebrew/bin'],
};

const STOP_LIMIT_MS = 5_000;

/** Starts NATS with its data under `nats/`. */
export function startNats(binary: string, place: ServerPlace): Promise<PrivateServer> {
  const folder = join(place.dataDir, 'nats');
  return startOrReset(
    'NATS',
    () => start(binary, folder, place),
    () => rm(folder, { recursive: true, force: true }),
    place.log,
  );
}

async function start(binary: string, folder: string, place: ServerPlace): Promise<PrivateServer> {
  const [port, monitoringPort] = await Promise.all([freePort(), freePort()]);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const process = await startAndWait(
    {
      name: 'nats',
      command: binary,
      args: ['-a', '127.0.0.1', '-p', `${port}`, '-m', `${monitoringPort}`, '-js', '-sd', folder],
      cwd: folder,
      stopSignal: 'SIGTERM',
      stopLimitMs: STOP_LIMIT_MS,
      logFile: join(place.dataDir, 'log', 'nats.log'),
      pidFile: join(place.dataDir, 'nats.pid'),
    },
    place,
    async () => (await fetch(`http://127.0.0.1:${monitoringPort}/healthz`)).ok,
  );
  return { url: `nats://127.0.0.1:${port}`, process };
}
