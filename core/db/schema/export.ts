// Exports: lists as files.

import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

import { bytea, count, time, timeOfInsert } from './columns.ts';
import { tenants } from './tenant.ts';

/**
 * A list that is written to a file, and how far that is. `cursor` moves in the statement that stores the rows before it, so
 * a crash repeats and skips nothing.
 */
export const listExports = pgTable(
  'list_exports',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    kind: text('kind', { enum: ['messages', 'contacts', 'suppressions', 'events', 'audit_log'] }).notNull(),
    /** As it was asked for, in REST's names. */
    filter: jsonb('filter').$type<Record<string, unknown>>().notNull(),
    status: text('status', { enum: ['pending', 'running', 'completed', 'failed'] })
      .notNull()
      .default('pending'),
    /** Key of the last row that is written; null before the first. */
    cursor: jsonb('cursor').$type<string[]>(),
    rows: count('rows'),
    chunks: count('chunks'),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull().default(0),
    /** The list has more rows than a file holds. */
    isCut: boolean('is_cut').notNull().default(false),
    claimVersion: count('claim_version'),
    claimedUntil: time('claimed_until'),
    createdAt: timeOfInsert('created_at'),
    touchedAt: timeOfInsert('touched_at'),
    finishedAt: time('finished_at'),
    /** When the file is removed. */
    expiresAt: time('expires_at'),
  },
  (t) => [
    index('list_exports_work')
      .on(t.touchedAt)
      .where(sql`finished_at is null`),
    index('list_exports_expiry').on(t.expiresAt),
    index('list_exports_tenant').on(t.tenantId, t.id),
  ],
);

/** A piece of an export's file, in order of `seq`. */
export const listExportChunks = pgTable(
  'list_export_chunks',
  {
    exportId: uuid('export_id').notNull(),
    seq: integer('seq').notNull(),
    tenantId: uuid('tenant_id').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.exportId, t.seq] })],
);
