// Addresses that mail never goes to.
//
// The trigger `suppressions_unsubscribe` (0004_audience.sql, its function `unsubscribe_contact`) makes whoever
// unsubscribed or complained an unsubscribed contact from the same commit on, whichever way it came in.

import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

import { timeOfInsert } from './columns.ts';

/** An address that a tenant's mail never goes to, in its normalized form (core/mail/address.ts), and why. */
export const suppressions = pgTable(
  'suppressions',
  {
    tenantId: uuid('tenant_id').notNull(),
    email: text('email').notNull(),
    reason: text('reason', { enum: ['bounce', 'complaint', 'unsubscribe', 'manual'] }).notNull(),
    /** The message that led to it. */
    sourceMessageId: uuid('source_message_id'),
    createdAt: timeOfInsert('created_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.email] }),
    index('suppressions_newest').on(t.tenantId, t.createdAt.desc().nullsFirst(), t.email.desc().nullsFirst()),
  ],
);
