// The log of an endpoint's deliveries, and starting them again.
// SQL by hand: pages whose cost is that of an index, and pieces of a range that lock what they change.

import type pg from 'pg';

import type { Queryable } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { START_AGAIN } from './dead-letter-store.ts';

/** What became of a delivery: not attempted yet; accepted; failed, but attempted again; given up. */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'dead'] as const;

/** One of them. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One request of a delivery. */
export interface LoggedAttempt {
  at: Date;
  statusCode: number | null;
  /** Null while it is under way, or when its process was lost. */
  durationMs: number | null;
  error: string | null;
  responseBody: string | null;
}

/** One event's way to one endpoint. Ids are UUIDs. */
export interface LoggedDelivery {
  id: string;
  eventId: string;
  eventType: string;
  status: DeliveryStatus;
  createdAt: Date;
  nextAttemptAt: Date | null;
  requestBody: string;
  /** Oldest first, those before a replay too. */
  attempts: LoggedAttempt[];
}

/** Which deliveries, newest first. */
export interface LogQuery {
  status?: DeliveryStatus | undefined;
  eventType?: string | undefined;
  since?: Date | undefined;
  before?: { at: Date; id: string } | undefined;
  limit: number;
}

/** The status of the row `d`, in words of the API. */
export const STATUS = `case d.state when 'accepted' then 'succeeded' when 'dead' then 'dead'
  else case when d.last_error is null then 'pending' else 'failed' end end`;

/** A page of the log. Costs the same however many were accepted, unless it is for one type of event. */
export async function selectDeliveryLog(
  db: Queryable,
  tenantId: string,
  endpointId: string,
  query: LogQuery,
): Promise<LoggedDelivery[]> {
  const accepted = query.status === undefined || query.status === 'succeeded';
  const { rows } = await db.query<LoggedRow>({
    name: accepted ? 'webhook-log' : 'webhook-log-not-accepted',
    text: accepted ? LOG : LOG_NOT_ACCEPTED,
    values: [
      tenantId,
      endpointId,
      query.status ?? null,
      query.eventType ?? null,
      query.since ?? null,
      query.before?.at ?? null,
      query.before?.id ?? null,
      query.limit,
    ],
  });
  return rows.map(toLogged);
}

/** One delivery of an endpoint, or null. */
export async function selectDelivery(
  db: Queryable,
  tenantId: string,
  endpointId: string,
  id: string,
): Promise<LoggedDelivery | null> {
  const { rows } = await db.query<LoggedRow>({
    name: 'webhook-log-one',
    text: `with page as materialized (
             select d.*, ${STATUS} as status from webhook_deliveries d
             where d.tenant_id = $1 and d.endpoint_id = $2 and d.id = $3 and d.event_id is not null)
           ${SHOWN}`,
    values: [tenantId, endpointId, id],
  });
  return rows[0] ? toLogged(rows[0]) : null;
}

function toLogged({ attempts, ...row }: LoggedRow): LoggedDelivery {
  return { ...row, attempts: attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at) })) };
}

/** An attempt as JSON of PostgreSQL has it. */
type LoggedJson = Omit<LoggedAttempt, 'at'> & { at: string };
type LoggedRow = Omit<LoggedDelivery, 'attempts'> & { attempts: LoggedJson[] };

// Rows of "page", with the tenant as the first parameter.
const SHOWN = `
  select p.id, p.event_id as "eventId", p.event_type as "eventType", p.status, p.created_at as "createdAt",
    p.next_attempt_at as "nextAttemptAt", p.body as "requestBody",
    (select coalesce(jsonb_agg(jsonb_build_object('at', a.started_at, 'statusCode', a.status_code,
       'durationMs', a.duration_ms, 'error', a.error, 'responseBody', a.response_body) order by a.claim_version), '[]')
     from webhook_attempts a where a.delivery_id = p.id and a.tenant_id = $1) as attempts
  from page p order by p.created_at desc, p.id desc`;

const logWhere = (condition: string) => `
  with page as materialized (
    select d.*, ${STATUS} as status from webhook_deliveries d
    where d.tenant_id = $1 and d.endpoint_id = $2 and ${condition}
      and ($3::text is null or ${STATUS} = $3) and ($4::text is null or d.event_type = $4)
      and d.created_at >= coalesce($5::timestamptz, '-infinity')
      and (d.created_at, d.id)
        < (coalesce($6::timestamptz, 'infinity'), coalesce($7, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid)
    order by d.created_at desc, d.id desc limit $8)
  ${SHOWN}`;

