// Redis, as the gate and the rate limits use it: Lua scripts only, each on the keys of one hash slot.
// Redis holds nothing that PostgreSQL cannot rebuild, so a call that fails or takes too long is a value
// (`RedisAway`) that the caller must have a plan for, never a reason to lose a request.
// One that took too long is the last that anybody waits for: calls fail at once until Redis answers a question that is
// asked in the background. A frozen Redis cost every request half a second before.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClient, createCluster, createSentinel } from 'redis';

import { sleep } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { Logger } from '../base/log.ts';
import { parseSentinelUrl, type SentinelUrl } from '../base/sentinel-url.ts';
import { REDIS_ANSWER_MS, REDIS_PROBE_EVERY_MS } from '../base/time-limits.ts';

/** Redis did not answer in time, or is not there. */
export class RedisAway extends Error {}

class TooLate extends RedisAway {}

/** A Lua script with its digest; made once per process by `loadScript`. */
export interface Script {
  name: string;
  source: string;
  sha1: string;
}

/** The connection of one process. */
export interface RedisConnection {
  /** Runs a script on keys that share a hash tag. Throws RedisAway when Redis cannot answer in time. */
  run(script: Script, keys: [string, ...string[]], args: string[]): Promise<unknown>;
  /** Whether Redis answers now. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 2_000;
const CLUSTER_CONNECT_MS = 5_000; // to ask one node for the others and to connect to each master
const MAX_RECONNECT_DELAY_MS = 1_000;
const SENTINEL_SCAN_MS = 1_000; // a sentinel that dies before it names a new master is not the only one asked

/** Reads a .lua file and computes the digest under which Redis caches it. */
export function loadScript(file: string): Script {
  const source = readFileSync(file, 'utf8');
  return {
    name: file.split('/').at(-1) ?? file,
    source,
    sha1: createHash('sha1').update(source).digest('hex'),
  };
}

/**
 * Connects in the background: the process starts, and stays up, without Redis. An answer that takes longer than `answerMs`
 * counts as none.
 */
export async function openRedis(
  config: Pick<Config, 'REDIS_URL'>,
  log: Logger,
  answerMs = REDIS_ANSWER_MS,
): Promise<RedisConnection> {
  const driver = openDriver(config.REDIS_URL);
  let lastWarning = '';
  driver.onError((error) => {
    if (error.message === lastWarning) return; // one line per kind of trouble, not one per reconnect
    lastWarning = error.message;
    log.warn({ err: error }, 'redis is unavailable; working without it until it is back');
  });
  driver.onReady(() => (lastWarning = ''));
  await inTime(driver.connect(), CONNECT_TIMEOUT_MS).catch(() => {});
  const answers = (key: string | undefined, command: string[]) =>
    inTime(driver.send(key, command), answerMs).then(
      () => true,
      () => false,
    );
  const rest = createRest((key) => answers(key, ['EXISTS', key]));
  return {
    async run(script, keys, args) {
      if (rest.resting()) throw new RedisAway('it did not answer in time lately');
      try {
        return await inTime(runScript(driver, script, keys, args), answerMs);
      } catch (error) {
        if (error instanceof TooLate) rest.begin(keys[0]);
        throw error;
      }
    },
    ping: () => answers(undefined, ['PING']),
    close: async () => {
      rest.stop();
      driver.destroy();
    },
  };
}

// Asked about the key whose call came too late: of a cluster that is the node which must answer again.
function createRest(answers: (key: string) => Promise<boolean>) {
  const stop = new AbortController();
  let resting = false;
  return {
    resting: () => resting,
    begin(key: string) {
      if (resting) return;
      resting = true;
      void (async () => {
        do await sleep(REDIS_PROBE_EVERY_MS, stop.signal);
        while (!stop.signal.aborted && !(await answers(key)));
        resting = false;
      })();
    },
    stop: () => stop.abort(),
  };
}

interface Driver {
  connect(): Promise<unknown>;
  send(key: string | undefined, command: string[]): Promise<unknown>;
  onError(listener: (error: Error) => void): void;
  onReady(listener: () => void): void;
  destroy(): void;
}

const socket = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  reconnectStrategy: (retries: number) => Math.min(50 * 2 ** Math.min(retries, 10), MAX_RECONNECT_DELAY_MS),
};

