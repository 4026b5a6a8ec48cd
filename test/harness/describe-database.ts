// What the catalogs of a database say of the tables of a bucket, to compare two of them.

import type pg from 'pg';

/** A line for everything that a schema can say. */
export interface Description {
  columns: string[];
  indexes: string[];
  constraints: string[];
}

const TABLE = `t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and not t.relispartition`;

/** Partitioned tables are described as plain ones, without their partitions, and tables without storage parameters. */
export async function describeDatabase(db: Pick<pg.Client, 'query'>): Promise<Description> {
  return {
    columns: await lines(
      db,
      `select concat_ws(' ', t.relname, a.attname, format_type(a.atttypid, a.atttypmod),
         case when a.attnotnull then 'not null' end, 'default ' || pg_get_expr(d.adbin, d.adrelid)) as line
       from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
       where ${TABLE} order by 1`,
    ),
    indexes: await lines(
      db,
      `select concat_ws(' ', t.relname, replace(pg_get_indexdef(i.indexrelid, 0, true), ' ON ONLY ', ' ON ')) as line
       from pg_class t join pg_index i on i.indrelid = t.oid where ${TABLE} order by 1`,
    ),
    constraints: await lines(
      db,
      `select concat_ws(' ', t.relname, c.conname, pg_get_constraintdef(c.oid)) as line
       from pg_class t join pg_constraint c on c.conrelid = t.oid and c.contype <> 'n' where ${TABLE} order by 1`,
    ),
  };
}

/** The rest of what the migrations make, but for tables' own triggers of constraints and what belongs to extensions. */
export async function describeRest(db: Pick<pg.Client, 'query'>): Promise<Record<string, string[]>> {
  return {
    triggers: await lines(
      db,
      `select concat_ws(' ', t.relname, pg_get_triggerdef(g.oid, true)) as line
       from pg_class t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal where ${TABLE} order by 1`,
    ),
    functions: await lines(
      db,
      `select regexp_replace(pg_get_functiondef(p.oid), format('%1$s\\.|(?<=search_path TO '')%1$s', current_schema()), '', 'g')
         as line from pg_proc p
       where p.pronamespace = current_schema()::regnamespace
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`,
    ),
    types: await lines(
      db,
      `select concat_ws(' ', y.typname, y.typtype) as line from pg_type y
       where y.typnamespace = current_schema()::regnamespace and y.typtype in ('d', 'e') order by 1`,
    ),
    storage: await lines(
      db,
      `select concat_ws(' ', t.relname, t.relpersistence, t.relkind, pg_get_partkeydef(t.oid), t.reloptions) as line
       from pg_class t where ${TABLE} order by 1`,
    ),
    partitions: await lines(
      db,
      `select concat_ws(' ', t.relname, p.relname, pg_get_expr(p.relpartbound, p.oid), p.reloptions) as line
       from pg_class t join pg_inherits i on i.inhparent = t.oid join pg_class p on p.oid = i.inhrelid
       where ${TABLE} order by 1`,
    ),
  };
}

async function lines(db: Pick<pg.Client, 'query'>, text: string): Promise<string[]> {
  return (await db.query<{ line: string }>(text)).rows.map(({ line }) => line);
}
