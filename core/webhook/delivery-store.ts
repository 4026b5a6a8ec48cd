// Deliveries on their way. The row is the record; a wake-up only makes a process read it.
//
// Guarantee: an attempt is counted and written by the statement that claims it, before its request, and never before
// `next_attempt_at` by the database's clock. Who lost a claim (`claim_version`) writes nothing.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import { HERE } from '../db/citus-forms.ts';
import { MAX_AGE_MS } from './schedule.ts';
import type { DeliveryFacts } from './sign.ts';

/** A delivery that this process alone attempts now. */
export interface DeliveryClaim {
  id: string;
  tenantId: string;
  endpointId: string;
  claimVersion: number;
  /** Number of the attempt, 1 to 7. */
  attempt: number;
  url: string;
  sealedSecret: Buffer;
  /** The secret before, while it still signs beside the new one. */
  previousSealedSecret: Buffer | null;
  what: MailToDeliver | EventToDeliver;
}

/** An inbound message on its way to its tenant's webhook. */
export interface MailToDeliver {
  kind: 'inbound';
  rawId: string;
  messageId: string;
  recipient: string;
  mailFrom: string;
  peer: string;
  /** Null while the message is not read. */
  auth: DeliveryFacts['auth'];
  scan: DeliveryFacts['scan'];
  junk: boolean;
  sizeBytes: number;
}

/** An event on its way to one endpoint. */
interface EventToDeliver {
  kind: 'event';
  eventId: string;
  body: string;
}

/** How an attempt ended, as it is recorded. */
export interface DeliveryResult {
  claim: Pick<DeliveryClaim, 'id' | 'tenantId' | 'claimVersion'>;
  state: 'accepted' | 'dead' | 'pending';
  /** For pending: milliseconds from now. */
  againInMs: number | null;
  /** False when the attempt is to be made again under its number. */
  counts: boolean;
  statusCode: number | null;
  error: string | null;
  /** Milliseconds of the request; null when its process was lost. */
  durationMs: number | null;
  /** What is kept of the answer. */
  responseBody: string | null;
}

/** Why deliveries that were deferred for too long are dead. */
const TOO_OLD = 'not delivered within 7 days';

// In a statement of its own: Citus takes a recursion in what only reads.
const WAITING = `
  with recursive waiting as (
    (select endpoint_id from webhook_deliveries where state = 'pending' and claimed_until is null
     order by endpoint_id limit 1)
    union all
    select (select d.endpoint_id from webhook_deliveries d
            where d.state = 'pending' and d.claimed_until is null and d.endpoint_id > w.endpoint_id
            order by d.endpoint_id limit 1)
    from waiting w where w.endpoint_id is not null)
  select endpoint_id as "endpointId" from waiting where endpoint_id is not null`;

/**
 * Claims deliveries that are due, of each endpoint at most as many as it has capacity for, those due longest first. The
 * endpoints are found by jumping from one to the next in the index, so that a million waiting for a dead one cost the
 * others nothing.
 */
export async function claimDeliveries(
  pool: pg.Pool,
  limits: { total: number; perEndpoint: number; leaseMs: number; capacities: Map<string, number> },
): Promise<DeliveryClaim[]> {
  const { rows: waiting } = await pool.query<{ endpointId: string }>({
    name: 'webhook-waiting',
    text: WAITING,
  });
  if (waiting.length === 0) return [];
  const { rows } = await pool.query<ClaimRow>({
    name: 'webhook-claim',
    text: CLAIM,
    values: [
      limits.total,
      limits.perEndpoint,
      limits.leaseMs,
      [...limits.capacities.keys()],
      [...limits.capacities.values()],
      waiting.map(({ endpointId }) => endpointId),
    ],
  });
  return rows.map(toClaim);
}

/** What a claim returns; the columns of the other kind are null. */
type ClaimRow = Omit<DeliveryClaim, 'what'> &
  Nullable<Omit<MailToDeliver, 'kind'> & Omit<EventToDeliver, 'kind'>>;
type Nullable<T> = { [K in keyof T]: T[K] | null };

