// Who waits how long for whom while a request is done, from the client to the stores: the one table.
//
//   client                  30 s (our SDKs), then it repeats with the same Idempotency-Key
//   └─ api, scheduler
//      ├─ Redis             REDIS_ANSWER_MS, then nobody waits for it until it answers again
//      ├─ PostgreSQL        DATABASE_LIMITS, by the class of work: a request's in api, a job's in scheduler
//      └─ sender            submitMs for one message, SENDER_CALL_MS for any other call; after SIGN_OF_LIFE_MS without
//         │                 a sign of life another sender gets the same
//         ├─ Redis          as above
//         └─ PostgreSQL     DATABASE_LIMITS: a request's to accept mail, a worker's to deliver it
//   PostgreSQL
//   └─ api, sender          idleMs of DATABASE_LIMITS for the next statement of a transaction, then it is rolled back

const MIB = 1_048_576;

const SUBMIT_MS = 10_000;
const SUBMIT_MS_PER_MIB = 2_000; // 20 MiB took 8 s on a machine with eight times its load

/** For the answer to one message with so much ready-made mail; its caller gets `unavailable` then. */
export function submitMs(rawBytes: number): number {
  return SUBMIT_MS + (rawBytes / MIB) * SUBMIT_MS_PER_MIB;
}

/** For the answer to any other call: a batch of 1000 on a busy machine takes well under a second. */
export const SENDER_CALL_MS = 20_000;

/** For a sign of life of a sender that has something to do. */
export const SIGN_OF_LIFE_MS = 400;

/** For a sender to connect again when its connection broke and there is no other: then 503. */
export const RECONNECT_MS = 300;

/** For a sign of life when all senders are silent or gone: then 503. A machine under load makes them silent for a second. */
export const ALL_SILENT_MS = 3_000;

/** For a script of Redis, which takes microseconds: beyond this the callers' fallback is faster. */
export const REDIS_ANSWER_MS = 250;

/** Between two questions whether a Redis that came too late is back. */
export const REDIS_PROBE_EVERY_MS = 500;

/** The classes of work with PostgreSQL, by who waits for the answer. */
export type Work = 'request' | 'worker' | 'job';

/** The limits of one class of work with PostgreSQL, in milliseconds; PostgreSQL itself keeps those of locks and statements. */
export interface DatabaseLimits {
  /** For a new connection: the server starts a process for it, which a busy machine lets wait. */
  connectMs: number;
  /** For each lock: on a table that somebody alters, or on a row that somebody changes. */
  lockMs: number;
  /** For a statement that has its locks and works. */
  statementMs: number;
  /**
   * For the next statement of a transaction: then PostgreSQL rolls it back and closes the connection, and what it had locked
   * is free. A process that stands still (SIGSTOP, a suspended machine) would hold the locks of others until it goes on.
   */
  idleMs: number;
  /** For any answer, COMMIT's too: a server that does not even report its own time-out is gone. */
  answerMs: number;
  /** Bounds the wait for a connection where callers wait; null: as long as for a new one. */
  queue: QueueLimits | null;
}

/** The limits of those who wait for one of the connections of a pool. */
export interface QueueLimits {
  /** While none gets on, in milliseconds; while others do, as long as for a new one. */
  freeMs: number;
  /** PostgreSQL that does not answer `select 1` for so long is frozen: see core/db/pulse.ts. */
  silenceMs: number;
  /** Most that wait; one more is refused at once. */
  waiting: number;
}

/** The limits of every class. */
export const DATABASE_LIMITS: Readonly<Record<Work, DatabaseLimits>> = {
  // A client waits for the answer: everything that does not get on is answered in less than two seconds, and a repeat is
  // better than a queue. A statement that works is let work: large mail on a busy machine takes seconds.
  request: {
    connectMs: 5_000, // one that is frozen is known by its silence
    lockMs: 900,
    statementMs: 9_500,
    idleMs: 500, // shorter than lockMs, also for workers: who waits for a frozen process gets the lock
    answerMs: 10_000,
    queue: {
      freeMs: 900,
      silenceMs: 800,
      waiting: 1_000, // half a second of short statements over ten connections
    },
  },
  // What was accepted is delivered and recorded, mail comes in from servers that wait for minutes: nobody is in a hurry,
  // and who gives up tries again. A lock of longer than 5 s would leave no connection for the heartbeat.
  worker: {
    connectMs: 5_000,
    lockMs: 5_000,
    statementMs: 30_000,
    idleMs: 500,
    answerMs: 35_000,
    queue: null,
  },
  // Daily jobs, reports, the command line: as for a worker, but for what keeps its row locked while a sender works.
  job: {
    connectMs: 5_000,
    lockMs: 5_000,
    statementMs: 30_000,
    idleMs: Infinity,
    answerMs: 35_000,
    queue: null,
  },
};

/**
 * How long whoever alters, makes or drops a table waits for its lock: everybody who comes later waits behind it, so it gives
 * up soon and tries again.
 */
export const TABLE_LOCK_MS = 100;
