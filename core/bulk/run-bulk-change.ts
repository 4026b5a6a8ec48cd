// Makes a bulk change, batch by batch, from where it stands.
// Guarantee: the rows of a batch, the counts and the cursor behind it change in one transaction and only while the claim
// holds, so that a crash, or a second scheduler that thinks the first one dead, does and counts everything once. Rows that
// were made after the change was asked for stay as they are.
// Dies anywhere in here: docs/crashes-audience.md, rows bulk.*.

import { ZodError } from 'zod';

import type { Actor } from '../audit/actor.ts';
import { change } from '../audit/change.ts';
import { monotonicMs } from '../base/clock.ts';
import type { Slice } from '../base/slice.ts';
import { toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import type { ListedKind } from '../export/list-pages.ts';
import { LIST_PAGES } from '../export/list-pages.ts';
import { BULK_NOUNS, type BulkAction, type BulkClaim } from './bulk-change.ts';
import { addRefused, BULK_STEPS } from './bulk-steps.ts';
import { advanceBulkChange, endBulkChange, holdBulkClaim } from './bulk-store.ts';

const BATCH_ROWS = 500; // locks of a moment: about 30 ms, those of messages the longest

const LISTS: Readonly<Record<BulkAction, ListedKind>> = {
  cancel_messages: 'messages',
  add_contacts_to_list: 'contacts',
  remove_contacts_from_list: 'contacts',
  delete_contacts: 'contacts',
  lift_suppressions: 'suppressions',
};

/** Works until the end of the rows or of the slice. `ended`: nothing is left to do. Throws when the database is unavailable. */
export async function runBulkChange(db: Database, claim: BulkClaim, slice: Slice): Promise<'ended' | 'more'> {
  const until = monotonicMs() + slice.sliceMs;
  let at = claim;
  try {
    while (!slice.signal.aborted && monotonicMs() <= until) {
      const { keys, cursor } = await nextRows(db, at);
      if (cursor !== null) {
        const moved = await doBatch(db, at, { keys, cursor }, slice);
        if (moved === 'lost') return 'ended';
        if (moved === 'impossible') return await end(db, at, 'failed');
        at = { ...at, ...moved };
      }
      if (keys.length < BATCH_ROWS) return await end(db, at, 'completed');
    }
    return 'more';
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    return end(db, at, 'failed'); // a filter of an older version
  }
}

// The next rows and the cursor behind them; null when there are none.
async function nextRows(
  db: Database,
  { tenantId, action, filter, chosen, cursor, createdAt }: BulkClaim,
): Promise<{ keys: string[]; cursor: string[] | null }> {
  if (chosen !== null) {
    const from = Number(cursor?.[0] ?? 0);
    const keys = chosen.slice(from, from + BATCH_ROWS);
    return { keys, cursor: keys.length === 0 ? null : [String(from + keys.length)] };
  }
  const rows = await LIST_PAGES[LISTS[action]](db, tenantId, filter ?? {}, {
    after: cursor,
    limit: BATCH_ROWS,
    until: createdAt,
  });
  return { keys: rows.map(({ key }) => key), cursor: rows.at(-1)?.cursor ?? null };
}

type Progress = Pick<BulkClaim, 'cursor' | 'done' | 'refused'>;

async function doBatch(
  db: Database,
  claim: BulkClaim,
  { keys, cursor }: { keys: string[]; cursor: string[] },
  { leaseMs, fail }: Slice,
): Promise<Progress | 'lost' | 'impossible'> {
  const result = await inTransaction(db.pool, async (client) => {
    if (!(await holdBulkClaim(client, claim))) return 'lost';
    const made = await BULK_STEPS[claim.action](client, claim, keys);
    if (made === null) return 'impossible';
    const to = { cursor, done: claim.done + made.done, refused: addRefused(claim.refused, made.refused) };
    await advanceBulkChange(client, claim, { ...to, leaseMs });
    fail('bulk.before-commit');
    return to;
  });
  fail('bulk.after-commit');
  return result;
}

async function end(db: Database, claim: BulkClaim, status: 'completed' | 'failed'): Promise<'ended'> {
  const { tenantId, id, action, done } = claim;
  const refused = Object.values(claim.refused).reduce((sum, count) => sum + count, 0);
  await change({ db }, claim.actor as unknown as Actor, async (client, record) => {
    if (!(await holdBulkClaim(client, claim))) return;
    await endBulkChange(client, claim, status);
    const details = { what: BULK_NOUNS[action], done, refused };
    await record({ tenantId, action: `bulk.${status}`, subject: toId('blk', id), details });
  });
  return 'ended';
}
