// A schema of a Citus cluster becomes a bucket: one node has all its tables, and Citus finds them from any node (docs/citus.md).

import type pg from 'pg';

// They read the rows of a statement, which Citus cannot hand to them; nobody needs them here (core/message/event-effects.ts).
const OF_STATEMENTS = [
  ['events', 'events_count'],
  ['events', 'events_outbox'],
  ['messages', 'messages_announce'],
] as const;

/** Distributes a schema that is migrated. The search path of `client` must be this schema, and Citus chooses the node. */
export async function distributeSchema(client: pg.ClientBase, schema: string): Promise<void> {
  for (const [table, trigger] of OF_STATEMENTS)
    await client.query(`drop trigger if exists ${trigger} on ${table}`);
  // The triggers of rows write to tables of the same schema only, which lie on the node where they run.
  await client.query('set citus.enable_unsafe_triggers = on');
  await client.query('select citus_schema_distribute($1)', [schema]);
}
