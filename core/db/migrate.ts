// Brings a database to the current schema: numbered SQL files, each applied once, then the coming partitions.

import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';

import { serverUrls } from '../base/database-url.ts';
import { ensurePartitions } from './partitions.ts';
import { connectToPrimary } from './primary.ts';

const LOCK_ID = 7_201_961; // any fixed number: drizzle's migrator takes no lock of its own
const WEEKS_AHEAD = 4; // partitions made ahead; the retention job makes the next ones

/** Applies what is missing. Safe to call from several processes at once: one works, the others wait. */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = await connectToPrimary(serverUrls(databaseUrl));
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_ID]);
    await applyMigrations(drizzle(client), { migrationsFolder: `${import.meta.dirname}/migrations` });
    const { rows } = await client.query<{ now: Date }>('select now() as now');
    await ensurePartitions(client, rows[0]!.now, WEEKS_AHEAD);
  } finally {
    await client.end();
  }
}
