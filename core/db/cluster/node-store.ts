// The catalogs of Citus about nodes and buckets. Each node has a copy of them, except where it says "coordinator". Its views
// (citus_tables, citus_shards) are not used: they ask all nodes, and fail where one is away.

import type pg from 'pg';

import type { ClusterNode, NodeAddress, NodeAnswer, PlacedBucket } from './node.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** Settings that every node needs alike (docs/citus.md). */
const SETTINGS = [
  'wal_level',
  'max_connections',
  'max_prepared_transactions',
  'max_locks_per_transaction',
  'max_worker_processes',
  'timezone',
];

// Shards have the name of their table and a number. The walsenders of a move are no standbys.
const ANSWER = `select json_build_object(
  'version', current_setting('server_version'),
  'settings', (select json_object_agg(name, setting) from pg_settings where lower(name) in (${SETTINGS.map((name) => `'${name}'`).join(', ')})),
  'standbys', (select coalesce(json_agg(json_build_object('name', application_name, 'state', state,
      'lagBytes', coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn), 0))), '[]') from pg_stat_replication
    where application_name not like 'citus\\_internal%' and pid not in (select active_pid from pg_replication_slots where slot_type = 'logical' and active_pid is not null)),
  'prepared', (select count(*) from pg_prepared_xacts
    where database = current_database() and gid like 'citus%' and prepared < now() - interval '10 seconds'),
  'bytes', (select coalesce(json_object_agg(name, bytes), '{}') from (
    select relnamespace::regnamespace::text as name, sum(pg_total_relation_size(oid)) as bytes from pg_class
    where relkind = 'r' and relnamespace in (select schemaid from pg_dist_schema)
      and substring(relname from '_([0-9]+)$') in (select shardid::text from pg_dist_shard)
    group by 1) as kept))`;

/** The version of Citus; null for a database that is not on it. */
export async function readCitusVersion(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  );
  if (rows.length === 0) return null;
  const { rows: running } = await client.query<{ version: string }>('select citus_version() as version');
  return /[\d.]+/.exec(running[0]!.version)?.[0] ?? rows[0]!.version;
}

/** Which node the client is connected to, and where the coordinator is, when that is known. */
export async function readAskedNode(
  client: Client,
): Promise<{ groupId: number; isCoordinator: boolean; coordinator: NodeAddress | null }> {
  const { rows } = await client.query<{ groupId: number }>(
    'select groupid as "groupId" from pg_dist_local_group',
  );
  const nodes = await readNodes(client);
  const coordinator = nodes.find((node) => node.isCoordinator && !node.isSecondary) ?? null;
  const { groupId } = rows[0]!;
  return { groupId, isCoordinator: groupId === 0, coordinator };
}

/** All nodes, the coordinator first. */
export async function readNodes(client: Client): Promise<ClusterNode[]> {
  const { rows } = await client.query<ClusterNode>(
    `select nodeid as id, groupid as "groupId", nodename as host, nodeport as port, groupid = 0 as "isCoordinator",
       noderole <> 'primary' as "isSecondary", isactive as "isActive", metadatasynced as "isSynced",
       shouldhaveshards as "keepsBuckets"
     from pg_dist_node order by groupid, nodeid`,
  );
  return rows;
}

/** All buckets by name: the distributed schemas that have tables. */
export async function readPlacedBuckets(client: Client): Promise<PlacedBucket[]> {
  const { rows } = await client.query<PlacedBucket>(
    `select n.nspname as name, min(p.groupid) as "groupId", count(*)::int as tables
     from pg_dist_schema s join pg_namespace n on n.oid = s.schemaid
       join pg_dist_partition t on t.colocationid = s.colocationid
       join pg_dist_shard h on h.logicalrelid = t.logicalrelid
       join pg_dist_placement p on p.shardid = h.shardid
     group by 1 order by length(n.nspname), 1`,
  );
  return rows;
}

/** Where a bucket is; null when there is none of that name. */
export async function readBucketNode(client: Client, name: string): Promise<NodeAddress | null> {
  const bucket = (await readPlacedBuckets(client)).find((one) => one.name === name);
  const nodes = await readNodes(client);
  return nodes.find((node) => node.groupId === bucket?.groupId && !node.isSecondary) ?? null;
}

/** Asks all nodes at once; a text says why one did not answer. By the ids of the nodes. */
export async function askNodes(client: Client): Promise<Map<number, NodeAnswer | string>> {
  const { rows } = await client.query<{ id: number; success: boolean; result: string }>(
    'select nodeid as id, success, result from run_command_on_all_nodes($1, true, true)',
    [ANSWER],
  );
  return new Map(
    rows.map(({ id, success, result }) => [id, success ? (JSON.parse(result) as NodeAnswer) : result]),
  );
}

/** Whether the node that is asked reaches another place as a node of this database. */
export async function canReach(client: Client, { host, port }: NodeAddress): Promise<boolean> {
  const { rows } = await client.query<{ reached: boolean }>(
    'select citus_check_connection_to_node($1, $2) as reached',
    [host, port],
  );
  return rows[0]!.reached;
}

/** The pairs of nodes that cannot connect: from, to. */
export async function readUnconnected(client: Client): Promise<{ from: NodeAddress; to: NodeAddress }[]> {
  const { rows } = await client.query<{ a: string; b: number; c: string; d: number }>(
    `select from_nodename as a, from_nodeport as b, to_nodename as c, to_nodeport as d
     from citus_check_cluster_node_health() where result is not true`,
  );
  return rows.map(({ a, b, c, d }) => ({ from: { host: a, port: b }, to: { host: c, port: d } }));
}

/** Tables of a bucket that have no key by which a moving row is found: logical replication refuses their changes. */
export async function readKeyless(client: Client, bucket: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p') and c.relreplident <> 'f' and not exists (
       select from pg_index i where i.indrelid = c.oid
         and case when c.relreplident = 'i' then i.indisreplident else i.indisprimary end)
     order by 1`,
    [bucket],
  );
  return rows.map(({ name }) => name);
}

/** Makes a server that has this database a node, with the roles and the metadata of the others. Coordinator. */
export async function addNode(client: Client, { host, port }: NodeAddress): Promise<void> {
  await client.query('select citus_add_node($1, $2)', [host, port]);
}

/** Whether the server that is asked is a standby. */
export async function readInRecovery(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  return rows[0]!.standby;
}

/** Lets a node be at another place from now on; statements that wait for the old one are ended. Coordinator. */
export async function updateNode(client: Client, id: number, { host, port }: NodeAddress): Promise<void> {
  await client.query('select citus_update_node($1, $2, $3, true)', [id, host, port]);
}
