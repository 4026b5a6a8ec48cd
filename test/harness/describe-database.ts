// What the catalogs of a database say of its tables, to compare two of them.

import type pg from 'pg';

/** A line for everything that a schema can say. */
export interface Description {
  columns: string[];
  indexes: string[];
  constraints: string[];
}

/** Partitioned tables are described as plain ones, without their partitions, and tables without storage parameters. */
export async function describeDatabase(db: Pick<pg.Client, 'query'>): Promise<Description> {
  const lines = async (text: string) => (await db.query<{ line: string }>(text)).rows.map(({ line }) => line);
  const TABLE = `t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition`;
  return {
    columns: await lines(
      `select concat_ws(' ', t.relname, a.attname, format_type(a.atttypid, a.atttypmod),
         case when a.attnotnull then 'not null' end, 'default ' || pg_get_expr(d.adbin, d.adrelid)) as line
       from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
       where ${TABLE} order by 1`,
    ),
    indexes: await lines(
      `select replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as line
       from pg_class t join pg_index i on i.indrelid = t.oid where ${TABLE} order by 1`,
    ),
    constraints: await lines(
      `select concat_ws(' ', t.relname, c.conname, pg_get_constraintdef(c.oid)) as line
       from pg_class t join pg_constraint c on c.conrelid = t.oid and c.contype <> 'n' where ${TABLE} order by 1`,
    ),
  };
}
