// What happened to messages, and the counts by day that the dashboard draws and reputation is made from.
//
// The statement that inserts events adds to domain_days, so that the counts are exact from the same commit on, and writes a row
// of event_outbox for each (core/message/event-effects.ts). For services of the release before the triggers `events_count`
// (0024_brake.sql) and `events_outbox` (0016_event_log.sql) do that; they do nothing for a statement that does it itself.
// events is partitioned by week like messages (0001_partitions.sql).

import { sql } from 'drizzle-orm';
import { boolean, date, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

import { count, time } from './columns.ts';

/** Something that happened to a message: the timeline and the feed. `accepted` is not stored, it is the message itself. */
export const events = pgTable(
  'events',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    type: text('type', {
      enum: [
        'deferred',
        'delivered',
        'bounced',
        'dropped',
        'cancelled',
        'expired',
        'open',
        'click',
        'complaint',
        'unsubscribe',
      ],
    }).notNull(),
    messageId: uuid('message_id').notNull(),
    domainId: uuid('domain_id').notNull(),
    campaignId: uuid('campaign_id'),
    recipient: text('recipient').notNull(),
    occurredAt: time('occurred_at').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
  },
  (t) => [
    index('events_tenant').on(t.tenantId, t.type, t.id),
    index('events_message').on(t.messageId),
    // Bounces and complaints are few among the events: the ramp looks for those of a day.
    index('events_trouble')
      .on(t.id)
      .where(sql`type in ('bounced', 'complaint')`),
    index('events_campaign')
      .on(t.campaignId, t.type)
      .where(sql`campaign_id is not null`),
  ],
);

/** What a tenant's mail to a mailbox provider came to on one UTC day. Written with the outcomes, by the same statement. */
export const providerDays = pgTable(
  'provider_days',
  {
    tenantId: uuid('tenant_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    /** Name in core/mailbox-provider/provider-table.ts, or in MAILBOX_PROVIDERS. */
    provider: text('provider').notNull(),
    /** Messages, on the day of their first attempt. */
    sent: count('sent'),
    /** A message that a DSN returned later moves from here to `bounced`, on the day that it was delivered. */
    delivered: count('delivered'),
    /** Attempts, as many as there were. */
    deferred: count('deferred'),
    bounced: count('bounced'),
    complained: count('complained'),
    /** Refusals without what varies → how many; 20 at most, and `other` (merge_replies of the migration). */
    replies: jsonb('replies').$type<Record<string, number>>().notNull().default({}),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day, t.provider] })],
);

/** What a domain's mail came to on one UTC day, mail to the built-in simulator apart. */
export const domainDays = pgTable(
  'domain_days',
  {
    tenantId: uuid('tenant_id').notNull(),
    domainId: uuid('domain_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    simulated: boolean('simulated').notNull(),
    /** Messages, on the day of their first attempt. */
    sent: count('sent'),
    /** A message that a DSN returned later moves from here to `bounced`, on the day that it was delivered. */
    delivered: count('delivered'),
    bounced: count('bounced'),
    hardBounced: count('hard_bounced'),
    complained: count('complained'),
    /** Messages that a person opened; the `machine_` columns count requests. */
    opened: count('opened'),
    clicked: count('clicked'),
    machineOpened: count('machine_opened'),
    machineClicked: count('machine_clicked'),
    unsubscribed: count('unsubscribed'),
    /** Messages that the cap deferred on this day; a further day is added by the release. */
    deferred: count('deferred'),
    /**
     * What the brake tests beside the columns above. Bounces of messages first tried on this day: `refused` are those that do
     * not only speak against our set-up, `unknown` say that nobody is there, `blocked` are by policy or reputation.
     */
    refused: count('refused'),
    unknown: count('unknown'),
    blocked: count('blocked'),
    /** The part of these that is transactional mail. */
    txSent: count('tx_sent'),
    txDelivered: count('tx_delivered'),
    txRefused: count('tx_refused'),
    txUnknown: count('tx_unknown'),
    txBlocked: count('tx_blocked'),
    txComplained: count('tx_complained'),
  },
  (t) => [
    primaryKey({ columns: [t.domainId, t.day, t.simulated] }),
    index('domain_days_tenant').on(t.tenantId, t.day),
  ],
);
