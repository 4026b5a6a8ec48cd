// Messages: what was submitted, what it says, every attempt.
//
// Words: a *message* is one submission to one recipient; those of a submission to several are a *group*. Its *state* moves
//   queued → sending → delivered | bounced | expired,  deferred (with defer_reason),  dropped,  cancelled.
// `admitted_day` is the UTC day under whose cap the message was admitted, and the last on which it may be sent; null means
// that it needs an admission.
// `claimed_by`/`claim_version` fence workers: who holds a message writes only under its own version.
//
// messages, message_contents and message_attempts are partitioned by week, by the time inside the UUIDv7: drizzle has
// no words for that, core/db/migrations/0001_partitions.sql does it. No foreign keys, for speed.
//
// Who accepts tells webhooks so (core/message/accept-store.ts); for services of the release before the trigger
// `messages_announce` (0018_announcements.sql) does.

import { sql } from 'drizzle-orm';
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';

import { bytea, count, time, timeOfInsert } from './columns.ts';

/** A decision about a message as its row keeps it: core/message/explain-rules.ts has the words of each rule. */
export interface StoredDecision {
  rule: string;
  /** ISO 8601. */
  at: string;
  /** Attempts made before it: that is its place among them. */
  attempts: number;
  /** The numbers of that moment. */
  inputs: Record<string, unknown>;
  /** How often in a row it was made, when more than once; the rest is of the last time. */
  times?: number;
  /** When it was first made, when more than once. */
  since?: string;
  /** On the first one: how many that came right after it are not kept. */
  left_out?: number;
}

/** The state of a message: small and hot. */
export const messages = pgTable(
  'messages',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    /** Of a submission to several recipients: the id of its first message. Null with one recipient. */
    groupId: uuid('group_id'),
    /** Where that submission named this recipient; null with one recipient. */
    addressField: text('address_field', { enum: ['to', 'cc', 'bcc'] }),
    domainId: uuid('domain_id').notNull(),
    stream: text('stream', { enum: ['transactional', 'bulk'] }).notNull(),
    /** Where it came from (core/message/origin.ts); null of mail that an older version accepted. */
    origin: text('origin', {
      enum: ['api', 'submission', 'campaign', 'test', 'reset', 'notice', 'invitation'],
    }),
    state: text('state', {
      enum: ['queued', 'sending', 'delivered', 'deferred', 'bounced', 'expired', 'dropped', 'cancelled'],
    }).notNull(),
    /** What the submission answered as `reason`. */
    reason: text('reason', {
      enum: ['warmup_cap', 'suppressed', 'scheduled', 'esp_cap', 'brake', 'sender_rules'],
    }),
    deferReason: text('defer_reason', {
      enum: [
        'warmup_cap',
        'scheduled',
        'remote_4xx',
        'network',
        'esp_cap',
        'domain_paused',
        'tls_policy',
        'brake',
        'sender_rules',
        'provider_limit',
        'source_cap',
        'tenant_suspended',
      ],
    }),
    /** Deferred and not admitted: when it goes to the gate again. */
    deferredUntil: time('deferred_until'),
    /** When the next delivery attempt is due, once it is admitted. Null once nothing more will be tried. */
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
    claimVersion: count('claim_version'),
    claimedBy: uuid('claimed_by'),
    createdAt: timeOfInsert('created_at'),
    /** A message still failing then is given up; set when it is admitted. */
    expiresAt: time('expires_at'),
    finishedAt: time('finished_at'),
    /** A report said that it bounced while it was still under way; null otherwise. */
    returned: boolean('returned'),
    /** Of mail that was admitted as it was accepted: tier and cap of that day, what was used with this message, what was reserved. */
    dayTier: smallint('day_tier'),
    dayCap: integer('day_cap'),
    dayUsed: integer('day_used'),
    dayReserved: integer('day_reserved'),
    /**
     * Every other decision but attempts, in order: the first and the last 29; the same one several times in a row is one
     * (note_decision in the migration). Null for mail that was admitted and sent at once.
     */
    decisions: jsonb('decisions').$type<StoredDecision[]>(),
  },
  (t) => [
    index('messages_tenant').on(t.tenantId, t.id),
    // For lists by status. Mail is mostly accepted as `sending` and ends once: one entry for a message's life.
    index('messages_state')
      .on(t.tenantId, t.state, t.id)
      .where(sql`state <> 'sending'`),
    // With the day, so that what was admitted on an earlier one is passed over in the index alone.
    index('messages_due')
      .on(t.stream, t.nextAttemptAt, t.admittedDay)
      .where(sql`next_attempt_at is not null and admitted_day is not null and claimed_by is null`),
    // The same by who sends: with more due than can be claimed, tenants take turns.
    index('messages_by_sender')
      .on(t.stream, t.tenantId, t.domainId, t.nextAttemptAt, t.admittedDay)
      .where(sql`next_attempt_at is not null and admitted_day is not null and claimed_by is null`),
    // What midnight finds undelivered. Mail that is claimed as it is accepted never gets an entry.
    index('messages_admitted')
      .on(t.admittedDay, t.domainId)
      .where(sql`next_attempt_at is not null and admitted_day is not null and claimed_by is null`),
    index('messages_waiting')
      .on(t.domainId, t.id)
      .where(sql`state = 'deferred' and admitted_day is null`),
    // Its transactional part, which is released first: behind a large campaign it is a few rows of many.
    index('messages_waiting_transactional')
      .on(t.domainId, t.id)
      .where(sql`state = 'deferred' and admitted_day is null and stream = 'transactional'`),
    index('messages_release')
      .on(t.deferredUntil)
      .where(sql`state = 'deferred' and admitted_day is null`),
    index('messages_claimed')
      .on(t.claimedBy)
      .where(sql`claimed_by is not null`),
    index('messages_group')
      .on(t.groupId)
      .where(sql`group_id is not null`),
    index('messages_campaign')
      .on(t.campaignId)
      .where(sql`campaign_id is not null`),
    index('messages_campaign_open')
      .on(t.campaignId)
      .where(sql`campaign_id is not null and state in ('queued', 'sending', 'deferred')`),
  ],
);

