// What accepting reads before it locks anything. sender/accept/facts.ts says how it is used.
// SQL by hand: many rows to a statement (unnest), prepared by name; this is the hot path.

import type pg from 'pg';

import type { Queryable } from '../db/pool.ts';
import type { suppressions } from '../db/schema/suppression.ts';
import type { BrakeCause } from './brake-cause.ts';
import { BRAKE_CAUSE, BRAKE_STATE, type BrakeState } from './brake-state.ts';
import { BULK_LIMIT } from './sender-rules.ts';
import type { Accepted, TemplateFacts } from './submission.ts';

/** A domain that mail is to be sent from, with today's row of the cap as committed by others (not yet locked). */
export interface DomainFacts {
  id: string;
  tenantId: string;
  name: string;
  status: 'pending' | 'verified' | 'failed';
  warmupState: 'active' | 'held' | 'paused';
  pausedReason: string | null;
  tier: number;
  transactionalReserve: number;
  brake: BrakeState;
  brakeCause: BrakeCause | null;
  /** Most campaign mail of a day for the sender rules; null: no such limit. */
  bulkLimit: number | null;
  cap: number | null;
  used: number | null;
  reserved: number | null;
  bulkUsed: number | null;
  bulkReserved: number | null;
}

/** A message that is stored already: the caller repeats a call whose answer it lost. */
export interface ExistingMessage {
  id: string;
  tenantId: string;
  reason: Accepted['reason'];
  deferredUntil: Date | null;
}

/** What a tenant may send, and whether what it sends is kept. */
export interface TenantFacts {
  isSuspended: boolean;
  plan: string;
  used: number;
  keepContent: boolean;
}

/** The database's clock, and the UTC day and month that it makes. */
export interface StoreClock {
  now: Date;
  /** YYYY-MM-DD */
  day: string;
  /** YYYY-MM-01 */
  month: string;
}

/** The clock that decides: PostgreSQL's, fixed at the start of the transaction. */
export async function readClock(client: pg.ClientBase): Promise<StoreClock> {
  const { rows } = await client.query<StoreClock>({
    name: 'accept-clock',
    text: `select now()::timestamptz(3) as now, to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day,
             to_char(now() at time zone 'UTC', 'YYYY-MM-01') as month`,
  });
  return rows[0]!;
}

/** The named domains of the tenants, with plan and today's row. Names that the tenant does not have are missing. */
export async function readDomains(
  client: pg.ClientBase | pg.Pool,
  wanted: { tenantId: string; name: string }[],
): Promise<DomainFacts[]> {
  const { rows } = await client.query<DomainFacts>({
    name: 'accept-domains',
    text: `select d.id, d.tenant_id as "tenantId", d.name, d.status, d.warmup_state as "warmupState",
             d.paused_reason as "pausedReason", d.tier, d.transactional_reserve as "transactionalReserve",
             ${BRAKE_STATE} as brake, ${BRAKE_CAUSE} as "brakeCause", ${BULK_LIMIT} as "bulkLimit", w.cap, w.used, w.reserved, w.bulk_used as "bulkUsed",
             w.bulk_reserved as "bulkReserved"
           from unnest($1::uuid[], $2::text[]) as q(tenant_id, name)
           join domains d on d.tenant_id = q.tenant_id and d.name = q.name
           left join warmup_days w on w.domain_id = d.id and w.day = (now() at time zone 'UTC')::date`,
    values: [wanted.map((one) => one.tenantId), wanted.map((one) => one.name)],
  });
  return rows;
}

/** Plan, suspension and accepted sends of this month, as committed by others. Unknown tenants are missing. */
export async function readTenants(
  client: pg.ClientBase,
  tenantIds: string[],
): Promise<Map<string, TenantFacts>> {
  const { rows } = await client.query<{
    id: string;
    plan: string;
    isSuspended: boolean;
    keepContent: boolean;
    used: string | null;
  }>({
    name: 'accept-tenants',
    text: `select t.id, t.plan, t.suspended_at is not null as "isSuspended", t.keep_content as "keepContent", u.used from tenants t
           left join tenant_usage u
             on u.tenant_id = t.id and u.month = date_trunc('month', now() at time zone 'UTC')::date
           where t.id = any($1::uuid[])`,
    values: [tenantIds],
  });
  return new Map(rows.map(({ id, used, ...facts }) => [id, { ...facts, used: Number(used ?? 0) }]));
}

/** Why a recipient gets no mail, and which mail. */
export type SuppressedFor = Pick<typeof suppressions.$inferSelect, 'reason' | 'stream'>;

/** Which of these normalized addresses are suppressed, as `tenant email`, why and in which stream. */
export async function readSuppressed(
  client: pg.ClientBase,
  wanted: { tenantId: string; email: string }[],
): Promise<Map<string, SuppressedFor>> {
  const { rows } = await client.query<SuppressedFor & { tenantId: string; email: string }>({
    name: 'accept-suppressed',
    text: `select s.tenant_id as "tenantId", s.email, s.reason, s.stream from unnest($1::uuid[], $2::text[]) as q(tenant_id, email)
           join suppressions s on s.tenant_id = q.tenant_id and s.email = q.email`,
    values: [wanted.map((one) => one.tenantId), wanted.map((one) => one.email)],
  });
  return new Map(rows.map(({ tenantId, email, ...entry }) => [`${tenantId} ${email}`, entry]));
}

/** Messages among these ids that exist already. */
export async function readExisting(
  client: pg.ClientBase,
  ids: string[],
): Promise<Map<string, ExistingMessage>> {
  const { rows } = await client.query<ExistingMessage>({
    name: 'accept-existing',
    text: `select id, tenant_id as "tenantId", reason, deferred_until as "deferredUntil"
           from messages where id = any($1::uuid[])`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Current versions of templates; a campaign's own words are one that counts as deleted. */
export async function readTemplates(
  client: Queryable,
  wanted: { tenantId: string; templateId: string }[],
): Promise<Map<string, TemplateFacts>> {
  const { rows } = await client.query<TemplateFacts & { tenantId: string }>({
    name: 'accept-templates',
    text: `select t.id, t.tenant_id as "tenantId", t.version, v.subject, v.variables
           from unnest($1::uuid[], $2::uuid[]) as q(tenant_id, id)
           join templates t on t.id = q.id and t.tenant_id = q.tenant_id
             and (t.deleted_at is null or t.campaign_id is not null)
           join template_versions v on v.template_id = t.id and v.version = t.version`,
    values: [wanted.map((one) => one.tenantId), wanted.map((one) => one.templateId)],
  });
  return new Map(rows.map((row) => [`${row.tenantId} ${row.id}`, row]));
}
