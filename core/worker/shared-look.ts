// Looks that one process makes for all, over the mail of all tenants: without this N senders would read all of it N times,
// each in its time. A look is taken for a while, not owned: who takes one and dies, stands still or works for long, leaves
// the next to whoever asks first. So it spares work and protects nothing: what is found is locked as if everybody looked.
// SQL by hand: the condition of the upsert decides here.

import type { Queryable } from '../db/pool.ts';

/** The looks. `release`: deferred mail that is due; `reserved`: admissions kept for nothing; `sweep`: lost workers. */
export type SharedLook = 'release' | 'reserved' | 'sweep';

const EARLY_PART = 0.1; // who looked last asks again in time, though its timer and the database's clock differ a little

/**
 * Whether this process makes a look now: true once in `everyMs` (a tenth less at least) over all processes. Not yet due, it
 * costs one read of one row. A time that is much too far ahead, from before the clock was set back, counts as due.
 */
export async function takeLook(db: Queryable, name: SharedLook, everyMs: number): Promise<boolean> {
  // Twice: who asked at the same moment has a `now()` that is a little before that of who took it.
  const { rowCount } = await db.query({
    name: 'shared-look-take',
    text: `insert into shared_looks as l (name, next_at)
           select $1, now() + $2 * interval '1 millisecond'
           where not exists (select from shared_looks s where s.name = $1 and s.next_at > now()
             and s.next_at <= now() + 2 * $2 * interval '1 millisecond')
           on conflict (name) do update set next_at = excluded.next_at
           where l.next_at <= now() or l.next_at > now() + 2 * $2 * interval '1 millisecond'`,
    values: [name, everyMs * (1 - EARLY_PART)],
  });
  return rowCount === 1;
}
