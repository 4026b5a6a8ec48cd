// A service works on the schema of its version or a newer one (migrations only add). On an older one it does not start: half of
// its statements would fail, some of them late.

import { sleep } from '../base/clock.ts';
import { StartRefused } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import { readMigrations } from './migrator/migration-files.ts';
import { journalOf, readNewestApplied } from './migrator/migration-store.ts';
import type { Database, Queryable } from './pool.ts';
import { HOME } from './service-tables.ts';
import { sqlState } from './sql-state.ts';
import { databaseAway, isDatabaseAway } from './transaction.ts';

const AGAIN_MS = 1_000; // between two tries to ask a database that is away
const NO_SUCH_SCHEMA_OR_TABLE: ReadonlySet<string | null> = new Set(['3F000', '42P01']);

/**
 * Throws StartRefused, one line, when the schema is older than this version needs. A database that is away is no reason not to
 * start: it is asked until it answers, and the process ends with 1 if its schema is older then.
 */
export async function requireSchema({ asking }: Database, log: Logger): Promise<void> {
  const problem = await findProblem(asking, log);
  if (problem === 'away') void askAgain(asking, log);
  else if (problem !== null) throw new StartRefused(problem);
}

async function askAgain(asking: Queryable, log: Logger): Promise<void> {
  let problem: string | null = 'away';
  while (problem === 'away') {
    await sleep(AGAIN_MS);
    problem = await findProblem(asking, log);
  }
  if (problem === null) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

// The line to print; `away` when it cannot be known yet; null when there is none.
async function findProblem(asking: Queryable, log: Logger): Promise<string | null> {
  try {
    const problem = await schemaProblem({ asking }, HOME);
    return problem && `could not start: the database ${problem}`;
  } catch (error) {
    if (isDatabaseAway(error)) return 'away';
    log.warn({ err: error }, 'the schema of the database cannot be checked'); // a role that may not read it, say
    return null;
  }
}

/** What is wrong with the schema of a bucket, with what to do; null when it is of this version or a newer one. */
export async function schemaProblem(
  { asking }: Pick<Database, 'asking'>,
  bucket: string,
): Promise<string | null> {
  const migrations = readMigrations();
  const newest = migrations.at(-1)!;
  try {
    const applied = await readNewestApplied(asking, journalOf(bucket));
    if (applied >= newest.when) return null;
    const at = migrations.findLast(({ when }) => when <= applied);
    return refusal(at ? `is at ${at.tag}` : 'is empty', newest.tag);
  } catch (error) {
    if (NO_SUCH_SCHEMA_OR_TABLE.has(sqlState(error))) return refusal('is empty', newest.tag);
    throw error;
  }
}

/** Throws `unavailable` while a bucket is not at this version's schema: what is missing there would be taken for the first one's. */
export async function requireBucketSchema(db: Pick<Database, 'asking'>, bucket: string): Promise<void> {
  const problem = await schemaProblem(db, bucket);
  if (problem !== null) throw databaseAway(new Error(`bucket ${bucket}: ${problem}`));
}

function refusal(is: string, needs: string): string {
  return `${is}, this version needs ${needs}: run \`node cli/main.ts database migrate\` first`;
}
