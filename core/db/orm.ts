// Statements built from the schema, on whatever runs statements: the pool, or the one connection of a transaction.

import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { PgPreparedQuery } from 'drizzle-orm/pg-core';
import type pg from 'pg';

import type { Queryable } from './pool.ts';

const builders = new WeakMap<Queryable, NodePgDatabase>();

// Drizzle would wrap what pg throws in an error whose message has every parameter: hashes, sealed secrets, addresses,
// which must not come into a log. test/flow/orm.test.ts sees that pg's own error comes through.
Object.assign(PgPreparedQuery.prototype, {
  queryWithCache: <T>(_text: string, _parameters: unknown[], run: () => Promise<T>) => run(),
});

/** Drizzle on `db`: given the connection of a transaction, statements are part of it. Building one costs about 70 µs. */
export function orm(db: Queryable): NodePgDatabase {
  const existing = builders.get(db);
  if (existing) return existing;
  const builder = drizzle({ client: db as pg.Pool });
  builders.set(db, builder);
  return builder;
}

/** A statement that is built once per pool or connection (then 3 µs), for what runs with every request or message. */
export function prepared<T>(build: (db: NodePgDatabase) => T): (db: Queryable) => T {
  const statements = new WeakMap<Queryable, T>();
  return (db) => {
    const existing = statements.get(db);
    if (existing !== undefined) return existing;
    const statement = build(orm(db));
    statements.set(db, statement);
    return statement;
  };
}
