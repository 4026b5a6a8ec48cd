// The statements of the transaction that accepts mail. sender/accept/batch.ts tells the story; here is what each
// step reads, locks and writes. Every statement names the tenant.

import type pg from 'pg';

import type { TemplateVariable } from '../db/schema/template.ts';
import type { Stream } from '../base/stream.ts';
import type { Accepted } from './submission.ts';

/** A domain that mail is to be sent from, with today's gate row as committed by others (not yet locked). */
export interface DomainFacts {
  id: string;
  tenantId: string;
  name: string;
  status: 'pending' | 'verified' | 'failed';
  warmupState: 'active' | 'held' | 'paused';
  pausedReason: string | null;
  tier: number;
  transactionalReserve: number;
  cap: number | null;
  used: number | null;
  reserved: number | null;
  bulkUsed: number | null;
}

/** A message that is there already: the caller repeats a call whose answer it lost. */
export interface ExistingMessage {
  id: string;
  tenantId: string;
  reason: Accepted['reason'];
  deferredUntil: Date | null;
}

/** The current version of a template and what it needs. */
export interface TemplateFacts {
  id: string;
  version: number;
  subject: string;
  variables: TemplateVariable[];
}

/** A stored first answer. */
export interface StoredAnswer {
  bodyHash: Buffer;
  /** False: another route reserved the key and is running. */
  finished: boolean;
  answer: unknown;
}

/** The database's clock, and the UTC day and month that it makes. */
export interface StoreClock {
  now: Date;
  /** YYYY-MM-DD */
  day: string;
  /** YYYY-MM-01 */
  month: string;
}

/** One message row to insert, with its content. */
export interface MessageRow {
  id: string;
  tenantId: string;
  domainId: string;
  stream: Stream;
  state: string;
  reason: string | null;
  deferReason: string | null;
  deferredUntil: Date | null;
  nextAttemptAt: Date | null;
  admittedDay: string | null;
  esp: string | null;
  headerFrom: string;
  rcptTo: string;
  subject: string;
  templateId: string | null;
  templateVersion: number | null;
  campaignId: string | null;
  contactId: string | null;
  tags: { name: string; value: string }[];
  claimVersion: number;
  claimedBy: string | null;
  expiresAt: Date | null;
  finishedAt: Date | null;
  content: Buffer;
}

/** An event that is born with the message: deferred or dropped. */
export interface BirthEvent {
  id: string;
  tenantId: string;
  type: 'deferred' | 'dropped';
  messageId: string;
  domainId: string;
  campaignId: string | null;
  recipient: string;
  data: Record<string, unknown>;
}

// Answers are kept for 24 hours; a reservation (status 0) of core/idempotency is taken for abandoned after a minute.
const KEY_IN_USE = `k.created_at > now() - interval '24 hours'
  and (k.status <> 0 or k.created_at > now() - interval '60 seconds')`;

/** The clock that decides: PostgreSQL's, fixed at the start of the transaction. */
export async function readClock(client: pg.ClientBase): Promise<StoreClock> {
  const { rows } = await client.query<StoreClock>({
    name: 'accept-clock',
    text: `select now() as now, to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day,
             to_char(now() at time zone 'UTC', 'YYYY-MM-01') as month`,
  });
  return rows[0]!;
}

/** The named domains of the tenants, with plan and today's row. Names that the tenant does not have are missing. */
export async function readDomains(
  client: pg.ClientBase,
  wanted: { tenantId: string; name: string }[],
): Promise<DomainFacts[]> {
  const { rows } = await client.query<DomainFacts>({
    name: 'accept-domains',
    text: `select d.id, d.tenant_id as "tenantId", d.name, d.status, d.warmup_state as "warmupState",
             d.paused_reason as "pausedReason", d.tier, d.transactional_reserve as "transactionalReserve",
             w.cap, w.used, w.reserved, w.bulk_used as "bulkUsed"
           from unnest($1::uuid[], $2::text[]) as q(tenant_id, name)
           join domains d on d.tenant_id = q.tenant_id and d.name = q.name
           left join warmup_days w on w.domain_id = d.id and w.day = (now() at time zone 'UTC')::date`,
    values: [wanted.map((one) => one.tenantId), wanted.map((one) => one.name)],
  });
  return rows;
}

