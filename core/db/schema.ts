// The record of everything, as drizzle sees it. The SQL under migrations/ is what really made the tables:
// it adds what drizzle has no words for (partitions by the time inside a UUIDv7, storage options).
//
// Words: a *message* is one submission to one recipient. Its *state* moves
//   queued → sending → delivered | bounced | expired,  deferred (with defer_reason),  dropped,  cancelled.
// `admitted_day` is the UTC day whose warm-up slot the message holds; null means that it holds none yet.
// `claimed_by`/`claim_version` fence workers: who holds a message writes only under its own version.

import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
const createdAt = () =>
  time('created_at')
    .notNull()
    .default(sql`now()`);

/** Plans, and so monthly caps: core/tenant/plan.ts. */
export const tenants = pgTable('tenants', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  plan: text('plan', { enum: ['free', 'starter', 'pro', 'scale'] }).notNull(),
  createdAt: createdAt(),
});

/** Accepted sends of a tenant in one UTC month (`month` is its first day). */
export const tenantUsage = pgTable(
  'tenant_usage',
  {
    tenantId: uuid('tenant_id').notNull(),
    month: date('month', { mode: 'string' }).notNull(),
    used: bigint('used', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.month] })],
);

/** API keys; only the SHA-256 of the value is kept. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    name: text('name').notNull(),
    scopes: text('scopes').array().notNull(),
    hash: bytea('hash').notNull().unique(),
    createdAt: createdAt(),
    lastUsedAt: time('last_used_at'),
    revokedAt: time('revoked_at'),
  },
  (t) => [index('api_keys_tenant').on(t.tenantId, t.id)],
);

/** Tokens of the people who run the service; only the SHA-256 is kept. */
export const adminTokens = pgTable('admin_tokens', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  hash: bytea('hash').notNull().unique(),
  createdAt: createdAt(),
  revokedAt: time('revoked_at'),
});

/** People of a tenant who may sign in. `password_hash` is null for those who sign in by SSO only. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    email: text('email').notNull(),
    passwordHash: text('password_hash'),
    role: text('role', { enum: ['owner', 'member', 'super_admin'] }).notNull(),
    createdAt: createdAt(),
    lastSignedInAt: time('last_signed_in_at'),
  },
  (t) => [uniqueIndex('users_email').on(t.email), index('users_tenant').on(t.tenantId, t.id)],
);

/** Signed-in sessions. `refresh_hash` is the only refresh token that still works; an older one ends it. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    tenantId: uuid('tenant_id').notNull(),
    refreshHash: bytea('refresh_hash').notNull(),
    userAgent: text('user_agent').notNull(),
    ip: text('ip').notNull(),
    createdAt: createdAt(),
    lastUsedAt: time('last_used_at')
      .notNull()
      .default(sql`now()`),
    expiresAt: time('expires_at').notNull(),
    endedAt: time('ended_at'),
    method: text('method', { enum: ['password', 'saml'] })
      .notNull()
      .default('password'),
  },
  (t) => [index('sessions_user').on(t.userId)],
);

/** Failed sign-ins, by e-mail and by address, for the brute-force limit. */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    subject: text('subject').notNull(),
    at: time('at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (t) => [index('sign_in_failures_subject').on(t.subject, t.at)],
);

/** Sending domains with their warm-up tier. One verified owner per name over all tenants. */
export const domains = pgTable(
  'domains',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    name: text('name').notNull(),
    status: text('status', { enum: ['pending', 'verified', 'failed'] }).notNull(),
    /** Per record purpose what DNS showed last: `{ "dkim": { "status": "found", "problem": null } }`. */
    recordStatus: jsonb('record_status').$type<Record<string, RecordStatus>>().notNull().default({}),
    tier: smallint('tier').notNull().default(0),
    warmupState: text('warmup_state', { enum: ['active', 'held', 'paused'] })
      .notNull()
      .default('active'),
    pausedReason: text('paused_reason'),
    transactionalReserve: smallint('transactional_reserve').notNull().default(0),
    inboundEnabled: boolean('inbound_enabled').notNull().default(true),
    /** The built-in domain of `npm start`: its simulator traffic stays out of reputation. */
    builtIn: boolean('built_in').notNull().default(false),
    createdAt: createdAt(),
    verifiedAt: time('verified_at'),
    checkedAt: time('checked_at'),
    failingSince: time('failing_since'),
  },
  (t) => [
    uniqueIndex('domains_tenant_name').on(t.tenantId, t.name),
    uniqueIndex('domains_verified_name')
      .on(t.name)
      .where(sql`status = 'verified'`),
  ],
);

