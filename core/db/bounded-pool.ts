// The queue in front of a pool: bounded, and empty at once when PostgreSQL has frozen. Whoever waits then is refused,
// and what is on the wire is cut off, so that a server that thaws finds no work of callers who have gone.

import type pg from 'pg';

import type { Logger } from '../base/log.ts';
import { withCallback } from './bucket-pool.ts';
import { startPulse } from './pulse.ts';
import { databaseAway } from './transaction.ts';
import type { QueueLimits } from '../base/time-limits.ts';

const ROUNDS = 2; // connections that are freed less often in the time of `freeMs` wait for locks, all of them

/** Bounds the wait for `pool`, in place. `asking` is a pool of one connection to the same server, for nothing else. */
export function boundPool(
  pool: pg.Pool,
  { waiting, freeMs, silenceMs }: QueueLimits,
  asking: pg.Pool,
  log: Logger,
): { stop(): void } {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const waiters = new Set<(error: Error) => void>();
  const atWork = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => atWork.add(client));
  let released = 0;
  pool.on('release', (_error, client) => {
    atWork.delete(client);
    released += 1;
  });
  pool.on('remove', (client) => atWork.delete(client));

  const pulse = startPulse({
    ask: (sent) => ask(asking, sent),
    isBusy: () => waiters.size > 0 || atWork.size > 0,
    answered: () => released,
    silenceMs,
    onSilence: () => {
      log.warn(
        { waiting: waiters.size, atWork: atWork.size },
        'the database is silent; all that wait are refused',
      );
      for (const refuse of waiters) refuse(frozen());
      waiters.clear();
      for (const client of atWork) cut(client);
    },
  });

  const acquire = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      if (!pulse.answers()) return reject(frozen());
      if (waiters.size >= waiting) return reject(databaseAway(new Error('too many wait for a connection')));
      waiters.add(reject);
      // While others get on it waits: it is one of many. The pool's own limit ends that.
      let before = released;
      const late = setInterval(() => {
        const stuck = pool.idleCount === 0 && released - before < ROUNDS * atWork.size;
        if (stuck && waiters.delete(reject)) reject(databaseAway(new Error('no connection became free')));
        before = released;
      }, freeMs);
      connect()
        .then(
          (client) => (waiters.delete(reject) ? resolve(client) : client.release()),
          (error: Error) => {
            waiters.delete(reject);
            reject(error);
          },
        )
        .finally(() => clearInterval(late));
    });
  pool.connect = withCallback(acquire);
  return pulse;
}

async function ask(asking: pg.Pool, sent: () => void): Promise<void> {
  const client = await asking.connect();
  let broken: Error | undefined;
  try {
    sent();
    await client.query('select 1');
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

function frozen(): Error {
  return databaseAway(new Error('the database does not answer'));
}

function cut(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}
