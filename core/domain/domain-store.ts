// Sending domains in PostgreSQL. SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import type { RecordStatus } from '../db/schema/domain.ts';
import type { Domain, DomainStatus } from './domain.ts';
import { idPage, type IdPage } from '../db/id-page.ts';
import type { Queryable } from '../db/pool.ts';
import { BRAKE_STATE } from '../message/brake-state.ts';
import { TRACKING_HOST_LIVE, WITH_TRACKING_HOST } from './tracking-host.ts';
import { BULK_LIMIT, liftedAt } from '../message/sender-rules.ts';
import { CLOCK, later } from '../db/citus-forms.ts';

/** What was found out about a domain, to be written if its status is still the one that was read. */
export interface CheckedDomain {
  tenantId: string;
  id: string;
  expected: DomainStatus;
  status: DomainStatus;
  recordStatus: Record<string, RecordStatus>;
  failingSince: Date | null;
}

const COLUMNS = `d.id, d.tenant_id as "tenantId", d.name, d.status, d.record_status as "recordStatus", d.tier,
  d.warmup_state as "warmupState", d.paused_reason as "pausedReason",
  to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day, w.cap, coalesce(w.used, 0) as used,
  d.transactional_reserve as "transactionalReserve", d.inbound_enabled as "inboundEnabled", d.spam_policy as "spamPolicy",
  d.cfbl_enabled as "cfblEnabled", d.brake_enabled as "brakeEnabled", ${BRAKE_STATE} as "brakeState",
  d.brake_since as "brakeSince", d.brake_reason as "brakeReason", d.brake_numbers as "brakeNumbers",
  d.pool, d.sender_rules_enabled as "senderRulesEnabled", ${BULK_LIMIT} as "bulkLimit",
  ${TRACKING_HOST_LIVE} as "trackingHostLive", th.certificate_expires_at as "certificateExpiresAt",
  th.problem as "certificateProblem", d.built_in as "builtIn", d.created_at as "createdAt", d.verified_at as "verifiedAt",
  d.checked_at as "checkedAt", d.failing_since as "failingSince", now() as "readAt"`;
const BESIDE = `left join warmup_days w
  on w.domain_id = d.id and w.tenant_id = d.tenant_id and w.day = (now() at time zone 'UTC')::date
  ${WITH_TRACKING_HOST}`;

/** One transaction at a time for everything about a name, over all tenants, until it ends. */
export async function lockName(client: pg.ClientBase, name: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`domain:${name}`]);
}

/** Inserts a pending domain; one that was here before is still held or paused as it was. */
export async function insertDomain(
  db: Queryable,
  domain: Pick<Domain, 'id' | 'tenantId' | 'name' | 'warmupState' | 'pausedReason'>,
): Promise<void> {
  await db.query(
    `insert into domains (id, tenant_id, name, status, warmup_state, paused_reason)
     values ($1, $2, $3, 'pending', $4, $5)`,
    [domain.id, domain.tenantId, domain.name, domain.warmupState, domain.pausedReason],
  );
}

/** Whether another tenant has verified this name, in whatever bucket. */
export async function isVerifiedElsewhere(db: Queryable, tenantId: string, name: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from domain_claims where name = $1 and held and tenant_id <> $2',
    [name, tenantId],
  );
  return rowCount !== 0;
}

