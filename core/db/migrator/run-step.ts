// Runs one step of a migration so that nobody beside it waits for long, and records it with the same commit. Steps that have
// no commit of their own (an index built beside writers, batches of rows) find what is done already.

import type pg from 'pg';

import { monotonicMs, sleep } from '../../base/clock.ts';
import { limitLocks, untilLocked } from '../brief-lock.ts';
import { buildIndex } from './build-index.ts';
import { statementsOf, type Migration } from './migration-files.ts';
import { readTable, stepDone, type Journal } from './migration-store.ts';
import { runTransaction } from './transaction-text.ts';

/** Runs the step with this number and records it. `alone`: on a new database, which nobody uses yet, a slow machine takes the time it needs. */
export async function runStep(
  client: pg.Client,
  journal: Journal,
  migration: Migration,
  number: number,
  alone: boolean,
): Promise<void> {
  const step = migration.steps[number]!;
  const done = stepDone(journal, migration, number);
  switch (step.kind) {
    case 'ddl':
      return void (await inOneGo(client, alone ? 'long' : 'brief', step.sql, done));
    case 'rows':
      return void (await inOneGo(client, 'long', step.sql, done));
    case 'repeated':
      await inBatches(client, step.sql);
      return void (await client.query(done));
    case 'index':
      // An empty table takes no time, and a new database has about a hundred of them.
      if (!(await readTable(client, step.index.table)).filled)
        return void (await inOneGo(client, alone ? 'long' : 'brief', step.sql, done));
      await buildIndex(client, step.index, migration.when);
      return void (await client.query(done));
    default:
      return step satisfies never;
  }
}

// While locks are held the server does not wait for the disk or a standby: a crash of PostgreSQL may undo the last steps, each
// with its record.
async function inOneGo(client: pg.Client, limit: 'brief' | 'long', sql: string, done: string) {
  const own = statementsOf(sql);
  return untilLocked(() =>
    runTransaction(client, [...limitLocks(limit), 'set local synchronous_commit = off', ...own, done]),
  );
}

// After each batch others have the machine for as long as it took.
async function inBatches(client: pg.Client, sql: string): Promise<void> {
  for (;;) {
    const startedAt = monotonicMs();
    const results = await inOneGo(client, 'long', sql, 'select');
    const changed = results.find(({ command }) => /^(INSERT|UPDATE|DELETE)$/.test(command));
    if (!changed?.rowCount) return;
    await sleep(monotonicMs() - startedAt);
  }
}
