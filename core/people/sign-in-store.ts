// Failed sign-ins, and requests to reset a password, in PostgreSQL. SQL by hand: an advisory lock per subject, and limits
// joined as rows.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
import type { Queryable } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { RUNNING_CLOCK, later } from '../db/citus-forms.ts';

/** How many failures a subject (`email:…`, `ip:…`) may have within so many seconds. */
export interface SignInLimit {
  subject: string;
  failures: number;
  seconds: number;
}

/** A booked attempt, with the ids of its rows; or the subjects at their limit, and the seconds until another may be made. */
export type SignInBooking =
  | { ok: true; ids: string[] }
  | { ok: false; full: string[]; freeInSeconds: number };

/**
 * Records an attempt as failed before the password is checked, unless a subject has reached its limit. Attempts on
 * one subject wait for each other here, so that many made at the same moment cannot pass together.
 */
export async function bookSignIn(pool: pg.Pool, limits: SignInLimit[]): Promise<SignInBooking> {
  const subjects = limits.map(({ subject }) => subject).sort(); // one order for all: no deadlock
  return inTransaction(pool, async (client) => {
    for (const subject of subjects) {
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`sign-in ${subject}`]);
    }
    await client.query(
      `delete from sign_in_failures using ${RUNNING_CLOCK}
       where subject = any($1) and at < ${later('clock.now', '-make_interval(secs => $2)')}`,
      [subjects, Math.max(...limits.map(({ seconds }) => seconds))],
    );
    const { rows: full } = await client.query<{ subject: string; freeInSeconds: number }>(
      `select l.subject, ceil(extract(epoch from min(f.at) + make_interval(secs => l.seconds) - clock_timestamp()))::int
                as "freeInSeconds"
       from sign_in_failures f
       join unnest($1::text[], $2::int[], $3::int[]) as l (subject, failures, seconds) using (subject)
       where f.at >= clock_timestamp() - make_interval(secs => l.seconds)
       group by l.subject, l.failures, l.seconds having count(*) >= l.failures`,
      [
        limits.map(({ subject }) => subject),
        limits.map(({ failures }) => failures),
        limits.map(({ seconds }) => seconds),
      ],
    );
    if (full.length > 0) {
      const freeInSeconds = Math.max(1, ...full.map((row) => row.freeInSeconds));
      return { ok: false, full: full.map(({ subject }) => subject), freeInSeconds };
    }
    const ids = subjects.map(() => newUuid());
    await client.query(
      'insert into sign_in_failures (id, subject) select * from unnest($1::uuid[], $2::text[])',
      [ids, subjects],
    );
    return { ok: true, ids };
  });
}

/** After a sign-in: deletes its own attempt, and all failures of one subject if there is one. */
export async function forgetSignIn(db: Queryable, ids: string[], subject: string | null): Promise<void> {
  await db.query('delete from sign_in_failures where id = any($1::uuid[]) or subject = $2', [ids, subject]);
}

/** After a reset: deletes all failures of a mail address from any network, so that its owner need not wait. */
export async function forgetFailures(db: Queryable, email: string): Promise<void> {
  await db.query("delete from sign_in_failures where subject = $1 or starts_with(subject, $1 || '|')", [
    `email:${email}`,
  ]);
}
