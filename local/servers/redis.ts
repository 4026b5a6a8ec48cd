// A private Redis: loopback, a password, append-only file flushed every second.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';

import type { BinarySpec } from './find-binary.ts';
import { freePort } from './free-port.ts';
import { startAndWait, startOrReset, type PrivateServer, type ServerPlace } from './private-server.ts';

/** Which Redis will do, and where it may lie. */
export const REDIS_BINARY: BinarySpec = {
  name: 'redis-server',
  atLeast: [7, 0],
  folders: ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'],
};

const PROBE_LIMIT_MS = 1_000;
const STOP_LIMIT_MS = 5_000;

/** Starts Redis with its data under `redis/`. */
export function startRedis(binary: string, password: string, place: ServerPlace): Promise<PrivateServer> {
  const folder = join(place.dataDir, 'redis');
  return startOrReset(
    'Redis',
    () => start(binary, password, folder, place),
    () => rm(folder, { recursive: true, force: true }),
    place.log,
  );
}

async function start(
  binary: string,
  password: string,
  folder: string,
  place: ServerPlace,
): Promise<PrivateServer> {
  const port = await freePort();
  const configFile = join(folder, 'redis.conf');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(configFile, configText(folder, port, password), { mode: 0o600 });
  const process = await startAndWait(
    {
      name: 'redis',
      command: binary,
      args: [configFile],
      cwd: folder,
      stopSignal: 'SIGTERM',
      stopLimitMs: STOP_LIMIT_MS,
      logFile: join(place.dataDir, 'log', 'redis.log'),
      pidFile: join(place.dataDir, 'redis.pid'),
    },
    place,
    () => ping(port, password),
  );
  return { url: `redis://:${password}@127.0.0.1:${port}`, process };
}

// The password keeps other users of this machine out: who may write to Redis may run programs as its user.
function configText(folder: string, port: number, password: string): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir "${folder}"`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""', // the append-only file is enough
    'aof-load-truncated yes', // a kill -9 may leave half a command at the end
    'tcp-backlog 511',
    'maxmemory-policy noeviction', // counters must not vanish silently
    '',
  ].join('\n');
}

function ping(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    let answer = '';
    const done = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(PROBE_LIMIT_MS, () => done(false));
    socket.on('error', () => done(false));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (answer.includes('+PONG')) done(true);
      else if (answer.includes('-')) done(false); // still loading
    });
    socket.write(`AUTH ${password}\r\nPING\r\n`);
  });
}
