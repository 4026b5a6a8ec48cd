// Statements about workers: processes that hold messages. All times are the database's.
// These are the only statements about messages that name no tenant's id first: a worker holds mail of all of them.

import type pg from 'pg';

/** What a heartbeat found. */
export interface Heartbeat {
  /** False when the row is gone: another process took this one for dead. */
  alive: boolean;
  now: Date;
}

/** Makes the row of a worker and tells the database's time. */
export async function insertWorker(pool: pg.Pool, id: string, service: string): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>({
    name: 'worker-insert',
    text: 'insert into workers (id, service) values ($1, $2) returning now() as now',
    values: [id, service],
  });
  return rows[0]!.now;
}

/** Says that a worker lives. */
export async function beat(pool: pg.Pool, id: string): Promise<Heartbeat> {
  const { rows } = await pool.query<Heartbeat>({
    name: 'worker-beat',
    text: `with beat as (update workers set heartbeat_at = now() where id = $1 returning id)
           select now() as now, exists (select 1 from beat) as alive`,
    values: [id],
  });
  return rows[0]!;
}

/** Takes messages from workers that are silent for longer than the lease, or unknown. Returns how many. */
export async function takeFromLost(pool: pg.Pool, leaseMs: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'worker-take-from-lost',
    text: `with lost as materialized (
             select m.id, m.tenant_id from messages m
             where m.claimed_by is not null and not exists (
               select 1 from workers w
               where w.id = m.claimed_by and w.heartbeat_at >= now() - $1 * interval '1 millisecond')
             limit $2 for update of m skip locked)
           update messages m
           set state = 'queued', defer_reason = null, claimed_by = null, claim_version = m.claim_version + 1,
               next_attempt_at = now()
           from lost where m.id = lost.id and m.tenant_id = lost.tenant_id`,
    values: [leaseMs, limit],
  });
  return rowCount ?? 0;
}

/** Deletes the rows of lost workers that hold nothing any more. */
export async function deleteLostWorkers(pool: pg.Pool, leaseMs: number): Promise<void> {
  await pool.query({
    name: 'worker-delete-lost',
    text: `delete from workers w where w.heartbeat_at < now() - $1 * interval '1 millisecond'
             and not exists (select 1 from messages m where m.claimed_by = w.id)`,
    values: [leaseMs],
  });
}

/** Deletes the row of a worker that ends; what it still holds is then found at once by any sweep. */
export async function deleteWorker(pool: pg.Pool, id: string): Promise<void> {
  await pool.query({ name: 'worker-delete', text: 'delete from workers where id = $1', values: [id] });
}

/** What a worker holds by the record: message ids. */
export async function readHeld(pool: pg.Pool, id: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'worker-held',
    text: 'select id from messages where claimed_by = $1',
    values: [id],
  });
  return rows.map((row) => row.id);
}

/** Puts messages that a worker holds by the record, but not in fact, back to be claimed. */
export async function giveBack(pool: pg.Pool, workerId: string, ids: string[]): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'worker-give-back',
    text: `update messages
           set state = 'queued', defer_reason = null, claimed_by = null, claim_version = claim_version + 1,
               next_attempt_at = now()
           where id = any($2::uuid[]) and claimed_by = $1`,
    values: [workerId, ids],
  });
  return rowCount ?? 0;
}
