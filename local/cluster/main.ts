// `npm run cluster`: what production has three of, on this machine. PostgreSQL under Patroni, Redis under Sentinel and
// NATS, each a primary or leader with two that can follow it. Prints where they are and stays up until Ctrl-C; a server
// that is killed comes back after half a minute, as a machine would. docs/high-availability.md

import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { sleep } from '../../core/base/clock.ts';
import { findBinary } from '../servers/find-binary.ts';
import { takeLock } from '../servers/lock.ts';
import { NATS_BINARY } from '../servers/nats.ts';
import { REDIS_BINARY } from '../servers/redis.ts';
import { startWatchdog } from '../servers/watchdog.ts';
import type { Machine } from './machine.ts';
import { startNatsCluster } from './nats.ts';
import { primaryOf, startPostgresCluster } from './postgres.ts';
import { startRedisPair } from './redis.ts';

const BACK_AFTER_MS = 30_000;
const FOLDER = resolve(import.meta.dirname, '../../.local/cluster');

await mkdir(dirname(FOLDER), { recursive: true });
await takeLock(`${FOLDER}.lock`); // beside what is deleted now
await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { mode: 0o700 });
const [redisBinary, natsBinary] = [await findBinary(REDIS_BINARY), await findBinary(NATS_BINARY)];
if (!redisBinary || !natsBinary) throw new Error('apt-get install redis-server nats-server');
const watchdog = startWatchdog();
say('starting three of each; PostgreSQL needs half a minute');
const password = randomBytes(18).toString('hex');
const [postgres, redis, nats] = await Promise.all([
  startPostgresCluster(join(FOLDER, 'postgres'), watchdog),
  startRedisPair(redisBinary.path, password, join(FOLDER, 'redis'), watchdog),
  startNatsCluster(natsBinary.path, join(FOLDER, 'nats'), watchdog),
]);
const env =
  `export DATABASE_URL='${postgres.url}'\nexport REDIS_URL='${redis.url}'\n` +
  `export NATS_URL='${nats.url}'\n`;
await writeFile(join(FOLDER, 'env'), env, { mode: 0o600 });
process.stdout.write(`${env}\nIn another terminal: . .local/cluster/env && npm start\n`);
process.stdout.write('Enter kills the machine of the PostgreSQL primary; Ctrl-C ends all.\n');
process.stdin.on('data', () => void killPrimary());

const stop = new AbortController();
for (const machine of [...postgres.machines, ...redis.servers.values(), ...nats.machines])
  void keepUp(machine);
const end = () => {
  stop.abort();
  void Promise.all([postgres.stop(), redis.stop(), nats.stop()]).then(() => process.exit(0));
};
process.once('SIGINT', end);
process.once('SIGTERM', end);

async function killPrimary(): Promise<void> {
  const primary = await primaryOf(postgres);
  if (!primary) return say('there is no primary now');
  say(`killing ${primary.machine.name}, the primary`);
  await primary.machine.kill();
}

async function keepUp(machine: Machine): Promise<void> {
  while (!stop.signal.aborted) {
    await sleep(1_000, stop.signal);
    if (stop.signal.aborted || (await machine.isRunning())) continue;
    say(`${machine.name} is gone; back in ${BACK_AFTER_MS / 1000} s`);
    await sleep(BACK_AFTER_MS, stop.signal);
    if (!stop.signal.aborted)
      await machine.start().catch((error) => say(`${machine.name} does not start: ${error}`));
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
