// A calendar that can be moved: PostgreSQL's clock, which decides about days, and the clocks of the processes, which follow it.

import type pg from 'pg';

import { utcDay } from '../../core/base/clock.ts';
import { inTransaction } from '../../core/db/transaction.ts';

/** The calendar. */
export interface Calendar {
  /** The store's time. */
  now(): Promise<Date>;
  /**
   * Moves it ahead to a time of the same UTC day, and the clocks of the processes with it. A jump never crosses 02:00 and
   * ends 25 s or more before midnight: what senders believe about the day is true again before the day ends.
   */
  jumpTo(time: Date): Promise<void>;
}

/** A reading that found the calendar moved, or knows it better than the last one. */
interface CalendarReading {
  /** Milliseconds since the epoch by the store's clock, at `t`. */
  storeMs: number;
  /** It was moved, if at all, between this and `t`. */
  since: number;
  t: number;
}

/** What a calendar needs. */
export interface CalendarDeps {
  admin: pg.Pool;
  /** Sets the clocks of the processes ahead of this machine's. */
  follow: (aheadSeconds: number) => Promise<void>;
  /** Milliseconds of a clock that nobody sets, for `note`. */
  ms: () => number;
  note: (reading: CalendarReading) => void;
}

const JOB_HOUR = 2; // daily jobs run at 02:00 UTC
const BEFORE_MIDNIGHT_MS = 25_000; // the lease of a sender is 20 s: after that it knows the store's time or does nothing
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SHARP_MS = 500; // a reading that takes longer may be off by half of it: the next that is quicker is noted as well

/** Makes the calendar of a database that has the clock of store-clock.ts, and notes its first time. */
export async function startCalendar({ admin, follow, ms, note }: CalendarDeps): Promise<Calendar> {
  let known: number | null = null;
  let tookMs = Infinity; // the reading that was noted last
  let seenAt = ms();
  // A move may have been made though its answer was lost: whoever reads the time finds that out.
  const read = async () => {
    const asked = ms();
    const { now, ahead } = await readClock(admin);
    const answered = ms();
    const moved = ahead !== known;
    if (moved) await follow(ahead);
    const sharper = tookMs > SHARP_MS && answered - asked < tookMs;
    if (moved || sharper) {
      tookMs = answered - asked;
      note({ storeMs: now.getTime(), since: seenAt, t: (asked + answered) / 2 });
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

/** By how many seconds the clock of a database is ahead of this machine's. */
export async function secondsAhead(admin: pg.Pool): Promise<number> {
  return (await readClock(admin)).ahead;
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
