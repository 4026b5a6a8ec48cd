// The tables of 0004_audience.sql as drizzle sees them; what each is for stands there.

import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** One person of a tenant. */
export const contacts = pgTable(
  'contacts',
  {
    id: uuid('id').notNull(),
    tenantId: uuid('tenant_id').notNull(),
    email: text('email').notNull(),
    emailKey: text('email_key').notNull(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    attributes: jsonb('attributes').$type<Record<string, unknown>>().notNull().default({}),
    tags: text('tags')
      .array()
      .notNull()
      .default(sql`'{}'`),
    status: text('status', { enum: ['subscribed', 'unsubscribed'] })
      .notNull()
      .default('subscribed'),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    uniqueIndex('contacts_email').on(t.tenantId, t.emailKey),
  ],
);

/** A named set of contacts. */
export const contactLists = pgTable('contact_lists', {
  id: uuid('id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  name: text('name').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
});

/** Who is on which list. */
export const contactListMembers = pgTable(
  'contact_list_members',
  {
    tenantId: uuid('tenant_id').notNull(),
    listId: uuid('list_id').notNull(),
    contactId: uuid('contact_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.listId, t.contactId] })],
);

/** One upload of contacts and how far it is worked off. */
export const contactImports = pgTable('contact_imports', {
  id: uuid('id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  effectId: uuid('effect_id').unique(),
  status: text('status', { enum: ['uploading', 'pending', 'running', 'completed', 'failed'] })
    .notNull()
    .default('uploading'),
  format: text('format', { enum: ['csv', 'json-lines'] }).notNull(),
  listId: uuid('list_id'),
  updateExisting: boolean('update_existing').notNull().default(false),
  layout: jsonb('layout'),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull().default(0),
  cursorBytes: bigint('cursor_bytes', { mode: 'number' }).notNull().default(0),
  nextRow: integer('next_row').notNull().default(1),
  total: integer('total').notNull().default(0),
  created: integer('created').notNull().default(0),
  updated: integer('updated').notNull().default(0),
  skipped: integer('skipped').notNull().default(0),
  failed: integer('failed').notNull().default(0),
  errors: jsonb('errors').$type<{ row: number; email: string; message: string }[]>().notNull().default([]),
  claimVersion: integer('claim_version').notNull().default(0),
  claimedUntil: time('claimed_until'),
  createdAt: time('created_at').notNull().defaultNow(),
  touchedAt: time('touched_at').notNull().defaultNow(),
  finishedAt: time('finished_at'),
});

/** The bytes of an upload, in order. */
export const contactImportChunks = pgTable(
  'contact_import_chunks',
  {
    importId: uuid('import_id').notNull(),
    seq: integer('seq').notNull(),
    tenantId: uuid('tenant_id').notNull(),
    firstByte: bigint('first_byte', { mode: 'number' }).notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.seq] })],
);

/** One message to many contacts. */
export const campaigns = pgTable('campaigns', {
  id: uuid('id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  name: text('name').notNull(),
  headerFrom: text('header_from').notNull(),
  replyTo: text('reply_to'),
  subject: text('subject'),
  templateId: uuid('template_id'),
  html: text('html'),
  text: text('text'),
  audience: jsonb('audience').notNull(),
  trackOpens: boolean('track_opens'),
  trackClicks: boolean('track_clicks'),
  state: text('state', { enum: ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] })
    .notNull()
    .default('draft'),
  pauseReason: text('pause_reason'),
  pauseMessage: text('pause_message'),
  scheduledAt: time('scheduled_at'),
  launchedAt: time('launched_at'),
  completedAt: time('completed_at'),
  contentTemplateId: uuid('content_template_id'),
  markedTo: uuid('marked_to'),
  confirmedTo: uuid('confirmed_to'),
  finalStats: jsonb('final_stats'),
  task: text('task', { enum: ['expand', 'settle', 'hold', 'release', 'cancel'] }),
  dueAt: time('due_at'),
  claimedUntil: time('claimed_until'),
  claimVersion: integer('claim_version').notNull().default(0),
  createdAt: time('created_at').notNull().defaultNow(),
  updatedAt: time('updated_at').notNull().defaultNow(),
});

/** One row per campaign and contact: what makes a message happen once. */
export const campaignRecipients = pgTable(
  'campaign_recipients',
  {
    campaignId: uuid('campaign_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    tenantId: uuid('tenant_id').notNull(),
    messageId: uuid('message_id').notNull(),
    error: text('error'),
    retry: boolean('retry').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.campaignId, t.contactId] })],
);
