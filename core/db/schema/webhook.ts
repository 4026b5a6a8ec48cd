// The way of inbound mail and of events to customers' webhooks.

import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

import { bytea, count, time, timeOfInsert } from './columns.ts';
import { inboundRaws } from './inbound.ts';
import { tenants } from './tenant.ts';

/**
 * Where a tenant's inbound mail (`kind` inbound, one row) or its events (up to 20) are posted to. Secrets are sealed with
 * a key derived from MASTER_KEY.
 */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    kind: text('kind', { enum: ['inbound', 'events'] }).notNull(),
    /** Null only for inbound mail, until its owner sets one. */
    url: text('url'),
    enabled: boolean('enabled').notNull(),
    sealedSecret: bytea('sealed_secret').notNull(),
    /** Of events: signs beside the new one until `previous_until`. */
    previousSealedSecret: bytea('previous_sealed_secret'),
    previousUntil: time('previous_until'),
    /** Names of core/webhook/event-types.ts, or `*` alone. */
    eventTypes: text('event_types').array().notNull().default([]),
    /** Null means all domains. */
    domainIds: uuid('domain_ids').array(),
    description: text('description'),
    /** A name of core/webhook/formats/formats.ts. */
    format: text('format', { enum: ['standard', 'sendgrid'] })
      .notNull()
      .default('standard'),
    createdAt: timeOfInsert('created_at'),
    rotatedAt: time('rotated_at'),
    /** The first failure since the last success. */
    failingSince: time('failing_since'),
    /** Why it was turned off by itself; null when nobody or its owner did. */
    disabledReason: text('disabled_reason', { enum: ['gone', 'failing'] }),
    /** When the owners were sent mail about that. */
    ownersToldAt: time('owners_told_at'),
  },
  (t) => [
    uniqueIndex('webhook_endpoints_inbound')
      .on(t.tenantId)
      .where(sql`kind = 'inbound'`),
    index('webhook_endpoints_tenant').on(t.tenantId, t.id),
    index('webhook_endpoints_failing')
      .on(t.failingSince)
      .where(sql`failing_since is not null`),
  ],
);

/**
 * The delivery of one inbound message or one event to one endpoint: pending until it is accepted (2xx) or dead. Inbound
 * mail is read from its raw at each attempt; an event has its body here, the same bytes at each attempt.
 */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    /** No foreign key: what is left of an endpoint that was deleted goes with age. */
    endpointId: uuid('endpoint_id').notNull(),
    /** The inbound message; with the three after it null for events. */
    messageId: uuid('message_id'),
    rawId: uuid('raw_id').references(() => inboundRaws.id, { onDelete: 'cascade' }),
    recipient: text('recipient'),
    sizeBytes: integer('size_bytes'),
    /** The event; with the two after it null for inbound mail. */
    eventId: uuid('event_id'),
    eventType: text('event_type'),
    body: text('body'),
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
      .on(t.endpointId, t.nextAttemptAt)
      .where(sql`state = 'pending' and claimed_until is null`),
    index('webhook_deliveries_claimed')
      .on(t.claimedUntil)
      .where(sql`claimed_until is not null`),
    index('webhook_deliveries_old')
      .on(t.roundStartedAt)
      .where(sql`state = 'pending'`),
    index('webhook_deliveries_dead')
      .on(t.tenantId, t.deadLetteredAt, t.id)
      .where(sql`state = 'dead' and raw_id is not null`),
    index('webhook_deliveries_raw')
      .on(t.rawId)
      .where(sql`raw_id is not null`),
    uniqueIndex('webhook_deliveries_event')
      .on(t.endpointId, t.eventId)
      .where(sql`event_id is not null`),
    index('webhook_deliveries_log')
      .on(t.endpointId, t.createdAt, t.id)
      .where(sql`event_id is not null`),
    // What an owner looks for among millions that were accepted.
    index('webhook_deliveries_not_accepted')
      .on(t.endpointId, t.createdAt, t.id)
      .where(sql`event_id is not null and state <> 'accepted'`),
    check(
      'webhook_deliveries_one_kind',
      sql`case when event_id is null
        then num_nulls(message_id, raw_id, recipient, size_bytes) = 0 and num_nonnulls(event_type, body) = 0
        else num_nonnulls(message_id, raw_id, recipient, size_bytes) = 0 and num_nulls(event_type, body) = 0 end`,
    ),
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
    /** Milliseconds of the request. */
    durationMs: integer('duration_ms'),
    /** The start of the answer, 4 KiB at most; of events only. */
    responseBody: text('response_body'),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.claimVersion] })],
);

/** Deliveries of events that are to start again, by a range of time; worked off in pieces, the row goes with the last. */
export const webhookReplays = pgTable('webhook_replays', {
  id: uuid('id').primaryKey(),
  tenantId: uuid('tenant_id').notNull(),
  endpointId: uuid('endpoint_id')
    .notNull()
    .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
  until: time('until').notNull(),
  status: text('status', { enum: ['succeeded', 'failed', 'dead'] }),
  /** Where the next piece starts: the time of a delivery and its id. */
  cursorAt: time('cursor_at').notNull(),
  cursorId: uuid('cursor_id').notNull(),
});
