// `node local/servers/run.ts [folder]`: the three servers alone, for development. Prints their addresses as shell
// exports and stays up until Ctrl-C.

import { resolve } from 'node:path';

import { MissingServerError } from './install.ts';
import { LockedError } from './lock.ts';
import { startServers } from './start-servers.ts';

const dataDir = process.argv[2] ?? resolve(import.meta.dirname, '../../.local');

try {
  const servers = await startServers({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  process.stdout.write(
    `export DATABASE_URL='${servers.databaseUrl}'\n` +
      `export REDIS_URL='${servers.redisUrl}'\n` +
      `export NATS_URL='${servers.natsUrl}'\n`,
  );
  const stayUp = setInterval(() => {}, 2 ** 30);
  const end = () => {
    clearInterval(stayUp);
    void servers.stop().then(() => process.exit(0));
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
} catch (error) {
  const expected = error instanceof MissingServerError || error instanceof LockedError;
  process.stderr.write(
    `${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exitCode = 1;
}
