// A bucket on a Citus cluster: one node has all its tables, and Citus finds them from any node (docs/citus.md).

import type pg from 'pg';

import { searchPath } from './bucket-client.ts';
import { HOME, SERVICE_TABLES } from './service-tables.ts';

// They read the rows of a statement, which Citus cannot hand to them; nobody needs them here (core/message/event-effects.ts).
const OF_STATEMENTS = [
  ['events', 'events_count'],
  ['events', 'events_outbox'],
  ['messages', 'messages_announce'],
] as const;

/** Gives every node the tables that there are once, so that a bucket may refer to them from wherever it is. */
export async function copyServiceTables(client: pg.ClientBase): Promise<void> {
  await client.query(`set search_path = ${HOME}`);
  for (const table of SERVICE_TABLES) {
    if (!(await isReferenceTable(client, table)))
      await client.query(`select create_reference_table('${table}')`);
  }
}

async function isReferenceTable(client: pg.ClientBase, table: string): Promise<boolean> {
  // Citus writes 'n' for tables without a distribution column; of these a reference table has the replication model 't'.
  const { rowCount } = await client.query(
    "select from pg_dist_partition where logicalrelid = $1::regclass and partmethod = 'n' and repmodel = 't'",
    [table],
  );
  return rowCount === 1;
}

/** Distributes a bucket that is migrated, unless it is distributed already. Citus chooses the node. */
export async function distributeBucket(client: pg.ClientBase, bucket: string): Promise<void> {
  await client.query(`set search_path = ${searchPath(bucket)}`);
  const { rowCount } = await client.query('select from pg_dist_schema where schemaid = $1::regnamespace', [
    bucket,
  ]);
  if (rowCount === 1) return;
  for (const [table, trigger] of OF_STATEMENTS)
    await client.query(`drop trigger if exists ${trigger} on ${table}`);
  // The triggers of rows write to tables of the same schema only, which lie on the node where they run.
  await client.query('set citus.enable_unsafe_triggers = on');
  await client.query('select citus_schema_distribute($1)', [bucket]);
}
