// The tables of inbound mail and webhooks, as drizzle sees them; migrations/0002_inbound.sql made them.
//
// Words: a *raw* is one accepted DATA of one tenant, kept byte for byte in chunks. A *message* is one accepted
// recipient of it. A *delivery* is the duty to bring one message to the tenant's webhook; it is pending until it is
// accepted (2xx) or dead.

import { sql } from 'drizzle-orm';
import {
  boolean,
  customType,
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
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
const since = (name: string) =>
  time(name)
    .notNull()
    .default(sql`now()`);

/** One accepted DATA of one tenant. */
export const inboundRaws = pgTable('inbound_raws', {
  id: uuid('id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  mailFrom: text('mail_from').notNull(),
  helo: text('helo').notNull(),
  peer: text('peer').notNull(),
  tls: text('tls'),
  smtputf8: boolean('smtputf8').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  receivedAt: since('received_at'),
  workDueAt: time('work_due_at'),
  workAttempts: smallint('work_attempts').notNull().default(0),
});

/** Its bytes, in order of `seq`. */
export const inboundChunks = pgTable(
  'inbound_chunks',
  { rawId: uuid('raw_id').notNull(), seq: integer('seq').notNull(), bytes: bytea('bytes').notNull() },
  (t) => [primaryKey({ columns: [t.rawId, t.seq] })],
);

/** Mail that is still coming in and has chunks already. */
export const inboundUploads = pgTable('inbound_uploads', {
  rawId: uuid('raw_id').primaryKey(),
  createdAt: since('created_at'),
});

/** Addresses whose mail people read; `*@domain` is a catch-all. */
export const mailboxes = pgTable(
  'mailboxes',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    address: text('address').notNull(),
    name: text('name'),
    createdAt: since('created_at'),
  },
  (t) => [uniqueIndex('mailboxes_address').on(t.tenantId, t.address)],
);

/** One accepted recipient. */
export const inboundMessages = pgTable('inbound_messages', {
  id: uuid('id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  rawId: uuid('raw_id').notNull(),
  domainId: uuid('domain_id').notNull(),
  /** `bounce` and `complaint` are reports to us; `ignored` came to a report address that is not ours. */
  kind: text('kind', { enum: ['mail', 'bounce', 'complaint', 'ignored'] }).notNull(),
  recipient: text('recipient').notNull(),
  mailboxId: uuid('mailbox_id'),
  /** The sent message that a return path names. */
  aboutMessageId: uuid('about_message_id'),
  outcome: text('outcome'),
  read: boolean('read').notNull().default(false),
  receivedAt: since('received_at'),
});

/** What the parser read out of a raw. */
export const inboundContents = pgTable('inbound_contents', {
  rawId: uuid('raw_id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  headerFrom: text('header_from'),
  headerTo: text('header_to').array().notNull(),
  headerCc: text('header_cc').array().notNull(),
  subject: text('subject'),
  date: time('date'),
  text: text('text'),
  html: text('html'),
  headers: jsonb('headers').$type<{ name: string; value: string }[]>().notNull(),
  attachments: jsonb('attachments').$type<Record<string, unknown>[]>().notNull(),
  auth: jsonb('auth').$type<{ spf: string; dkim: string; dmarc: string }>().notNull(),
  autoSubmitted: boolean('auto_submitted').notNull().default(false),
  parseError: text('parse_error'),
  search: tsvector('search').notNull(),
});

/** Decoded attachments, in pieces. */
export const inboundAttachments = pgTable(
  'inbound_attachments',
  {
    rawId: uuid('raw_id').notNull(),
    index: integer('index').notNull(),
    seq: integer('seq').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.rawId, t.index, t.seq] })],
);

/** Where a tenant's inbound mail is posted to. The secret is sealed with a key derived from MASTER_KEY. */
export const webhookSettings = pgTable('webhook_settings', {
  tenantId: uuid('tenant_id').primaryKey(),
  webhookUrl: text('webhook_url'),
  enabled: boolean('enabled').notNull(),
  sealedSecret: bytea('sealed_secret').notNull(),
  createdAt: since('created_at'),
  rotatedAt: time('rotated_at'),
});

/** One message on its way to the webhook. */
export const webhookDeliveries = pgTable('webhook_deliveries', {
  id: uuid('id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  messageId: uuid('message_id').notNull(),
  rawId: uuid('raw_id').notNull(),
  recipient: text('recipient').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  state: text('state', { enum: ['pending', 'accepted', 'dead'] }).notNull(),
  attempts: smallint('attempts').notNull().default(0),
  nextAttemptAt: time('next_attempt_at'),
  claimVersion: integer('claim_version').notNull().default(0),
  claimedUntil: time('claimed_until'),
  webhookUrl: text('webhook_url'),
  lastStatusCode: smallint('last_status_code'),
  lastError: text('last_error'),
  createdAt: since('created_at'),
  roundStartedAt: since('round_started_at'),
  firstAttemptAt: time('first_attempt_at'),
  deadLetteredAt: time('dead_lettered_at'),
  acceptedAt: time('accepted_at'),
});

/** One try at a delivery, written before its request. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    deliveryId: uuid('delivery_id').notNull(),
    claimVersion: integer('claim_version').notNull(),
    tenantId: uuid('tenant_id').notNull(),
    attempt: smallint('attempt').notNull(),
    webhookUrl: text('webhook_url').notNull(),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
    statusCode: smallint('status_code'),
    error: text('error'),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.claimVersion] })],
);
