// Starts everything of Postrider that a run needs: its own PostgreSQL, Redis and NATS, a wire to each that can break, and
// two processes of every role, from any checkout. However the prover ends, nothing of it is left running.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { nowDate } from '../../core/base/clock.ts';
import { serviceEnvironment } from '../../local/start/environment.ts';
import { loadSecrets } from '../../local/start/secrets.ts';
import { secondsUntilNoon, startCalendar } from '../../local/clock/calendar.ts';
import { findLibfaketime } from '../../local/clock/process-clock.ts';
import type { LogLine } from '../../local/servers/install.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';
import { ensureTls } from '../../local/tls.ts';
import { journalMs, type Journal } from '../journal.ts';
import type { Outside } from '../outside.ts';
import { natsStore } from './nats-store.ts';
import { openAdmin, postgresStore } from './postgres-store.ts';
import { redisStore } from './redis-store.ts';
import type { Endpoint, Stack, StoreName } from './stack.ts';
import { startProcesses, type Processes } from './start-processes.ts';
import { startStores, type Undo } from './start-stores.ts';

/** What to start, and where. */
export interface StackInput {
  /** The checkout whose services run. */
  folder: string;
  /** Data, logs and keys of the run go here. */
  runDir: string;
  journal: Journal;
  outside: Pick<Outside, 'smtpPort' | 'dnsAddress'>;
  log: LogLine;
}

const ADMIN_SESSIONS = 4;

/** Starts all of it and waits until every process is ready. */
export async function startStack(input: StackInput): Promise<Stack> {
  const undo: Undo = [];
  const stop = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    return { ...(await start(input, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(input: StackInput, undo: Undo): Promise<Omit<Stack, 'stop'>> {
  const { folder, runDir, journal, outside, log } = input;
  await mkdir(join(runDir, 'log'), { recursive: true, mode: 0o700 });
  const watchdog = startWatchdog();
  undo.push(() => watchdog.close());
  const tls = await ensureTls(join(runDir, 'tls'));
  const secrets = await loadSecrets(join(runDir, 'secrets.json'));
  const libfaketime = await findLibfaketime();
  const aheadSeconds = libfaketime === null ? 0 : secondsUntilNoon(nowDate());
  const { servers, urls, ...stores } = await startStores(
    { dataDir: runDir, watchdog, log },
    aheadSeconds,
    undo,
  );
  const deps = { root: folder, folder: runDir, watchdog, log };
  const processes = await startProcesses({ deps, outside, secrets, tls, urls, libfaketime, aheadSeconds });
  undo.push(processes.stop);
  const admin = openAdmin(servers.databaseUrl, ADMIN_SESSIONS);
  undo.push(() => admin.end());
  const pid = (name: StoreName) => () => servers.pids()[name]!;
  const { volume, wires } = stores;
  return {
    ...endpointsOf(processes),
    caFile: tls.caFile,
    internalToken: secrets.internal_token,
    processes: processes.list,
    stores: {
      postgres: postgresStore({ admin, url: servers.databaseUrl, pid: pid('postgres'), volume }),
      redis: redisStore({ url: servers.redisUrl, pid: pid('redis'), folder: join(runDir, 'redis') }),
      nats: natsStore({ url: servers.natsUrl, pid: pid('nats'), folder: join(runDir, 'nats') }),
    },
    wires,
    calendar: libfaketime
      ? await startCalendar({
          admin,
          follow: processes.setClocks,
          ms: journalMs,
          note: ({ storeMs, since, t }) => void journal.append({ kind: 'calendar', storeMs, since }, t),
        })
      : null,
    missing: [
      ...stores.missing,
      ...(libfaketime ? [] : ['clocks and the calendar cannot be moved: install libfaketime']),
    ],
    settings: serviceEnvironment({
      own: { DNS_SERVERS: outside.dnsAddress, OUTBOUND_SMTP_PORT: `${outside.smtpPort}` },
      ports: processes.portsOf('api')[0]!,
      secrets,
      tls,
      ...servers,
    }),
  };
}

function endpointsOf({ portsOf }: Processes): Pick<Stack, 'apis' | 'senders' | 'inbounds'> {
  const at = (port: number): Endpoint => ({ host: '127.0.0.1', port });
  return {
    apis: portsOf('api').map((ports) => ({
      origin: `https://127.0.0.1:${ports.apiHttps}`,
      submission: at(ports.submission),
    })),
    senders: portsOf('sender').map(({ grpc }) => at(grpc)),
    inbounds: portsOf('inbound').map(({ inboundSmtp }) => at(inboundSmtp)),
  };
}
