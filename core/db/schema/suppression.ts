// Addresses that get no mail, or no marketing mail.
//
// The trigger `suppressions_unsubscribed` (0057_suppression_stream.sql, with the function `unsubscribe_contact` of
// 0004_audience.sql) marks the contact as unsubscribed in the same commit when somebody unsubscribes or complains.
// `suppressions_note_unsubscribe` sets the columns that a service of the release before does not write.

import { boolean, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

import { timeOfInsert } from './columns.ts';

/** An address that gets no mail of a tenant, or no marketing mail, in its normalized form (core/mail/address.ts), and why. */
export const suppressions = pgTable(
  'suppressions',
  {
    tenantId: uuid('tenant_id').notNull(),
    email: text('email').notNull(),
    reason: text('reason', { enum: ['bounce', 'complaint', 'unsubscribe', 'manual'] }).notNull(),
    /** Which mail is stopped: `all`, or with `bulk` what offersUnsubscribe (core/message/outgoing.ts) says yes to. */
    stream: text('stream', { enum: ['all', 'bulk'] })
      .notNull()
      .default('all'),
    /** True once somebody unsubscribed, also while another reason stands here: the unsubscribe outlives that. */
    unsubscribed: boolean('unsubscribed').notNull().default(false),
    /** The message that led to it. */
    sourceMessageId: uuid('source_message_id'),
    createdAt: timeOfInsert('created_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.email] }),
    index('suppressions_newest').on(t.tenantId, t.createdAt.desc().nullsFirst(), t.email.desc().nullsFirst()),
  ],
);
