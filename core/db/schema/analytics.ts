// What mail came to by UTC day, for the plots of /analytics: made from the log of events and the messages by a loop of the
// scheduler (core/analytics/roll-up.ts), never by who accepts or delivers.

import { bigint, date, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

import { count } from './columns.ts';

/**
 * What became of the messages that were accepted on one UTC day, whenever it became so: of a domain's all (`kind` is `all`, `value`
 * empty), and of those with a tag, of a campaign, or to a mailbox provider.
 */
export const analyticsDays = pgTable(
  'analytics_days',
  {
    tenantId: uuid('tenant_id').notNull(),
    kind: text('kind', { enum: ['all', 'tag', 'campaign', 'provider'] }).notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    /** `name=value` of a tag, the UUID of a campaign, the name of a provider; `other` beyond the most of a day. */
    value: text('value').notNull(),
    domainId: uuid('domain_id').notNull(),
    /** Of a provider: messages whose last attempt it answered. */
    accepted: count('accepted'),
    /** A message that a DSN returned later moves from here to `bounced`. */
    delivered: count('delivered'),
    bounced: count('bounced'),
    expired: count('expired'),
    dropped: count('dropped'),
    cancelled: count('cancelled'),
    complained: count('complained'),
    /** Messages that a person opened, and in which a person clicked. */
    opened: count('opened'),
    clicked: count('clicked'),
    unsubscribed: count('unsubscribed'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.kind, t.day, t.value, t.domainId] })],
);

/** How far a tenant's mail is counted in analytics_days. */
export const analyticsCursors = pgTable('analytics_cursors', {
  tenantId: uuid('tenant_id').primaryKey(),
  /** Of event_log. */
  position: bigint('position', { mode: 'number' }).notNull(),
  /** Messages with ids up to this one are counted as accepted. */
  messageId: uuid('message_id').notNull(),
});

/** A message that was counted as opened, clicked, complained of or unsubscribed: it counts once. Partitioned by week like messages. */
export const messageEngagements = pgTable(
  'message_engagements',
  {
    messageId: uuid('message_id').notNull(),
    type: text('type', { enum: ['open', 'click', 'complaint', 'unsubscribe'] }).notNull(),
    tenantId: uuid('tenant_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.type] })],
);
