// The clock of `npm start -- --clock`: that of its database, and one that all of its services follow.

import { join } from 'node:path';
import pg from 'pg';

import { monotonicMs } from '../../core/base/clock.ts';
import { MissingServerError } from '../servers/install.ts';
import { secondsAhead, startCalendar, type Calendar } from './calendar.ts';
import { findLibfaketime, makeProcessClock } from './process-clock.ts';
import { useClock } from './store-clock.ts';

/** Where `npm start -- --clock` keeps its stores and files, in the checkout's `.local`. */
export const CLOCK_FOLDER = 'clock';

const NAME = 'services';

/** Gives an empty database, or one that had it before, its clock. Returns settings for the services, which follow it. */
export async function useMovedClock(folder: string, databaseUrl: string): Promise<Record<string, string>> {
  await useClock(databaseUrl, 0);
  return withAdmin(databaseUrl, async (admin) => (await processClock(folder, admin)).env);
}

/** Does something with the calendar of a running `npm start -- --clock`. */
export async function withMovedClock<T>(
  folder: string,
  databaseUrl: string,
  work: (calendar: Calendar) => Promise<T>,
): Promise<T> {
  return withAdmin(databaseUrl, async (admin) => {
    const { set: follow } = await processClock(folder, admin);
    return work(await startCalendar({ admin, follow, ms: monotonicMs, note: () => {} }));
  });
}

async function processClock(folder: string, admin: pg.Pool) {
  const library = await findLibfaketime();
  if (library === null)
    throw new MissingServerError(
      'The clocks of services are moved by libfaketime: apt-get install libfaketime',
    );
  return makeProcessClock(join(folder, 'clocks'), NAME, library, await secondsAhead(admin));
}

async function withAdmin<T>(databaseUrl: string, work: (admin: pg.Pool) => Promise<T>): Promise<T> {
  const admin = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
