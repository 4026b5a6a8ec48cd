// Which of several PostgreSQL servers accepts writes, and following it when it changes. node-postgres 8.23 knows one
// host (https://github.com/brianc/node-postgres/pull/3643 is open), and a machine that is gone does not even reset its
// connections. So each process asks all servers once a second; of those that accept writes the newest timeline wins,
// because an old primary that was cut off accepts them too and knows nothing of the new one.

import pg from 'pg';

import type { Logger } from '../base/log.ts';
import { startLoop } from '../base/loop.ts';

/** Several servers under watch. */
export interface PrimaryWatch {
  /** Where the primary listens. Throws at once while there is none, and waits for the first look only. */
  address(): Promise<ServerAddress>;
  close(): Promise<void>;
}

/** Where a server listens. */
export interface ServerAddress {
  host: string;
  port: number;
}

interface Server {
  client: pg.Client | null;
  config: pg.ClientConfig;
  /** Why it does not accept writes. */
  trouble: string;
}

const LOOK_EVERY_MS = 1_000;
const ANSWER_MS = 2_000; // a server that takes longer for this is no use now
// Of what a server writes to: the first eight digits of a WAL file's name are its timeline, one more after each promotion.
const TIMELINE = `select case when current_setting('transaction_read_only') = 'off'
  then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

/** No server accepts writes: SQLSTATE 08001, as for one that cannot be reached. */
class NoPrimary extends Error {
  code = '08001';
}

/** Watches servers. `onMove` is called with the new primary when another one was before. */
export function watchPrimary(
  urls: string[],
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
  onMove: (to: ServerAddress) => void,
): PrimaryWatch {
  const servers = urls.map((connectionString): Server => ({
    client: null,
    trouble: '',
    config: { connectionString, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS },
  }));
  let primary: { address: ServerAddress; timeline: string } | null = null;
  let lost = false;
  let looked: () => void = () => {};
  const firstLook = new Promise<void>((resolve) => (looked = resolve));

  const look = async () => {
    const answers = await Promise.all(servers.map(ask));
    // Never back to an older timeline: what was written since would be missing there.
    const found = answers
      .filter((one) => one !== null)
      .filter(({ timeline }) => primary === null || timeline >= primary.timeline)
      .toSorted((a, b) => b.timeline.localeCompare(a.timeline))[0];
    if (found) {
      const moved = primary !== null && !isSame(primary.address, found.address);
      if (moved || primary === null) log.info(found, 'this PostgreSQL server accepts writes');
      primary = found;
      if (moved) onMove(found.address);
    } else if (!lost) {
      log.warn({ servers: servers.map(({ trouble }) => trouble) }, 'no PostgreSQL server accepts writes');
    }
    lost = !found;
    looked();
    return LOOK_EVERY_MS;
  };
  const loop = startLoop({ what: 'the look for the primary', log, step: look });
  return {
    address: async () => {
      await firstLook;
      if (primary === null || lost)
        throw new NoPrimary(
          `no server in DATABASE_URL accepts writes now: ${servers.map(({ trouble }) => trouble).join(', ')}`,
        );
      return primary.address;
    },
    close: async () => {
      await loop.stop();
      for (const server of servers) await server.client?.end();
    },
  };
}

/** A class of connections for pg.Pool that go to the primary, whatever server their settings name. */
export function connectionsToPrimary(watch: Pick<PrimaryWatch, 'address'>): new () => pg.ClientBase {
  const follow = async (client: pg.Client) => {
    Object.assign(client, await watch.address()); // its fields that pg connects to
  };
  class ToPrimary extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(done: (error: Error) => void): void;
    override connect(done?: (error: Error) => void): Promise<pg.Client> | void {
      if (!done) return follow(this).then(() => super.connect());
      follow(this).then(() => super.connect(done), done);
    }
  }
  return ToPrimary;
}

/** Connects once, to the only server or to the primary of several. */
export async function connectToPrimary(urls: [string, ...string[]]): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urls[0] });
  if (urls.length > 1) {
    const quiet = { info: () => {}, warn: () => {}, error: () => {} };
    const watch = watchPrimary(urls, quiet, () => {});
    try {
      Object.assign(client, await watch.address());
    } finally {
      await watch.close();
    }
  }
  await client.connect();
  return client;
}

/** Whether two addresses are of one server. */
export function isSame(one: ServerAddress, other: ServerAddress): boolean {
  return one.host === other.host && one.port === other.port;
}

// Null: it does not accept writes, or does not answer.
async function ask(server: Server): Promise<{ address: ServerAddress; timeline: string } | null> {
  const client = server.client ?? new pg.Client(server.config);
  try {
    if (server.client === null) {
      client.on('error', () => {}); // the next question fails, and says so
      await client.connect();
      server.client = client;
    }
    const { rows } = await client.query<{ timeline: string | null }>(TIMELINE);
    const timeline = rows[0]?.timeline;
    server.trouble = 'is read-only';
    return timeline ? { address: { host: client.host, port: client.port }, timeline } : null;
  } catch (error) {
    server.trouble = String(error);
    server.client = null;
    void client.end().catch(() => {}); // a peer that is gone would be waited for
    return null;
  }
}
