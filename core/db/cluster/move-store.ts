// Moves of buckets in the catalogs of Citus, on the coordinator.

import type pg from 'pg';

import type { LeftOver, Move, NodeAddress } from './node.ts';

type Client = Pick<pg.ClientBase, 'query'>;

const LOCK_ID = 7_201_970; // any fixed number: one move at a time
const ENDS_WITH_COMMAND = '2s'; // how often the server looks whether the command that moves is still there
const DEFERRED_ON_SUCCESS = 2; // a policy of pg_dist_cleanup (CleanupPolicy in Citus' shard_cleaner.h)

/** Takes the lock of moves for this connection; false while another has it. */
export async function tryLockMoves(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    LOCK_ID,
  ]);
  return rows[0]!.locked;
}

/** Gives it back. */
export async function unlockMoves(client: Client): Promise<void> {
  await client.query('select pg_advisory_unlock($1)', [LOCK_ID]);
}

/** Whether a command of ours is moving. */
export async function isLocked(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select exists (select from pg_locks l join pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and l.objid = $1 and l.classid = 0 and d.datname = current_database()) as locked`,
    [LOCK_ID],
  );
  return rows[0]!.locked;
}

/** Moves under way, whoever started them. */
export async function readMoves(client: Client): Promise<Move[]> {
  const { rows } = await client.query<{
    bucket: string;
    from: string;
    fromPort: number;
    to: string;
    toPort: number;
    phase: string;
    bytes: string;
    copied: string;
  }>(
    `select n.nspname as bucket, p.sourcename as "from", p.sourceport as "fromPort", p.targetname as "to",
       p.targetport as "toPort", min(p.status) as phase, sum(p.source_shard_size) as bytes,
       sum(p.target_shard_size) as copied
     from get_rebalance_progress() p join pg_class c on c.oid = p.table_name
       join pg_namespace n on n.oid = c.relnamespace
     where p.progress < 2 group by 1, 2, 3, 4, 5 order by 1`,
  );
  return rows.map(({ bucket, from, fromPort, to, toPort, phase, bytes, copied }) => ({
    bucket,
    from: { host: from, port: fromPort },
    to: { host: to, port: toPort },
    phase: phase.toLowerCase(),
    bytes: Number(bytes),
    copiedBytes: Number(copied),
  }));
}

/** What is to be dropped, for each node that has some. */
export async function readLeftOvers(client: Client): Promise<LeftOver[]> {
  const { rows } = await client.query<LeftOver>(
    `select c.node_group_id as "groupId",
       coalesce(min(n.nodename || ':' || n.nodeport), 'a node that is gone') as at, count(*) filter (where policy_type = $1)::int as replaced,
       count(*) filter (where policy_type <> $1)::int as "brokenOff"
     from pg_dist_cleanup c left join pg_dist_node n on n.groupid = c.node_group_id and n.noderole = 'primary'
     group by 1 order by 1`,
    [DEFERRED_ON_SUCCESS],
  );
  return rows;
}

/** Drops what moves left, and settles transactions over several nodes that nobody works at; what a node that is away has, stays. */
export async function tidy(client: Client): Promise<void> {
  await client.query('call citus_cleanup_orphaned_resources()');
  await client.query('select recover_prepared_transactions()');
}

/**
 * Moves a bucket while it is written to. It ends with the connection: a server that does not find its client any more
 * breaks off and rolls back.
 */
export async function moveSchema(client: Client, bucket: string, { host, port }: NodeAddress): Promise<void> {
  await client.query(`set client_connection_check_interval = '${ENDS_WITH_COMMAND}'`);
  await client.query('set statement_timeout = 0');
  await client.query('select citus_schema_move($1::text::regnamespace, $2::text, $3::int)', [
    bucket,
    host,
    port,
  ]);
}

/** The moves that Citus proposes, so that the nodes have much the same; by the strategy that is set, which is size. */
export async function readPlan(
  client: Client,
): Promise<{ bucket: string; from: NodeAddress; to: NodeAddress }[]> {
  const { rows } = await client.query<{ bucket: string; a: string; b: number; c: string; d: number }>(
    `select n.nspname as bucket, p.sourcename as a, p.sourceport as b, p.targetname as c, p.targetport as d
     from get_rebalance_table_shards_plan() with ordinality
         as p(table_name, shardid, shard_size, sourcename, sourceport, targetname, targetport, place)
       join pg_class t on t.oid = p.table_name join pg_namespace n on n.oid = t.relnamespace
     group by 1, 2, 3, 4, 5 order by min(p.place)`,
  );
  return rows.map(({ bucket, a, b, c, d }) => ({
    bucket,
    from: { host: a, port: b },
    to: { host: c, port: d },
  }));
}