// `inTime` bounds every command already; node-redis's own timer per command nearly doubles the cost of one (10.2 against
// 5.6 µs of Node for a call of the gate).
const commandOptions: object = { timeout: undefined }; // its type does not know that undefined means none

function openDriver(urls: string[]): Driver {
  const sentinels = parseSentinelUrl(urls.join(','));
  if (sentinels) return sentinelDriver(sentinels);
  return urls.length > 1 ? clusterDriver(urls) : singleDriver(urls[0]);
}

function singleDriver(url: string | undefined): Driver {
  const client = createClient({
    ...(url === undefined ? {} : { url }),
    socket,
    commandOptions,
    disableOfflineQueue: true,
  });
  return {
    connect: () => client.connect(),
    send: (_key, command) => client.sendCommand(command),
    onError: (listener) => void client.on('error', listener),
    onReady: (listener) => void client.on('ready', listener),
    destroy: () => client.destroy(),
  };
}

// What the URLs say of login and TLS is for all nodes, also for those that only the others name. The library gives up its
// first connection when no node answers, and waits for ever when one master of those that it was told is dead: each try
// has its own time and its own cluster.
function clusterDriver(urls: string[]): Driver {
  const { username, password, protocol } = new URL(urls[0] ?? '');
  const closed = new AbortController();
  let onError = (_error: Error) => {};
  let onReady = () => {};
  const open = () =>
    createCluster({
      rootNodes: urls.map((url) => ({ url })),
      defaults: {
        disableOfflineQueue: true, // who asks a dead master hears it at once; the others go on
        socket: protocol === 'rediss:' ? { ...socket, tls: true as const } : socket,
        ...(username !== '' && { username: decodeURIComponent(username) }),
        ...(password !== '' && { password: decodeURIComponent(password) }),
      },
      commandOptions,
    })
      .on('error', (error: Error) => onError(error))
      .on('node-error', (error: Error) => onError(error))
      .on('node-ready', () => onReady());
  let cluster = open();
  return {
    async connect() {
      for (;;) {
        const connected = inTime(cluster.connect(), CLUSTER_CONNECT_MS);
        if (await connected.then(Boolean, () => closed.signal.aborted)) return;
        cluster.destroy();
        await sleep(MAX_RECONNECT_DELAY_MS, closed.signal);
        if (closed.signal.aborted) return;
        cluster = open();
      }
    },
    send: (key, command) => cluster.sendCommand(key, false, command),
    onError: (listener) => void (onError = listener),
    onReady: (listener) => void (onReady = listener),
    destroy() {
      closed.abort();
      cluster.destroy();
    },
  };
}

// A command that meets no ready master is kept by the library until there is one: `inTime` and the rest bound how many.
function sentinelDriver({ name, sentinels, ...login }: SentinelUrl): Driver {
  const sentinel = createSentinel({
    name,
    sentinelRootNodes: sentinels,
    nodeClientOptions: { socket, disableOfflineQueue: true, ...login },
    sentinelClientOptions: { socket },
    reserveClient: true, // one connection for all commands, so that they are pipelined
    scanInterval: SENTINEL_SCAN_MS,
    passthroughClientErrorEvents: true,
    commandOptions,
  });
  return {
    connect: () => sentinel.connect(),
    send: (_key, command) => sentinel.sendCommand(false, command),
    onError: (listener) => void sentinel.on('error', listener),
    onReady: (listener) => void sentinel.on('topology-change', listener),
    destroy: () => void sentinel.destroy().catch(() => {}),
  };
}

async function runScript(driver: Driver, script: Script, keys: string[], args: string[]): Promise<unknown> {
  const tail = [String(keys.length), ...keys, ...args];
  try {
    return await driver.send(keys[0], ['EVALSHA', script.sha1, ...tail]);
  } catch (error) {
    // After a restart or SCRIPT FLUSH; nothing ran, so running it now is safe.
    if (error instanceof Error && error.message.startsWith('NOSCRIPT')) {
      return driver.send(keys[0], ['EVAL', script.source, ...tail]);
    }
    throw error;
  }
}

async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // A busy process reads late: what came meanwhile is read before setImmediate.
    const giveUp = () => reject(new TooLate(`no answer within ${timeoutMs} ms`));
    timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw error instanceof RedisAway ? error : new RedisAway(String(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
