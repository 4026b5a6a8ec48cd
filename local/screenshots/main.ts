// `npm run screenshots`: starts the whole service with a sample account beside any other, and takes the pictures that README.md
// shows into docs/screenshots/. The account is thrown away at the end.

import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { loadConfig } from '../../core/base/config.ts';
import { createLogger } from '../../core/base/log.ts';
import { openDatabase } from '../../core/db/pool.ts';
import { createDomainDns } from '../../core/domain/dns-lookup.ts';
import { startWatchdog } from '../servers/watchdog.ts';
import { startAll, type StopSteps } from '../start/start-all.ts';
import { makeSampleAccount } from './sample-account.ts';
import { takeShots } from './shots.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const root = join(import.meta.dirname, '../..');
const folder = join(root, '.local', 'screenshots');
const target = join(root, 'docs', 'screenshots');

if (!existsSync(CHROMIUM)) {
  process.stderr.write(`chromium is not at ${CHROMIUM}: apt-get install chromium, or set CHROMIUM\n`);
  process.exit(1);
}
const log = (line: string) => void process.stdout.write(`${line}\n`);
const watchdog = startWatchdog();
const steps: StopSteps = [];
process.on('SIGINT', () => void stop(130));
try {
  await rm(folder, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await run();
  await stop(0);
} catch (error) {
  log((error as Error).stack ?? String(error));
  await stop(1);
}

async function run(): Promise<void> {
  const input = { root, folder, env: process.env, watchdog, log };
  const { connection, env } = await startAll(input, steps);
  const config = loadConfig(env);
  const quiet = createLogger({ LOG_LEVEL: 'error' }, 'screenshots');
  const db = openDatabase({ ...config, DATABASE_POOL_SIZE: 2 }, quiet);
  steps.push(() => db.close());
  const deps = { db, config, log: quiet, dns: createDomainDns(config) };
  const account = await makeSampleAccount(deps, connection, await startReceiver());
  log('the sample account is ready');
  await takeShots(CHROMIUM, new URL(connection.dashboard_url).origin, account, target, log);
}

// Takes the account's webhooks.
async function startReceiver(): Promise<string> {
  const server = createServer((request, response) =>
    request.resume().on('end', () => response.end('thanks')),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  steps.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

async function stop(code: number): Promise<void> {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) await step().catch(() => undefined);
  watchdog.close();
  process.exit(code);
}
