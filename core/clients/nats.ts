// NATS, for what may be lost: wake-ups and live views. PostgreSQL is the record, so that nothing here ever fails a
// request: unavailable means `false` or silence, and the connection is sought in the background until it is there again.

import { connect, type NatsConnection } from '@nats-io/transport-node';

import { sleep } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { Logger } from '../base/log.ts';

/** The connection of one process. Subjects are given without the prefix. */
export interface Nats {
  prefix: string;
  /** The connection, or null while NATS is unavailable. */
  connection(): NatsConnection | null;
  /** Resolves with the connection as soon as there is one; null when closed before. */
  connected(signal: AbortSignal): Promise<NatsConnection | null>;
  /** Sends to whoever listens now. False while NATS is unavailable. */
  publish(subject: string, json: unknown): boolean;
  /** Listens from now on, over reconnects too. Returns how to stop. */
  subscribe(subject: string, listener: (json: unknown, subject: string) => void): () => void;
  /** Whether NATS answers now. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

interface Subscription {
  subject: string;
  listener: (json: unknown, subject: string) => void;
  stop?: () => void;
}

const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_MS = 500;
const PING_INTERVAL_MS = 20_000; // two unanswered ones end a connection that is silently dead
const PING_TIMEOUT_MS = 1_000;

/** Connects in the background: the process starts, and stays up, without NATS. */
export function openNats(config: Pick<Config, 'NATS_URL' | 'KEY_PREFIX'>, log: Logger): Nats {
  const abort = new AbortController();
  const subscriptions = new Set<Subscription>();
  const prefix = config.KEY_PREFIX;
  let current: NatsConnection | null = null;
  let up = false;
  let waiters: (() => void)[] = [];

  const changed = (nowUp: boolean) => {
    if (up === nowUp) return;
    up = nowUp;
    if (up) log.info('nats is connected');
    else log.warn('nats is unavailable; working without it until it is back');
    for (const wake of waiters.splice(0)) wake();
  };
  const live = () => (up ? current : null);
  const attach = (connection: NatsConnection) => {
    current = connection;
    for (const subscription of subscriptions) listen(connection, prefix, subscription);
    changed(true);
  };
  const keepConnected = async () => {
    while (!abort.signal.aborted) {
      try {
        const connection = await connect(options(config));
        if (abort.signal.aborted) return await connection.close();
        attach(connection);
        await watch(connection, changed);
      } catch {
        // not there yet: said once, by `changed`, if it ever was
      }
      current = null;
      changed(false);
      await sleep(RECONNECT_MS, abort.signal);
    }
  };
  const running = keepConnected();
  return {
    prefix,
    connection: live,
    connected: async (signal) => {
      while (!live() && !signal.aborted) {
        await Promise.race([
          new Promise<void>((resolve) => waiters.push(resolve)),
          sleep(RECONNECT_MS, signal),
        ]);
        waiters = waiters.slice(-100);
      }
      return signal.aborted ? null : live();
    },
    publish: (subject, json) => {
      const connection = live();
      connection?.publish(`${prefix}.${subject}`, JSON.stringify(json));
      return connection !== null;
    },
    subscribe: (subject, listener) => {
      const subscription: Subscription = { subject, listener };
      subscriptions.add(subscription);
      if (current) listen(current, prefix, subscription);
      return () => {
        subscriptions.delete(subscription);
        subscription.stop?.();
      };
    },
    ping: () => ping(live()),
    close: async () => {
      abort.abort();
      await current?.close().catch(() => {});
      await running;
    },
  };
}

// The library reads no login from a URL: `nats://user:password@host` and `nats://token@host` are read here.
function options(config: Pick<Config, 'NATS_URL'>) {
  const urls = config.NATS_URL.map((text) => new URL(text.includes('://') ? text : `nats://${text}`));
  const user = decodeURIComponent(urls[0]?.username ?? '');
  const pass = decodeURIComponent(urls[0]?.password ?? '');
  return {
    servers: urls.map((url) => url.host),
    ...(user !== '' && (pass === '' ? { token: user } : { user, pass })),
    ...(urls[0]?.protocol === 'tls:' && { tls: {} }),
    name: 'postrider',
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS,
    pingInterval: PING_INTERVAL_MS,
  };
}

// Resolves when the connection is closed for good; until then the library reconnects by itself.
async function watch(connection: NatsConnection, changed: (up: boolean) => void): Promise<void> {
  const events = (async () => {
    for await (const event of connection.status()) {
      if (event.type === 'disconnect') changed(false);
      if (event.type === 'reconnect') changed(true);
    }
  })();
  await connection.closed();
  await events.catch(() => {});
}

function listen(connection: NatsConnection, prefix: string, subscription: Subscription): void {
  const handle = connection.subscribe(`${prefix}.${subscription.subject}`, {
    callback: (error, message) => {
      if (error) return;
      subscription.listener(readJson(message.string()), message.subject.slice(prefix.length + 1));
    },
  });
  subscription.stop = () => handle.unsubscribe();
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function ping(connection: NatsConnection | null): Promise<boolean> {
  if (!connection) return false;
  const late = sleep(PING_TIMEOUT_MS).then(() => false);
  const answered = connection.rtt().then(
    () => true,
    () => false,
  );
  return Promise.race([answered, late]);
}
