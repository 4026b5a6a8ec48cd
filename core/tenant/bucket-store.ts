// The list of buckets in PostgreSQL. core/db/migrate.ts makes one.

import type { Queryable } from '../db/pool.ts';
import { HOME } from '../db/service-tables.ts';

/** A bucket, for operators. */
export interface BucketState {
  name: string;
  /** Whether new tenants come here. */
  isOpen: boolean;
  tenants: number;
}

/** All buckets, by name. */
export async function selectBuckets(db: Queryable): Promise<BucketState[]> {
  const { rows } = await db.query<BucketState>(
    `select b.name, b.is_open as "isOpen", count(t.id)::int as tenants
     from buckets b left join tenants t on t.bucket = b.name group by b.name order by b.name`,
  );
  return rows;
}

/** Whether there is a bucket of this name. */
export async function isBucket(db: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await db.query('select from buckets where name = $1', [name]);
  return rowCount === 1;
}

/** The open bucket with the fewest tenants; of several the first, and of these the first bucket of all. */
export async function selectEmptiest(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ name: string }>(
    `select b.name from buckets b left join tenants t on t.bucket = b.name where b.is_open
     group by b.name order by count(t.id), b.name <> $1, b.name limit 1`,
    [HOME],
  );
  return rows[0]!.name; // one is always open: setOpen
}

/**
 * Says whether new tenants come to a bucket. `last` for the only open one, which stays open: a new tenant needs a place; `none`
 * when there is no such bucket.
 */
export async function setOpen(
  db: Queryable,
  name: string,
  isOpen: boolean,
): Promise<'done' | 'last' | 'none'> {
  const { rowCount } = await db.query(
    `update buckets set is_open = $2 where name = $1
       and ($2 or exists (select from buckets other where other.is_open and other.name <> $1))`,
    [name, isOpen],
  );
  if (rowCount === 1) return 'done';
  return (await isBucket(db, name)) ? 'last' : 'none';
}
