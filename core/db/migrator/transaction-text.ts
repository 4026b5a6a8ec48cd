// A transaction of the migrator. In one message: while locks are held the server waits for nothing of ours. A Citus cluster
// hands the message in which a statement came on to another node, so there each statement is a message of its own.

import type pg from 'pg';

const clusters = new WeakMap<pg.Client, Promise<boolean>>();

/** Runs statements as one transaction; rolls back and throws what went wrong. One result for each statement. */
export async function runTransaction(client: pg.Client, statements: string[]): Promise<pg.QueryResult[]> {
  const all = ['begin', ...statements, 'commit'];
  try {
    if (!(await isCluster(client)))
      return (await client.query(all.join(';\n'))) as unknown as pg.QueryResult[];
    const results: pg.QueryResult[] = [];
    for (const statement of all) results.push(await client.query(statement));
    return results;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Whether this server is a node of a Citus cluster. */
export function isCluster(client: pg.Client): Promise<boolean> {
  const known = clusters.get(client);
  if (known) return known;
  const found = client
    .query("select from pg_extension where extname = 'citus'")
    .then(({ rowCount }) => rowCount === 1);
  clusters.set(client, found);
  return found;
}