/** What the last look at DNS said of one record. */
export interface RecordStatus {
  status: 'pending' | 'found' | 'missing' | 'wrong';
  problem: string | null;
}

/** Signing keys of a domain; the private key is sealed with a key derived from MASTER_KEY. */
export const dkimKeys = pgTable(
  'dkim_keys',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    domainId: uuid('domain_id')
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    selector: text('selector').notNull(),
    algorithm: text('algorithm', { enum: ['rsa-sha256', 'ed25519-sha256'] }).notNull(),
    state: text('state', { enum: ['active', 'pending', 'retired'] }).notNull(),
    publicKey: text('public_key').notNull(),
    sealedPrivateKey: bytea('sealed_private_key').notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('dkim_keys_selector').on(t.domainId, t.selector)],
);

/** The second wall of the warm-up gate: one row per domain and UTC day, `used + reserved <= cap` for new mail. */
export const warmupDays = pgTable(
  'warmup_days',
  {
    tenantId: uuid('tenant_id').notNull(),
    domainId: uuid('domain_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    cap: integer('cap').notNull(),
    used: integer('used').notNull().default(0),
    /** The part of `used` that campaign mail took. */
    bulkUsed: integer('bulk_used').notNull().default(0),
    /** Slots kept for mail that was deferred before this day and has not come through yet. */
    reserved: integer('reserved').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.domainId, t.day] })],
);

/** Every change of a domain's tier or warm-up state, with who and why. */
export const warmupHistory = pgTable(
  'warmup_history',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    domainId: uuid('domain_id').notNull(),
    at: time('at')
      .notNull()
      .default(sql`now()`),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    fromTier: smallint('from_tier').notNull(),
    toTier: smallint('to_tier').notNull(),
    reason: text('reason').notNull(),
    rates: jsonb('rates').$type<Record<string, number>>(),
  },
  (t) => [index('warmup_history_domain').on(t.domainId, t.id)],
);

/** Addresses that a tenant's mail never goes to. `email` is the normalized form. */
export const suppressions = pgTable(
  'suppressions',
  {
    tenantId: uuid('tenant_id').notNull(),
    email: text('email').notNull(),
    reason: text('reason', { enum: ['bounce', 'complaint', 'unsubscribe', 'manual'] }).notNull(),
    sourceMessageId: uuid('source_message_id'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.email] })],
);

/** First answers of requests with an Idempotency-Key, kept for 24 hours. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    tenantId: uuid('tenant_id').notNull(),
    key: text('key').notNull(),
    bodyHash: bytea('body_hash').notNull(),
    status: smallint('status').notNull(),
    answer: jsonb('answer').$type<unknown>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.key] }), index('idempotency_keys_age').on(t.createdAt)],
);

/** Templates; the content is in its versions. */
export const templates = pgTable(
  'templates',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    createdAt: createdAt(),
    updatedAt: time('updated_at')
      .notNull()
      .default(sql`now()`),
    deletedAt: time('deleted_at'),
  },
  (t) => [
    uniqueIndex('templates_name')
      .on(t.tenantId, t.name)
      .where(sql`deleted_at is null`),
  ],
);

/** One slot of a template. */
export interface TemplateVariable {
  name: string;
  required: boolean;
  default: string | number | boolean | null;
}

/** What a template said at one version; never changed, because messages keep (template, version). */
export const templateVersions = pgTable(
  'template_versions',
  {
    templateId: uuid('template_id')
      .notNull()
      .references(() => templates.id),
    version: integer('version').notNull(),
    tenantId: uuid('tenant_id').notNull(),
    subject: text('subject').notNull(),
    html: text('html'),
    text: text('text'),
    variables: jsonb('variables').$type<TemplateVariable[]>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.templateId, t.version] })],
);

/** All states of a message. */
export const MESSAGE_STATES = [
  'queued',
  'sending',
  'delivered',
  'deferred',
  'bounced',
  'expired',
  'dropped',
  'cancelled',
] as const;

/** Why a deferred message waits. */
export const DEFER_REASONS = [
  'warmup_cap',
  'scheduled',
  'remote_4xx',
  'network',
  'esp_cap',
  'domain_paused',
] as const;

