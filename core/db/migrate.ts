// Brings a database to the current schema, bucket after bucket: numbered SQL files, each applied once, then the coming
// partitions. It runs beside services at work, so it is a migrator of our own (docs/adr/0013-own-migrator.md): no step makes
// anybody wait for longer than 200 ms, and one that was killed goes on where it was.

import type pg from 'pg';

import { serverUrls } from '../base/database-url.ts';
import { monotonicMs, sleep } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { searchPath } from './bucket-client.ts';
import { copyServiceTables, distributeBucket } from './distribute.ts';
import { readyForBucket } from './migrator/for-bucket.ts';
import { readMigrations, type Migration } from './migrator/migration-files.ts';
import {
  createJournal,
  journalOf,
  readDoneSteps,
  readNewestApplied,
  readUnderWay,
  recordApplied,
  tryLockMigrations,
  type Journal,
} from './migrator/migration-store.ts';
import { runStep } from './migrator/run-step.ts';
import { isCluster } from './migrator/transaction-text.ts';
import { ensurePartitions } from './partitions.ts';
import { connectToPrimary } from './primary.ts';
import { HOME } from './service-tables.ts';

const BUCKET_NAME = /^[a-z][a-z0-9]{0,15}$/; // a part of the names of prepared statements, which have 63 bytes
const LOCK_ID = 7_201_961; // any fixed number
const LOCK_POLL_MS = 250;
const WEEKS_AHEAD = 4; // partitions made ahead; the retention job makes the next ones
const QUIET_MS = 2_000; // a step that takes longer says so
const PROGRESS_EVERY_MS = 10_000;

/** How to migrate. */
export interface MigrateOptions {
  /** Gets a line for whatever takes longer than two seconds. */
  log?: (line: string) => void;
  /** The last migration to apply, by its file's name without `.sql`; for tests. */
  upTo?: string;
}

/** Applies what is missing. Safe to call from several processes at once: one works, the others wait. */
export async function migrate(
  databaseUrl: string,
  { log = () => {}, upTo }: MigrateOptions = {},
): Promise<void> {
  await whileLocked(databaseUrl, log, async (client) => {
    if (await migrateBucket(client, HOME, { log, upTo }))
      for (const bucket of await readBuckets(client)) await migrateBucket(client, bucket, { log, upTo });
  });
}

/**
 * Makes a bucket, for new tenants from now on: a schema with all tables of one. One that was begun is finished. On a cluster it is
 * distributed, and Citus chooses the node. Refuses a name that no bucket can have.
 */
export async function addBucket(
  databaseUrl: string,
  name: string,
  { log = () => {} }: Pick<MigrateOptions, 'log'> = {},
): Promise<void> {
  if (!BUCKET_NAME.test(name) || name.startsWith('pg_') || name === 'drizzle')
    throw new AppError(
      'validation_failed',
      `"${name}" cannot name a bucket: a letter, then up to 15 letters and digits, all of them small.`,
    );
  await whileLocked(databaseUrl, log, async (client) => {
    const onCluster = await isCluster(client);
    await migrateBucket(client, HOME, { log });
    if (onCluster) await copyServiceTables(client);
    await migrateBucket(client, name, { log });
    if (onCluster) await distributeBucket(client, name);
    await client.query('insert into public.buckets (name) values ($1) on conflict do nothing', [name]);
  });
}

async function whileLocked(
  databaseUrl: string,
  log: (line: string) => void,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = await connectToPrimary(serverUrls(databaseUrl));
  try {
    await waitForLock(client, readMigrations(), log);
    // Triggers of rows write to tables of the same schema, which lie on the same node (docs/citus.md).
    if (await isCluster(client)) await client.query('set citus.enable_unsafe_triggers = on');
    await work(client);
  } finally {
    await client.end();
  }
}

// False when it came to `upTo`, after which nothing more is done.
async function migrateBucket(
  client: pg.Client,
  bucket: string,
  { log, upTo }: { log: (line: string) => void; upTo?: string | undefined },
): Promise<boolean> {
  const journal = journalOf(bucket);
  await createJournal(client, journal);
  const newest = await readNewestApplied(client, journal);
  for (const migration of readMigrations()) {
    if (migration.when > newest) {
      const own = bucket === HOME ? migration : await readyForBucket(client, bucket, migration);
      await apply(client, journal, own, newest === 0, log);
    }
    if (migration.tag === upTo) return false;
  }
  await client.query(`set search_path = ${searchPath(bucket)}`);
  const { rows } = await client.query<{ now: Date }>('select now() as now');
  await ensurePartitions(client, rows[0]!.now, WEEKS_AHEAD);
  return true;
}

async function readBuckets(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from public.buckets where name <> $1 order by name',
    [HOME],
  );
  return rows.map(({ name }) => name);
}

async function waitForLock(client: pg.Client, migrations: Migration[], log: (line: string) => void) {
  let where = '';
  await withProgress(
    log,
    () => `another process migrates this database${where}`,
    async () => {
      while (!(await tryLockMigrations(client, LOCK_ID))) {
        const at = await readUnderWay(client, journalOf(HOME));
        const migration = migrations.find(({ when }) => when === at?.when);
        where =
          at && migration ? ` (${migration.tag}, ${at.done} of ${migration.steps.length} steps done)` : '';
        await sleep(LOCK_POLL_MS);
      }
    },
  );
}

async function apply(
  client: pg.Client,
  journal: Journal,
  migration: Migration,
  alone: boolean,
  log: (line: string) => void,
): Promise<void> {
  const { tag, steps } = migration;
  for (let step = await readDoneSteps(client, journal, migration); step < steps.length; step++) {
    const where = `${tag}, step ${step + 1} of ${steps.length}`;
    try {
      await withProgress(
        log,
        () => where,
        () => runStep(client, journal, migration, step, alone),
      );
    } catch (error) {
      throw new Error(`${where} failed: ${(error as Error).message}`, { cause: error });
    }
  }
  await recordApplied(client, journal, migration);
}

async function withProgress(
  log: (line: string) => void,
  what: () => string,
  work: () => Promise<void>,
): Promise<void> {
  const startedAt = monotonicMs();
  let every: NodeJS.Timeout | undefined;
  const report = () => log(`${what()}: ${Math.round((monotonicMs() - startedAt) / 1000)} s so far`);
  const first = setTimeout(() => {
    report();
    every = setInterval(report, PROGRESS_EVERY_MS);
  }, QUIET_MS);
  try {
    await work();
  } finally {
    clearTimeout(first);
    clearInterval(every);
  }
}
