// A JetStream stream used as a work queue: each item goes to one of the processes that consume it, until one acks.
// It may be lost as a whole (a new NATS server, an erased disk): then it is made again, and whoever keeps the record
// finds what was in it by looking there.
//
// Works with nats-server 2.9: no filter_subjects, no stream metadata, no message TTL (they throw or are ignored there).

import {
  AckPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type ConsumerMessages,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';

import { sleep } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Nats } from './nats.ts';

/** What to do with an item: it is done, or it comes again after so many milliseconds. */
export type Verdict = 'done' | { againInMs: number };

/** One queue, as one process uses it. */
export interface WorkQueue {
  /** Adds an item. Items of the same id within two minutes count once. False when NATS did not confirm it. */
  add(id: string, json: unknown): Promise<boolean>;
  /** Handles items in small batches until the signal aborts. A batch whose handler throws comes again. */
  consume(handler: (items: unknown[]) => Promise<Verdict[]>, signal: AbortSignal): Promise<void>;
}

const MAX_AGE_MS = 24 * 3_600_000; // an item that nobody wanted for a day is in the record anyway
const ACK_WAIT_MS = 30_000; // silence after which an item goes to another process
const DEDUP_MS = 120_000;
const MAX_WAITING = 100_000; // items deferred at a time; JetStream counts them as unanswered
const REPLICAS = 3; // the fewest that outlive the loss of one (RAFT)
const FETCH = 200;
const FETCH_WAIT_MS = 5_000;
const TROUBLE_MS = 1_000;
const PUBLISH_TIMEOUT_MS = 2_000;

/** The queue `<prefix>_<name>` with its one subject `<prefix>.<name>`. Nothing is made before it is used. */
export function createWorkQueue(nats: Nats, name: string, log: Logger): WorkQueue {
  const stream = `${nats.prefix}_${name}`;
  const subject = `${nats.prefix}.${name}`;
  const publish = async (connection: NatsConnection, id: string, json: unknown) => {
    await jetstream(connection).publish(subject, JSON.stringify(json), {
      msgID: id,
      timeout: PUBLISH_TIMEOUT_MS,
    });
  };
  return {
    add: async (id, json) => {
      const connection = nats.connection();
      if (!connection) return false;
      try {
        await publish(connection, id, json);
        return true;
      } catch {
        return ensure(connection, stream, subject)
          .then(() => publish(connection, id, json))
          .then(() => true)
          .catch(() => false);
      }
    },
    consume: async (handler, signal) => {
      while (!signal.aborted) {
        const connection = await nats.connected(signal);
        if (!connection) return;
        try {
          await ensure(connection, stream, subject);
          await consumeWhileWell(connection, stream, handler, signal);
        } catch (error) {
          if (!signal.aborted)
            log.debug({ err: error, stream }, 'a JetStream stream is unwell; it is looked at again');
        }
        await sleep(TROUBLE_MS, signal);
      }
    },
  };
}

// On three servers where NATS has as many, also when it was made before it had; only NATS knows, and refuses otherwise.
async function ensure(connection: NatsConnection, stream: string, subject: string): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const settings = {
    name: stream,
    subjects: [subject],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    max_age: nanos(MAX_AGE_MS),
    duplicate_window: nanos(DEDUP_MS),
  };
  const existing = await unlessRefused(manager.streams.info(stream), JetStreamApiCodes.StreamNotFound);
  if (!existing) {
    const replicated = await unlessRefused(manager.streams.add({ ...settings, num_replicas: REPLICAS }));
    if (!replicated) await manager.streams.add({ ...settings, num_replicas: 1 });
  } else if (existing.config.num_replicas < REPLICAS) {
    await unlessRefused(manager.streams.update(stream, { num_replicas: REPLICAS }));
  }
  // Adding what is there already, with the same settings, changes nothing.
  await manager.consumers.add(stream, {
    durable_name: 'all',
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: MAX_WAITING,
  });
}

// What was asked for, or null when NATS refuses it, with this code if one is given. A timeout is no refusal.
async function unlessRefused<T>(answer: Promise<T>, code?: number): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof JetStreamApiError && (code ?? error.code) === error.code) return null;
    throw error;
  }
}

async function consumeWhileWell(
  connection: NatsConnection,
  stream: string,
  handler: (items: unknown[]) => Promise<Verdict[]>,
  signal: AbortSignal,
): Promise<void> {
  const consumer = await jetstream(connection).consumers.get(stream, 'all');
  while (!signal.aborted) {
    const messages = await consumer.fetch({ max_messages: FETCH, expires: FETCH_WAIT_MS });
    const stop = () => messages.stop();
    signal.addEventListener('abort', stop);
    try {
      await handleBatches(messages, handler);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

// What arrives while a batch is being handled forms the next one; the first waits for the rest of its network packet.
async function handleBatches(
  messages: ConsumerMessages,
  handler: (items: unknown[]) => Promise<Verdict[]>,
): Promise<void> {
  let waiting: JsMsg[] = [];
  let working: Promise<void> | null = null;
  const work = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await answer(batch, handler);
    }
    working = null;
  };
  for await (const message of messages) {
    waiting.push(message);
    working ??= work();
  }
  await working;
}

async function answer(messages: JsMsg[], handler: (items: unknown[]) => Promise<Verdict[]>): Promise<void> {
  try {
    const verdicts = await handler(messages.map((message) => message.json()));
    messages.forEach((message, index) => {
      const verdict = verdicts[index] ?? 'done';
      if (verdict === 'done') message.ack();
      else message.nak(Math.max(1, Math.round(verdict.againInMs)));
    });
  } catch {
    for (const message of messages) message.nak(TROUBLE_MS);
  }
}