function toClaim({
  eventId,
  body,
  rawId,
  messageId,
  recipient,
  mailFrom,
  peer,
  auth,
  scan,
  junk,
  sizeBytes,
  ...claim
}: ClaimRow) {
  const what: DeliveryClaim['what'] =
    eventId === null
      ? ({
          kind: 'inbound',
          rawId,
          messageId,
          recipient,
          mailFrom,
          peer,
          auth,
          scan,
          junk: junk ?? false, // its message may be deleted
          sizeBytes,
        } as MailToDeliver)
      : { kind: 'event', eventId, body: body! };
  return { ...claim, what };
}

const CLAIM = `
  with picked as materialized (
    select p.id, e.url, e.sealed_secret, case when e.previous_until > now() then e.previous_sealed_secret end as previous,
      now() as at
    from unnest($6::uuid[]) as w(endpoint_id)
    join webhook_endpoints e on e.id = w.endpoint_id and e.enabled and e.url is not null
    left join unnest($4::uuid[], $5::int[]) as r(endpoint_id, capacity) on r.endpoint_id = w.endpoint_id
    cross join lateral (
      select d.id, d.next_attempt_at from webhook_deliveries d
      where d.endpoint_id = w.endpoint_id and d.state = 'pending' and d.claimed_until is null
        and d.next_attempt_at <= now()
      order by d.next_attempt_at limit coalesce(r.capacity, $2) for update skip locked) p
    order by p.next_attempt_at limit $1),
  claimed as (
    update webhook_deliveries d
    set attempts = d.attempts + 1, claim_version = d.claim_version + 1, webhook_url = p.url,
        claimed_until = now() + $3 * interval '1 millisecond',
        first_attempt_at = coalesce(d.first_attempt_at, p.at)
    from picked p where d.id = p.id
    returning d.*, p.sealed_secret, p.previous, p.at),
  attempt as (
    insert into webhook_attempts (delivery_id, claim_version, tenant_id, attempt, webhook_url, started_at)
    select id, claim_version, tenant_id, attempts, webhook_url, at from claimed, ${HERE})
  select d.id, d.tenant_id as "tenantId", d.endpoint_id as "endpointId", d.claim_version as "claimVersion",
    d.attempts as attempt, d.webhook_url as url, d.sealed_secret as "sealedSecret",
    d.previous as "previousSealedSecret", d.event_id as "eventId", d.body, d.raw_id as "rawId",
    d.message_id as "messageId", d.recipient, r.mail_from as "mailFrom", r.peer, c.auth, r.scan, m.junk,
    d.size_bytes as "sizeBytes"
  from claimed d left join inbound_raws r on r.id = d.raw_id and r.tenant_id = d.tenant_id
    left join inbound_contents c on c.raw_id = r.id and c.tenant_id = r.tenant_id
    left join inbound_messages m on m.id = d.message_id and m.tenant_id = d.tenant_id`;

/** Records how attempts ended. Returns the ids that were written; what is missing had lost its claim meanwhile. */
export async function finishDeliveries(pool: pg.Pool, results: DeliveryResult[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'webhook-finish',
    text: FINISH,
    values: [
      results.map(({ claim }) => claim.id),
      results.map(({ claim }) => claim.tenantId),
      results.map(({ claim }) => claim.claimVersion),
      results.map((result) => result.state),
      results.map((result) => result.againInMs),
      results.map((result) => result.counts),
      results.map((result) => result.statusCode),
      results.map((result) => result.error),
      results.map((result) => result.durationMs),
      results.map((result) => result.responseBody),
      MAX_AGE_MS,
      TOO_OLD,
    ],
  });
  return new Set(rows.map((row) => row.id));
}

