// Everything that `npm start` starts, in the order in which one needs the other, and stops in the reverse order.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { loadConfig, type Config } from '../../core/base/config.ts';
import { migrate } from '../../core/db/migrate.ts';
import { buildDashboardIfStale } from '../../dashboard/build.ts';
import { useMovedClock } from '../clock/moved-clock.ts';
import { forgetDeadProcesses } from '../clock/process-clock.ts';
import { seed } from '../seed.ts';
import { takeLock } from '../servers/lock.ts';
import type { LogLine } from '../servers/install.ts';
import { startServers, type Servers } from '../servers/start-servers.ts';
import type { Supervised } from '../servers/supervise.ts';
import type { Watchdog } from '../servers/watchdog.ts';
import { simulatorClient } from '../simulator/client.ts';
import { ensureTls } from '../tls.ts';
import type { Started } from './banner.ts';
import { writeConnection, type Connection } from './connection.ts';
import { serviceEnvironment } from './environment.ts';
import { sendFirstMessage } from './first-message.ts';
import { choosePorts, type Ports } from './ports.ts';
import {
  SERVICES,
  startService,
  startSimulatorProcess,
  type ProcessDeps,
  type ServiceName,
} from './processes.ts';
import { loadSecrets } from './secrets.ts';

/** What starting needs. */
export interface StartAllInput {
  /** The checkout. */
  root: string;
  /** Its `.local`. */
  folder: string;
  env: Record<string, string | undefined>;
  watchdog: Watchdog;
  log: LogLine;
  /** Clocks can be moved (local/clock/). The folder is its own, and so is PostgreSQL. */
  clock?: boolean;
}

/** Things to undo, the newest first. Filled while starting, so that a start that is broken off is undone too. */
export type StopSteps = (() => Promise<void>)[];

/** Starts all of it. `steps` gets what is to be undone. */
export async function startAll(input: StartAllInput, steps: StopSteps): Promise<Started> {
  const { folder, log } = input;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await takeLock(join(folder, 'start.lock'));
  steps.push(lock.release);
  const connectionFile = join(folder, 'connection.json');
  const forget = () => rm(connectionFile, { force: true });
  await forget();
  const dashboard = buildDashboard(log);

  const servers = await startServers({ dataDir: folder, log, env: input.env, watchdog: input.watchdog });
  steps.push(servers.stop);
  const tls = await ensureTls(join(folder, 'tls'));
  const secrets = await loadSecrets(join(folder, 'secrets.json'));
  const ports = await choosePorts(input.env);
  const moved = input.clock === true ? await useMovedClock(folder, servers.databaseUrl) : {};
  const env = serviceEnvironment({ own: { ...input.env, ...moved }, ports, secrets, tls, ...servers });
  const config = loadConfig(env); // a bad setting is reported before anything of ours starts

  const simulatorProcess = await startSimulatorProcess(input, ports, tls);
  steps.push(simulatorProcess.stop);
  log('simulator ready');
  await migrate(servers.databaseUrl, { log });
  log('database is up to date');
  await dashboard;

  const pids = await startServices(input, env, steps);
  const simulator = simulatorClient(ports.simulatorHttp);
  const seeded = await seed({ config, simulator, log, folder });
  log(`tenant ${seeded.tenantId} with ${seeded.domain}`);

  const addresses = addressesOf(ports, servers, config);
  const connection: Connection = {
    ...addresses,
    ca_file: tls.caFile,
    tenant_id: seeded.tenantId,
    domain: seeded.domain,
    api_key: seeded.apiKey,
    super_admin_token: seeded.superAdminToken,
    dashboard: seeded.dashboard,
    pids: pids.now,
  };
  const first = await sendFirstMessage({
    baseUrl: addresses.base_url,
    caFile: tls.caFile,
    apiKey: seeded.apiKey,
    domain: seeded.domain,
    simulator,
  });
  steps.push(forget);
  await writeConnection(connectionFile, connection);
  pids.onChange(() => void writeConnection(connectionFile, connection));
  return { connection, connectionFile, first, admin: seeded.admin, env };
}

// Beside the start of the servers. Everything but the dashboard works without it.
async function buildDashboard(log: LogLine): Promise<void> {
  try {
    if (await buildDashboardIfStale(log)) log('dashboard built');
  } catch (error) {
    log(`${(error as Error).message}\nThe rest starts without the dashboard.`);
  }
}

interface Pids {
  now: Record<ServiceName, number[]>;
  onChange(listener: () => void): void;
}

/**
 * Starts all four at once: api is ready when the sender is, and they wait for each other. When one cannot start, the others are
 * stopped, and its error is thrown without waiting for them to be ready. `steps` gets how to stop them.
 */
export async function startServices(
  deps: ProcessDeps,
  env: Record<string, string>,
  steps: StopSteps,
): Promise<Pids> {
  const now: Pids['now'] = { api: [], sender: [], inbound: [], scheduler: [] };
  let changed = () => {};
  const running = new Map<ServiceName, Supervised>();
  steps.push(async () => {
    await stopServices(running);
    await forgetDeadProcesses();
  });
  const broken = new AbortController();
  const starts = SERVICES.map(async (name) => {
    const service = await startService({ ...deps, signal: broken.signal }, name, env, (pid) => {
      now[name] = [pid];
      changed();
      void forgetDeadProcesses();
    });
    running.set(name, service);
    deps.log(`${name} ready`);
  });
  const noted = starts.map((start) => start.catch((error: unknown) => broken.abort(error)));
  await Promise.all(noted);
  broken.signal.throwIfAborted();
  return { now, onChange: (listener) => void (changed = listener) };
}

// First those that take new work, then those that finish it.
async function stopServices(running: Map<ServiceName, Supervised>): Promise<void> {
  for (const pair of [SERVICES.slice(0, 2), SERVICES.slice(2)])
    await Promise.all(pair.map(async (name) => running.get(name)?.stop()));
}

type Addresses = Omit<
  Connection,
  'ca_file' | 'tenant_id' | 'domain' | 'api_key' | 'super_admin_token' | 'dashboard' | 'pids'
>;

function addressesOf(ports: Ports, servers: Servers, { COMPAT_HOSTS, INTERNAL_TOKEN }: Config): Addresses {
  const origin = `https://localhost:${ports.apiHttps}`;
  return {
    base_url: `${origin}/api/v1`,
    compat_urls: Object.fromEntries(
      Object.entries(COMPAT_HOSTS).map(([service, host]) => [service, `https://${host}:${ports.apiHttps}`]),
    ),
    graphql_url: `${origin}/graphql`,
    dashboard_url: `${origin}/`,
    grpc_address: `127.0.0.1:${ports.grpc}`,
    grpc_token: INTERNAL_TOKEN,
    inbound_smtp: { host: '127.0.0.1', port: ports.inboundSmtp },
    submission: { host: '127.0.0.1', port: ports.submission, tls_port: ports.submissions },
    simulator: {
      smtp_port: ports.simulatorSmtp,
      dns_port: ports.simulatorDns,
      http_port: ports.simulatorHttp,
    },
    database_url: servers.databaseUrl,
    redis_url: servers.redisUrl,
    nats_url: servers.natsUrl,
  };
}
