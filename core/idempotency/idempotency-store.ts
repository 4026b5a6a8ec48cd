// Reservations and first answers of requests with an Idempotency-Key. One table for all routes: the sender writes
// its answers into it too, inside its own transaction, so that a key means one request wherever it is used.
//
// A row with status 0 is a reservation: its request is running, or its process died. `answer` then holds
// { owner, effectId }: `effectId` is the change id, under the name that stored rows use.
// SQL by hand: conditional writes (on conflict, compare and set) that no two callers may see differently.

import type { Queryable } from '../db/pool.ts';
import { later } from '../db/citus-forms.ts';

/** A row as it stands. */
export interface StoredRequest {
  bodyHash: Buffer;
  /** 0 while running. */
  status: number;
  answer: unknown;
}

/** What a running request holds. */
export interface Reservation {
  owner: string;
  /** The id for what the request makes. A retry of a request that died gets the same one. */
  changeId: string;
}

/**
 * Reserves a key, or takes over a reservation that was abandoned or an answer that is too old. Null when somebody
 * else's row stands.
 */
export async function reserve(
  db: Queryable,
  request: {
    scopeId: string;
    key: string;
    bodyHash: Buffer;
    fresh: Reservation;
    keepSeconds: number;
    abandonedSeconds: number;
  },
): Promise<Reservation | null> {
  const { rows } = await db.query<{ answer: StoredReservation }>({
    name: 'idempotency.reserve',
    text: `insert into idempotency_keys as k (tenant_id, key, body_hash, status, answer, created_at)
           values ($1, $2, $3, 0, $4, clock_timestamp())
           on conflict (tenant_id, key) do update
           set body_hash = excluded.body_hash, status = 0, created_at = excluded.created_at,
               answer = case when k.status = 0 and k.body_hash = excluded.body_hash
                 then jsonb_set(excluded.answer, '{effectId}', coalesce(k.answer -> 'effectId', 'null'))
                 else excluded.answer end
           where k.created_at < ${later('excluded.created_at', '-make_interval(secs => $5)')}
              or (k.status = 0 and k.created_at < ${later('excluded.created_at', '-make_interval(secs => $6)')})
           returning answer`,
    values: [
      request.scopeId,
      request.key,
      request.bodyHash,
      JSON.stringify(toStored(request.fresh)),
      request.keepSeconds,
      request.abandonedSeconds,
    ],
  });
  const stored = rows[0]?.answer;
  return stored ? { owner: stored.owner, changeId: stored.effectId } : null;
}

/** A reservation as the column `answer` holds it. */
interface StoredReservation {
  owner: string;
  effectId: string;
}

function toStored({ owner, changeId }: Reservation): StoredReservation {
  return { owner, effectId: changeId };
}

/** The row of a key, or null when it is free. */
export async function selectStored(
  db: Queryable,
  scopeId: string,
  key: string,
): Promise<StoredRequest | null> {
  const { rows } = await db.query<StoredRequest>({
    name: 'idempotency.read',
    text: `select body_hash as "bodyHash", status, answer from idempotency_keys
           where tenant_id = $1 and key = $2`,
    values: [scopeId, key],
  });
  return rows[0] ?? null;
}

/** Keeps the first answer, if the reservation is still the owner's. */
export async function storeAnswer(
  db: Queryable,
  row: { scopeId: string; key: string; owner: string; status: number; answer: unknown },
): Promise<void> {
  await db.query({
    name: 'idempotency.store',
    text: `update idempotency_keys set status = $4, answer = $5
           where tenant_id = $1 and key = $2 and status = 0 and answer ->> 'owner' = $3`,
    values: [row.scopeId, row.key, row.owner, row.status, JSON.stringify(row.answer)],
  });
}

/** Gives a reservation back: the request did not succeed, so the key may be used again. */
export async function freeReservation(
  db: Queryable,
  row: { scopeId: string; key: string; owner: string },
): Promise<void> {
  await db.query({
    name: 'idempotency.free',
    text: `delete from idempotency_keys
           where tenant_id = $1 and key = $2 and status = 0 and answer ->> 'owner' = $3`,
    values: [row.scopeId, row.key, row.owner],
  });
}

/** Lets the next request with this key and body take over at once, under the same change id. */
export async function abandonReservation(
  db: Queryable,
  row: { scopeId: string; key: string; owner: string },
): Promise<void> {
  await db.query({
    name: 'idempotency.abandon',
    text: `update idempotency_keys set created_at = ${later('created_at', `interval '-1 hour'`)}
           where tenant_id = $1 and key = $2 and status = 0 and answer ->> 'owner' = $3`,
    values: [row.scopeId, row.key, row.owner],
  });
}
