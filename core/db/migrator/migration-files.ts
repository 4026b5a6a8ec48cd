// The migrations as steps. The files and their journal are drizzle's; what makes a step a special one is read out of it.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One numbered SQL file. */
export interface Migration {
  tag: string;
  /** Its time in the journal: the order, and the name under which drizzle's table knows it. */
  when: number;
  /** What drizzle's table keeps beside it. */
  hash: string;
  steps: Step[];
}

/** What stands between two breakpoints of a file. */
export type Step =
  /** Alters, makes or drops: a lock on a table, so it ends soon or is tried again. */
  | { kind: 'ddl'; sql: string }
  /** Reads or writes rows, for as long as it takes. */
  | { kind: 'rows'; sql: string }
  /** A batch of rows, done again in a transaction of its own until there is nothing left. */
  | { kind: 'repeated'; sql: string }
  | { kind: 'index'; sql: string; index: IndexParts };

/** A CREATE INDEX, in parts. */
export interface IndexParts {
  unique: boolean;
  name: string;
  table: string;
  /** Everything behind the table: method, columns, condition. */
  rest: string;
}

// So drizzle-kit names a table that another refers to. Ours are wherever the connection's search_path says: in a bucket.
const OWN_SCHEMA = '"public".';
const MIGRATIONS = join(import.meta.dirname, '../migrations');

/** All migrations, the oldest first. */
export function readMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string; when: number }[];
  };
  return journal.entries.map(({ tag, when }) => {
    const text = readFileSync(join(MIGRATIONS, `${tag}.sql`), 'utf8');
    const hash = createHash('sha256').update(text).digest('hex');
    const inAnySchema = text.replaceAll(OWN_SCHEMA, '');
    return { tag, when, hash, steps: inAnySchema.split('--> statement-breakpoint').map(readStep) };
  });
}

const REPEATED = /^-- repeated\b/m;
const CREATE_INDEX = /^create (unique )?index "?(\w+)"? on "?(\w+)"?\s([^;]+);?$/i;
// Of these only the locks of rows are held for long: VALIDATE lets others read and write (PostgreSQL manual, ALTER TABLE). But
// for LOCK TABLE, which is for small tables (ADR 13).
const ROWS = /^(insert|update|delete|lock|do|select)\b|^alter table \S+ validate constraint\b/i;

/** What kind of step a text is. */
export function readStep(text: string): Step {
  const sql = text.trim();
  const bare = sql.replace(/^[ \t]*--.*/gm, '').trim();
  if (REPEATED.test(sql)) return { kind: 'repeated', sql };
  const index = CREATE_INDEX.exec(bare);
  if (index) {
    const [, unique, name, table, rest] = index as unknown as [string, string?, ...string[]];
    return {
      kind: 'index',
      sql,
      index: { unique: unique !== undefined, name: name!, table: table!, rest: rest!.trim() },
    };
  }
  return { kind: ROWS.test(bare) ? 'rows' : 'ddl', sql };
}

/** The statements of a step: most have one. One ends with a semicolon at the end of a line, but for those between `$$`. */
export function statementsOf(sql: string): string[] {
  const parts = sql.split('$$').map((part, n) => (n % 2 === 0 ? part.replaceAll(/;\s*$/gm, '\0') : part));
  return parts
    .join('$$')
    .split('\0')
    .filter((statement) => statement.replaceAll(/^[ \t]*--.*/gm, '').trim() !== '');
}
