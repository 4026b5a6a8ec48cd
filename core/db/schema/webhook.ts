// The way of inbound mail to the customer's webhook.

import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';

import { bytea, count, time, timeOfInsert } from './columns.ts';
import { inboundRaws } from './inbound.ts';
import { tenants } from './tenant.ts';

/** Where a tenant's inbound mail is posted to. The secret is sealed with a key derived from MASTER_KEY. */
export const webhookSettings = pgTable('webhook_settings', {
  tenantId: uuid('tenant_id')
    .primaryKey()
    .references(() => tenants.id),
  webhookUrl: text('webhook_url'),
  enabled: boolean('enabled').notNull(),
  sealedSecret: bytea('sealed_secret').notNull(),
  createdAt: timeOfInsert('created_at'),
  rotatedAt: time('rotated_at'),
});

/** The delivery of one inbound message to the webhook: pending until it is accepted (2xx) or dead. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    /** The inbound message. */
    messageId: uuid('message_id').notNull(),
    rawId: uuid('raw_id')
      .notNull()
      .references(() => inboundRaws.id, { onDelete: 'cascade' }),
    recipient: text('recipient').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    state: text('state', { enum: ['pending', 'accepted', 'dead'] })
      .notNull()
      .default('pending'),
    /** Counted by the statement that claims, before the request. */
    attempts: smallint('attempts').notNull().default(0),
    nextAttemptAt: time('next_attempt_at'),
    claimVersion: count('claim_version'),
    /** Set while a process makes an attempt. */
    claimedUntil: time('claimed_until'),
    webhookUrl: text('webhook_url'),
    lastStatusCode: smallint('last_status_code'),
    lastError: text('last_error'),
    createdAt: timeOfInsert('created_at'),
    /** When attempt 1 became due: at the acceptance, or at the last replay. */
    roundStartedAt: timeOfInsert('round_started_at'),
    firstAttemptAt: time('first_attempt_at'),
    deadLetteredAt: time('dead_lettered_at'),
    acceptedAt: time('accepted_at'),
  },
  (t) => [
    index('webhook_deliveries_due')
      .on(t.tenantId, t.nextAttemptAt)
      .where(sql`state = 'pending' and claimed_until is null`),
    index('webhook_deliveries_claimed')
      .on(t.claimedUntil)
      .where(sql`claimed_until is not null`),
    index('webhook_deliveries_old')
      .on(t.roundStartedAt)
      .where(sql`state = 'pending'`),
    index('webhook_deliveries_dead')
      .on(t.tenantId, t.deadLetteredAt, t.id)
      .where(sql`state = 'dead'`),
    index('webhook_deliveries_raw').on(t.rawId),
  ],
);

/** One try at a delivery, written before its request. `ended_at` stays null when the process died in between. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    claimVersion: integer('claim_version').notNull(),
    tenantId: uuid('tenant_id').notNull(),
    attempt: smallint('attempt').notNull(),
    webhookUrl: text('webhook_url').notNull(),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
    statusCode: smallint('status_code'),
    error: text('error'),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.claimVersion] })],
);
