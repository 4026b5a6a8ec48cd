// Makes the next migration from core/db/schema/: `npm run migration -- --name what_it_does`, or `--custom` for plain
// SQL. With --check it only says whether the migrations are what the schema says, and needs no database. drizzle-kit compares
// the schema with its newest snapshot only, so older ones are deleted: each is 200 kB.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { importTool, toolProgram } from '../../local/tools/tools.ts';
import { loadTables } from './tables.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The part of drizzle-kit/api that is used here. */
interface DrizzleKit {
  generateDrizzleJson(tables: Record<string, unknown>): unknown;
}

const META = join(import.meta.dirname, 'migrations/meta');

if (process.argv.includes('--check')) {
  await compareWithNewestSnapshot();
} else {
  drizzleKit(['generate', ...process.argv.slice(2)]);
  for (const file of snapshots().filter((one) => one !== newestSnapshot())) rmSync(join(META, file));
}

function drizzleKit(args: string[]): void {
  execFileSync(toolProgram('drizzle-kit'), args, { cwd: ROOT, stdio: 'inherit' });
}

async function compareWithNewestSnapshot(): Promise<void> {
  const newest = newestSnapshot();
  if (!isDeepStrictEqual(snapshots(), [newest])) {
    return fail(
      `core/db/migrations/meta/ must have one snapshot, ${newest}: make migrations with npm run migration`,
    );
  }
  const snapshot = readJson(newest) as { id: string; prevId: string };
  const { generateDrizzleJson } = await importTool<DrizzleKit>('drizzle-kit/api');
  const tables = Object.assign({}, ...(await loadTables()).values()) as Record<string, unknown>;
  const schema = JSON.parse(JSON.stringify(generateDrizzleJson(tables))) as typeof snapshot;
  if (!isDeepStrictEqual({ ...schema, id: snapshot.id, prevId: snapshot.prevId }, snapshot)) {
    fail(
      'core/db/schema/ says more or less than the migrations: run npm run migration -- --name what_it_does',
    );
  }
}

// The snapshot after the last migration of the journal.
function newestSnapshot(): string {
  const journal = readJson('_journal.json') as { entries: { tag: string }[] };
  return `${journal.entries.at(-1)!.tag.slice(0, 4)}_snapshot.json`;
}

function snapshots(): string[] {
  return readdirSync(META).filter((file) => file.endsWith('_snapshot.json'));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(META, file), 'utf8')) as unknown;
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