/**
 * What a message says: sender.v1.OutgoingMessage, as core/message/stored-content.ts packs it. Apart from the state, so that it stays small; once for
 * a group, under the id of its first message: `coalesce(group_id, id)` finds it.
 */
export const messageContents = pgTable('message_contents', {
  messageId: uuid('message_id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  content: bytea('content').notNull(),
  /** Octets of the content once it is unpacked; null when it is not packed. */
  plainOctets: integer('plain_octets'),
});

/** Contents to delete once every message of theirs has ended: those of tenants that keep none. */
export const unkeptContents = pgTable('unkept_contents', {
  messageId: uuid('message_id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
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
    tlsVerified: boolean('tls_verified'),
    /** Mailbox provider of the host; null of nobody known, and of relays. */
    provider: text('provider'),
    /** The address that it left from, one of EGRESS_POOLS, and its name in EHLO; null for the system's own. */
    source: text('source'),
    sourceName: text('source_name'),
    tlsPolicy: text('tls_policy', { enum: ['dane', 'mta_sts'] }),
    certificate: jsonb('certificate').$type<{
      subject: string;
      issuer: string;
      expiresAt: string;
      fingerprint: string;
    }>(),
    command: text('command'),
    smtpCode: smallint('smtp_code'),
    enhancedCode: text('enhanced_code'),
    reply: text('reply').notNull(),
    outcome: text('outcome', { enum: ['delivered', 'deferred', 'bounced', 'expired'] }).notNull(),
    bounceClass: text('bounce_class'),
    /** When it is tried again; null when it is not. */
    retryAt: time('retry_at'),
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.attempt] }),
    // Rows are appended in the order of time: those of a day are found at next to no cost per insert.
    index('message_attempts_at').using('brin', t.at).with({ pages_per_range: 16, autosummarize: 'on' }),
  ],
);

/** The first answer to a request with an Idempotency-Key, kept for 24 hours. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    tenantId: uuid('tenant_id').notNull(),
    key: text('key').notNull(),
    bodyHash: bytea('body_hash').notNull(),
    status: smallint('status').notNull(),
    answer: jsonb('answer').$type<unknown>().notNull(),
    createdAt: timeOfInsert('created_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.key] }), index('idempotency_keys_age').on(t.createdAt)],
);
