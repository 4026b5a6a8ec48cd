// What an endpoint's deliveries look like at a glance.
// SQL by hand: counts that read a bounded part of an index.

import type { Queryable } from '../db/pool.ts';
import { STATUS, type DeliveryStatus } from './delivery-log-store.ts';

/** The latest deliveries of one endpoint that are counted: a busy one makes millions a day. */
export const MAX_COUNTED = 2_000;

/** The latest deliveries of the last 24 hours by their status, `MAX_COUNTED` at most. */
export type RecentDeliveries = Record<DeliveryStatus, number>;

/** The recent deliveries of these endpoints of a tenant, by the id of the endpoint. */
export async function countRecent(
  db: Queryable,
  tenantId: string,
  endpointIds: readonly string[],
): Promise<Map<string, RecentDeliveries>> {
  const { rows } = await db.query<RecentDeliveries & { id: string }>({
    name: 'webhook-recent',
    text: `select e.id, r.* from unnest($2::uuid[]) as e(id) cross join lateral (
             select count(*) filter (where status = 'pending')::int as pending,
               count(*) filter (where status = 'succeeded')::int as succeeded,
               count(*) filter (where status = 'failed')::int as failed,
               count(*) filter (where status = 'dead')::int as dead
             from (
               select ${STATUS} as status from webhook_deliveries d
               where d.tenant_id = $1 and d.endpoint_id = e.id and d.event_id is not null
                 and d.created_at >= now() - interval '24 hours'
               order by d.created_at desc, d.id desc limit $3) latest) r`,
    values: [tenantId, endpointIds, MAX_COUNTED],
  });
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** A replay of a range that is being worked off. */
export interface RunningReplay {
  /** UUID. */
  id: string;
  endpointId: string;
  /** The deliveries before this time have started again. */
  reachedAt: Date;
  until: Date;
}

/** The replays of these endpoints of a tenant that are not finished yet. */
export async function selectRunningReplays(
  db: Queryable,
  tenantId: string,
  endpointIds: readonly string[],
): Promise<RunningReplay[]> {
  const { rows } = await db.query<RunningReplay>({
    name: 'webhook-replays-of',
    text: `select id, endpoint_id as "endpointId", cursor_at as "reachedAt", until from webhook_replays
           where tenant_id = $1 and endpoint_id = any($2::uuid[]) order by id`,
    values: [tenantId, endpointIds],
  });
  return rows;
}

const MAX_LOOKED_AT = 20_000; // rows of a range that are counted, some 50 ms

/** What a replay of a range starts again; `atLeast` when the range is too long to be counted to its end. */
export interface Replayable {
  deliveries: number;
  atLeast: boolean;
}

/** How many deliveries a replay of this range starts again. */
export async function countReplayable(
  db: Queryable,
  tenantId: string,
  endpointId: string,
  range: { since: Date; until?: Date | undefined; status?: DeliveryStatus | undefined },
): Promise<Replayable> {
  const { rows } = await db.query<Replayable>({
    name: 'webhook-replayable',
    text: `select count(*) filter (where status <> 'pending' and ($5::text is null or status = $5))::int as deliveries,
             count(*) = $6 as "atLeast"
           from (
             select ${STATUS} as status from webhook_deliveries d
             where d.tenant_id = $1 and d.endpoint_id = $2 and d.event_id is not null
               and d.created_at >= $3 and d.created_at < coalesce($4, now())
             order by d.created_at, d.id limit $6) looked`,
    values: [tenantId, endpointId, range.since, range.until ?? null, range.status ?? null, MAX_LOOKED_AT],
  });
  return rows[0]!;
}
