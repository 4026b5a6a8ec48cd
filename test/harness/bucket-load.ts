// Writers on buckets of a cluster, by plain SQL: messages with their content, and later states of them. What was acknowledged
// is remembered and compared at the end.

import { randomBytes } from 'node:crypto';
import pg from 'pg';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';

const CONNECTIONS = 5;
const CONTENT = randomBytes(1_500); // PostgreSQL cannot pack it
const STATES = ['queued', 'sending', 'delivered'] as const;

/** What writing to one bucket came to. */
export interface BucketResult {
  acknowledged: number;
  /** Refused or broken writes, which may be there or not. */
  failed: string[];
  /** The longest that one write took: how long the bucket stood still. */
  longestMs: number;
}

/** Writers at work on one bucket. */
export interface BucketLoad {
  /** What was since the last call, or the start. */
  lap(): BucketResult;
  stop(): Promise<void>;
  /** Ids of acknowledged messages that are not there, or not in the state that was acknowledged last. Over any node. */
  missing(url: string): Promise<string[]>;
}

/** Starts writers; every second write changes a message that was written before. */
export function startBucketLoad(url: string, bucket: string, writesPerSecond: number): BucketLoad {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    options: `-c search_path=${bucket},public`,
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {})); // the write that it was at fails
  const tenantId = newUuid();
  const domainId = newUuid();
  const acknowledged = new Map<string, number>(); // the last state of each message, by its place in STATES
  const toChange: string[] = []; // of those that no writer has now
  const stopping = new AbortController();
  let result = emptyResult();

  const insert = async () => {
    const id = newUuid();
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      await client.query(
        `insert into messages (id, tenant_id, domain_id, tags, state, header_from, rcpt_to, subject, stream)
         values ($1, $2, $3, '[]', $4, 'a@example.com', 'b@example.net', 'Hello', 'transactional')`,
        [id, tenantId, domainId, STATES[0]],
      );
      await client.query(
        'insert into message_contents (message_id, tenant_id, content) values ($1, $2, $3)',
        [id, tenantId, CONTENT],
      );
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new Error('rolled back');
      acknowledged.set(id, 0);
      toChange.push(id);
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  };
  const update = async () => {
    const id = toChange.shift();
    if (id === undefined) return insert();
    const next = acknowledged.get(id)! + 1;
    const { rowCount } = await pool.query('update messages set state = $3 where tenant_id = $1 and id = $2', [
      tenantId,
      id,
      STATES[next],
    ]);
    if (rowCount !== 1) throw new Error(`${id} is not there`);
    acknowledged.set(id, next);
    if (next < STATES.length - 1) toChange.push(id);
  };
  const writer = async (offset: number) => {
    for (let turn = offset; !stopping.signal.aborted; turn++) {
      const startedAt = monotonicMs();
      await (turn % 2 === 0 ? insert() : update()).then(
        () => (result.acknowledged += 1),
        (error: Error) => result.failed.push(error.message),
      );
      const took = monotonicMs() - startedAt;
      result.longestMs = Math.max(result.longestMs, took);
      await sleep(Math.max(0, (1000 * CONNECTIONS) / writesPerSecond - took), stopping.signal);
    }
  };
  const writers = Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => writer(i)));

  return {
    lap() {
      const before = result;
      result = emptyResult();
      return before;
    },
    async stop() {
      stopping.abort();
      await writers;
      await pool.end();
    },
    async missing(from) {
      const before = [...acknowledged]; // the writers go on
      const client = new pg.Client({ connectionString: from });
      await client.connect();
      try {
        const { rows } = await client.query<{ id: string; state: string }>(
          `select m.id, m.state from ${bucket}.messages m join ${bucket}.message_contents c on c.message_id = m.id
           where m.tenant_id = $1`,
          [tenantId],
        );
        const stored = new Map(rows.map(({ id, state }) => [id, STATES.indexOf(state as 'queued')]));
        return before.flatMap(([id, state]) => ((stored.get(id) ?? -1) < state ? [id] : []));
      } finally {
        await client.end();
      }
    },
  };
}

function emptyResult(): BucketResult {
  return { acknowledged: 0, failed: [], longestMs: 0 };
}
