// PostgreSQL, with everything that can happen to it.

import pg from 'pg';

import { sendSignal } from '../../local/servers/pid-file.ts';
import { childrenOf } from './children.ts';
import type { PostgresStore } from './stack.ts';
import type { Volume } from './volume.ts';

const APPLICATION = 'prove'; // our own sessions, which no fault ends
const ROUNDS = 8; // of taking what others gave back
const AT_A_TIME = 32;
const LOCK_LIMIT_MS = 5_000; // for which a lock waits behind a statement under way
const ANSWER_LIMIT_MS = 1_000;
const CONNECT_LIMIT_MS = 5_000;

/** What the faults of PostgreSQL work on. */
export interface PostgresDeps {
  /** Sessions of our own, which may write whatever the server's default is. */
  admin: pg.Pool;
  url: string;
  pid: () => number;
  volume: Volume | null;
}

/** Opens the sessions of our own. */
export function openAdmin(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ ...settingsOf(url), max, idleTimeoutMillis: 0 });
  pool.on('error', () => {}); // the server went away, which is what we are here for
  return pool;
}

/** Makes the store. */
export function postgresStore(deps: PostgresDeps): PostgresStore {
  const { admin, url, pid, volume } = deps;
  const all = () => [pid(), ...childrenOf(pid())];
  return {
    pid,
    kill: () => sendSignal(pid(), 'SIGKILL'),
    freeze: () => all().forEach((one) => sendSignal(one, 'SIGSTOP')),
    thaw: () => all().forEach((one) => sendSignal(one, 'SIGCONT')),
    isUp: () => isUp(url),
    setReadOnly: async (on) => {
      await admin.query(`alter system ${on ? 'set default_transaction_read_only = on' : 'reset all'}`);
      await admin.query('select pg_reload_conf()');
      await endSessions(admin);
    },
    setDiskFull: volume && volume.setFull,
    takeConnections: () => takeConnections(admin, url),
    lockTable: async (table) => {
      const client = new pg.Client(settingsOf(url));
      client.on('error', () => {});
      await client.connect();
      const lock = `begin; set local lock_timeout = ${LOCK_LIMIT_MS};
        lock table ${client.escapeIdentifier(table)} in access exclusive mode`;
      await client.query(lock).catch(async (error: unknown) => {
        await client.end();
        throw error;
      });
      return () => client.end();
    },
  };
}

async function isUp(url: string): Promise<boolean> {
  const limits = { connectionTimeoutMillis: ANSWER_LIMIT_MS, query_timeout: ANSWER_LIMIT_MS };
  const client = new pg.Client({ ...settingsOf(url), ...limits });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    void client.end();
  }
}

async function takeConnections(admin: pg.Pool, url: string): Promise<() => Promise<void>> {
  const taken: pg.Client[] = [];
  const giveBack = async () => void (await Promise.allSettled(taken.map((client) => client.end())));
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await endSessions(admin);
      await takeFree(url, taken);
    }
  } catch (error) {
    await giveBack();
    throw error;
  }
  return giveBack;
}

async function takeFree(url: string, taken: pg.Client[]): Promise<void> {
  for (let free = true; free;) {
    const clients = Array.from({ length: AT_A_TIME }, () => new pg.Client(settingsOf(url)));
    const connected = await Promise.allSettled(
      clients.map(async (client) => {
        client.on('error', () => {});
        await client.connect();
        taken.push(client);
      }),
    );
    free = connected.every(({ status }) => status === 'fulfilled'); // 53300: there is no other
  }
}

async function endSessions(admin: pg.Pool): Promise<void> {
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where backend_type = 'client backend' and application_name <> $1`,
    [APPLICATION],
  );
}

function settingsOf(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: APPLICATION,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    options: '-c default_transaction_read_only=off -c timezone=UTC',
  };
}
