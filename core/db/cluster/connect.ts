// The connection of one command that looks after a Citus cluster.

import type pg from 'pg';

import { serverUrls } from '../../base/database-url.ts';
import { AppError } from '../../base/errors.ts';
import { connectToPrimary } from '../primary.ts';
import { readAskedNode, readCitusVersion } from './node-store.ts';
import { addressOf } from './node.ts';

const CONNECT_MS = 3_000; // from node to node: the default of Citus is 30 s, and a node that is gone is asked several times
const STATEMENT_MS = 20_000; // of what only reads; a move takes what it takes

/** Connects, and ends the connection after `work`. Throws where the database is not on Citus. */
export async function withCluster<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectToPrimary(serverUrls(databaseUrl));
  client.on('error', () => {}); // the statement under way fails, and says so
  try {
    if ((await readCitusVersion(client)) === null)
      throw new AppError(
        'conflict',
        'This database is one PostgreSQL, not a Citus cluster: it has no nodes.',
      );
    await client.query(`set citus.node_connection_timeout = ${CONNECT_MS}`);
    await client.query(`set statement_timeout = ${STATEMENT_MS}`);
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** As `withCluster`, and only by the coordinator: what changes the cluster is refused by any other node. */
export function withCoordinator<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withCluster(databaseUrl, async (client) => {
    const { isCoordinator, coordinator } = await readAskedNode(client);
    if (isCoordinator) return work(client);
    const where = coordinator ? ` at ${addressOf(coordinator)}` : '';
    throw new AppError('conflict', `DATABASE_URL leads to a worker. Let it lead to the coordinator${where}.`);
  });
}
