// The moves of messages whose worker was lost: back to the queue, for any sender. Raising the claim version fences a
// worker that believes otherwise. The only statements about messages that name no tenant first: a worker has claimed
// mail of all of them. SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import { noteSql } from './note-decision.ts';

/** Reclaims messages whose worker has no row (any more). Returns how many. */
export async function reclaimFromLost(pool: pg.Pool, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'message-reclaim-from-lost',
    text: `with lost as materialized (
             select m.id, m.tenant_id from messages m
             where m.claimed_by is not null and m.state = 'sending'
               and not exists (select 1 from workers w where w.id = m.claimed_by)
             limit $1 for update of m skip locked)
           update messages m
           set state = 'queued', defer_reason = null, claimed_by = null, claim_version = m.claim_version + 1,
               next_attempt_at = now(), ${noteSql('sender_lost')}
           from lost where m.id = lost.id and m.tenant_id = lost.tenant_id`,
    values: [limit],
  });
  return rowCount ?? 0;
}

/** Reclaims messages that a worker has claimed and does not deliver. Returns how many. */
export async function reclaimForgotten(pool: pg.Pool, workerId: string, ids: string[]): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'message-reclaim-forgotten',
    text: `update messages m
           set state = 'queued', defer_reason = null, claimed_by = null, claim_version = claim_version + 1,
               next_attempt_at = now(), ${noteSql('sender_lost')}
           where id = any($2::uuid[]) and claimed_by = $1 and state = 'sending'`,
    values: [workerId, ids],
  });
  return rowCount ?? 0;
}

/** Ids of the messages that a worker has claimed. */
export async function readClaimed(pool: pg.Pool, id: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'message-read-claimed',
    text: 'select id from messages where claimed_by = $1',
    values: [id],
  });
  return rows.map((row) => row.id);
}
