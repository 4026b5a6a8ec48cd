// Runs a request once per Idempotency-Key: reserve, run, keep the answer.
// Guarantees: of two requests with one key at the same moment, on any processes, one runs; the first answer of a
// success is repeated for 24 hours; a failure frees the key. A process that dies leaves a reservation that holds for
// a minute; the retry after it gets the same change id, so a handler that inserts under that id (and treats a
// duplicate as success) does its work once even then.

import { createHash } from 'node:crypto';

import { AppError, maybeStored } from '../base/errors.ts';
import { newUuid } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { isDatabaseAway } from '../db/transaction.ts';
import {
  abandonReservation,
  freeReservation,
  reserve,
  selectStored,
  storeAnswer,
} from './idempotency-store.ts';

/** Seconds that an answer is kept; the contract's 24 hours. */
const KEEP_SECONDS = 86_400;

/** Seconds after which a reservation counts as abandoned: twice the longest statement (core/db/pool.ts). */
const ABANDONED_SECONDS = 60;

const TRIES = 3; // a row may be deleted between two reads; not for ever
const KEY_SHAPE = /^[\x21-\x7e]{1,255}$/;

/** An answer of a success, as it is kept. */
export interface KeptAnswer {
  status: number;
  body: unknown;
}

/** Whether a text may be an idempotency key: 1 to 255 visible ASCII characters. */
export function isIdempotencyKey(text: string): boolean {
  return KEY_SHAPE.test(text);
}

/**
 * What identifies a request: its method, its path and its body by content, so that neither the order of fields nor
 * white space makes it another request.
 */
export function requestHash(method: string, path: string, body: unknown): Buffer {
  return createHash('sha256').update(`${method} ${path}\n`).update(canonicalJson(body)).digest();
}

/**
 * Runs `work`, or repeats what it answered the first time. Throws `idempotency_conflict` when the key stood for
 * another request, `idempotency_in_progress` while the first is running.
 */
export async function runOnce(
  db: Database,
  request: { scopeId: string; key: string; bodyHash: Buffer },
  work: (changeId: string) => Promise<KeptAnswer>,
): Promise<KeptAnswer & { replayed: boolean }> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const reservation = await reserve(db.pool, {
      ...request,
      fresh: { owner: newUuid(), changeId: newUuid() },
      keepSeconds: KEEP_SECONDS,
      abandonedSeconds: ABANDONED_SECONDS,
    });
    if (reservation) return { ...(await runReserved(db, request, reservation, work)), replayed: false };
    const stored = await selectStored(db.pool, request.scopeId, request.key);
    if (!stored) continue; // the first one failed just now and freed the key
    if (!stored.bodyHash.equals(request.bodyHash)) throw otherRequest();
    if (stored.status !== 0) return { ...(stored.answer as KeptAnswer), replayed: true };
    break;
  }
  throw new AppError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running. Try again in a moment.',
    {
      retryAfterSeconds: 1,
    },
  );
}

async function runReserved(
  db: Database,
  request: { scopeId: string; key: string },
  reservation: { owner: string; changeId: string },
  work: (changeId: string) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  const row = { scopeId: request.scopeId, key: request.key, owner: reservation.owner };
  let answer: KeptAnswer;
  try {
    answer = await work(reservation.changeId);
  } catch (error) {
    // What may have been done all the same is found by a repeat under the same change id. A database that is unavailable
    // keeps the reservation; it is then abandoned after its minute.
    const free = mayBeDone(error) ? abandonReservation : freeReservation;
    await free(db.pool, row).catch(() => {});
    throw error;
  }
  try {
    await storeAnswer(db.pool, { ...row, status: answer.status, answer });
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    await abandonReservation(db.pool, row).catch(() => {});
    throw maybeStored(error);
  }
  return answer;
}

function mayBeDone(error: unknown): boolean {
  return error instanceof AppError ? error.code === 'unavailable' : isDatabaseAway(error);
}

function otherRequest(): AppError {
  return new AppError(
    'idempotency_conflict',
    'This Idempotency-Key was already used with a different request. Use a new key.',
  );
}

function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_name, item: unknown) => {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
      return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? ''
  );
}
