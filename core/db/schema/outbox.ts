// What happened, on its way to those who follow it: webhooks, and the feed in the order of commit.
// core/outbox/outbox-store.ts says how rows of event_outbox become positions of event_log. event_log is partitioned by week
// like events, and dropped with them.

import { bigint, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

/** Something that happened and is not dispatched yet, written by the transaction in which it happened. */
export const eventOutbox = pgTable('event_outbox', {
  /** In the order of writing: what was committed before another was written is dispatched before it. */
  seq: bigint('seq', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
  /** Of the event. */
  id: uuid('id').notNull(),
  tenantId: uuid('tenant_id').notNull(),
  type: text('type').notNull(),
  /** What webhooks are sent; null for an event of a message, which is in `events`. */
  payload: jsonb('payload').$type<Record<string, unknown>>(),
});

/** The place of one event of a message in what followers read. */
export const eventLog = pgTable(
  'event_log',
  {
    tenantId: uuid('tenant_id').notNull(),
    /** Consecutive from 1 for each tenant, in the order of commit. */
    position: bigint('position', { mode: 'number' }).notNull(),
    eventId: uuid('event_id').notNull(),
    /** As in `events`. */
    type: text('type').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.position, t.eventId] })],
);

/** How far a tenant's part of event_log goes. */
export const eventLogHeads = pgTable('event_log_heads', {
  tenantId: uuid('tenant_id').primaryKey(),
  /** The highest position. */
  position: bigint('position', { mode: 'number' }).notNull(),
  /** The highest position that retention removed, 0 before it did. */
  removedTo: bigint('removed_to', { mode: 'number' }).notNull().default(0),
});
