// What PostgreSQL writes and keeps. A stack has a database of its own, and nothing else of size happens on its server.

import type { Database } from '../../core/db/pool.ts';

/** Octets so far. */
export interface DiskUse {
  /** Tables with their indexes, contents included. */
  tables: number;
  /** Of that, what messages say: it is deleted earlier than the rest. */
  contents: number;
  /** Of that, indexes. */
  indexes: number;
  wal: number;
}

/** Reads them. */
export async function readDiskUse({ pool }: Pick<Database, 'pool'>): Promise<DiskUse> {
  const { rows } = await pool.query<DiskUse>(
    `select pg_database_size(current_database())::float8 as tables,
       (select sum(pg_total_relation_size(oid))::float8 from pg_class
         where relkind = 'r' and relname like 'message_contents%') as contents,
       (select sum(pg_relation_size(oid))::float8 from pg_class where relkind = 'i') as indexes,
       (pg_current_wal_insert_lsn() - '0/0')::float8 as wal`,
  );
  return rows[0]!;
}

/** What each message took between two readings, in kB. */
export function diskUsePerMessage(before: DiskUse, after: DiskUse, messages: number): DiskUse {
  const each = (of: keyof DiskUse) => (after[of] - before[of]) / messages / 1000;
  return { tables: each('tables'), contents: each('contents'), indexes: each('indexes'), wal: each('wal') };
}
