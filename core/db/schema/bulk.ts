// Bulk changes: one thing done to many rows of a list.

import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';

import { count, time, timeOfInsert } from './columns.ts';
import { tenants } from './tenant.ts';

/**
 * Something that is done to the rows of a list, batch by batch, and how far that is. `cursor` and the counts move in the
 * transaction that changes the rows, so a crash counts nothing twice.
 */
export const bulkChanges = pgTable(
  'bulk_changes',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    action: text('action', {
      enum: [
        'cancel_messages',
        'add_contacts_to_list',
        'remove_contacts_from_list',
        'delete_contacts',
        'lift_suppressions',
      ],
    }).notNull(),
    /** As it was asked for, in REST's names; null where rows were chosen one by one. */
    filter: jsonb('filter').$type<Record<string, unknown>>(),
    /** The rows that were chosen, by UUID or normalized address; null where a filter says which. */
    chosen: jsonb('chosen').$type<string[]>(),
    /** The list that contacts are put on or taken off. */
    listId: uuid('list_id'),
    /** Who asked, for the audit log: an Actor (core/audit/actor.ts). */
    actor: jsonb('actor').$type<Record<string, unknown>>().notNull(),
    status: text('status', { enum: ['pending', 'running', 'completed', 'failed'] })
      .notNull()
      .default('pending'),
    /** Key of the last row that was looked at, or how many of `chosen` were; null before the first. */
    cursor: jsonb('cursor').$type<string[]>(),
    done: count('done'),
    /** How many rows were left as they are, by why. */
    refused: jsonb('refused').$type<Record<string, number>>().notNull().default({}),
    claimVersion: count('claim_version'),
    claimedUntil: time('claimed_until'),
    createdAt: timeOfInsert('created_at'),
    touchedAt: timeOfInsert('touched_at'),
    finishedAt: time('finished_at'),
  },
  (t) => [
    index('bulk_changes_work')
      .on(t.touchedAt)
      .where(sql`finished_at is null`),
    index('bulk_changes_tenant').on(t.tenantId, t.id),
    index('bulk_changes_finished').on(t.finishedAt),
  ],
);