/** Gives a verified name to its tenant. False when another tenant has it. */
export async function claimName(
  db: Queryable,
  domain: Pick<Domain, 'id' | 'tenantId' | 'name'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into domain_claims as c (name, tenant_id, domain_id, held) values ($1, $2, $3, true)
     on conflict (name) do update set tenant_id = excluded.tenant_id, domain_id = excluded.domain_id, held = true
     where not c.held or c.tenant_id = excluded.tenant_id`,
    [domain.name, domain.tenantId, domain.id],
  );
  return rowCount === 1;
}

/** The tenant's domain of this name is verified no more; until another has it, reports about its mail still go there. */
export async function releaseName(db: Queryable, tenantId: string, name: string): Promise<void> {
  await db.query('update domain_claims set held = false where name = $1 and tenant_id = $2 and held', [
    name,
    tenantId,
  ]);
}

/** Verified domains of this bucket whose tenant does not hold the claim of the name. */
export async function selectUnclaimed(db: Queryable): Promise<Pick<Domain, 'id' | 'tenantId' | 'name'>[]> {
  const { rows } = await db.query<Pick<Domain, 'id' | 'tenantId' | 'name'>>(
    `select d.id, d.tenant_id as "tenantId", d.name from domains d
     where d.status = 'verified' and not exists (
       select from domain_claims c where c.name = d.name and c.held and c.tenant_id = d.tenant_id)`,
  );
  return rows;
}

/** Claims that tenants of this bucket hold although their domain is not verified, or is gone. */
export async function selectStaleClaims(db: Queryable): Promise<Pick<Domain, 'tenantId' | 'name'>[]> {
  const { rows: here } = await db.query<{ bucket: string }>('select current_schema() as bucket');
  const { rows } = await db.query<Pick<Domain, 'tenantId' | 'name'>>(
    `select c.tenant_id as "tenantId", c.name from domain_claims c join tenants t on t.id = c.tenant_id
     where c.held and t.bucket = $1 and not exists (
       select from domains d where d.name = c.name and d.tenant_id = c.tenant_id and d.status = 'verified')`,
    [here[0]!.bucket],
  );
  return rows;
}

/** What a name was when its tenant deleted it last, or null. */
export async function selectDeleted(
  db: Queryable,
  tenantId: string,
  name: string,
): Promise<Pick<Domain, 'id' | 'warmupState' | 'pausedReason'> | null> {
  const { rows } = await db.query<Pick<Domain, 'id' | 'warmupState' | 'pausedReason'>>(
    `select data->>'id' as id, data->>'warmup_state' as "warmupState", data->>'paused_reason' as "pausedReason"
     from audit_log where tenant_id = $1 and action = 'domain.deleted' and data->>'name' = $2
     order by id desc limit 1`,
    [tenantId, name],
  );
  return rows[0] ?? null;
}

/** The id of the domain of this name that was made under the change id, or null. */
export async function selectCreatedBy(
  db: Queryable,
  tenantId: string,
  name: string,
  changeId: string,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select d.id from domains d where d.tenant_id = $1 and d.name = $2 and exists (
       select from audit_log a where a.id = $3 and a.tenant_id = $1 and a.action = 'domain.created'
         and a.data->>'name' = $2)`,
    [tenantId, name, changeId],
  );
  return rows[0]?.id ?? null;
}

/** Lowers the cap of a domain's day that is open already, never below what the warm-up starts with. */
export async function lowerTodaysCap(
  db: Queryable,
  tenantId: string,
  id: string,
  cap: number,
): Promise<void> {
  await db.query(
    `update warmup_days set cap = least(cap, $3)
     where domain_id = $1 and tenant_id = $2 and day >= (now() at time zone 'UTC')::date`,
    [id, tenantId, cap],
  );
}