/** Plan and accepted sends of this month, as committed by others. Unknown tenants are missing. */
export async function readTenants(
  client: pg.ClientBase,
  tenantIds: string[],
): Promise<Map<string, { plan: string; used: number }>> {
  const { rows } = await client.query<{ id: string; plan: string; used: string | null }>({
    name: 'accept-tenants',
    text: `select t.id, t.plan, u.used from tenants t
           left join tenant_usage u
             on u.tenant_id = t.id and u.month = date_trunc('month', now() at time zone 'UTC')::date
           where t.id = any($1::uuid[])`,
    values: [tenantIds],
  });
  return new Map(rows.map((row) => [row.id, { plan: row.plan, used: Number(row.used ?? 0) }]));
}

/** Which of these normalized addresses are suppressed, as `tenant email`. */
export async function readSuppressed(
  client: pg.ClientBase,
  wanted: { tenantId: string; email: string }[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ tenantId: string; email: string }>({
    name: 'accept-suppressed',
    text: `select s.tenant_id as "tenantId", s.email from unnest($1::uuid[], $2::text[]) as q(tenant_id, email)
           join suppressions s on s.tenant_id = q.tenant_id and s.email = q.email`,
    values: [wanted.map((one) => one.tenantId), wanted.map((one) => one.email)],
  });
  return new Set(rows.map((row) => `${row.tenantId} ${row.email}`));
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
  client: pg.ClientBase,
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

/**
 * Locks idempotency keys until the transaction ends, without waiting: false means that another request with the key
 * is running now. The lock's number is a hash, so two keys may share it; the loser is told to try again.
 */
export async function tryLockKeys(
  client: pg.ClientBase,
  keys: { tenantId: string; key: string }[],
): Promise<boolean[]> {
  const { rows } = await client.query<{ locked: boolean }>({
    name: 'accept-lock-keys',
    text: `select pg_try_advisory_xact_lock(hashtextextended(q.tenant_id || ':' || q.key, 0)) as locked
           from unnest($1::text[], $2::text[]) with ordinality as q(tenant_id, key, n) order by q.n`,
    values: [keys.map((one) => one.tenantId), keys.map((one) => one.key)],
  });
  return rows.map((row) => row.locked);
}

/** First answers given under these keys within the last 24 hours, by `tenant key`. */
export async function readAnswers(
  client: pg.ClientBase,
  keys: { tenantId: string; key: string }[],
): Promise<Map<string, StoredAnswer>> {
  const { rows } = await client.query<StoredAnswer & { tenantId: string; key: string }>({
    name: 'accept-answers',
    text: `select k.tenant_id as "tenantId", k.key, k.body_hash as "bodyHash", k.status <> 0 as finished,
             k.answer
           from unnest($1::uuid[], $2::text[]) as q(tenant_id, key)
           join idempotency_keys k on k.tenant_id = q.tenant_id and k.key = q.key
           where ${KEY_IN_USE}`,
    values: [keys.map((one) => one.tenantId), keys.map((one) => one.key)],
  });
  return new Map(rows.map((row) => [`${row.tenantId} ${row.key}`, row]));
}

/** Locks the month's rows of these tenants, in id order, making those that are missing. */
export async function lockUsage(
  client: pg.ClientBase,
  tenantIds: string[],
  month: string,
): Promise<Map<string, number>> {
  const lock = {
    name: 'accept-lock-usage',
    text: `select tenant_id as "tenantId", used from tenant_usage
           where tenant_id = any($1::uuid[]) and month = $2 order by tenant_id for update`,
    values: [tenantIds, month],
  };
  let { rows } = await client.query<{ tenantId: string; used: string }>(lock);
  if (rows.length < tenantIds.length) {
    await client.query({
      name: 'accept-open-usage',
      text: `insert into tenant_usage (tenant_id, month, used)
             select id, $2, 0 from unnest($1::uuid[]) as q(id) order by id
             on conflict (tenant_id, month) do nothing`,
      values: [tenantIds, month],
    });
    ({ rows } = await client.query<{ tenantId: string; used: string }>(lock));
  }
  return new Map(rows.map((row) => [row.tenantId, Number(row.used)]));
}

/** Adds accepted sends to the month. The caller holds the rows' locks and has checked the plan's cap. */
export async function addUsage(
  client: pg.ClientBase,
  month: string,
  sends: { tenantId: string; count: number }[],
): Promise<void> {
  await client.query({
    name: 'accept-add-usage',
    text: `update tenant_usage u set used = u.used + q.n
           from unnest($1::uuid[], $2::int[]) as q(tenant_id, n)
           where u.tenant_id = q.tenant_id and u.month = $3`,
    values: [sends.map((one) => one.tenantId), sends.map((one) => one.count), month],
  });
}

/** Inserts messages and their contents: two statements, however many there are. */
export async function insertMessages(client: pg.ClientBase, rows: MessageRow[]): Promise<void> {
  const column = <K extends keyof MessageRow>(key: K) => rows.map((row) => row[key]);
  await Promise.all([
    client.query({
      name: 'accept-insert-messages',
      text: `insert into messages (id, tenant_id, domain_id, stream, state, reason, defer_reason, deferred_until,
               next_attempt_at, admitted_day, esp, header_from, rcpt_to, subject, template_id, template_version,
               campaign_id, contact_id, tags, claim_version, claimed_by, expires_at, finished_at)
             select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
               $8::timestamptz[], $9::timestamptz[], $10::date[], $11::text[], $12::text[], $13::text[], $14::text[],
               $15::uuid[], $16::int[], $17::uuid[], $18::uuid[], $19::jsonb[], $20::int[], $21::uuid[],
               $22::timestamptz[], $23::timestamptz[])`,
      values: [
        column('id'),
        column('tenantId'),
        column('domainId'),
        column('stream'),
        column('state'),
        column('reason'),
        column('deferReason'),
        column('deferredUntil'),
        column('nextAttemptAt'),
        column('admittedDay'),
        column('esp'),
        column('headerFrom'),
        column('rcptTo'),
        column('subject'),
        column('templateId'),
        column('templateVersion'),
        column('campaignId'),
        column('contactId'),
        rows.map((row) => JSON.stringify(row.tags)),
        column('claimVersion'),
        column('claimedBy'),
        column('expiresAt'),
        column('finishedAt'),
      ],
    }),
    client.query({
      name: 'accept-insert-contents',
      text: `insert into message_contents (message_id, tenant_id, content)
             select * from unnest($1::uuid[], $2::uuid[], $3::bytea[])`,
      values: [column('id'), column('tenantId'), column('content')],
    }),
  ]);
}

/** Inserts the events that messages are born with. */
export async function insertBirthEvents(client: pg.ClientBase, events: BirthEvent[]): Promise<void> {
  await client.query({
    name: 'accept-insert-events',
    text: `insert into events (id, tenant_id, type, message_id, domain_id, campaign_id, recipient, occurred_at, data)
           select q.id, q.tenant_id, q.type, q.message_id, q.domain_id, q.campaign_id, q.recipient, now(), q.data
           from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::jsonb[])
             as q(id, tenant_id, type, message_id, domain_id, campaign_id, recipient, data)`,
    values: [
      events.map((event) => event.id),
      events.map((event) => event.tenantId),
      events.map((event) => event.type),
      events.map((event) => event.messageId),
      events.map((event) => event.domainId),
      events.map((event) => event.campaignId),
      events.map((event) => event.recipient),
      events.map((event) => JSON.stringify(event.data)),
    ],
  });
}

/** Keeps first answers. Returns how many: fewer than given when another route reserved a key meanwhile. */
export async function insertAnswers(
  client: pg.ClientBase,
  answers: { tenantId: string; key: string; bodyHash: Buffer; answer: unknown }[],
): Promise<number> {
  const { rowCount } = await client.query({
    name: 'accept-insert-answers',
    text: `insert into idempotency_keys as k (tenant_id, key, body_hash, status, answer)
           select * from unnest($1::uuid[], $2::text[], $3::bytea[], $4::smallint[], $5::jsonb[])
           on conflict (tenant_id, key) do update
             set body_hash = excluded.body_hash, status = excluded.status, answer = excluded.answer,
                 created_at = now()
             where not (${KEY_IN_USE})`,
    values: [
      answers.map((one) => one.tenantId),
      answers.map((one) => one.key),
      answers.map((one) => one.bodyHash),
      answers.map(() => 202),
      answers.map((one) => JSON.stringify(one.answer)),
    ],
  });
  return rowCount ?? 0;
}