/** The state row of a message: small and hot. Partitioned by the time inside `id`. No foreign keys: speed. */
export const messages = pgTable(
  'messages',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    domainId: uuid('domain_id').notNull(),
    stream: text('stream', { enum: ['transactional', 'bulk'] }).notNull(),
    state: text('state', { enum: MESSAGE_STATES }).notNull(),
    /** What the submission answered as `reason`. */
    reason: text('reason', { enum: ['warmup_cap', 'suppressed', 'scheduled', 'esp_cap'] }),
    deferReason: text('defer_reason', { enum: DEFER_REASONS }),
    /** Deferred without a slot: when it goes to the gate again. */
    deferredUntil: time('deferred_until'),
    /** Admitted: when the next delivery attempt is due. Null once nothing more will be tried. */
    nextAttemptAt: time('next_attempt_at'),
    admittedDay: date('admitted_day', { mode: 'string' }),
    esp: text('esp'),
    headerFrom: text('header_from').notNull(),
    rcptTo: text('rcpt_to').notNull(),
    subject: text('subject').notNull(),
    templateId: uuid('template_id'),
    templateVersion: integer('template_version'),
    campaignId: uuid('campaign_id'),
    contactId: uuid('contact_id'),
    tags: jsonb('tags').$type<{ name: string; value: string }[]>().notNull(),
    attempts: smallint('attempts').notNull().default(0),
    claimVersion: integer('claim_version').notNull().default(0),
    claimedBy: uuid('claimed_by'),
    createdAt: createdAt(),
    /** A message still failing then is given up; set when it is admitted. */
    expiresAt: time('expires_at'),
    finishedAt: time('finished_at'),
  },
  (t) => [
    index('messages_tenant').on(t.tenantId, t.id),
    index('messages_due')
      .on(t.stream, t.nextAttemptAt)
      .where(sql`next_attempt_at is not null and claimed_by is null`),
    index('messages_waiting')
      .on(t.domainId, t.id)
      .where(sql`state = 'deferred' and admitted_day is null`),
    index('messages_release')
      .on(t.deferredUntil)
      .where(sql`state = 'deferred' and admitted_day is null`),
    index('messages_claimed')
      .on(t.claimedBy)
      .where(sql`claimed_by is not null`),
  ],
);

/** What a message says, as the bytes of sender.v1.OutgoingMessage. Apart from the state, so that it stays small. */
export const messageContents = pgTable('message_contents', {
  messageId: uuid('message_id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  content: bytea('content').notNull(),
});

/** One try at delivering a message. */
export const messageAttempts = pgTable(
  'message_attempts',
  {
    messageId: uuid('message_id').notNull(),
    attempt: smallint('attempt').notNull(),
    tenantId: uuid('tenant_id').notNull(),
    at: time('at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    esp: text('esp').notNull(),
    mx: text('mx'),
    tls: text('tls'),
    command: text('command'),
    smtpCode: smallint('smtp_code'),
    enhancedCode: text('enhanced_code'),
    reply: text('reply').notNull(),
    outcome: text('outcome', { enum: ['delivered', 'deferred', 'bounced', 'expired'] }).notNull(),
    bounceClass: text('bounce_class'),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.attempt] })],
);

/** Kinds of the timeline and the feed. `accepted` is not stored: it is the message row itself. */
export const EVENT_TYPES = [
  'deferred',
  'delivered',
  'bounced',
  'dropped',
  'cancelled',
  'expired',
  'open',
  'click',
  'complaint',
  'unsubscribe',
] as const;

/** What happened to messages: the timeline and the feed. Partitioned by the time inside `id`. */
export const events = pgTable(
  'events',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    type: text('type', { enum: EVENT_TYPES }).notNull(),
    messageId: uuid('message_id').notNull(),
    domainId: uuid('domain_id').notNull(),
    campaignId: uuid('campaign_id'),
    recipient: text('recipient').notNull(),
    occurredAt: time('occurred_at').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
  },
  (t) => [index('events_tenant').on(t.tenantId, t.type, t.id), index('events_message').on(t.messageId)],
);

/** Processes that hold messages. One that stays silent longer than WORKER_LEASE_MS has lost them. */
export const workers = pgTable('workers', {
  id: uuid('id').primaryKey(),
  service: text('service').notNull(),
  startedAt: time('started_at')
    .notNull()
    .default(sql`now()`),
  heartbeatAt: time('heartbeat_at')
    .notNull()
    .default(sql`now()`),
});

/** One row per job and slot: what makes a job run once, however many schedulers there are. */
export const jobRuns = pgTable(
  'job_runs',
  {
    job: text('job').notNull(),
    slot: time('slot').notNull(),
    startedAt: time('started_at').notNull(),
    finishedAt: time('finished_at').notNull(),
    summary: jsonb('summary').$type<Record<string, unknown>>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.job, t.slot] })],
);

/** Who did what with a privilege. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id'),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    at: time('at')
      .notNull()
      .default(sql`now()`),
    ip: text('ip'),
  },
  (t) => [
    index('audit_log_tenant').on(t.tenantId, t.id),
    index('audit_log_action').on(t.tenantId, t.action, t.id),
  ],
);
