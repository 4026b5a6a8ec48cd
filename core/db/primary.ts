// Which of several PostgreSQL servers accepts writes, and following it when it changes. node-postgres 8.23 knows one
// host (https://github.com/brianc/node-postgres/pull/3643 is open), and a machine that is gone does not even reset its
// connections. So each process asks all servers once a second; of those that accept writes the newest timeline wins,
// because an old primary that was cut off accepts them too and knows nothing of the new one.

import pg from 'pg';

import { sleep } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { startLoop } from '../base/loop.ts';
import { BucketClient } from './bucket-client.ts';

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
  config: pg.ClientConfig;
  address: ServerAddress;
  client: pg.Client | null;
  /** What it said last: its timeline when it accepts writes, null when it does not or says nothing; not asked yet. */
  timeline?: string | null;
  /** Why it did not answer, if it did not. */
  error: string | null;
  isAbandoned: boolean;
}

const ASK_EVERY_MS = 1_000;
const ANSWER_MS = 2_000; // a server that takes longer for this is no use now
const PRIMARY_WAIT_MS = 30_000; // of what runs once: a failover takes about as long
// Of what a server writes to: the first eight digits of a WAL file's name are its timeline, one more after each promotion.
const TIMELINE = `select case when current_setting('transaction_read_only') = 'off'
  then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

/** No server accepts writes: SQLSTATE 08001, as for one that cannot be reached. */
class NoPrimary extends Error {
  code = '08001';
}

/** Watches servers. `onPrimary` is called with each one that becomes the primary. */
export function watchPrimary(
  urls: string[],
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
  onPrimary: (address: ServerAddress) => void,
): PrimaryWatch {
  const servers = urls.map(newServer);
  let primary: Server | null = null;
  let newest = ''; // never back to an older timeline: what was written since would be missing there
  let known: () => void = () => {};
  const firstLook = new Promise<void>((resolve) => (known = resolve));

  const choose = () => {
    const before = primary;
    const writable = servers.filter(({ timeline }) => timeline && timeline >= newest);
    primary = writable.toSorted((a, b) => b.timeline!.localeCompare(a.timeline!))[0] ?? null;
    if (primary) newest = primary.timeline!;
    for (const server of servers) tellAbandoned(server, newest, log);
    if (primary || servers.every(({ timeline }) => timeline !== undefined)) known();
    if (primary === before) return;
    if (!primary)
      return log.warn({ servers: troubles(servers, newest) }, 'no PostgreSQL server is the primary');
    log.info({ ...primary.address, timeline: newest }, 'this PostgreSQL server is the primary');
    onPrimary(primary.address);
  };
  // Each by itself: one that hangs delays nothing.
  const loops = servers.map((server) =>
    startLoop({
      what: 'looking for the primary',
      log,
      async step() {
        await ask(server);
        choose();
        return ASK_EVERY_MS;
      },
    }),
  );
  return {
    address: async () => {
      await firstLook;
      if (primary) return primary.address;
      throw new NoPrimary(
        `no server in DATABASE_URL is the primary now: ${troubles(servers, newest).join(', ')}`,
      );
    },
    close: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      for (const { client } of servers) await client?.end();
    },
  };
}

/** A class of connections for pg.Pool that go to the primary, whatever server their settings name. */
export function connectionsToPrimary(watch: Pick<PrimaryWatch, 'address'>): new () => BucketClient {
  const follow = async (client: pg.Client) => {
    Object.assign(client, await watch.address()); // its fields that pg connects to
  };
  class ToPrimary extends BucketClient {
    override connect(): Promise<pg.Client>;
    override connect(done: (error: Error) => void): void;
    override connect(done?: (error: Error) => void): Promise<pg.Client> | void {
      if (!done) return follow(this).then(() => super.connect());
      follow(this).then(() => super.connect(done), done);
    }
  }
  return ToPrimary;
}

/** Connects once, to the only server or to the primary of several, for which it waits a while. */
export async function connectToPrimary(urls: [string, ...string[]]): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urls[0] });
  if (urls.length > 1) Object.assign(client, await findPrimary(urls));
  await client.connect();
  return client;
}

async function findPrimary(urls: string[]): Promise<ServerAddress> {
  const quiet = { info: () => {}, warn: () => {}, error: () => {} };
  let found: (address: ServerAddress) => void = () => {};
  const appeared = new Promise<ServerAddress>((resolve) => (found = resolve));
  const watch = watchPrimary(urls, quiet, (address) => found(address));
  const waiting = new AbortController();
  try {
    return await Promise.race([appeared, sleep(PRIMARY_WAIT_MS, waiting.signal).then(() => watch.address())]);
  } finally {
    waiting.abort();
    await watch.close();
  }
}

/** Whether two addresses are of one server. */
export function isSame(one: ServerAddress, other: ServerAddress): boolean {
  return one.host === other.host && one.port === other.port;
}

function newServer(connectionString: string): Server {
  const { host, port } = new pg.Client(connectionString); // connects to nothing yet
  const config = { connectionString, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  return { config, address: { host, port }, client: null, error: null, isAbandoned: false };
}

async function ask(server: Server): Promise<void> {
  const client = server.client ?? new pg.Client(server.config);
  try {
    if (server.client === null) {
      client.on('error', () => {}); // the next question fails, and says so
      await client.connect();
      server.client = client;
    }
    const { rows } = await client.query<{ timeline: string | null }>(TIMELINE);
    server.timeline = rows[0]?.timeline ?? null;
    server.error = null;
  } catch (error) {
    server.timeline = null;
    server.error = String(error);
    server.client = null;
    void client.end().catch(() => {}); // a peer that is gone would be waited for
  }
}

// Once per server and event: whoever still reaches it writes into what nobody will ever read.
function tellAbandoned(server: Server, newest: string, log: Pick<Logger, 'error'>): void {
  const before = server.isAbandoned;
  server.isAbandoned = Boolean(server.timeline) && server.timeline! < newest;
  if (server.isAbandoned && !before)
    log.error({ servers: troubles([server], newest) }, 'an abandoned PostgreSQL server accepts writes');
}

function troubles(servers: Server[], newest: string): string[] {
  return servers.map(({ address, timeline, error }) => {
    const trouble = timeline
      ? `it writes on timeline ${timeline}, timeline ${newest} was seen: commits are lost there`
      : (error ?? 'it only reads');
    return `${address.host}:${address.port}: ${trouble}`;
  });
}
