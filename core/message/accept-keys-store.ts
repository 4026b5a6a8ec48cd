// Idempotency keys in the transaction that accepts mail.
// SQL by hand: many rows to a statement (unnest), prepared by name; this is the hot path.

import type pg from 'pg';
import { later } from '../db/citus-forms.ts';

/** The stored answer to the first request with a key. */
export interface StoredAnswer {
  bodyHash: Buffer;
  /** False: another route reserved the key and is running. */
  finished: boolean;
  answer: unknown;
}

// Answers are kept for 24 hours; a reservation (status 0) of core/idempotency counts as abandoned after a minute.
const keyInUse = (now: string) => `k.created_at > ${later(now, `interval '-24 hours'`)}
  and (k.status <> 0 or k.created_at > ${later(now, `interval '-60 seconds'`)})`;

/**
 * Locks idempotency keys until the transaction ends, without waiting: false means that another request with the key
 * is running now. The lock's number is a hash, so two keys may share it; the loser has to try again.
 */
export async function tryLockKeys(
  client: pg.ClientBase,
  keys: { tenantId: string; key: string }[],
): Promise<boolean[]> {
  const { rows } = await client.query<{ locked: boolean }>({
    name: 'accept-lock-keys',
    text: `select pg_try_advisory_xact_lock(hashtextextended(q.tenant_id || ':' || q.key, 0)) as locked
           from unnest($1::text[], $2::text[]) with ordinality as q(tenant_id, key, n) order by q.n`,
    values: [keys.map((one) => one.tenantId), keys.map((one) => one.key)],
  });
  return rows.map((row) => row.locked);
}

/** First answers given under these keys within the last 24 hours, by `tenant key`. */
export async function readAnswers(
  client: pg.ClientBase,
  keys: { tenantId: string; key: string }[],
): Promise<Map<string, StoredAnswer>> {
  const { rows } = await client.query<StoredAnswer & { tenantId: string; key: string }>({
    name: 'accept-answers',
    text: `select k.tenant_id as "tenantId", k.key, k.body_hash as "bodyHash", k.status <> 0 as finished,
             k.answer
           from unnest($1::uuid[], $2::text[]) as q(tenant_id, key)
           join idempotency_keys k on k.tenant_id = q.tenant_id and k.key = q.key
           where ${keyInUse('now()')}`,
    values: [keys.map((one) => one.tenantId), keys.map((one) => one.key)],
  });
  return new Map(rows.map((row) => [`${row.tenantId} ${row.key}`, row]));
}

/** Keeps first answers. Returns how many: fewer than given when another route reserved a key meanwhile. */
export async function insertAnswers(
  client: pg.ClientBase,
  answers: { tenantId: string; key: string; bodyHash: Buffer; answer: unknown }[],
): Promise<number> {
  const { rowCount } = await client.query({
    name: 'accept-insert-answers',
    text: `insert into idempotency_keys as k (tenant_id, key, body_hash, status, answer, created_at)
           select *, now() from unnest($1::uuid[], $2::text[], $3::bytea[], $4::smallint[], $5::jsonb[])
           on conflict (tenant_id, key) do update
             set body_hash = excluded.body_hash, status = excluded.status, answer = excluded.answer,
                 created_at = excluded.created_at
             where not (${keyInUse('excluded.created_at')})`,
    values: [
      answers.map((one) => one.tenantId),
      answers.map((one) => one.key),
      answers.map((one) => one.bodyHash),
      answers.map(() => 202),
      answers.map((one) => JSON.stringify(one.answer)),
    ],
  });
  return rowCount ?? 0;
}
