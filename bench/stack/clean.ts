// Empties the bench's own servers before each part: what an earlier part or a killed run left would take memory, disk
// and time from the next.

import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { createClient } from 'redis';

import type { Servers } from '../../local/servers/start-servers.ts';

/** Drops the databases, keys and JetStream streams of earlier parts. Only for servers that nobody else uses. */
export async function cleanServers(servers: Servers): Promise<void> {
  await Promise.all([
    cleanPostgres(servers.databaseUrl),
    cleanRedis(servers.redisUrl),
    cleanNats(servers.natsUrl),
  ]);
}

async function cleanPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select datname as name from pg_database where datname like 'bench\\_%'",
    );
    for (const { name } of rows) await client.query(`drop database ${name} with (force)`);
    await client.query('checkpoint'); // now, not in the middle of the next part
  } finally {
    await client.end();
  }
}

async function cleanRedis(url: string): Promise<void> {
  const client = createClient({ url });
  await client.connect();
  await client.flushAll();
  await client.close();
}

async function cleanNats(url: string): Promise<void> {
  const { username, password, hostname, port } = new URL(url);
  const login = username === '' ? {} : { user: username, pass: password };
  const connection = await connect({ servers: `${hostname}:${port}`, ...login });
  try {
    const manager = await jetstreamManager(connection);
    for await (const stream of manager.streams.list()) await manager.streams.delete(stream.config.name);
  } finally {
    await connection.close();
  }
}
