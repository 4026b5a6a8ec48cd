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

/**
 * What the attempts of a domain came to, by UTC day and route: what the ramp decides on and the reconciliation reports. Written by
 * the statement that records attempts, and with a report (core/message/count-attempts-store.ts); sums over routes are the
 * domain's. core/warmup/full-count-store.ts counts the same from the rows.
 */
export const attemptDays = pgTable(
  'attempt_days',
  {
    day: date('day', { mode: 'string' }).notNull(),
    tenantId: uuid('tenant_id').notNull(),
    domainId: uuid('domain_id').notNull(),
    /** Of `accepted` the route that delivered, else that of the message's first attempt; empty of complaints. */
    esp: text('esp').notNull(),
    /** Messages whose first attempt was on this day. */
    attempted: count('attempted'),
    /** Of these: delivered by now, and not bounced since. */
    delivered: count('delivered'),
    /** Of these: bounced by now, in the dialogue or by a report. */
    bounced: count('bounced'),
    /** Attempts of this day that the next hop accepted, of mail that counts in rates. */
    accepted: count('accepted'),
    /** The same of mail that counts in no rate (core/message/rated.ts), and so in no other column. */
    systemAccepted: count('system_accepted'),
    /** Messages complained about on this day. */
    complained: count('complained'),
  },
  // By day first: the ramp reads a whole day, the reconciliation a tenant's.
  (t) => [primaryKey({ columns: [t.day, t.tenantId, t.domainId, t.esp] })],
);

/** One row: from when on attempt_days is whole, and how often it was corrected from the rows. */
export const attemptCounting = pgTable('attempt_counting', {
  /** Attempts of days before it were recorded by a version that did not count them. */
  firstDay: date('first_day', { mode: 'string' }).primaryKey(),
  recounts: count('recounts'),
});

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
    index('domain_days_day').on(t.day),
  ],
);