// The condition of an index each.
const LOG = logWhere('d.event_id is not null');
const LOG_NOT_ACCEPTED = logWhere("d.event_id is not null and d.state <> 'accepted'");

/** Starts one delivery again at attempt 1, unless it is being attempted now. */
export async function restartDelivery(
  db: Queryable,
  tenantId: string,
  endpointId: string,
  id: string,
): Promise<'restarted' | 'under_way' | 'not_found'> {
  const { rows } = await db.query<{ restarted: boolean }>({
    name: 'webhook-restart',
    text: `with found as materialized (
             select id, claimed_until is null as free from webhook_deliveries
             where tenant_id = $1 and endpoint_id = $2 and id = $3 and event_id is not null for update),
           restarted as (
             update webhook_deliveries d set ${START_AGAIN} from found where d.id = found.id and found.free)
           select free as restarted from found`,
    values: [tenantId, endpointId, id],
  });
  if (!rows[0]) return 'not_found';
  return rows[0].restarted ? 'restarted' : 'under_way';
}

/** Notes that a range of an endpoint's deliveries is to start again; worked off by `restartPiece`. */
export async function insertReplay(
  db: Queryable,
  row: {
    id: string;
    tenantId: string;
    endpointId: string;
    since: Date;
    until: Date | null;
    status: Exclude<DeliveryStatus, 'pending'> | null;
  },
): Promise<void> {
  await db.query({
    name: 'webhook-replay-insert',
    text: `insert into webhook_replays (id, tenant_id, endpoint_id, until, status, cursor_at, cursor_id)
           values ($1, $2, $3, coalesce($5, now()), $6, $4, '00000000-0000-0000-0000-000000000000')`,
    values: [row.id, row.tenantId, row.endpointId, row.since, row.until, row.status],
  });
}

/**
 * Starts the next deliveries of one replay again, `size` rows of its range at most, and moves its cursor in the same
 * transaction: a process that dies leaves it where it was. Returns null when no replay waits. What is under way is left alone.
 */
export function restartPiece(pool: pg.Pool, size: number): Promise<{ restarted: number } | null> {
  return inTransaction(pool, async (client) => {
    const replay = await lockReplay(client);
    if (replay === null) return null;
    const { restarted, looked, last } = await restartNext(client, replay, size);
    if (looked < size) await client.query('delete from webhook_replays where id = $1', [replay.id]);
    else
      await client.query('update webhook_replays set cursor_at = $2, cursor_id = $3 where id = $1', [
        replay.id,
        ...last!,
      ]);
    return { restarted };
  });
}

// Times as text: those of PostgreSQL are finer than a Date.
interface Replay {
  id: string;
  tenantId: string;
  endpointId: string;
  until: string;
  status: DeliveryStatus | null;
  cursorAt: string;
  cursorId: string;
}

async function lockReplay(client: pg.ClientBase): Promise<Replay | null> {
  const { rows } = await client.query<Replay>({
    name: 'webhook-replay-lock',
    text: `select id, tenant_id as "tenantId", endpoint_id as "endpointId", until::text, status,
             cursor_at::text as "cursorAt", cursor_id as "cursorId"
           from webhook_replays order by id limit 1 for update skip locked`,
  });
  return rows[0] ?? null;
}

interface Restarted {
  restarted: number;
  looked: number;
  /** Where the cursor goes: the time and the id of the last one. */
  last: [at: string, id: string] | null;
}

async function restartNext(client: pg.ClientBase, replay: Replay, size: number): Promise<Restarted> {
  const { rows } = await client.query<Restarted>({
    name: 'webhook-replay-piece',
    text: `with looked as materialized (
             select d.id, d.created_at, ${STATUS} as status, d.claimed_until from webhook_deliveries d
             where d.endpoint_id = $1 and d.tenant_id = $2
               and d.event_id is not null and d.created_at < $3 and (d.created_at, d.id) > ($4, $5)
             order by d.created_at, d.id limit $6),
           restarted as (
             update webhook_deliveries d set ${START_AGAIN}
             from looked l
             where d.id = l.id and d.tenant_id = $2 and d.claimed_until is null and l.status <> 'pending'
               and ($7::text is null or l.status = $7)
             returning 1)
           select (select count(*)::int from restarted) as restarted, (select count(*)::int from looked) as looked,
             (select array[created_at::text, id::text] from looked order by created_at desc, id desc limit 1) as last`,
    values: [
      replay.endpointId,
      replay.tenantId,
      replay.until,
      replay.cursorAt,
      replay.cursorId,
      size,
      replay.status,
    ],
  });
  return rows[0]!;
}
