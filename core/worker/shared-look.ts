// Looks that one process makes for all, over the mail of all tenants: without this N senders would read all of it N times,
// each in its time. A look is taken for a while, not owned: who takes one and dies, stands still or works for long, leaves
// the next to whoever asks first. So it spares work and protects nothing: what is found is locked as if everybody looked.
// SQL by hand: the condition of the upsert decides here.

import type { Queryable } from '../db/pool.ts';

/**
 * The looks. `release`: deferred mail that is due; `reserved`: admissions kept for nothing; `sweep`: lost workers;
 * `statistics`: those of PostgreSQL.
 */
export type SharedLook = 'release' | 'reserved' | 'sweep' | 'statistics';

const EARLY_PART = 0.1; // who looked last asks again in time, though its timer and the database's clock differ a little

/**
 * Whether this process makes a look now: true once in `everyMs` (a tenth less at least) over all processes. Not yet due, it
 * costs one read of one row. A time that is much too far ahead, from before the clock was set back, counts as due.
 */
export async function takeLook(db: Queryable, name: SharedLook, everyMs: number): Promise<boolean> {
  const { rows } = await db.query<{ now: Date; nextAt: Date | null }>({
    name: 'shared-look-read',
    text: `select c.now, l.next_at as "nextAt" from (select now() as now) c left join shared_looks l on l.name = $1`,
    values: [name],
  });
  const { now, nextAt } = rows[0]!;
  const restMs = everyMs * (1 - EARLY_PART);
  const waitMs = nextAt === null ? 0 : nextAt.getTime() - now.getTime();
  if (waitMs > 0 && waitMs <= 2 * restMs) return false;
  // Of those who saw the same time, one is first.
  const { rowCount } = await db.query({
    name: 'shared-look-take',
    text: `insert into shared_looks as l (name, next_at) values ($1, $2)
           on conflict (name) do update set next_at = excluded.next_at where l.next_at = $3`,
    values: [name, new Date(now.getTime() + restMs), nextAt],
  });
  return rowCount === 1;
}
