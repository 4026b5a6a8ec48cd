// The audience: contacts, their lists and imports.
// The trigger `contacts_announce` (0018_announcements.sql) tells webhooks of a contact that unsubscribes.

import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

import { bytea, count, time, timeOfInsert } from './columns.ts';
import { tenants } from './tenant.ts';

/** Somebody whom a tenant writes to. */
export const contacts = pgTable(
  'contacts',
  {
    id: uuid('id').notNull(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    /** As it was written. */
    email: text('email').notNull(),
    /** Its normalized form (core/mail/address.ts). */
    emailKey: text('email_key').notNull(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    attributes: jsonb('attributes').$type<Record<string, unknown>>().notNull().default({}),
    tags: text('tags').array().notNull().default([]),
    status: text('status', { enum: ['subscribed', 'unsubscribed'] })
      .notNull()
      .default('subscribed'),
    createdAt: timeOfInsert('created_at'),
    updatedAt: timeOfInsert('updated_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    uniqueIndex('contacts_email').on(t.tenantId, t.emailKey),
  ],
);

/** A named set of contacts. */
export const contactLists = pgTable(
  'contact_lists',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    name: text('name').notNull(),
    createdAt: timeOfInsert('created_at'),
  },
  (t) => [index('contact_lists_tenant').on(t.tenantId, t.id)],
);

/**
 * A contact on a list. No foreign keys, because an import adds tens of thousands of rows a second: whoever adds holds
 * the list's row, whoever deletes a contact or a list deletes its rows here in the same transaction.
 */
export const contactListMembers = pgTable(
  'contact_list_members',
  {
    tenantId: uuid('tenant_id').notNull(),
    listId: uuid('list_id').notNull(),
    contactId: uuid('contact_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.listId, t.contactId] }),
    index('contact_list_members_contact').on(t.tenantId, t.contactId),
  ],
);

/**
 * An upload of contacts and how far it got. `cursor_bytes` and `next_row` move in the transaction that writes the
 * contacts, so a crash repeats and skips nothing.
 */
export const contactImports = pgTable(
  'contact_imports',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    /** By it a retried request finds its import. */
    effectId: uuid('effect_id').unique(),
    status: text('status', { enum: ['uploading', 'pending', 'running', 'completed', 'failed'] })
      .notNull()
      .default('uploading'),
    format: text('format', { enum: ['csv', 'json-lines', 'suppressions'] }).notNull(),
    listId: uuid('list_id'),
    updateExisting: boolean('update_existing').notNull().default(false),
    layout: jsonb('layout'),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull().default(0),
    cursorBytes: bigint('cursor_bytes', { mode: 'number' }).notNull().default(0),
    nextRow: integer('next_row').notNull().default(1),
    total: count('total'),
    created: count('created'),
    updated: count('updated'),
    skipped: count('skipped'),
    failed: count('failed'),
    errors: jsonb('errors').$type<{ row: number; email: string; message: string }[]>().notNull().default([]),
    claimVersion: count('claim_version'),
    claimedUntil: time('claimed_until'),
    createdAt: timeOfInsert('created_at'),
    touchedAt: timeOfInsert('touched_at'),
    finishedAt: time('finished_at'),
  },
  (t) => [
    index('contact_imports_work')
      .on(t.touchedAt)
      .where(sql`finished_at is null`),
    index('contact_imports_tenant').on(t.tenantId, t.id),
  ],
);

/** A piece of an upload, in order of `seq`; gone when the import has ended. From `seq` 1,000,000,000 on: its failed rows as CSV, which stay. */
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
