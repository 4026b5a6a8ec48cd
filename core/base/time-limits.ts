// Who waits how long for whom while a request is done, from the client to the stores: the one table.
//
//   client                  30 s (our SDKs), then it repeats with the same Idempotency-Key
//   └─ api, scheduler
//      ├─ Redis             REDIS_ANSWER_MS, then nobody waits for it until it answers again
//      ├─ PostgreSQL        API_STATEMENT_MS
//      └─ sender            SUBMIT_MS for one message, SENDER_CALL_MS for any other call
//         ├─ Redis          as above
//         └─ PostgreSQL     CONNECTION_MS for a connection, STATEMENT_MS for a statement and the locks it waits for

const MIB = 1_048_576;

const SUBMIT_MS = 10_000;
const SUBMIT_MS_PER_MIB = 2_000; // 20 MiB took 8 s on a machine with eight times its load

/** For the answer to one message with so much ready-made mail; its caller gets `unavailable` then. */
export function submitMs(rawBytes: number): number {
  return SUBMIT_MS + (rawBytes / MIB) * SUBMIT_MS_PER_MIB;
}

/** For the answer to any other call: a batch of 1000 on a busy machine takes well under a second. */
export const SENDER_CALL_MS = 20_000;

/** For a script of Redis, which takes microseconds: beyond this the callers' fallback is faster. */
export const REDIS_ANSWER_MS = 250;

/** Between two questions whether a Redis that came too late is back. */
export const REDIS_PROBE_EVERY_MS = 500;

/** For a connection to PostgreSQL: a store that is unavailable must give 503 within seconds, not hang the caller. */
export const CONNECTION_MS = 5_000;

/** For one statement: longer than any of ours; a lock that hangs must end some time. */
export const STATEMENT_MS = 30_000;

/** For any answer of PostgreSQL to the api: a caller of its has given up by then. */
export const API_STATEMENT_MS = 10_000;
