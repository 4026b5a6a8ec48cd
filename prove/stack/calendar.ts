// The calendar of a run: PostgreSQL's clock, which decides about days, and the clocks of the processes, which follow it.

import type pg from 'pg';

import { utcDay } from '../../core/base/clock.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { journalMs, type Journal } from '../journal.ts';
import type { Calendar } from './stack.ts';

const JOB_HOUR = 2; // daily jobs run at 02:00 UTC
const BEFORE_MIDNIGHT_MS = 25_000; // the lease of a sender is 20 s: after that it knows the store's time or does nothing
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SHARP_MS = 500; // a reading that takes longer may be off by half of it: the next that is quicker is noted as well

/** Makes the calendar of a database that has the clock of local/simulate/simulated-clock.ts, and notes its first time. */
export async function startCalendar(
  admin: pg.Pool,
  journal: Journal,
  follow: (aheadSeconds: number) => Promise<void>,
): Promise<Calendar> {
  let known: number | null = null;
  let tookMs = Infinity; // the reading that was noted last
  let seenAt = journalMs();
  // A move may have been made though its answer was lost: whoever reads the time finds that out.
  const read = async () => {
    const asked = journalMs();
    const { now, ahead } = await readClock(admin);
    const answered = journalMs();
    const moved = ahead !== known;
    if (moved) await follow(ahead);
    const sharper = tookMs > SHARP_MS && answered - asked < tookMs;
    if (moved || sharper) {
      tookMs = answered - asked;
      const t = (asked + answered) / 2;
      journal.append({ kind: 'calendar', storeMs: now.getTime(), since: seenAt }, t);
    }
    known = ahead;
    seenAt = asked;
    return now;
  };
  await read();
  return {
    now: read,
    jumpTo: async (time) => {
      const problem = problemOf(await read(), time);
      if (problem) throw new Error(problem);
      await moveStore(admin, time);
      await read();
    },
  };
}

/** Seconds until the next 12:00 UTC: there each run begins, so that the same faults meet the same hours. */
export function secondsUntilNoon(now: Date): number {
  const noon = DAY_MS / 2;
  return Math.ceil(((noon - (now.getTime() % DAY_MS) + DAY_MS) % DAY_MS) / 1_000);
}

/** Why a jump is not made; null when it may be. */
export function problemOf(from: Date, to: Date): string | null {
  const jump = `the jump from ${from.toISOString()} to ${to.toISOString()}`;
  if (to <= from) return `${jump} goes back`;
  if (utcDay(from) !== utcDay(to)) return `${jump} crosses a midnight`;
  const hours = [from, to].map((time) => (time.getTime() % DAY_MS) / HOUR_MS);
  if (hours[0]! < JOB_HOUR && hours[1]! >= JOB_HOUR) return `${jump} crosses the time of the daily jobs`;
  if (DAY_MS - (to.getTime() % DAY_MS) < BEFORE_MIDNIGHT_MS) return `${jump} ends too close to midnight`;
  return null;
}

async function readClock(admin: pg.Pool): Promise<{ now: Date; ahead: number }> {
  const { rows } = await admin.query<{ now: Date; ahead: number }>(
    'select clock_timestamp() as now, extract(epoch from shift)::int as ahead from sim.clock',
  );
  return rows[0]!;
}

// A lease that somebody holds is as long after the jump as before: in the hours that are left out nobody stood still.
const LEASES = [
  ['workers', 'heartbeat_at', 'true'],
  ['webhook_deliveries', 'claimed_until', 'claimed_until is not null'],
  ['campaigns', 'claimed_until', 'claimed_until is not null'],
  ['contact_imports', 'claimed_until', 'claimed_until is not null'],
  ['idempotency_keys', 'created_at', 'status = 0'],
] as const;

// Whole seconds: what the clocks of processes can follow. A statement that waited until its day was over does nothing.
// Whoever renews a lease meanwhile waits for the lock and then reads the new time.
async function moveStore(admin: pg.Pool, time: Date): Promise<void> {
  await inTransaction(admin, async (client) => {
    await client.query("set local lock_timeout = '2s'");
    await client.query(
      `lock table ${LEASES.map(([table]) => `public.${table}`).join(', ')} in exclusive mode`,
    );
    const { rows } = await client.query<{ moved: string }>(
      `update sim.clock set shift =
         make_interval(secs => ceil(extract(epoch from $1::timestamptz - pg_catalog.clock_timestamp())))
       from (select shift from sim.clock) as before
       where clock_timestamp() < $1 and clock_timestamp()::date = $1::date
       returning (clock.shift - before.shift)::text as moved`,
      [time],
    );
    for (const [table, column, held] of rows[0] ? LEASES : [])
      await client.query(`update public.${table} set ${column} = ${column} + $1::interval where ${held}`, [
        rows[0]!.moved,
      ]);
  });
}