// What an endpoint of events shows about itself: since when it fails, and that it said 410, which turns it off; answers
// of a URL that it had before say nothing. Its row is
// written only when that changes, and rows are locked in the order of their ids, so that two processes never wait for
// each other. One millisecond is added because the column rounds to whole ones: never early.
const FINISH = `
  with result as materialized (
    select r.*, now() as at,
      now() + (r.again_ms + 1) * interval '1 millisecond' as next
    from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::float8[], $6::boolean[], $7::smallint[], $8::text[],
        $9::int[], $10::text[])
      as r(id, tenant_id, claim_version, state, again_ms, counts, status_code, error, duration_ms, response_body)),
  fate as materialized (
    select r.*, d.endpoint_id, d.webhook_url, case when r.state = 'pending' and r.next > d.round_started_at + $11 * interval '1 millisecond'
      then 'dead' else r.state end as fate
    from result r join webhook_deliveries d
      on d.id = r.id and d.tenant_id = r.tenant_id and d.claim_version = r.claim_version
    where d.claimed_until is not null),
  attempt as (
    update webhook_attempts a set ended_at = f.at, status_code = f.status_code, error = f.error,
      duration_ms = f.duration_ms, response_body = f.response_body
    from fate f where a.delivery_id = f.id and a.claim_version = f.claim_version),
  health as materialized (
    select e.id, bool_or(f.fate = 'accepted') as well, bool_or(f.status_code is not distinct from 410) as gone,
      min(f.at) as at
    from fate f join webhook_endpoints e on e.id = f.endpoint_id and e.tenant_id = f.tenant_id and e.kind = 'events'
      and e.url = f.webhook_url
    group by e.id
    having bool_or(f.status_code = 410) or bool_or(f.fate = 'accepted') = (e.failing_since is not null)),
  locked as materialized (
    select h.* from webhook_endpoints e join health h on h.id = e.id order by e.id for update of e),
  endpoint as (
    update webhook_endpoints e
    set failing_since = case when not l.well then coalesce(e.failing_since, l.at) end,
      enabled = e.enabled and not l.gone,
      disabled_reason = case when e.enabled and l.gone then 'gone' else e.disabled_reason end
    from locked l where e.id = l.id)
  update webhook_deliveries d
  set state = f.fate, attempts = d.attempts - (not f.counts)::int, claimed_until = null,
      next_attempt_at = case when f.fate = 'pending' then f.next end,
      last_status_code = f.status_code,
      last_error = case when f.fate = 'dead' and f.state = 'pending' then $12 || coalesce(': ' || f.error, '')
        else f.error end,
      dead_lettered_at = case when f.fate = 'dead' then f.at end,
      accepted_at = case when f.fate = 'accepted' then f.at end
  from fate f where d.id = f.id and d.tenant_id = f.tenant_id and d.claim_version = f.claim_version
    and d.claimed_until is not null
  returning d.id`;

/** A claim whose process did not come back. */
export interface LostClaim {
  id: string;
  tenantId: string;
  claimVersion: number;
  attempt: number;
}

/** Claims that ran out, of processes that died or hang. Each is fenced: its process can write nothing any more. */
export async function takeLostClaims(pool: pg.Pool, limit: number): Promise<LostClaim[]> {
  const { rows } = await pool.query<LostClaim>({
    name: 'webhook-lost',
    text: `with lost as materialized (
             select id from webhook_deliveries where claimed_until < now()
             order by claimed_until limit $1 for update skip locked)
           , moved as (
             update webhook_attempts a set claim_version = d.claim_version + 1
             from webhook_deliveries d join lost on lost.id = d.id
             where a.delivery_id = d.id and a.claim_version = d.claim_version)
           update webhook_deliveries d
           set claim_version = d.claim_version + 1, claimed_until = now() + interval '30 seconds'
           from lost where d.id = lost.id
           returning d.id, d.tenant_id as "tenantId", d.claim_version as "claimVersion", d.attempts as attempt`,
    values: [limit],
  });
  return rows;
}

/** Gives up deliveries that wait for longer than they may: a webhook that was turned off, or deferred every time. */
export async function buryOldDeliveries(pool: pg.Pool, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'webhook-bury-old',
    text: `with old as materialized (
             select id from webhook_deliveries
             where state = 'pending' and round_started_at < now() - $1 * interval '1 millisecond'
               and claimed_until is null
             order by round_started_at limit $2 for update skip locked)
           update webhook_deliveries d
           set state = 'dead', next_attempt_at = null, dead_lettered_at = now(), last_error = coalesce(last_error, $3)
           from old where d.id = old.id`,
    values: [MAX_AGE_MS, limit, TOO_OLD],
  });
  return rowCount ?? 0;
}
