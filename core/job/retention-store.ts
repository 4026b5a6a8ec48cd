// What is made ahead and what is removed: weekly partitions, and small rows that only matter for a while.
// SQL by hand: it names partitions, which the schema does not know.

import type pg from 'pg';

import { sleep } from '../base/clock.ts';
import { MAX_REPORT_DAYS } from '../domain/reports.ts';
import type { PARTITIONED_TABLES } from '../db/partitions.ts';
import { SERVICE_TABLES } from '../db/service-tables.ts';
import { sqlState } from '../db/sql-state.ts';
import { inTransaction } from '../db/transaction.ts';
import { TABLE_LOCK_MS } from '../base/time-limits.ts';

/** The name of a partitioned table. */
export type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

const WEEK_MS = 7 * 86_400_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DROP_TRIES = 10;
const DROP_PAUSE_MS = 200;

/**
 * Drops the weeks of a table that ended before `before`. A week with mail that is still under way is kept whole, with
 * its contents and attempts: accepted means kept. Returns the names of what was dropped.
 */
export async function dropOldPartitions(
  pool: pg.Pool,
  table: PartitionedTable,
  before: Date,
): Promise<string[]> {
  const dropped: string[] = [];
  for (const partition of await readPartitions(pool, table)) {
    if (partition.week.getTime() + WEEK_MS > before.getTime()) continue;
    if (await dropIfFree(pool, table, partition)) dropped.push(partition.name);
  }
  return dropped;
}

// With its schema: one that is gone must not be taken for another bucket's of the same name.
interface Partition {
  schema: string;
  name: string;
  week: Date;
}

async function readPartitions(pool: pg.Pool, table: PartitionedTable): Promise<Partition[]> {
  const { rows } = await pool.query<Partition>({
    name: 'retention-partitions',
    text: `select n.nspname as schema, c.relname as name,
             to_date(right(c.relname, 7), 'IYYY"w"IW')::timestamp at time zone 'UTC' as week
           from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace
           where i.inhparent = $1::regclass and c.relname ~ '_[0-9]{4}w[0-9]{2}$'
           order by 1`,
    values: [table],
  });
  return rows;
}

// The lock is given up rather than queued behind a long reader, for new mail would queue behind it in turn. After a few
// tries the next night goes on.
async function dropIfFree(pool: pg.Pool, table: PartitionedTable, partition: Partition): Promise<boolean> {
  for (let tries = 0; tries < DROP_TRIES; tries++) {
    try {
      return await dropIfFinished(pool, table, partition);
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      await sleep(DROP_PAUSE_MS);
    }
  }
  return false;
}

async function dropIfFinished(
  pool: pg.Pool,
  table: PartitionedTable,
  { schema, name, week }: Partition,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const full = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
    const { rowCount } = await client.query(
      `select from messages
       where id >= uuid_floor($1) and id < uuid_floor($1::timestamptz + interval '7 days')
         and state in ('queued', 'sending', 'deferred') limit 1`,
      [week],
    );
    if (rowCount === 1) return false;
    const ends = table === 'event_log' ? await readLogEnds(client, full) : [];
    await client.query(`set local lock_timeout = ${TABLE_LOCK_MS}`);
    await client.query(`drop table if exists ${full}`);
    await setRemovedTo(client, ends);
    return true;
  });
}

// Followers whose cursor is below what was removed are told so. The rows of event_log_heads are locked after the drop
// has its lock, in the order of the dispatcher.
async function readLogEnds(client: pg.ClientBase, partition: string) {
  const { rows } = await client.query<{ tenantId: string; position: string }>(
    `select tenant_id as "tenantId", max(position) as position from ${partition} group by tenant_id`,
  );
  return rows;
}

async function setRemovedTo(client: pg.ClientBase, ends: { tenantId: string; position: string }[]) {
  await client.query(
    `update event_log_heads h set removed_to = greatest(h.removed_to, q.position)
     from unnest($1::uuid[], $2::bigint[]) as q(tenant_id, position) where h.tenant_id = q.tenant_id`,
    [ends.map((end) => end.tenantId), ends.map((end) => end.position)],
  );
}

/** Small rows and how old each may get. Named here, so that no table name ever comes from outside. */
const SMALL_ROWS = {
  idempotency_keys: { column: 'created_at', days: 1 }, // the promise is 24 hours
  sign_in_failures: { column: 'at', days: 1 }, // the limits look back an hour at most
  operations_notices: { column: 'created_at', days: 90 },
  alerts: { column: 'resolved_at', days: 400 },
  domain_days: { column: 'day', days: 400 },
  analytics_days: { column: 'day', days: 400 },
  provider_days: { column: 'day', days: 400 },
  attempt_days: { column: 'day', days: 120 },
  esp_days: { column: 'day', days: 400 },
  warmup_days: { column: 'day', days: 120 },
  warmup_rates: { column: 'day', days: 400 },
  source_days: { column: 'day', days: 120 },
  source_rests: { column: 'until', days: 30 },
  mta_sts_policies: { column: 'expires_at', days: 1 },
  domain_reports: { column: 'received_at', days: MAX_REPORT_DAYS },
  tls_sessions: { column: 'day', days: 3 }, // reports are tried for two
  template_drafts: { column: 'saved_at', days: 30 },
  saml_requests: { column: 'created_at', days: 1 }, // answered within 10 minutes or never
  saml_assertions: { column: 'used_at', days: 2 }, // older ones are refused by their age
  // Guesses at addresses that nobody has: the one kind of audit row that unauthenticated callers can cause at will.
  audit_log: { column: 'at', days: 30, only: "tenant_id is null and action = 'sign_in.failed'" },
} as const satisfies Record<string, { column: string; days: number; only?: string }>;

/** Deletes small rows that are too old, in batches: those of a bucket, or those of the service. Returns how many, by table. */
export async function deleteOldRows(
  pool: pg.Pool,
  now: Date,
  whose: 'bucket' | 'service',
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const [table, { column, days, ...rule }] of Object.entries(SMALL_ROWS)) {
    if (SERVICE_TABLES.has(table) !== (whose === 'service')) continue;
    const old = `${column} < $1${'only' in rule ? ` and ${rule.only}` : ''}`;
    deleted[table] = await deleteInBatches(pool, table, old, new Date(now.getTime() - days * 86_400_000));
  }
  return deleted;
}

const BATCH = 10_000; // rows of one DELETE: a fraction of a second

async function deleteInBatches(pool: pg.Pool, table: string, old: string, before: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const { rowCount } = await pool.query({
      name: `retention-delete-${table}`,
      text: `delete from ${table} where ctid = any(array(
               select ctid from ${table} where ${old} limit ${BATCH}))`,
      values: [before],
    });
    total += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return total;
  }
}
