// `npm run simulate -- --days 60 [--providers FILE] [--out FOLDER]`: weeks of warm-up in a minute. Uses DATABASE_URL
// and REDIS_URL where given (a database of its own is made there and dropped), private servers otherwise.

import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';

import { monotonicMs } from '../../core/base/clock.ts';
import { createLogger } from '../../core/base/log.ts';
import { openRedis } from '../../core/clients/redis.ts';
import { migrate } from '../../core/db/migrate.ts';
import { startServers } from '../servers/start-servers.ts';
import { readBehaviour } from './behaviour.ts';
import { HEAD, toLine, toSvg, toTable } from './plot.ts';
import { simulate } from './simulate.ts';
import { openSimulated } from './simulated-clock.ts';

const ROOT = join(import.meta.dirname, '../..');

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      days: { type: 'string', default: '60' },
      providers: { type: 'string', default: join(import.meta.dirname, 'providers.json') },
      out: { type: 'string', default: join(ROOT, '.local/simulate') },
    },
  });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > 730) throw new Error('--days is a number from 1 to 730');
  const behaviour = readBehaviour(values.providers);
  const startedAt = monotonicMs();
  const servers = await startServers({
    dataDir: join(ROOT, '.local/simulate/servers'),
    log: (line) => console.error(line),
  });
  const name = `simulate_${randomBytes(5).toString('hex')}`;
  try {
    const databaseUrl = await createDatabase(servers.databaseUrl, name);
    await run({ databaseUrl, redisUrl: servers.redisUrl, name, days, behaviour, out: values.out });
    console.error(`${days} days in ${Math.round((monotonicMs() - startedAt) / 1000)} s`);
  } finally {
    await admin(servers.databaseUrl, `drop database if exists ${name} with (force)`);
    await servers.stop();
  }
}

async function run(what: {
  databaseUrl: string;
  redisUrl: string;
  name: string;
  days: number;
  behaviour: ReturnType<typeof readBehaviour>;
  out: string;
}): Promise<void> {
  const log = createLogger({ LOG_LEVEL: 'warn' }, 'simulate');
  const simulated = await openSimulated({ DATABASE_URL: what.databaseUrl, DATABASE_POOL_SIZE: 4 }, log);
  const redis = await openRedis({ REDIS_URL: [what.redisUrl] }, log);
  console.log(HEAD);
  const deps = { simulated, redis, keyPrefix: what.name, log };
  const lived = await simulate(deps, what.behaviour, what.days, (day) => console.log(toLine(day)));
  await mkdir(what.out, { recursive: true });
  await writeFile(join(what.out, 'warmup.svg'), toSvg(lived, `${what.days} days of warm-up, simulated`));
  await writeFile(join(what.out, 'warmup.md'), toTable(lived));
  console.error(`plot and table: ${join(what.out, 'warmup.svg')}, warmup.md`);
  await redis.close();
  await simulated.db.close();
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await admin(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.toString());
  return url.toString();
}

async function admin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
