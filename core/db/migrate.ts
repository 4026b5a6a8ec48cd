// Brings a database to the current schema: numbered SQL files, each applied once, then the coming partitions. It runs
// beside services at work, so it is a migrator of our own (docs/adr/0013-own-migrator.md): no step makes anybody wait for
// longer than 200 ms, and one that was killed goes on where it was.

import type pg from 'pg';

import { serverUrls } from '../base/database-url.ts';
import { monotonicMs, sleep } from '../base/clock.ts';
import { readMigrations, type Migration } from './migrator/migration-files.ts';
import {
  createJournal,
  readDoneSteps,
  readNewestApplied,
  readUnderWay,
  recordApplied,
  tryLockMigrations,
} from './migrator/migration-store.ts';
import { runStep } from './migrator/run-step.ts';
import { isCluster } from './migrator/transaction-text.ts';
import { ensurePartitions } from './partitions.ts';
import { connectToPrimary } from './primary.ts';

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
  const migrations = readMigrations();
  const client = await connectToPrimary(serverUrls(databaseUrl));
  try {
    await waitForLock(client, migrations, log);
    await createJournal(client);
    // Triggers of rows write to tables of the same schema, which lie on the same node (docs/citus.md).
    if (await isCluster(client)) await client.query('set citus.enable_unsafe_triggers = on');
    const newest = await readNewestApplied(client);
    for (const migration of migrations) {
      if (migration.when > newest) await apply(client, migration, newest === 0, log);
      if (migration.tag === upTo) return;
    }
    const { rows } = await client.query<{ now: Date }>('select now() as now');
    await ensurePartitions(client, rows[0]!.now, WEEKS_AHEAD);
  } finally {
    await client.end();
  }
}

async function waitForLock(client: pg.Client, migrations: Migration[], log: (line: string) => void) {
  let where = '';
  await withProgress(
    log,
    () => `another process migrates this database${where}`,
    async () => {
      while (!(await tryLockMigrations(client, LOCK_ID))) {
        const at = await readUnderWay(client);
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
  migration: Migration,
  alone: boolean,
  log: (line: string) => void,
): Promise<void> {
  const { tag, steps } = migration;
  for (let step = await readDoneSteps(client, migration); step < steps.length; step++) {
    const where = `${tag}, step ${step + 1} of ${steps.length}`;
    try {
      await withProgress(
        log,
        () => where,
        () => runStep(client, migration, step, alone),
      );
    } catch (error) {
      throw new Error(`${where} failed: ${(error as Error).message}`, { cause: error });
    }
  }
  await recordApplied(client, migration);
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
