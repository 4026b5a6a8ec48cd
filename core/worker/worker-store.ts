// Workers: processes that claim messages. All times are the database's. Workers belong to no tenant.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

/** What a worker is. */
export interface WorkerKind {
  service: string;
  /** A sender that leaves transactional mail to the others. */
  bulkOnly: boolean;
}

/** Which workers of the same kind are named: those with a heartbeat within so many milliseconds, the first by id. */
export interface WhomToName {
  withinMs: number;
  most: number;
}

/** What a heartbeat found. */
export interface Heartbeat {
  /** False when the row is gone: another process considered this one dead. */
  alive: boolean;
  now: Date;
  /** Workers of the same service with a heartbeat within the lease, this one included. */
  peers: number;
  /** Those of them that are there for bulk mail only. */
  bulkPeers: number;
  /** Ids of others of the same service and kind, in order. */
  named: string[];
}

/** Inserts the row of a worker; that is its first heartbeat. */
export async function insertWorker(
  pool: pg.Pool,
  id: string,
  { service, bulkOnly }: WorkerKind,
  leaseMs: number,
  name: WhomToName,
): Promise<Omit<Heartbeat, 'alive'>> {
  const { rows } = await pool.query<Omit<Heartbeat, 'alive'>>({
    name: 'worker-insert',
    text: `with others as (
             select count(*)::int as count, (count(*) filter (where bulk_only))::int as bulk, ${named('$4', '$5', '$6')}
             from workers w where service = $2 and heartbeat_at > now() - $3 * interval '1 millisecond'),
           added as (insert into workers (id, service, bulk_only) values ($1, $2, $4))
           select now() as now, count + 1 as peers, bulk + $4::boolean::int as "bulkPeers", named from others`,
    values: [id, service, leaseMs, bulkOnly, name.withinMs, name.most],
  });
  return rows[0]!;
}

/** Renews the heartbeat of a worker. */
export async function beat(
  pool: pg.Pool,
  id: string,
  bulkOnly: boolean,
  leaseMs: number,
  name: WhomToName,
): Promise<Heartbeat> {
  const { rows } = await pool.query<Heartbeat>({
    name: 'worker-beat',
    text: `with beat as (update workers set heartbeat_at = now() where id = $1 returning id, service)
           select now() as now, exists (select 1 from beat) as alive, count(w.id)::int + 1 as peers,
             (count(w.id) filter (where w.bulk_only))::int + $3::boolean::int as "bulkPeers",
             ${named('$3', '$4', '$5')}
           from beat b join workers w on w.service = b.service and w.id <> b.id
             and w.heartbeat_at > now() - $2 * interval '1 millisecond'`,
    values: [id, leaseMs, bulkOnly, name.withinMs, name.most],
  });
  return rows[0]!;
}

// Of those that are counted.
function named(bulkOnly: string, withinMs: string, most: string): string {
  const isNamed = `w.bulk_only = ${bulkOnly}::boolean and w.heartbeat_at > now() - ${withinMs} * interval '1 millisecond'`;
  return `coalesce((array_agg(w.id order by w.id) filter (where ${isNamed}))[1:${most}], '{}') as named`;
}

/** How many workers had a heartbeat within so many milliseconds. */
export async function countBeating(client: pg.ClientBase, withinMs: number): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: 'worker-count-beating',
    text: `select count(*)::int as count from workers
           where heartbeat_at > now() - $1 * interval '1 millisecond'`,
    values: [withinMs],
  });
  return rows[0]!.count;
}

/**
 * Deletes the rows of workers that are silent for longer than the lease: from then on their messages are anybody's. Does
 * nothing when the statement waited until `notAfter`, in a frozen server or on a wire: so did heartbeats.
 */
export async function deleteLostWorkers(pool: pg.Pool, leaseMs: number, notAfter: Date): Promise<void> {
  await pool.query({
    name: 'worker-delete-lost',
    text: `delete from workers where heartbeat_at < now() - $1 * interval '1 millisecond'
             and now() <= $2`,
    values: [leaseMs, notAfter],
  });
}

/** Deletes the row of a worker that ends; what it has still claimed is found by the next sweep. */
export async function deleteWorker(pool: pg.Pool, id: string): Promise<void> {
  await pool.query({ name: 'worker-delete', text: 'delete from workers where id = $1', values: [id] });
}
