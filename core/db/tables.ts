// The whole schema, for tools that work on all tables: migrations, the picture in docs/data-model.md, the test.

import { is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where the tables are written down, one file per noun. */
export const SCHEMA_FOLDER = join(import.meta.dirname, 'schema');

/** The tables of each file of the schema, by the name of their export. */
export async function loadTables(): Promise<Map<string, Record<string, PgTable>>> {
  const files = new Map<string, Record<string, PgTable>>();
  for (const file of readdirSync(SCHEMA_FOLDER).sort()) {
    const exported = Object.entries((await import(join(SCHEMA_FOLDER, file))) as Record<string, unknown>);
    const tables = exported.filter((entry): entry is [string, PgTable] => is(entry[1], PgTable));
    if (tables.length > 0) files.set(file, Object.fromEntries(tables));
  }
  return files;
}
