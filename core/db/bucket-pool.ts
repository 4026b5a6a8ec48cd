// A pool as one bucket: its connections, each made to look into this bucket before it is used.

import type pg from 'pg';

import type { BucketClient } from './bucket-client.ts';

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error) => void,
) => void;

/** The connections of `pool`, within its limits, for statements about one bucket. It is closed with `pool`. */
export function inBucket(pool: pg.Pool, bucket: string): pg.Pool {
  const connect = async () => {
    const client = await pool.connect();
    try {
      await (client as unknown as BucketClient).enter(bucket);
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
    return client;
  };
  return Object.assign(Object.create(pool) as pg.Pool, { connect: withCallback(connect) });
}

/** `connect` of a pool as pg has it: its own `query` asks with a callback, everybody else for a promise. */
export function withCallback(acquire: () => Promise<pg.PoolClient>): pg.Pool['connect'] {
  const connect = (callback?: Callback) => {
    if (!callback) return acquire();
    acquire().then(
      (client) => callback(undefined, client, client.release.bind(client)),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  };
  return connect as pg.Pool['connect'];
}