/** One domain of a tenant, or null. */
export async function selectDomain(db: Queryable, tenantId: string, id: string): Promise<Domain | null> {
  const { rows } = await db.query<Domain>({
    name: 'domain.by-id',
    text: `select ${COLUMNS} from domains d ${BESIDE} where d.tenant_id = $1 and d.id = $2`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** The id of a tenant's domain by name, or null. */
export async function selectDomainId(db: Queryable, tenantId: string, name: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    'select id from domains where tenant_id = $1 and name = $2',
    [tenantId, name],
  );
  return rows[0]?.id ?? null;
}

/** A page of a tenant's domains, newest first; with `afterName` in the order of their names, after this one. */
export type DomainPage = IdPage & { afterName?: string | undefined };

/** A page of a tenant's domains. */
export async function selectDomains(db: Queryable, tenantId: string, page: DomainPage): Promise<Domain[]> {
  const { afterName } = page;
  const { where, order } =
    afterName === undefined
      ? idPage('d.id', page)
      : { where: 'd.name > $2 and $3::uuid is null', order: 'd.name' };
  const { rows } = await db.query<Domain>(
    `select ${COLUMNS} from domains d ${BESIDE} where d.tenant_id = $1 and ${where} order by ${order} limit $4`,
    [tenantId, afterName ?? page.before, page.after ?? null, page.limit],
  );
  return rows;
}

/** Changes the settings that are named; a brake that is turned off is released. False when there is no such domain. */
export async function updateSettings(
  db: Queryable,
  tenantId: string,
  id: string,
  change: {
    inboundEnabled?: boolean | undefined;
    spamPolicy?: Domain['spamPolicy'] | undefined;
    cfblEnabled?: boolean | undefined;
    transactionalReserve?: number | undefined;
    brakeEnabled?: boolean | undefined;
    senderRulesEnabled?: boolean | undefined;
    pool?: string | null | undefined;
  },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update domains set inbound_enabled = coalesce($3, inbound_enabled), spam_policy = coalesce($8, spam_policy),
            transactional_reserve = coalesce($4, transactional_reserve), cfbl_enabled = coalesce($5, cfbl_enabled),
            brake_enabled = coalesce($6, brake_enabled), sender_rules_enabled = coalesce($7, sender_rules_enabled),
            pool = case when $9 then $10 else pool end,
            sender_rules_lifted_at = ${liftedAt('coalesce($7, domains.sender_rules_enabled)', 'domains.record_status')},
            brake_since = case when not $6 and brake_state <> 'off' then clock.now else brake_since end,
            brake_state = case when not $6 then 'off' else brake_state end
     from ${CLOCK} where tenant_id = $1 and id = $2`,
    [
      tenantId,
      id,
      change.inboundEnabled ?? null,
      change.transactionalReserve ?? null,
      change.cfblEnabled ?? null,
      change.brakeEnabled ?? null,
      change.senderRulesEnabled ?? null,
      change.spamPolicy ?? null,
      change.pool !== undefined,
      change.pool ?? null,
    ],
  );
  return rowCount === 1;
}

/** Deletes a domain with its keys and returns what it was, or null. Its counted days stay. */
export async function deleteDomainRow(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<Pick<Domain, 'name' | 'tier' | 'warmupState' | 'pausedReason'> | null> {
  const { rows } = await db.query<Pick<Domain, 'name' | 'tier' | 'warmupState' | 'pausedReason'>>(
    `delete from domains where tenant_id = $1 and id = $2
     returning name, tier, warmup_state as "warmupState", paused_reason as "pausedReason"`,
    [tenantId, id],
  );
  return rows[0] ?? null;
}

/** The domain that came with the installation, if it is still there. */
export async function selectBuiltIn(db: Queryable): Promise<{ id: string; tenantId: string } | null> {
  const { rows } = await db.query<{ id: string; tenantId: string }>(
    'select id, tenant_id as "tenantId" from domains where built_in order by id limit 1',
  );
  return rows[0] ?? null;
}

/** Marks the domain that comes with the installation. */
export async function markBuiltIn(db: Queryable, tenantId: string, id: string): Promise<void> {
  await db.query('update domains set built_in = true where tenant_id = $1 and id = $2', [tenantId, id]);
}

/**
 * Writes what was found of a domain if nobody changed its status meanwhile; false when somebody did. A first
 * verification starts the warm-up: tier and state are at their beginning then.
 */
export async function updateChecked(db: Queryable, checked: CheckedDomain): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'domain.checked',
    text: `update domains set status = $4, record_status = $5::jsonb, failing_since = $6, checked_at = now(),
             sender_rules_lifted_at = ${liftedAt('domains.sender_rules_enabled', '$5::jsonb')},
             verified_at = case when $4 = 'verified' then coalesce(verified_at, clock.now) else verified_at end
           from ${CLOCK} where tenant_id = $1 and id = $2 and status = $3`,
    values: [
      checked.tenantId,
      checked.id,
      checked.expected,
      checked.status,
      JSON.stringify(checked.recordStatus),
      checked.failingSince,
    ],
  });
  return rowCount === 1;
}

/**
 * Writes what was found of domains whose status stays. A row that somebody holds is skipped: it is being changed or
 * its day is being opened right now, nothing waits for us, and the next run checks it again.
 */
export async function updateCheckedMany(db: Queryable, checked: CheckedDomain[]): Promise<void> {
  await db.query({
    name: 'domain.checked-many',
    text: `with free as materialized (
             select d.id from domains d
             join unnest($1::uuid[], $2::uuid[], $3::text[]) as q(tenant_id, id, expected)
               on d.id = q.id and d.tenant_id = q.tenant_id and d.status = q.expected
             for no key update of d skip locked)
           update domains
           set record_status = q.record_status, failing_since = q.failing_since, checked_at = now(),
             sender_rules_lifted_at = ${liftedAt('domains.sender_rules_enabled', 'q.record_status')}
           from free, unnest($2::uuid[], $4::jsonb[], $5::timestamptz[]) as q(id, record_status, failing_since), ${CLOCK}
           where domains.id = free.id and q.id = free.id`,
    values: [
      checked.map((one) => one.tenantId),
      checked.map((one) => one.id),
      checked.map((one) => one.expected),
      checked.map((one) => JSON.stringify(one.recordStatus)),
      checked.map((one) => one.failingSince),
    ],
  });
}

/** Everybody else who waited for this name has lost it. Returns whose domains failed. */
export async function failRivals(
  db: Queryable,
  winner: { id: string; name: string },
  refusal: Record<string, RecordStatus>,
): Promise<{ id: string; tenantId: string }[]> {
  const { rows } = await db.query<{ id: string; tenantId: string }>(
    `update domains set status = 'failed', record_status = record_status || $3
     where name = $2 and id <> $1 and status = 'pending' returning id, tenant_id as "tenantId"`,
    [winner.id, winner.name, JSON.stringify(refusal)],
  );
  return rows;
}

/** For how long a pending domain is looked up often, in days from its creation. */
const PENDING_CHECK_DAYS = 3;
/** How often, in minutes. */
const PENDING_CHECK_MINUTES = 5;

/** Claims pending domains whose look-up is due, the longest due first. One that is not written afterwards is due again. */
export async function claimPending(db: Queryable, limit: number): Promise<Domain[]> {
  const { rows } = await db.query<Domain>({
    name: 'domain.claim-pending',
    text: `with due as materialized (
             select id, tenant_id from domains where status = 'pending' and next_check_at <= now()
             order by next_check_at limit $1 for no key update skip locked),
           claimed as (
             update domains set next_check_at = case
               when domains.created_at > ${later('clock.now', '-make_interval(days => $2)')}
               then ${later('clock.now', 'make_interval(mins => $3)')} end
             from due, ${CLOCK} where domains.id = due.id and domains.tenant_id = due.tenant_id
             returning domains.id, domains.tenant_id)
           select ${COLUMNS} from claimed join domains d on d.id = claimed.id and d.tenant_id = claimed.tenant_id ${BESIDE}`,
    values: [limit, PENDING_CHECK_DAYS, PENDING_CHECK_MINUTES],
  });
  return rows;
}

/**
 * Domains to look up again, in order of id after `after`: verified ones, new ones that wait for their records, and
 * ones that failed lately and may come back.
 */
export async function selectToRecheck(
  db: Queryable,
  query: { now: Date; after: string; limit: number; pendingDays: number; failedDays: number },
): Promise<Domain[]> {
  const { rows } = await db.query<Domain>({
    name: 'domain.recheck',
    text: `select ${COLUMNS} from domains d ${BESIDE}
           where d.id > $1 and (d.status = 'verified'
             or (d.status = 'pending' and d.created_at > $2::timestamptz - make_interval(days => $3))
             or (d.status = 'failed' and d.failing_since > $2::timestamptz - make_interval(days => $4)))
           order by d.id limit $5`,
    values: [query.after, query.now, query.pendingDays, query.failedDays, query.limit],
  });
  return rows;
}
